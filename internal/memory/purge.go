package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// mostTargets is how many records one event may name.
const mostTargets = 64

// Purged says what a purge did in this clone.
type Purged struct {
	Events  []packet.ID // the tombstones
	Purged  []packet.ID
	About   []packet.ID // events that spoke of these alone, and went with them
	Already []packet.ID // these were purged before
	Unknown []packet.ID // no such record is here; the tombstone holds all the same
	Refs    []string    // the refs that were taken out, of every kind
}

// ErrTombstone says that a purge cannot be purged.
var ErrTombstone = errors.New("it is the purge of another record, which counts for ever")

// Purge removes records for good: a tombstone is stored, and then everything of them is taken out of this clone. A
// record that is not here is named by its whole id. Events that speak of nothing else go too. Every spec must name a record, or nothing is changed. The bytes lie in
// the repository until git collects them.
func (m *Memory) Purge(ctx context.Context, specs []string, reason string) (Purged, error) {
	if !slices.Contains(Reasons(), reason) {
		return Purged{}, fmt.Errorf("reason %q: %w", quotable(reason), ErrUsage)
	}
	if err := m.heal(ctx); err != nil {
		return Purged{}, err
	}
	s, err := m.fold(ctx)
	if err != nil {
		return Purged{}, err
	}
	inside, err := m.Quarantined(ctx)
	if err != nil {
		return Purged{}, err
	}
	var p Purged
	var all []packet.ID
	var problems []error
	for _, spec := range specs {
		id, here, err := m.victim(ctx, spec)
		here = here || inside[id]
		_, before := s.purged[id]
		before = before && (s.purged[id].Sure || !inside[id]) // Who purges what waits for an answer has answered.
		switch {
		case err != nil:
			problems = append(problems, err)
			continue
		case slices.Contains(all, id):
			continue
		case before:
			p.Already = append(p.Already, id)
		default:
			p.Purged = append(p.Purged, id)
		}
		all = append(all, id)
		if !here && !before {
			p.Unknown = append(p.Unknown, id)
		}
	}
	if err := errors.Join(problems...); err != nil {
		return Purged{}, err
	}
	p.About = s.about(all)
	all = append(all, p.About...)
	m.erased.Note(all, s.stones)
	for group := range slices.Chunk(slices.Concat(p.Purged, p.About), mostTargets) {
		ids, err := m.record(ctx, draft{kind: purgeEvent, targets: group, value: reason})
		if err != nil {
			return Purged{}, err
		}
		p.Events = append(p.Events, ids...)
	}
	p.Refs, err = m.erase(ctx, all)
	return p, err
}

// about returns the events that speak of nothing but some records that go, or put only those in the place of others. What they
// say in words was taken from these, or is about them.
func (s *state) about(gone []packet.ID) []packet.ID {
	alone := func(names []string) bool {
		named := ids(names)
		return len(named) > 0 && !slices.ContainsFunc(named, func(id packet.ID) bool { return !slices.Contains(gone, id) })
	}
	var all []packet.ID
	for _, e := range s.events {
		if e.event.Event != purgeEvent && !slices.Contains(gone, e.ID) && (alone(e.event.Targets) || alone(e.event.By)) {
			all = append(all, e.ID)
		}
	}
	return all
}

// victim finds the record that a spec names, of any kind.
func (m *Memory) victim(ctx context.Context, spec string) (id packet.ID, here bool, err error) {
	if id, err := packet.ParseID(strings.ToUpper(spec)); err == nil {
		for _, kind := range refs.Telling() {
			if m.isHere(ctx, kind, id) {
				return id, true, nil // An event of the same id does not protect it.
			}
		}
		if m.isHere(ctx, refs.Events, id) {
			return id, true, m.refuseTombstone(ctx, id)
		}
		return id, false, nil
	}
	t, err := m.targetOf(ctx, spec)
	if err == nil && t.Ref.Name.Kind == refs.Events {
		err = m.refuseTombstone(ctx, t.Ref.Name.ID)
	}
	return t.Ref.Name.ID, true, err
}

func (m *Memory) refuseTombstone(ctx context.Context, id packet.ID) error {
	s, err := m.fold(ctx)
	if err != nil {
		return err
	}
	for _, e := range s.events {
		if e.ID == id && e.event.Event == purgeEvent {
			return fmt.Errorf("event %s: %w", id, ErrTombstone)
		}
	}
	return nil
}

// erase takes everything of some records out of this clone.
func (m *Memory) erase(ctx context.Context, ids []packet.ID) ([]string, error) {
	s, err := m.fold(ctx)
	if err != nil {
		return nil, err
	}
	m.erased.Note(ids, s.stones)
	gone, err := m.store.Erase(ctx, ids, s.stones)
	if err != nil {
		return nil, err
	}
	var archives []string
	gone = slices.DeleteFunc(gone, func(ref string) bool {
		if refs.IsArchive(ref) { // It is back where plain git brings it back.
			archives = append(archives, ref)
		}
		return refs.IsArchive(ref)
	})
	m.erased.NoteArchives(archives)
	for _, id := range ids {
		for _, kind := range refs.Kinds() {
			if kind == refs.Events && s.stones[id] != "" {
				continue
			}
			m.seen.Erase(refs.Name{Kind: kind, ID: id})
			m.seen.Erase(refs.Name{Kind: kind, ID: id, Private: true})
		}
	}
	m.seen.Keep()
	m.forgetFolded()
	return gone, nil
}

// Burial is what became of records that were purged elsewhere.
type Burial struct {
	Gone   []string // full names of refs that were taken out
	Hidden []string // those of them whose records wait in quarantine for an answer
	Back   []string // full names of refs that are here again, because no purge names them any more
}

// Bury takes out what is still here of records that were purged elsewhere. What this clone made or
// a trusted key signed goes to the quarantine first where the purge is not trusted, and so do many
// records at once; remote is who brought the purge. Where nothing was purged it reads nothing but
// events.
func (m *Memory) Bury(ctx context.Context, remote string) (b Burial, err error) {
	m.forgetFolded()
	s, err := m.fold(ctx)
	if err != nil {
		return Burial{}, err
	}
	inside, err := m.Quarantined(ctx)
	if err != nil {
		return Burial{}, err
	}
	var back []packet.ID
	for id := range inside {
		if s.purged[id].Event == "" {
			back = append(back, id)
		}
	}
	if len(back) > 0 {
		if b.Back, err = m.release(ctx, back); err != nil {
			return b, err
		}
	}
	if len(s.purged) == 0 {
		return b, m.noteTombstones(s)
	}
	erased, wait, err := m.judgePurged(ctx, s, inside)
	if err != nil {
		return b, err
	}
	if len(wait) > 0 {
		if b.Hidden, err = m.quarantine(ctx, s, wait, remote); err != nil {
			return b, err
		}
	}
	b.Gone, err = m.erase(ctx, erased)
	b.Gone = append(b.Gone, b.Hidden...)
	slices.Sort(b.Gone)
	if err != nil {
		return b, err
	}
	return b, m.noteTombstones(s)
}

// Collect drops the bytes of what was purged, with every other object of the repository that nothing refers to.
func (m *Memory) Collect(ctx context.Context) error {
	if err := m.store.Close(); err != nil { // Nothing of what goes may be open.
		return err
	}
	return m.repo.Collect(ctx)
}
