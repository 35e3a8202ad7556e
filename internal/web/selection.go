package web

import (
	"context"
	"crypto/sha256"
	"slices"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// A selection is what an export lets out: what the gate gave, byte for byte, and nothing that came after it.
type selection struct {
	sums     map[packet.ID][sha256.Size]byte
	about    map[packet.ID][]replay.Shown // the events about a record, oldest first
	packets  map[packet.ID]replay.Shown
	children map[string][]replay.Shown // what continues a packet, newest first, by the lasting part of its id
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
func (s *selection) holds(e replay.Entry) bool {
	sum, ok := s.sums[e.ID]
	return ok && sum == e.Sum()
}

// choose asks the gate for everything that may go out, as an export of records does, and for the events about it.
func (s *shelf) choose(ctx context.Context) error {
	c := &selection{
		sums: map[packet.ID][sha256.Size]byte{}, about: map[packet.ID][]replay.Shown{}, children: map[string][]replay.Shown{},
		packets: map[packet.ID]replay.Shown{},
	}
	s.known = map[string]packet.ID{}
	var packets []replay.Shown
	for _, kind := range append(kinds(), packet.KindEvent) {
		q := replay.Query{Kind: kind, Hidden: kind == packet.KindEvent}
		for g, err := range s.memory.Give(ctx, q, replay.Shared) {
			if err != nil {
				return err
			}
			if !c.takes(g) {
				continue
			}
			switch kind {
			case packet.KindEvent:
				c.tell(g.Shown)
			case packet.KindPacket:
				s.known[g.ID.Suffix()] = g.ID
				packets = append(packets, g.Shown)
				c.packets[g.ID] = g.Shown
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
func (s *selection) takes(g replay.Given) bool {
	if g.Kept == "" && len(g.Findings) == 0 {
		s.sums[g.ID] = g.Sum()
		return true
	}
	left := Left{Kind: g.Kind(), ID: g.ID, Why: clean.Line(g.Kept)}
	if left.Why == "" {
		left.Why, left.Secret = clean.Line(g.Findings[0].String()), true
	}
	s.left = append(s.left, left)
	return false
}

// tell notes an event with the records that it speaks of.
func (s *selection) tell(e replay.Shown) {
	delete(s.sums, e.ID) // It has no page of its own.
	for _, target := range e.Event().Targets {
		if id, err := packet.ParseID(target); err == nil && s.has(id) {
			s.about[id] = append(s.about[id], e)
		}
	}
}

// says is a text that may stand in an event about a record, with who wrote it where that is not the author. An export says it
// where such an event goes out: one that is private, or that the gate keeps, is silent.
func (s *shelf) says(t provenance.Text, of exhibit) string {
	text, _ := t.For(replay.Asked)
	if text == "" || s.export != nil && !s.export.tells(of.ID, t.Origin().ID) {
		return ""
	}
	if by := t.ByOther(of.Origin()); by != "" {
		text += " (" + by + ")"
	}
	return text
}

// tells tells whether a record goes out that holds a text about another one.
func (s *selection) tells(of, holder packet.ID) bool {
	return holder == of || slices.ContainsFunc(s.about[of], func(e replay.Shown) bool { return e.ID == holder })
}

// knows tells whether pages may say that an event set a record in relation to another.
func (s *shelf) knows(other packet.ID) bool { return s.export == nil || s.export.has(other) }
