package memory

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// state is the fold of the events.
type state struct {
	events []Entry // in the order in which they count
	lives  map[packet.ID]Life
	purged map[packet.ID]Tombstone // what was removed for good
	stones map[packet.ID]string    // the blobs of the events that are tombstones
	undone map[packet.ID]bool      // the events that later ones took back
	texts  map[packet.ID]bool      // the events that bear text, and those that take such events back
	signed map[packet.ID]bool      // whether a trusted key signed a record, as far as it was asked
	near   map[packet.ID]bool      // which records are at hand, where somebody speaks of many; nil says nothing
}

// fold reads the events once and says what became of each record. The result
// does not depend on the order in which events arrived.
func (m *Memory) fold(ctx context.Context) (*state, error) {
	if m.state != nil {
		return m.state, nil
	}
	all, err := collect(m.everything(ctx, refs.Query{Kind: refs.Events, Remotes: true}))
	if err == nil {
		all, err = m.counting(ctx, all)
	}
	if err != nil {
		return nil, err
	}
	s, err := m.foldThese(ctx, all)
	if err == nil {
		m.state = s
	}
	return s, err
}

// foldThese says what some events make of the records that they speak of.
func (m *Memory) foldThese(ctx context.Context, events []refs.Ref) (*state, error) {
	s := &state{
		lives: map[packet.ID]Life{}, purged: map[packet.ID]Tombstone{}, stones: map[packet.ID]string{},
		undone: map[packet.ID]bool{}, texts: map[packet.ID]bool{}, signed: map[packet.ID]bool{},
	}
	for _, ref := range events {
		if err := errors.Join(ctx.Err(), m.foldOne(ctx, s, ref)); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(s.events, inTime)
	if err := m.bury(ctx, s); err != nil {
		return nil, err
	}
	if err := m.undo(ctx, s); err != nil {
		return nil, err
	}
	for _, e := range s.events {
		if err := m.apply(ctx, s, e); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// collect returns what a listing yields.
func collect(listing iter.Seq2[refs.Ref, error]) (all []refs.Ref, err error) {
	for ref, err := range listing {
		if err != nil {
			return nil, err
		}
		all = append(all, ref)
	}
	return all, nil
}

// foldOne reads an event, and notes it where it counts. One that cannot be read is skipped.
func (m *Memory) foldOne(ctx context.Context, s *state, ref refs.Ref) (err error) {
	if ref.Conflict && ref.Remote != "" {
		if ref, err = m.foremost(ctx, ref); err != nil {
			return err
		}
	}
	e, err := m.read(ctx, ref)
	if err != nil {
		return m.skip(ref.Full(), err)
	}
	if e.Withheld(Asked) != "" {
		return nil
	}
	if e.event.Event == purgeEvent {
		s.stones[e.ID] = m.store.BlobOID(e.data)
	}
	e.data, e.record = nil, nil // Of an event only the view is asked for again.
	s.events = append(s.events, e)
	return nil
}

// inTime is the order in which events count.
func inTime(a, b Entry) int {
	return cmp.Or(a.event.CreatedAt.Compare(b.event.CreatedAt), cmp.Compare(a.ID, b.ID))
}

// undo notes which events were taken back. It goes from the last to the first, because an event that takes another one back can
// be taken back itself. One takes back only what came before it, and no purge.
func (m *Memory) undo(ctx context.Context, s *state) error {
	before := map[packet.ID]bool{}
	for _, e := range s.events {
		before[e.ID] = e.event.Event != purgeEvent
		undoesText := e.event.Event == undoEvent && slices.ContainsFunc(ids(e.event.Targets), func(id packet.ID) bool { return s.texts[id] })
		if undoesText || bearsText(e.event.Event) {
			s.texts[e.ID] = true
		}
	}
	for _, e := range slices.Backward(s.events) {
		delete(before, e.ID)
		if e.event.Event != undoEvent || s.undone[e.ID] {
			continue
		}
		for _, id := range ids(e.event.Targets) {
			reaches, err := m.reaches(ctx, s, e, id)
			if err != nil {
				return err
			}
			if before[id] && reaches {
				s.undone[id] = true
			}
		}
	}
	return nil
}

// apply changes the lives of an event's targets. Where it has no say in a record, what it says is a claim.
func (m *Memory) apply(ctx context.Context, s *state, e Entry) error {
	if s.undone[e.ID] || e.event.Event == purgeEvent || e.event.Event == undoEvent {
		return nil
	}
	for _, id := range ids(e.event.Targets) {
		reaches, err := m.reaches(ctx, s, e, id)
		if err != nil {
			return err
		}
		if !reaches {
			s.lives[id] = s.lives[id].claimed(e)
			continue
		}
		s.lives[id] = s.lives[id].after(e)
		if e.event.Event == "supersede" {
			s.breakCircle(id)
		}
	}
	return nil
}

// longestCircle is how many records of a circle are looked at. Whoever can push can make chains of any length, and each event
// would follow them to the end.
const longestCircle = 64

// breakCircle lets the later of two events count that say of two records that each takes the place of the other. Else neither
// would be seen again.
func (s *state) breakCircle(id packet.ID) {
	next := s.lives[id].Superseded
	for range longestCircle {
		if next == "" {
			return
		}
		life := s.lives[next]
		if life.Superseded == id {
			life.Superseded = ""
			s.lives[next] = life
			return
		}
		next = life.Superseded
	}
}

// ids returns the texts that are ids.
func ids(texts []string) []packet.ID {
	var all []packet.ID
	for _, text := range texts {
		if id, err := packet.ParseID(text); err == nil {
			all = append(all, id)
		}
	}
	return all
}
