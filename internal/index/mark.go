package index

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// lastText is behind every text.
const lastText = "\U0010FFFF"

// ByPath finds the items of the records that name one of some files, or a file below one of some folders: the
// newest record first, and of so many records at most.
func (x *Index) ByPath(ctx context.Context, paths []string, most int) ([]Hit, error) {
	var ranges []between
	for _, p := range paths {
		name := markPath + packet.CleanPath(p)
		if name == markPath { // Everything lies below the top.
			ranges = append(ranges, between{markPath, markPath + lastText})
			continue
		}
		// The next character after the slash.
		ranges = append(ranges, between{name, name + "\x00"}, between{name + "/", name + "0"})
	}
	return x.hitsByMark(ctx, "find records by path", ranges, most, 0)
}

// ByFolder finds the items of the records that name one of some folders as such, as [Index.ByPath] does.
func (x *Index) ByFolder(ctx context.Context, folders []string, most int) ([]Hit, error) {
	var ranges []between
	for _, f := range folders {
		name := markPath + packet.CleanPath(f)
		ranges = append(ranges, between{name, name + "\x00"})
	}
	return x.hitsByMark(ctx, "find records by folder", ranges, most, 0)
}

// leastCommit is the shortest beginning of a commit's name that is taken for one.
const leastCommit = 4

// ByCommit finds the items of the records that were made at one of some commits, which may be given by the
// beginning of their names: the newest record first, and of so many records at most. Commits at which far
// more than a crowd was made are left out, where that is not 0.
func (x *Index) ByCommit(ctx context.Context, commits []string, most, crowd int) ([]Hit, error) {
	var ranges []between
	for _, c := range commits {
		if len(c) >= leastCommit {
			name := markCommit + strings.ToLower(c)
			// The next character after those of such a name.
			ranges = append(ranges, between{name, name + "g"})
		}
	}
	return x.hitsByMark(ctx, "find records by commit", ranges, most, 4*crowd)
}

// between is the texts from one on and before another one.
type between struct{ from, to string }

// hitsByMark returns the items of the newest records that have a mark in one of some ranges. A range that
// holds more than a crowd is left out, where that is not 0: some of these numbers may be of what is there
// no more.
func (x *Index) hitsByMark(ctx context.Context, step string, ranges []between,
	most, crowd int,
) (hits []Hit, err error) {
	err = x.withSnapshot(ctx, step, func(s *snapshot) error {
		hits = nil
		left := most
		all := make([]*newest, len(s.segments))
		for i, seg := range s.segments {
			all[i] = &newest{segment: seg}
		}
		for _, r := range ranges {
			lists, n := make([][]int, len(all)), 0
			for i, c := range all {
				if lists[i], err = c.segment.numbersByMark(r); err != nil {
					return err
				}
				n += len(lists[i])
			}
			for i, c := range all {
				if crowd == 0 || n <= crowd {
					c.numbers = append(c.numbers, lists[i]...)
				}
			}
		}
		for _, c := range all {
			slices.Sort(c.numbers)
			c.numbers = slices.Compact(c.numbers)
		}
		return mergeNewest(all, func(_ *segment, r *record) (more bool, err error) {
			for i := range r.head.Items {
				hits = append(hits, r.head.hitOf(r.Ref, i))
			}
			left--
			return left > 0, ctx.Err()
		})
	})
	return hits, err
}

// numbersByMark returns the numbers of the records that have a mark in a range.
func (s *segment) numbersByMark(r between) (all []int, err error) {
	c := s.Seek(keyOf(keyMark, r.from))
	for c.Next() {
		key := c.Key()
		if key[0] != keyMark || string(key[1:]) >= r.to {
			return all, nil
		}
		list, err := s.numbersIn(c.Value())
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, c.Err()
}

// Events returns the refs of the events about some records, of the events about those events, and so on,
// sorted. Those that stand aside are left out.
func (x *Index) Events(ctx context.Context, ids []string) (refs []string, err error) {
	return x.eventsAbout(ctx, ids, markTarget)
}

// AllEvents returns what Events does, with the events that stand aside.
func (x *Index) AllEvents(ctx context.Context, ids []string) (refs []string, err error) {
	return x.eventsAbout(ctx, ids, markTarget, markAside)
}

// Targets returns the ids of the newest records that events speak of, at most so many. Events that stand
// aside do not count.
func (x *Index) Targets(ctx context.Context, most int) (ids []string, err error) {
	err = x.withSnapshot(ctx, "find records with events in index", func(s *snapshot) error {
		ids = nil
		for _, seg := range s.segments {
			c := seg.Seek(keyOf(keyMark, markTarget))
			for c.Next() {
				id, found := strings.CutPrefix(string(c.Key()[1:]), markTarget)
				if c.Key()[0] != keyMark || !found {
					break
				}
				ids = append(ids, id)
			}
			if err := c.Err(); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
	slices.Sort(ids)
	ids = slices.Compact(ids)
	return ids[max(0, len(ids)-most):], err
}

func (x *Index) eventsAbout(ctx context.Context, ids []string, marks ...string) (refs []string, err error) {
	err = x.withSnapshot(ctx, "find events in index", func(s *snapshot) error {
		found, asked := map[string]bool{}, map[string]bool{}
		for next := ids; len(next) > 0; {
			var more []string
			for _, id := range next {
				if asked[id] {
					continue
				}
				asked[id] = true
				for _, seg := range s.segments {
					for _, mark := range marks {
						about, err := seg.eventsOf(mark + id)
						if err != nil {
							return err
						}
						for _, ref := range about {
							found[ref] = true
							more = append(more, idOf(ref))
						}
					}
				}
			}
			next = more
		}
		refs = slices.Sorted(maps.Keys(found))
		return nil
	})
	return refs, err
}

// eventsOf returns the refs of the events with a mark.
func (s *segment) eventsOf(mark string) (refs []string, err error) {
	value, _, err := s.Get(keyOf(keyMark, mark))
	if err != nil {
		return nil, err
	}
	numbers, err := s.numbersIn(value)
	if err != nil {
		return nil, err
	}
	for _, n := range numbers {
		r, err := s.recordAt(n)
		if err != nil {
			return nil, err
		}
		refs = append(refs, r.Ref)
	}
	return refs, nil
}
