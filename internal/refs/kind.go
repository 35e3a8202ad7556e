package refs

import "github.com/git-ltm/git-ltm/internal/packet"

// Kinds are the kinds of records, in the order of their refs.
func Kinds() []Kind { return []Kind{Events, Notes, Packets, Skips} }

// Telling are the kinds of records that say something of the work; the others say what became of those.
func Telling() []Kind { return []Kind{Packets, Notes, Skips} }

// RecordKind is the kind of record that lies under a kind of ref.
func RecordKind(kind Kind) packet.Kind {
	switch kind {
	case Events:
		return packet.KindEvent
	case Notes:
		return packet.KindNote
	case Skips:
		return packet.KindSkip
	default:
		return packet.KindPacket
	}
}

// KindFor is the kind of ref under which a kind of record lies.
func KindFor(kind packet.Kind) Kind {
	switch kind {
	case packet.KindEvent:
		return Events
	case packet.KindNote:
		return Notes
	case packet.KindSkip:
		return Skips
	default:
		return Packets
	}
}

// Bound is the number of bytes that a record of this kind may have.
func Bound(kind Kind) int64 {
	if kind == Packets {
		return packet.MaxPacket
	}
	return packet.MaxSmall
}
