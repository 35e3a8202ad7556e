package web

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// thread returns what a packet continues, nearest first, and what continues it.
func (s *shelf) thread(ctx context.Context, x exhibit) (before, after []card, err error) {
	if x.withheld != "" {
		return nil, nil, nil
	}
	if before, err = s.continued(ctx, x.Shown); err != nil {
		return nil, nil, err
	}
	newer, err := s.continuing(ctx, x.ID)
	if err != nil {
		return nil, nil, err
	}
	after, err = s.cards(ctx, newer)
	return before, after, err
}

// continued returns the nearest packets that another one continues. It goes no farther back than is shown:
// threads grow long.
func (s *shelf) continued(ctx context.Context, e replay.Shown) ([]card, error) {
	var found []replay.Shown
	queue := parentsOf(e)
	seen := map[packet.ID]bool{e.ID: true}
	for len(queue) > 0 && len(found) < mostBefore && len(seen) < mostWalked {
		id, here := s.packetOf(queue[0])
		queue = queue[1:]
		if !here || seen[id] {
			continue
		}
		seen[id] = true
		p, err := s.packet(ctx, id)
		if errors.Is(err, replay.ErrNotFound) || replay.IsUnreadable(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		queue = append(queue, parentsOf(p)...)
		if !p.Life.Hidden() && s.lets(p.Entry) {
			found = append(found, p)
		}
	}
	return s.cards(ctx, found)
}

// packet returns a packet that is here.
func (s *shelf) packet(ctx context.Context, id packet.ID) (replay.Shown, error) {
	if s.export != nil {
		return s.export.packets[id], nil
	}
	e, err := s.memory.FindAny(ctx, string(id))
	shown, _ := e.Open(replay.Asked)
	return shown, err
}

// cards are records in a short list.
func (s *shelf) cards(ctx context.Context, entries []replay.Shown) ([]card, error) {
	var all []card
	for _, e := range entries {
		all = append(all, s.card(exhibitOf(e.Entry)))
	}
	return all, nil
}

// continuing returns the packets that continue another one, newest first. Of a large memory only the newest
// are asked, unless an export knows them already.
func (s *shelf) continuing(ctx context.Context, id packet.ID) ([]replay.Shown, error) {
	if s.export != nil {
		return s.export.children[id.Suffix()], nil
	}
	var found []replay.Shown
	looked := 0
	for e, err := range s.memory.List(ctx, replay.Query{}) {
		if err != nil {
			return nil, err
		}
		if looked++; e.ID <= id || looked > afterLooked || len(found) == mostBefore {
			break
		}
		shown, _ := e.Open(replay.Asked)
		if parents, _ := s.parents(shown); slices.Contains(parents, id.Suffix()) {
			found = append(found, shown)
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
			Time: s.moment(e.Event().CreatedAt), What: clean.Line(e.Event().Event),
			Why: clean.Text(e.Event().Why),
			Who: cut(e.Origin().By(), nameColumns), Undone: undone,
			Standing: "unverified: " + string(e.Verdict.Standing), Class: warn,
		}
		if e.Verdict.Standing.Vouched() {
			h.Standing, h.Class = string(e.Verdict.Standing), plain
		}
		if value := clean.Line(e.Event().Value); value != "" && !strings.HasPrefix(value, "{") {
			h.What += " " + cut(value, nameColumns)
		}
		told = append(told, h)
	}
	return told, nil
}

// history returns the events about a record; in an export those that go out with it.
func (s *shelf) history(ctx context.Context, m *memory.Memory, id packet.ID) ([]replay.Shown, error) {
	if s.export != nil {
		return s.export.about[id], nil
	}
	return m.History(ctx, id)
}
