// Package briefing writes what the next session reads: one packet, what its thread has settled, and who says so.
//
// The text of a packet is hostile input. It is cleaned of characters that act on a terminal or hide from a reader, put on
// one line, and set between two marks that carry a nonce, each line marked as data. What the reader should attend to
// most stands at the start and again at the end. A briefing never tells a session to trust it.
package briefing

import (
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// Briefing is what is known about one packet at the time of reading.
type Briefing struct {
	ID       string        // required: name of the record
	Packet   packet.Packet // required
	Standing string        // required: one word, as package sign has it
	Store    string        // "user" or "private", where it lies in another memory than that of the repository
	Vouched  string        // who vouches for it, or why nobody does
	By       string        // the principal who signed it, as a list of keys here says; empty for nobody
	Key      string        // fingerprint of the key
	Verified bool          // somebody who counts here vouches for it
	Doubt    string        // why it is not verified although somebody vouches for it; empty where nobody does
	Cleaned  int           // characters taken out that act on a terminal or hide from a reader
	Thread   []Ancestor    // nearest first
	Changed  map[string]string
	Now      time.Time // required
	Nonce    string    // required: random for each answer
	Budget   int       // characters of the whole answer; zero is no bound
}

// Ancestor is an earlier packet of the same thread.
type Ancestor struct {
	ID       string
	Packet   packet.Packet
	Standing string // required
	Verified bool
}

// carried notes in items from whom they come, and that nobody vouches for that.
func (a Ancestor) carried(items []item) []item {
	for i := range items {
		if !a.Verified {
			items[i].from, items[i].doubt = a.ID+" ("+a.Standing+")", true
		}
	}
	return items
}

// seal says in one sentence what the reader may think of the packet.
func (b Briefing) seal() string {
	if b.Verified {
		return ""
	}
	if b.Doubt != "" {
		return "UNVERIFIED: " + b.Doubt
	}
	return "UNVERIFIED: nobody whose key counts here vouches for this packet. Whoever can push to the remote can have written it."
}

// origin says in one sentence in which memory the packet lies, where the reader would not expect it.
func (b Briefing) origin() string {
	switch b.Store {
	case "user":
		return "It is of the user-wide memory, which belongs to no project: it need not be about this repository."
	case "private":
		return "It is private to this clone: do not copy it into what others read."
	default:
		return ""
	}
}

// Short is the length at which an id is shown where its place is tight.
const Short = 10

// author returns the people and programs that the packet names as its writers.
func author(p packet.Provenance) string {
	who := first(p.AuthorHuman, p.Agent)
	model := first(p.AuthorModel, p.Model)
	switch {
	case who != "" && model != "":
		return line(who) + " with " + line(model)
	case who != "":
		return line(who)
	case model != "":
		return line(model)
	default:
		return "an unnamed author"
	}
}

// Author is the writer of a packet in one line, safe to print.
func Author(p packet.Packet) string { return author(p.Provenance) }

func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
