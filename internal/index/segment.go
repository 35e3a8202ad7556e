package index

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/view"
)

// Records lie in segments: files of up to a few thousand that are written once. Within a segment they are
// numbered in the order of their ids, then of their refs, so that a list of numbers is a list by time; and so
// are their items. A segment is one table, whose keys begin with what they are about:
const (
	keyMade    = 'c' // keyMade, when a record was made and its number: the number, of those with items.
	keyExpires = 'e' // keyExpires, when it ends and its number: the same, of those that end.
	keyRecord  = 'h' // keyRecord and a number: the record without its words.
	keyCount   = 'k' // keyCount and the name of a counter: how many records add to it.
	keyLengths = 'l' // keyLengths alone: how long each item is.
	keyMark    = 'm' // keyMark and a mark: the numbers of the records that have it.
	keyItems   = 'n' // keyItems and a part of the items: where each stands.
	keyRef     = 'r' // keyRef and what names a record: its number, its ref and its object.
	// keySort, the sum of a sort and a part of the numbers: the numbers of the records that are of it.
	keySort  = 's'
	keyTerm  = 't' // keyTerm and a word: in how many items it stands, in which, and how often.
	keyWords = 'w' // keyWords and a number: the words of the record.
	// Beside them stand all rules with their outlines, as [view.RulesKey] names them, and last those that have a
	// rare trait, as [view.TraitKey] does.
)

const (
	mostRecords  = 8192             // mostRecords is how many records a segment has at most.
	segmentBytes = 24 * 1024 * 1024 // segmentBytes is how many bytes of records end a segment.
	itemsPart    = 1024             // itemsPart is how many items share a value.
	sortPart     = 1024             // sortPart is how many records may share a value of a sort.
)

// segment is a segment that is open.
type segment struct {
	*view.Segment
}

// keyOf is a key of a segment.
func keyOf(about byte, rest string) string { return string(about) + rest }

// numberKey is a key with a number.
func numberKey(about byte, n int) string {
	return string(binary.BigEndian.AppendUint32([]byte{about},
		uint32(n))) //nolint:gosec // Records, items and traits.
}

// record is a record as it is read.
type record struct {
	prepared // prepared is without the words.

	n     int // n is its number.
	head  head
	rules string // rules are those of its items as they are kept.
}

// recordAt reads a record.
func (s *segment) recordAt(n int) (*record, error) {
	value, ok, err := s.Get(numberKey(keyRecord, n))
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errDecode
	}
	d := decoder{rest: value}
	at := Listed{Ref: d.decodeText(), Record: d.decodeText(), Object: d.decodeText()}
	return readBody(n, prepared{Listed: at, at: orderOf(at.Ref), body: d.rest})
}

// readBody takes apart what is kept of a record.
func readBody(n int, p prepared) (*record, error) {
	d := decoder{rest: p.body}
	r := &record{prepared: p, n: n, head: d.decodeHead()}
	if r.rules = d.rest; d.bad {
		return nil, errDecode
	}
	return r, nil
}

// itemLengths are how long the items of a segment are, one byte each, as long as they are in a leaf.
func (s *segment) itemLengths(in *view.Leaf) ([]byte, error) {
	value, _, err := s.GetInto(in, keyOf(keyLengths, ""))
	if err == nil && len(value) != s.Items {
		err = errDecode
	}
	return value, err
}

// itemBytes is how long is what says where an item stands: the number of its record, and its own in there.
const itemBytes = 4

// itemTable says where the items of a segment stand.
type itemTable struct {
	segment *segment
	parts   map[int]string // parts are those that were looked at: items are asked for in any order.
}

// itemAt returns the record of an item, and its place among the items of that.
func (t *itemTable) itemAt(n int) (record, item int, err error) {
	part, ok := t.parts[n/itemsPart]
	if !ok {
		if part, _, err = t.segment.Get(numberKey(keyItems, n/itemsPart)); err != nil {
			return 0, 0, err
		}
		if t.parts == nil {
			t.parts = map[int]string{}
		}
		t.parts[n/itemsPart] = part
	}
	from := n % itemsPart * itemBytes
	if from+itemBytes > len(part) {
		return 0, 0, errDecode
	}
	d := part[from:]
	return int(d[0])<<8 | int(d[1]), int(d[2])<<8 | int(d[3]), nil
}

// recordsOf tells of the number of each record whether it is of any of some sorts. Where there is no sort, all
// are, and it is nil; where none is, it is empty.
func (s *segment) recordsOf(sorts []int64) ([]bool, error) {
	if len(sorts) == 0 {
		return nil, nil
	}
	of, some := make([]bool, s.Records), false
	for _, sum := range sorts {
		key := sortKey(sum)
		for c := s.Seek(key); c.Next() && strings.HasPrefix(string(c.Key()), key); {
			numbers, err := s.numbersIn(c.Value())
			if err != nil {
				return nil, err
			}
			for _, n := range numbers {
				of[n], some = true, true
			}
		}
	}
	if !some {
		of = of[:0]
	}
	return of, nil
}

// decodeNumbers reads a list of rising numbers below a bound, each as far as it is from the one before.
func (d *decoder) decodeNumbers(bound int) []int {
	var list []int
	last := -1
	for d.rest != "" {
		last += d.atMost(bound - last)
		if d.bad || last >= bound || len(list) > 0 && last == list[len(list)-1] || last < 0 {
			d.bad = true
			return nil
		}
		list = append(list, last)
	}
	return list
}

// appendNumbers writes a list of rising numbers.
func appendNumbers(out []byte, list []int) []byte {
	last := -1
	for _, n := range list {
		out = binary.AppendUvarint(out, uint64(n-last)) //nolint:gosec // It rises.
		last = n
	}
	return out
}

// numbersIn reads the numbers of records that stand under a key.
func (s *segment) numbersIn(value string) ([]int, error) {
	d := decoder{rest: value}
	list := d.decodeNumbers(s.Records)
	if d.bad {
		return nil, errDecode
	}
	return list, nil
}

// newest goes along the records of a sort, or along all that have items, the newest first.
type newest struct {
	segment *segment
	sort    string
	parts   *view.Cursor // parts is nil where there is no sort.
	numbers []int        // numbers are those of the part that are not yet read, rising.
	among   []int        // among are the numbers that are wanted, rising; nil is all of the sort.
	left    int          // left is how many of all records are not yet read, where all are wanted.
	at      *record      // at is the record that comes next; nil at the end.
}

// takeNumber takes the number of the record that comes next, or a negative one at the end.
func (c *newest) takeNumber() (n int, err error) {
	for len(c.numbers) == 0 {
		if c.parts == nil {
			c.left--
			return c.left, nil
		}
		if !c.parts.Next() || !strings.HasPrefix(string(c.parts.Key()), c.sort) {
			return -1, c.parts.Err()
		}
		if c.numbers, err = c.segment.numbersIn(c.parts.Value()); err != nil {
			return -1, err
		}
		if c.among != nil {
			c.numbers = slices.DeleteFunc(c.numbers, func(n int) bool {
				_, wanted := slices.BinarySearch(c.among, n)
				return !wanted
			})
		}
	}
	last := len(c.numbers) - 1
	n, c.numbers = c.numbers[last], c.numbers[:last]
	return n, nil
}

// readNext reads the record that comes next.
func (c *newest) readNext() error {
	for {
		n, err := c.takeNumber()
		if c.at = nil; err != nil || n < 0 {
			return err
		}
		if c.at, err = c.segment.recordAt(n); err != nil || len(c.at.head.Items) > 0 {
			return err
		}
	}
}

// sortKey is the key of a sort. That of a part of it has one byte more: the part with the newest records
// comes first.
func sortKey(sum int64) string {
	return string(binary.BigEndian.AppendUint64([]byte{keySort},
		uint64(sum))) //nolint:gosec // The bits of a sum.
}

// mergeNewest yields the records of several walks, each once, the newest first.
func mergeNewest(all []*newest, yield func(*segment, *record) (more bool, err error)) error {
	for _, c := range all {
		if err := c.readNext(); err != nil {
			return err
		}
	}
	last := ""
	for {
		all = slices.DeleteFunc(all, func(c *newest) bool { return c.at == nil })
		if len(all) == 0 {
			return nil
		}
		first := slices.MinFunc(all, func(a, b *newest) int {
			return cmp.Or(cmp.Compare(b.at.at, a.at.at), strings.Compare(b.at.Ref, a.at.Ref))
		})
		r := first.at
		if r.Ref != last {
			if more, err := yield(first.segment, r); err != nil || !more {
				return err
			}
		}
		last = r.Ref
		if err := first.readNext(); err != nil {
			return err
		}
	}
}
