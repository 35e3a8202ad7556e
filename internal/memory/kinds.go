package memory

import (
	"fmt"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// kinds are the kinds of records, in the order of their refs.
func kinds() []refs.Kind { return []refs.Kind{refs.Events, refs.Notes, refs.Packets, refs.Skips} }

// telling are the kinds of records that say something of the work; the others say what became of those.
func telling() []refs.Kind { return []refs.Kind{refs.Packets, refs.Notes, refs.Skips} }

// kindOf is the kind of record that lies under a kind of ref.
func kindOf(kind refs.Kind) packet.Kind {
	switch kind {
	case refs.Events:
		return packet.KindEvent
	case refs.Notes:
		return packet.KindNote
	case refs.Skips:
		return packet.KindSkip
	default:
		return packet.KindPacket
	}
}

// placeOf is the kind of ref under which a kind of record lies.
func placeOf(kind packet.Kind) refs.Kind {
	switch kind {
	case packet.KindEvent:
		return refs.Events
	case packet.KindNote:
		return refs.Notes
	case packet.KindSkip:
		return refs.Skips
	default:
		return refs.Packets
	}
}

// bound is the number of bytes that a record of this kind may have.
func bound(kind refs.Kind) int64 {
	if kind == refs.Packets {
		return packet.MaxPacket
	}
	return packet.MaxSmall
}

// fits checks that a record is of the kind, and has the id, that its ref says.
func fits(rec *packet.Record, name refs.Name) error {
	if want := kindOf(name.Kind); rec.Kind() != want {
		return &MismatchError{Why: fmt.Sprintf("it is no %s", want)}
	}
	if own, err := packet.ParseID(rec.OwnID()); err == nil && own != name.ID {
		return errOtherID()
	}
	return nil
}

func errOtherID() error { return &MismatchError{Why: "the id inside is that of another record"} }
