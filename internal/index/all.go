package index

import (
	"context"
	"iter"
	"math"
	"slices"
	"time"
)

// All yields the items of all records that pass the filters of a query, the newest record first by id, up to
// its limit if it has one. Its text does not count.
func (x *Index) All(ctx context.Context, q Query) iter.Seq2[Hit, error] {
	a := asked{Query: q}
	if a.Limit <= 0 {
		a.Limit = math.MaxInt
	}
	return func(yield func(Hit, error) bool) {
		sums, err := x.filterSorts(ctx, &a)
		left, ended := a.Limit, false
		visit := func(_ *segment, r *record) (more bool, err error) {
			more = a.yieldItems(r, &left, func(h Hit, err error) bool {
				ended = !yield(h, err)
				return !ended
			})
			return more, ctx.Err()
		}
		if err == nil {
			err = x.withSnapshot(ctx, "list items of index", func(s *snapshot) error {
				since, err := s.listSince(a.Since)
				if err != nil {
					return err
				}
				// Yields the records of any of some sorts, or of all where there is none, the newest first:
				// of each segment those that are among the numbers of since, where that is not nil.
				var all []*newest
				for i, seg := range s.segments {
					var among []int
					if since != nil {
						among = since[i]
					}
					if since != nil && len(among) == 0 {
						continue
					}
					for _, sum := range sums {
						key := sortKey(sum)
						all = append(all, &newest{segment: seg, sort: key, parts: seg.Seek(key), among: among})
					}
					switch {
					case len(sums) > 0:
					case among != nil:
						all = append(all, &newest{segment: seg, numbers: among})
					default:
						all = append(all, &newest{segment: seg, left: seg.Records})
					}
				}
				return mergeNewest(all, visit)
			})
		}
		if err != nil && !ended {
			yield(Hit{}, err)
		}
	}
}

// mostSince is how many records of a segment are looked at because of when they were made.
const mostSince = 2048

// listSince returns for each segment the numbers of the records that were made at or after a time, rising;
// nil without a time, and where they are many, so that most of what is looked at otherwise was made since,
// too.
func (s *snapshot) listSince(from time.Time) (all [][]int, err error) {
	if from.IsZero() {
		return nil, nil
	}
	for _, seg := range s.segments {
		list, err := seg.numbersByTime(keyMade, from, time.UnixMilli(math.MaxInt64), mostSince+1)
		if err != nil || len(list) > mostSince {
			return nil, err
		}
		slices.Sort(list)
		all = append(all, list)
	}
	return all, nil
}

// yieldItems yields the items of a record that pass the filters, and reports whether more are wanted.
func (a *asked) yieldItems(r *record, left *int, yield func(Hit, error) bool) bool {
	if !a.admitsRecord(&r.head) {
		return true
	}
	for i := range r.head.Items {
		if !a.admitsItem(&r.head, &r.head.Items[i]) {
			continue
		}
		if *left--; !yield(r.head.hitOf(r.Ref, i), nil) || *left <= 0 {
			return false
		}
	}
	return true
}
