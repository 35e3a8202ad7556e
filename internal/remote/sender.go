package remote

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// hopeless is how many refs are refused one by one before the rest is given up, where none was taken.
const hopeless = 3

// sender pushes changes in groups that halve where a group fails: a host may refuse all for the sake of one.
type sender struct {
	exchange *exchange
	refused  map[string]string // reasons by the names of refs
	sent, of int               // of tells the progress what there is in all
	singles  int               // refs that were refused alone
	last     string            // why the last of them was
}

// sendAll sends tombstones with what they take out, and then the rest.
func (s *sender) sendAll(ctx context.Context, p parcel) error {
	if err := s.bury(ctx, p); err != nil {
		return err
	}
	if err := s.groups(ctx, p.rest); err != nil {
		return err
	}
	late := deletions(p.late)
	for _, c := range slices.Concat(p.stones, p.rest) {
		if why, ok := s.refused[c.Ref]; ok && (refs.IsArchive(c.Ref) || slices.Contains(p.stones, c)) {
			s.spare(late, why)
			return nil
		}
	}
	if err := s.groups(ctx, late); err != nil {
		return err
	}
	return s.trim(ctx, deletions(p.spare))
}

// trim deletes what the remote could do without. Where it refuses a whole group, it is not asked for more.
func (s *sender) trim(ctx context.Context, spare []git.PushChange) error {
	for group := range slices.Chunk(spare, git.PushLimit) {
		results, err := s.push(ctx, group, git.Independent)
		if err != nil && !s.reachable(ctx) {
			return err
		}
		if err != nil {
			return nil //nolint:nilerr // The server did not say that it refuses; the next exchange asks again.
		}
		if !slices.ContainsFunc(results, func(r git.PushResult) bool { return r.OK }) {
			for _, c := range spare { // What was deleted before is not there any more.
				s.refused[c.Ref] = "the remote refuses to delete"
			}
			return nil
		}
		for _, r := range results {
			if failed(r) {
				s.refused[r.Ref] = reason(r.Reason)
			}
		}
	}
	return nil
}

// spare leaves refs where they are whose tombstone was refused, or the archive that takes their
// place.
func (s *sender) spare(doomed []git.PushChange, why string) {
	for _, d := range doomed {
		s.refused[d.Ref] = "what has to be there before was refused: " + why
	}
}

// deletions are the changes that delete refs with what they hold, in the order of their names.
func deletions(doomed map[string]string) []git.PushChange {
	var changes []git.PushChange
	for _, name := range slices.Sorted(maps.Keys(doomed)) {
		changes = append(changes, git.PushChange{Ref: name, Old: doomed[name]})
	}
	return changes
}

// bury sends tombstones and deletes what they speak of, as one change where the remote can do that. Where it cannot, the
// tombstones go first, and nothing is deleted before they are there.
func (s *sender) bury(ctx context.Context, p parcel) error {
	doomed := deletions(p.doomed)
	both := slices.Concat(p.stones, doomed)
	if len(p.stones) > 0 && len(doomed) > 0 && len(both) <= git.PushLimit {
		results, err := s.push(ctx, both, git.Atomic)
		if err == nil && !slices.ContainsFunc(results, failed) {
			s.done(len(both))
			return nil
		}
		if err != nil && !errors.Is(err, git.ErrNoAtomic) && !s.reachable(ctx) {
			return err
		}
	}
	if err := s.groups(ctx, p.stones); err != nil {
		return err
	}
	for _, stone := range p.stones {
		if why, ok := s.refused[stone.Ref]; ok {
			s.spare(doomed, why)
			return nil
		}
	}
	return s.groups(ctx, doomed)
}

// groups sends changes in groups of the size that one push takes.
func (s *sender) groups(ctx context.Context, changes []git.PushChange) error {
	for group := range slices.Chunk(changes, git.PushLimit) {
		if err := s.send(ctx, group); err != nil {
			return err
		}
	}
	return nil
}

// send pushes a group. Where all of it fails, each half is tried.
func (s *sender) send(ctx context.Context, group []git.PushChange) error {
	if s.sent == 0 && s.singles >= hopeless {
		s.giveUp(group)
		return nil
	}
	results, err := s.push(ctx, group, git.Independent)
	if err != nil && ctx.Err() == nil {
		here, lookup := s.stillHere(ctx, group)
		if lookup != nil {
			return errors.Join(err, lookup)
		}
		if len(here) < len(group) {
			return s.halves(ctx, here)
		}
	}
	if err != nil && (ctx.Err() != nil || len(group) == 1 || !s.reachable(ctx)) {
		return err
	}
	if err != nil { // Where one alone fails like that too, it is not what was sent.
		if err := s.send(ctx, group[:1]); err != nil {
			return err
		}
		return s.halves(ctx, group[1:])
	}
	bad := 0
	for _, r := range results {
		if failed(r) {
			bad++
		}
	}
	if bad < len(group) || len(group) == 1 {
		s.note(results, bad)
		return nil
	}
	return s.halves(ctx, group)
}

// stillHere refuses the changes whose objects another command has removed meanwhile, and returns the rest. Git sends none of a
// group that names what is not there.
func (s *sender) stillHere(ctx context.Context, group []git.PushChange) ([]git.PushChange, error) {
	store, err := refs.Open(ctx, s.exchange.repo) // One that has not read anything yet sees what is there now.
	if err != nil {
		return nil, err
	}
	defer func() { _ = store.Close() }()
	var here []git.PushChange
	for _, c := range group {
		if c.New == "" || store.Here(ctx, c.New) {
			here = append(here, c)
		} else {
			s.refused[c.Ref] = "another command has removed it here meanwhile"
		}
	}
	return here, nil
}

// halves sends each half of a group.
func (s *sender) halves(ctx context.Context, group []git.PushChange) error {
	if len(group) == 0 {
		return nil
	}
	half := (len(group) + 1) / 2
	if err := s.send(ctx, group[:half]); err != nil {
		return err
	}
	if half == len(group) {
		return nil
	}
	return s.send(ctx, group[half:])
}

// push is one push.
func (s *sender) push(ctx context.Context, group []git.PushChange, mode git.PushMode) ([]git.PushResult, error) {
	return s.exchange.repo.PushRefs(ctx, s.exchange.request.Remote, group, mode)
}

// reachable tells whether the remote still answers: what failed then failed for what was sent.
func (s *sender) reachable(ctx context.Context) bool {
	_, err := s.exchange.look(ctx)
	return err == nil
}

// note keeps what became of a group.
func (s *sender) note(results []git.PushResult, bad int) {
	for _, r := range results {
		if failed(r) {
			s.refused[r.Ref] = r.Reason
		}
	}
	if len(results) == 1 && bad == 1 {
		s.singles++
		s.last = results[0].Reason
	}
	s.done(len(results) - bad)
}

// giveUp refuses a group for the reason that the last one was refused for.
func (s *sender) giveUp(group []git.PushChange) {
	for _, c := range group {
		s.refused[c.Ref] = s.last
	}
}

// done tells how far the push is.
func (s *sender) done(n int) {
	s.sent += n
	s.exchange.progress("push", s.sent, s.of)
}

func failed(r git.PushResult) bool { return !r.OK }
