// Package briefing writes what the next session reads: one packet, what its thread has settled, and who says
// so.
//
// The text of a packet is hostile input. It is cleaned of characters that act on a terminal or hide from a
// reader, put on one line, and set between two marks that carry a nonce, each line marked as data. What the
// reader should attend to most stands at the start and again at the end. A briefing never tells a session to
// trust it.
package briefing

import (
	"fmt"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
)

// Briefing is what is known about one packet at the time of reading.
type Briefing struct {
	Packet Packet              // required
	To     provenance.Audience // who reads it
	// "user" or "private", where it lies in another memory than that of the repository
	Store string
	// why it is not trusted although somebody trusted signed it; empty where nobody did
	Doubt   string
	Closed  bool     // its thread has ended
	Cleaned int      // characters taken out that act on a terminal or hide from a reader
	Thread  []Packet // earlier packets of the same thread, nearest first
	Changed map[string]string
	Now     time.Time // required
	Nonce   string    // required: random for each answer
	Budget  int       // characters of the whole answer; zero is no bound
}

// Packet is a packet and where it comes from.
type Packet = provenance.Value[packet.Packet]

// packetID is the name of the record.
func (b Briefing) packetID() string { return string(b.Packet.Origin().ID) }

// openPacket is what it says, as far as the reader may read it.
func (b Briefing) openPacket() packet.Packet {
	p, _ := b.Packet.For(b.To)
	return p
}

// nextStep is the next step of the packet; nothing where its thread has ended.
func (b Briefing) nextStep() string {
	if b.Closed {
		return ""
	}
	return b.openPacket().Next()
}

// standing is one word for who vouches for the packet.
func (b Briefing) standing() string { return string(b.Packet.Origin().Verdict.Standing) }

// carryItems returns items of an earlier packet, each with where it comes from.
func (b Briefing) carryItems(from Packet, items func(p packet.Packet, id string) []item) []item {
	p, ok := from.For(b.To)
	if !ok {
		return nil
	}
	o := from.Origin()
	all := items(p, string(o.ID))
	for i := range all {
		if by := from.ByOther(b.Packet.Origin()); by != "" {
			all[i].from = fmt.Sprintf("%s (%s)", o.ID, cleanLine(by))
		}
	}
	return markDoubt(all, from)
}

// trustLine says in one sentence what the reader may think of the packet.
func (b Briefing) trustLine() string {
	switch o := b.Packet.Origin(); {
	case o.Trusted:
		return ""
	case o.IsClaimed():
		return fmt.Sprintf(claimedPacket, cleanLine(o.Claim()))
	case b.Doubt != "":
		return "UNVERIFIED: " + b.Doubt
	default:
		return untrustedPacket
	}
}

// storeLine says in one sentence in which memory the packet lies, where the reader would not expect it.
func (b Briefing) storeLine() string {
	return map[string]string{"user": ofUser, "private": ofClone}[b.Store]
}
