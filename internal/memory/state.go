package memory

import (
	"cmp"
	"context"
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
	signed map[packet.ID]bool      // whether a trusted key signed a packet, as far as it was asked
	near   map[packet.ID]bool      // which records are at hand, where somebody speaks of many; nil says nothing
}

// fold reads the events once and says what became of each record. The result
// does not depend on the order in which events arrived.
func (m *Memory) fold(ctx context.Context) (*state, error) {
	if m.state != nil {
		return m.state, nil
	}
	s := &state{lives: map[packet.ID]Life{}, purged: map[packet.ID]Tombstone{}, stones: map[packet.ID]string{}, signed: map[packet.ID]bool{}}
	for ref, err := range m.everything(ctx, refs.Query{Kind: refs.Events, Remotes: true}) {
		if err != nil {
			return nil, err
		}
		if err := m.foldOne(ctx, s, ref); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(s.events, inTime)
	if err := m.bury(ctx, s); err != nil {
		return nil, err
	}
	for _, e := range s.events {
		if err := m.apply(ctx, s, e); err != nil {
			return nil, err
		}
	}
	m.state = s
	return s, nil
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
	why, err := m.Withheld(ctx, e, Asked)
	if err != nil || why != "" {
		return err
	}
	if e.Event.Event == purgeEvent {
		s.stones[e.ID] = m.store.BlobOID(e.Data)
	}
	e.Data, e.Record = nil, nil // Of an event only the view is asked for again.
	s.events = append(s.events, e)
	return nil
}

// inTime is the order in which events count.
func inTime(a, b Entry) int {
	return cmp.Or(a.Event.CreatedAt.Compare(b.Event.CreatedAt), cmp.Compare(a.ID, b.ID))
}

// apply changes the lives of an event's targets. Events of other kinds change
// nothing that this version shows, and one that nobody here vouches for changes
// nothing of a record that a trusted key signed.
func (m *Memory) apply(ctx context.Context, s *state, e Entry) error {
	retracted := e.Event.Event == "retract"
	if !retracted && e.Event.Event != "restore" {
		return nil
	}
	for _, target := range e.Event.Targets {
		id, err := packet.ParseID(target)
		if err != nil {
			continue
		}
		reaches, err := m.reaches(ctx, s, e, id)
		if err != nil {
			return err
		}
		if !reaches {
			continue
		}
		s.lives[id] = Life{Retracted: retracted, By: e.ID}
	}
	return nil
}
