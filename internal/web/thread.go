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

// packetsBefore returns the nearest packets that another one continues. It goes no farther back than is
// shown: threads grow long.
func (s *shelf) packetsBefore(ctx context.Context, e replay.Shown) (found []card, err error) {
	queue := parentsOf(e)
	seen := map[packet.ID]bool{e.ID: true}
	for len(queue) > 0 && len(found) < mostBefore && len(seen) < mostWalked {
		id, here := s.packetOf(queue[0])
		queue = queue[1:]
		if !here || seen[id] {
			continue
		}
		seen[id] = true
		entry, err := s.memory.FindAny(ctx, string(id))
		if errors.Is(err, replay.ErrNotFound) || replay.IsUnreadable(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		p := exhibitOf(entry)
		queue = append(queue, parentsOf(p.Shown)...)
		if !p.Life.Hidden() {
			found = append(found, s.cardOf(p))
		}
	}
	return found, nil
}

// packetsAfter returns the packets that continue another one, newest first. Of a large memory only the newest
// are asked.
func (s *shelf) packetsAfter(ctx context.Context, id packet.ID) (found []card, err error) {
	looked := 0
	for e, err := range s.memory.List(ctx, replay.Query{}) {
		if err != nil {
			return nil, err
		}
		if looked++; e.ID <= id || looked > afterLooked || len(found) == mostBefore {
			break
		}
		x := exhibitOf(e)
		if parents, _ := s.parentsHere(x.Shown); slices.Contains(parents, id.Suffix()) {
			found = append(found, s.cardOf(x))
		}
	}
	return found, nil
}

// eventsOf tells what became of a record, oldest first.
func (s *shelf) eventsOf(ctx context.Context, m *memory.Memory, id packet.ID) ([]happening, error) {
	all, err := m.History(ctx, id)
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
