package index

import (
	"cmp"
	"context"
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/words"
)

// How the names of the counters begin that the index keeps of records, each with the word behind it that is
// counted. What is private is counted by its kind and signer alone; events have no author and no week.
const (
	CountKind    = "kind "    // packet, note, skip or event
	CountPrivate = "private " // the same, of what never leaves this clone
	CountRemote  = "remote "  // the same, of what a remote alone holds
	CountSigner  = "by "      // who put it here
	CountNote    = "note "    // the kind of a note
	CountEvent   = "event "   // what an event says
	CountSigned  = "signed "  // yes or no
	CountAuthor  = "author "
	CountBranch  = "branch "
	CountWeek    = "week "       // the Monday of the week in which it was made
	countName    = "\x01author " // each name of who wrote it, in lower case, by which authors are found
)

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

// Counters are those of a record that lies in no index.
func (d Document) Counters() []string {
	h := headOf(Listed{}, d)
	return h.counters()
}

// counters are those of a record.
func (h *head) counters() (all []string) {
	if h.Kind == "" { // It says nothing.
		return nil
	}
	kind, told := string(h.Kind), h.Kind != packet.KindEvent
	all = append(all, CountKind+kind)
	if told {
		all = append(all, CountSigner+h.signer)
	}
	if names := slices.Sorted(slices.Values(writersOf(h.Provenance))); len(h.Items) > 0 {
		for _, name := range slices.Compact(names) {
			all = append(all, countName+name)
		}
	}
	if h.private {
		return append(all, CountPrivate+kind)
	}
	if h.remote {
		all = append(all, CountRemote+kind)
	}
	if !told {
		return append(all, CountEvent+h.event)
	}
	if h.Kind == packet.KindNote && len(h.Items) > 0 {
		all = append(all, CountNote+h.Items[0].Kind)
	}
	signed := "no"
	if h.signed {
		signed = "yes"
	}
	return append(append(all, h.shownCounters()...), CountSigned+signed,
		CountWeek+MondayOf(h.CreatedAt).Format(time.DateOnly))
}

// shownCounters are those counters of a record by which its records are found, too: the names that records
// share are only told where one of these may be read.
func (h *head) shownCounters() []string {
	if h.private || h.Kind == packet.KindEvent {
		return nil
	}
	return []string{
		CountAuthor + clean.Line(provenance.By(h.Provenance)), CountBranch + clean.Line(h.Anchor.Branch),
	}
}

// MondayOf is the one with which the week of a time begins.
func MondayOf(at time.Time) time.Time {
	day := at.UTC().Truncate(24 * time.Hour)
	return day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
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
			return cmp.Or(a.head.ExpiresAt.Compare(b.head.ExpiresAt), strings.Compare(a.Ref, b.Ref))
		})
		for _, r := range list[:min(len(list), most)] {
			some := []string{idOf(r.Ref)}
			if r.head.Kind == packet.KindEvent {
				some = r.head.Paths
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
