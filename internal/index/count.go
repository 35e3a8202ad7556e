package index

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// countAuthor is how the names of the counters begin that the index keeps for itself: one for each writer, in
// lower case.
const countAuthor = "\x01author "

// Counts returns the counters whose names begin with a prefix. One that stands at nothing is not kept.
func (x *Index) Counts(ctx context.Context, prefix string) (counts map[string]int, err error) {
	err = x.withSnapshot(ctx, "count records of index", func(s *snapshot) error {
		counts = map[string]int{}
		for _, seg := range s.segments {
			c := seg.Seek(keyOf(keyCount, prefix))
			for c.Next() && strings.HasPrefix(string(c.Key()), keyOf(keyCount, prefix)) {
				d := decoder{rest: c.Value()}
				if counts[string(c.Key()[1:])] += d.atMost(seg.Records); d.bad {
					return errDecode
				}
			}
			if err := c.Err(); err != nil {
				return err
			}
		}
		return nil
	})
	return counts, err
}

// counterNames are the counters of a record, with those that the index keeps for itself.
func (h *head) counterNames(counts []string) []string {
	if len(h.items) == 0 {
		return counts
	}
	names := h.names()
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		counts = append(counts, countAuthor+name)
	}
	return counts
}

// Ending returns the ids of the records that expire in a span of time, by their own words or by those of an
// event: those first that expire first. At most so many records and events are looked at.
func (x *Index) Ending(ctx context.Context, from, until time.Time, most int) (ids []string, err error) {
	err = x.withSnapshot(ctx, "find what expires in index", func(s *snapshot) error {
		ids = nil
		var list []*record
		for _, seg := range s.segments {
			numbers, err := seg.numbersByTime(keyExpires, from, until, most)
			if err != nil {
				return err
			}
			for _, n := range numbers {
				r, err := seg.recordAt(n)
				if err != nil {
					return err
				}
				list = append(list, r)
			}
		}
		slices.SortStableFunc(list, func(a, b *record) int {
			return cmp.Or(a.head.expires.Compare(b.head.expires), strings.Compare(a.Ref, b.Ref))
		})
		for _, r := range list[:min(len(list), most)] {
			some := []string{idOf(r.Ref)}
			if r.head.kind == packet.KindEvent {
				some = r.head.paths
			}
			for _, id := range some {
				if !slices.Contains(ids, id) {
					ids = append(ids, id)
				}
			}
		}
		return nil
	})
	return ids, err
}

// numbersByTime returns the numbers of the records of a span of time by one of their times, in its order, and at
// most so many.
func (s *segment) numbersByTime(about byte, from, until time.Time, most int) (list []int, err error) {
	end := timeKey(about, until, 0)
	c := s.Seek(timeKey(about, from, 0))
	for len(list) < most && c.Next() {
		if key := c.Key(); key[0] != about || string(key) >= end {
			return list, nil
		}
		d := decoder{rest: c.Value()}
		if list = append(list, d.atMost(s.Records)); d.bad {
			return nil, errDecode
		}
	}
	return list, c.Err()
}

// timeKey is the key of a record by one of its times. The zero time comes first.
func timeKey(about byte, at time.Time, n int) string {
	key := []byte{about}
	key = binary.BigEndian.AppendUint64(key,
		uint64(unixMillis(at))^1<<63) //nolint:gosec // The bits of a number, so that the least comes first.
	return string(binary.BigEndian.AppendUint32(key,
		uint32(n))) //nolint:gosec // It is a number of a record.
}
