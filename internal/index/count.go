package index

import (
	"cmp"
	"context"
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/words"
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

// MostEdits is by how many letters a misspelt word may differ from the word that is meant.
func MostEdits(word string) int {
	switch n := len(word); {
	case n < 4 || n > 40:
		return 0
	case n < 7:
		return 1
	default:
		return 2
	}
}

// Near returns the keys of words that are near to a misspelt one, the nearest first: they have its first letter,
// and its beginning, as long as they are, differs by few. There are none where a record has the word itself.
func (x *Index) Near(ctx context.Context, word string) (near []string, err error) {
	const most = 8
	if MostEdits(word) == 0 {
		return nil, nil
	}
	own, known, edits := words.Key(word), false, map[string]int{}
	err = x.withSnapshot(ctx, "find near words in index", func(s *snapshot) error {
		for _, seg := range s.segments {
			c := seg.Seek(keyOf(keyTerm, word[:1]))
			for c.Next() && strings.HasPrefix(string(c.Key()), keyOf(keyTerm, word[:1])) {
				key := string(c.Key()[1:])
				known = known || key == own
				for end := max(len(key)-1, 3); end <= min(len(key)+1, len(word)); end++ {
					n := words.CountEdits(word[:end], key)
					if least, ok := edits[key]; n <= MostEdits(word) && (!ok || n < least) {
						edits[key] = n
					}
				}
			}
			if err := c.Err(); err != nil {
				return err
			}
		}
		return nil
	})
	if known || err != nil {
		return nil, err
	}
	near = slices.SortedFunc(maps.Keys(edits), func(a, b string) int {
		return cmp.Or(cmp.Compare(edits[a], edits[b]), -cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	})
	return near[:min(len(near), most)], nil
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
