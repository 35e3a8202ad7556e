package refs

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/git-ltm/git-ltm/internal/git"
)

// movedAtOnce is how many refs are deleted in one step.
const movedAtOnce = 1000

// Moved is what a compaction moved.
type Moved struct {
	Archives []Archive // Archives are those that were made.
	Refs     []Ref     // Refs are those of records and of later signatures, in the order of their ids.
}

// Compact moves records and later signatures of this clone from their refs into archives, by the
// quarter of the year in which they were made, and merges small archives into larger ones. An
// archive is read back before a ref is deleted: a process that dies at any line loses nothing, and
// leaves at most a record that is both a ref and in an archive. What cannot be read, or contradicts
// an archive, stays where it is.
func (s *Store) Compact(ctx context.Context, refs []Ref) (moved Moved, err error) {
	refs = slices.DeleteFunc(slices.Clone(refs), func(r Ref) bool {
		return r.Remote != "" || r.Archive != "" || r.Name.Private
	})
	slices.SortStableFunc(refs, func(a, b Ref) int { return cmp.Compare(a.Name.ID, b.Name.ID) })
	err = s.Exclusively(ctx, func(ctx context.Context) error {
		held, err := s.Held(ctx, "")
		if err != nil {
			return err
		}
		// A purge may have been faster.
		refs = slices.DeleteFunc(refs, func(r Ref) bool { return held[r.Full()] != r.Object })
		sets, err := s.mergedSets(ctx, refs)
		if err != nil {
			return err
		}
		for _, set := range sets {
			made, err := s.makeArchive(ctx, set)
			if err != nil {
				return err
			}
			if made.Commit != "" {
				moved.Archives = append(moved.Archives, made)
			}
		}
		if len(refs) == 0 && len(sets) == 0 {
			return nil
		}
		if err := s.Settle(ctx); err != nil {
			return err
		}
		held, err = s.Held(ctx, "")
		moved.Refs = slices.DeleteFunc(refs, func(r Ref) bool { return held[r.Full()] != "" })
		return err
	})
	return moved, wrap("compact records of", s.repo.CommonDir, err)
}

// mergedSets says what archives a compaction makes: for each quarter with something new, or with
// several small archives, one of all that, or several where that is too much. What contradicts an
// archive is left out.
func (s *Store) mergedSets(ctx context.Context, refs []Ref) ([]*archiveSet, error) {
	all, err := s.LocalArchives(ctx)
	if err != nil {
		return nil, err
	}
	var sets []*archiveSet
	open := map[string]*archiveSet{}
	room := func(quarter string, n int) *archiveSet {
		if set := open[quarter]; set != nil && len(set.entries)+len(set.fresh)+n <= mergedArchive {
			return set
		}
		open[quarter] = &archiveSet{quarter: quarter, entries: map[Name]archived{}}
		sets = append(sets, open[quarter])
		return open[quarter]
	}
	for _, a := range all {
		held, err := s.contents(ctx, a)
		if err != nil {
			s.passOver(a, err)
			continue
		}
		if len(held) > smallArchive && !a.Old() {
			continue
		}
		for quarter, part := range byQuarter(held) {
			set := room(quarter, len(part))
			if !set.contradicts(part) {
				maps.Copy(set.entries, part)
				set.merged++
				set.renews = set.renews || a.Old()
			}
		}
	}
	for _, ref := range refs {
		there := s.inArchives(ctx, all, ref.Name)
		differs := slices.ContainsFunc(there, func(r Ref) bool { return r.Object != ref.Object })
		if !differs && (len(there) == 0 || !s.archivesHold(ctx, all, ref.Name, ref.Object)) {
			set := room(quarterOf(ref.Name.ID), 1)
			set.fresh = append(set.fresh, ref)
		}
	}
	asItIs := func(set *archiveSet) bool { return set.merged < 2 && len(set.fresh) == 0 && !set.renews }
	return slices.DeleteFunc(sets, asItIs), ctx.Err()
}

// Settle deletes what archives of this clone hold elsewhere: the refs whose very object one of them
// holds, and the archives that another one wholly contains.
func (s *Store) Settle(ctx context.Context) error {
	return s.Exclusively(ctx, func(ctx context.Context) error {
		all, err := s.LocalArchives(ctx)
		if err != nil || len(all) == 0 {
			return err
		}
		both, err := s.alsoIn(ctx, all)
		if err != nil {
			return err
		}
		for chunk := range slices.Chunk(both, movedAtOnce) {
			if err := s.Delete(ctx, chunk); err != nil {
				return err
			}
		}
		var covered []Archive
		for _, a := range all {
			by := slices.DeleteFunc(slices.Clone(all), func(b Archive) bool { return a == b })
			if ok, err := s.Covered(ctx, a, by, func(string) bool { return false }); err != nil {
				s.passOver(a, err)
			} else if ok {
				covered = append(covered, a)
			}
		}
		return s.deleteArchives(ctx, covered...)
	})
}

// within reports whether one archive holds all that another one does.
func within(small, large map[Name]archived) bool {
	for name, entry := range small {
		if large[name] != entry {
			return false
		}
	}
	return true
}

// deleteArchives deletes the refs of archives.
func (s *Store) deleteArchives(ctx context.Context, all ...Archive) error {
	if len(all) == 0 {
		return nil
	}
	changes := make([]git.Change, len(all))
	for i, a := range all {
		changes[i] = git.Change{Kind: git.Delete, Ref: a.Ref(), Old: a.Commit}
	}
	return s.repo.Update(ctx, changes)
}

// alsoIn lists the local refs whose very object one of the archives holds.
func (s *Store) alsoIn(ctx context.Context, in []Archive) (both []Ref, err error) {
	for e, err := range s.reader.list(ctx, Root, false) {
		if err != nil {
			return nil, err
		}
		name, ok := parseOwn(e.ref)
		if ok && e.oid != "" && s.archivesHold(ctx, in, name, e.oid) {
			both = append(both, Ref{Name: name, Object: e.oid})
		}
	}
	return both, nil
}

// archivesHold reports whether one of the archives holds an object under a name, and the objects of it are here.
func (s *Store) archivesHold(ctx context.Context, in []Archive, name Name, object string) bool {
	for _, a := range in {
		entry, ok, err := s.search(ctx, a, name)
		if err != nil || !ok {
			continue
		}
		oid, err := s.objectOf(ctx, entry)
		if err == nil && oid == object && s.readBack(ctx, a, entry) == nil {
			return true
		}
	}
	return false
}
