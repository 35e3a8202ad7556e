package web

import (
	"context"
	"crypto/sha256"
	"slices"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// A selection is what an export lets out: what the gate gave, byte for byte, and nothing that came after it.
type selection struct {
	sums     map[packet.ID][sha256.Size]byte
	about    map[packet.ID][]memory.Entry // the events about a record, oldest first
	packets  map[packet.ID]memory.Entry
	children map[string][]memory.Entry // what continues a packet, newest first, by the lasting part of its id
	left     []Left
}

// Left is a record that an export leaves out.
type Left struct {
	Kind   packet.Kind
	ID     packet.ID
	Why    string // the rule and the place of a secret, or why it is withheld; never the secret
	Secret bool
}

// has tells whether a record goes out.
func (s *selection) has(id packet.ID) bool { _, ok := s.sums[id]; return ok }

// holds tells whether these very bytes go out under their name.
func (s *selection) holds(e memory.Entry) bool {
	sum, ok := s.sums[e.ID]
	return ok && sum == sha256.Sum256(e.Data)
}

// choose asks the gate for everything that may go out, as an export of records does, and for the events about it.
func (s *shelf) choose(ctx context.Context) error {
	c := &selection{
		sums: map[packet.ID][sha256.Size]byte{}, about: map[packet.ID][]memory.Entry{}, children: map[string][]memory.Entry{},
		packets: map[packet.ID]memory.Entry{},
	}
	s.known = map[string]packet.ID{}
	var packets []memory.Entry
	for _, kind := range append(kinds(), packet.KindEvent) {
		q := memory.Query{Kind: kind, Hidden: kind == packet.KindEvent}
		for g, err := range s.memory.Give(ctx, q, memory.Shared) {
			if err != nil {
				return err
			}
			if !c.takes(g) {
				continue
			}
			switch kind {
			case packet.KindEvent:
				c.tell(g.Entry)
			case packet.KindPacket:
				s.known[g.ID.Suffix()] = g.ID
				packets = append(packets, g.Entry)
				c.packets[g.ID] = g.Entry
			default:
			}
		}
	}
	for _, e := range slices.Backward(packets) {
		parents, _ := s.parents(e)
		for _, parent := range parents {
			if len(c.children[parent]) < mostBefore {
				c.children[parent] = append(c.children[parent], e)
			}
		}
	}
	s.export = c
	return nil
}

// takes notes a record that goes out, or why it does not.
func (s *selection) takes(g memory.Given) bool {
	if g.Withheld == "" && len(g.Findings) == 0 {
		s.sums[g.ID] = sha256.Sum256(g.Data)
		return true
	}
	left := Left{Kind: g.Kind(), ID: g.ID, Why: clean.Line(g.Withheld)}
	if left.Why == "" {
		left.Why, left.Secret = clean.Line(g.Findings[0].String()), true
	}
	s.left = append(s.left, left)
	return false
}

// tell notes an event with the records that it speaks of.
func (s *selection) tell(e memory.Entry) {
	delete(s.sums, e.ID) // It has no page of its own.
	for _, target := range e.Event.Targets {
		if id, err := packet.ParseID(target); err == nil && s.has(id) {
			s.about[id] = append(s.about[id], e)
		}
	}
}

// speaks tells whether pages may say a text that an event put beside a record. An export says it where such an event goes out: one
// that is private, or that the gate keeps, is silent.
func (s *shelf) speaks(of packet.ID, text string) bool {
	if text == "" || s.export == nil {
		return text != ""
	}
	return slices.ContainsFunc(s.export.about[of], func(e memory.Entry) bool {
		change, err := packet.ParseChange(e.Event.Value)
		return e.Event.Value == text || err == nil && change.NextAction == text
	})
}

// knows tells whether pages may say that an event set a record in relation to another.
func (s *shelf) knows(other packet.ID) bool { return s.export == nil || s.export.has(other) }
