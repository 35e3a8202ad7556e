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

// threadOf returns what a packet continues, nearest first, and what continues it.
func (s *shelf) threadOf(ctx context.Context, x exhibit) (before, after []card, err error) {
	if x.withheld != "" {
		return nil, nil, nil
	}
	if before, err = s.packetsBefore(ctx, x.Shown); err != nil {
		return nil, nil, err
	}
	newer, err := s.packetsAfter(ctx, x.ID)
	if err != nil {
		return nil, nil, err
	}
	return before, s.cardsOf(newer), nil
}

// packetsBefore returns the nearest packets that another one continues. It goes no farther back than is
// shown: threads grow long.
func (s *shelf) packetsBefore(ctx context.Context, e replay.Shown) ([]card, error) {
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
		p, err := s.openPacket(ctx, id)
		if errors.Is(err, replay.ErrNotFound) || replay.IsUnreadable(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		queue = append(queue, parentsOf(p)...)
		if !p.Life.Hidden() && s.mayShow(p.Entry) {
			found = append(found, p)
		}
	}
	return s.cardsOf(found), nil
}

// openPacket returns a packet that is here.
func (s *shelf) openPacket(ctx context.Context, id packet.ID) (replay.Shown, error) {
	if s.export != nil {
		return s.export.packets[id], nil
	}
	e, err := s.memory.FindAny(ctx, string(id))
	shown, _ := e.Open(replay.Asked)
	return shown, err
}

// cardsOf are records in a short list.
func (s *shelf) cardsOf(entries []replay.Shown) (all []card) {
	for _, e := range entries {
		all = append(all, s.cardOf(exhibitOf(e.Entry)))
	}
	return all
}

// packetsAfter returns the packets that continue another one, newest first. Of a large memory only the newest
// are asked, unless an export knows them already.
func (s *shelf) packetsAfter(ctx context.Context, id packet.ID) ([]replay.Shown, error) {
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
		if parents, _ := s.parentsHere(shown); slices.Contains(parents, id.Suffix()) {
			found = append(found, shown)
		}
	}
	return found, nil
}

// eventsOf tells what became of a record, oldest first. Of a withheld one that would tell of its text.
func (s *shelf) eventsOf(ctx context.Context, m *memory.Memory, x exhibit) ([]happening, error) {
	if x.withheld != "" {
		return nil, nil
	}
	all, err := s.historyOf(ctx, m, x.ID)
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
			Time: s.momentOf(e.Event().CreatedAt), What: clean.Line(e.Event().Event),
			Why: clean.Text(e.Event().Why),
			Who: cutLine(e.Origin().By(), nameColumns), Undone: undone,
			Standing: "unverified: " + string(e.Verdict.Standing), Class: warn,
		}
		if e.Verdict.Standing.Vouched() {
			h.Standing, h.Class = string(e.Verdict.Standing), plain
		}
		if value := clean.Line(e.Event().Value); value != "" && !strings.HasPrefix(value, "{") {
			h.What += " " + cutLine(value, nameColumns)
		}
		told = append(told, h)
	}
	return told, nil
}

// historyOf returns the events about a record; in an export those that go out with it.
func (s *shelf) historyOf(ctx context.Context, m *memory.Memory, id packet.ID) ([]replay.Shown, error) {
	if s.export != nil {
		return s.export.about[id], nil
	}
	return m.History(ctx, id)
}
