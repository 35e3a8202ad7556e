package web

import (
	"context"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// thread returns what a packet continues, nearest first, and what continues it.
func (s *shelf) thread(ctx context.Context, x exhibit) (before, after []card, err error) {
	if x.withheld != "" {
		return nil, nil, nil
	}
	older, err := s.memory.Thread(ctx, x.Entry, memory.Asked)
	if err != nil {
		return nil, nil, err
	}
	older = slices.DeleteFunc(older, func(e memory.Entry) bool { return !s.lets(e) })
	if before, err = s.cards(ctx, older[:min(len(older), mostBefore)]); err != nil {
		return nil, nil, err
	}
	newer, err := s.continuing(ctx, x.ID)
	if err != nil {
		return nil, nil, err
	}
	after, err = s.cards(ctx, newer)
	return before, after, err
}

// cards are records in a short list.
func (s *shelf) cards(ctx context.Context, entries []memory.Entry) ([]card, error) {
	var all []card
	for _, e := range entries {
		x, err := s.exhibit(ctx, s.memory, e)
		if err != nil {
			return nil, err
		}
		all = append(all, s.card(x))
	}
	return all, nil
}

// continuing returns the packets that continue another one, newest first. Of a large memory only the newest are asked, unless an
// export knows them already.
func (s *shelf) continuing(ctx context.Context, id packet.ID) ([]memory.Entry, error) {
	if s.export != nil {
		return s.export.children[id.Suffix()], nil
	}
	var found []memory.Entry
	looked := 0
	for e, err := range s.memory.List(ctx, memory.Query{}) {
		if err != nil {
			return nil, err
		}
		if looked++; e.ID <= id || looked > afterLooked || len(found) == mostBefore {
			break
		}
		if parents, _ := s.parents(e); slices.Contains(parents, id.Suffix()) {
			found = append(found, e)
		}
	}
	return found, nil
}

// events tells what became of a record, oldest first. Of a withheld one that would tell of its text.
func (s *shelf) events(ctx context.Context, m *memory.Memory, x exhibit) ([]happening, error) {
	if x.withheld != "" {
		return nil, nil
	}
	all, err := s.history(ctx, m, x.ID)
	if err != nil {
		return nil, err
	}
	var told []happening
	for _, e := range all[max(0, len(all)-mostEvents):] {
		undone, err := m.Undone(ctx, e.ID)
		if err != nil {
			return nil, err
		}
		h := happening{
			Time: s.moment(e.Event.CreatedAt), What: clean.Line(e.Event.Event), Why: clean.Text(e.Event.Why),
			Who: cut(briefing.Author(packet.Packet{Provenance: e.Event.Provenance}), nameColumns), Undone: undone,
			Standing: "unverified: " + string(e.Verdict.Standing), Class: warn,
		}
		if e.Verdict.Standing.Vouched() {
			h.Standing, h.Class = string(e.Verdict.Standing), plain
		}
		if value := clean.Line(e.Event.Value); value != "" && !strings.HasPrefix(value, "{") {
			h.What += " " + cut(value, nameColumns)
		}
		told = append(told, h)
	}
	return told, nil
}

// history returns the events about a record; in an export those that go out with it.
func (s *shelf) history(ctx context.Context, m *memory.Memory, id packet.ID) ([]memory.Entry, error) {
	if s.export != nil {
		return s.export.about[id], nil
	}
	return m.History(ctx, id)
}
