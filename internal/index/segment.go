package index

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/view"
)

// Records lie in segments: files of up to a few thousand that are written once. Within a segment they are numbered in the order of
// their ids, then of their refs, so that a list of numbers is a list by time; and so are their items. A segment is one
// table, whose keys begin with what they are about:
const (
	keyMade    = 'c' // keyMade, when a record was made and its number: the number, of those with items.
	keyExpires = 'e' // keyExpires, when it ends and its number: the same, of those that end.
	keyRecord  = 'h' // keyRecord and a number: the record without its words.
	keyCount   = 'k' // keyCount and the name of a counter: how many records add to it.
	keyMark    = 'm' // keyMark and a mark: the numbers of the records that have it.
	keyItems   = 'n' // keyItems and a part of the items: what is kept of each apart from its words.
	keySigners = 'p' // keySigners alone: who put the records here, each once.
	keyRef     = 'r' // keyRef and what names a record: its number, its ref and its object.
	keySort    = 's' // keySort, the sum of a sort and a part of the numbers: the numbers of the records that are of it.
	keyTerm    = 't' // keyTerm and a word: in how many items it stands, in which, and how often.
	keyWords   = 'w' // keyWords and a number: the words of the record.
	// Last comes what [view.TraitKey] names: the rules that have a rare trait, with their outlines.
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

	first int64 // first is the row of its first item among those of all segments.
}

// keyOf is a key of a segment.
func keyOf(about byte, rest string) string { return string(about) + rest }

// numberKey is a key with a number.
func numberKey(about byte, n int) string {
	return string(binary.BigEndian.AppendUint32([]byte{about}, uint32(n))) //nolint:gosec // Records, items and traits.
}

// record is a record as it is read.
type record struct {
	prepared // prepared is without the words.

	n    int // n is its number.
	head head
	more string // more is its counters and the rules of its items as they are kept.
}

// record reads a record.
func (s *segment) record(n int) (*record, error) {
	value, ok, err := s.Get(numberKey(keyRecord, n))
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errDecode
	}
	d := decoder{rest: value}
	at := Listed{Ref: d.text(), Record: d.text(), Object: d.text()}
	return readBody(n, prepared{Listed: at, at: orderOf(at.Ref), body: d.rest})
}

// readBody takes apart what is kept of a record.
func readBody(n int, p prepared) (*record, error) {
	d := decoder{rest: p.body}
	r := &record{prepared: p, n: n, head: d.head()}
	if r.more = d.rest; d.bad {
		return nil, errDecode
	}
	return r, nil
}

// words reads the words of a record.
func (s *segment) words(n int) (string, error) {
	value, ok, err := s.Get(numberKey(keyWords, n))
	if err == nil && !ok {
		err = errDecode
	}
	return value, err
}

// What is kept of an item apart from its words: how long it is, roughly, a part of a sum that puts equal ones into an order of
// their own, the number of its record, and which of the signers of the segment put that here.
const itemBytes = 6

// item is what is kept of an item.
type item struct {
	length, tie    byte
	record, signer int
}

// items reads what is kept of items.
type items struct {
	snapshot *snapshot
	segment  *segment // segment is the one that was looked at last.
	part     int      // part is the number of the items that were looked at last.
	data     string
}

// at returns what is kept of the item of a row.
func (i *items) at(row int64) (item, error) {
	if s := i.segment; s == nil || row < s.first || row >= s.first+int64(s.Items) {
		i.segment, i.data = i.snapshot.holder(row), ""
		if i.segment == nil {
			return item{}, errDecode
		}
	}
	n := int(row - i.segment.first)
	if part := n / itemsPart; i.data == "" || part != i.part {
		data, _, err := i.segment.Get(numberKey(keyItems, part))
		if err != nil {
			return item{}, err
		}
		i.part, i.data = part, data
	}
	from := n % itemsPart * itemBytes
	if from+itemBytes > len(i.data) {
		return item{}, errDecode
	}
	d := i.data[from:]
	return item{d[0], d[1], int(d[2])<<8 | int(d[3]), int(d[4])<<8 | int(d[5])}, nil
}

// signers are the signers of the records of a segment.
func (s *segment) signers() ([]string, error) {
	value, _, err := s.Get(keyOf(keySigners, ""))
	d := decoder{rest: value}
	list := d.list()
	if err == nil && value != "" && (d.bad || d.rest != "") {
		err = errDecode
	}
	return list, err
}

// holder is the segment that has a row.
func (s *snapshot) holder(row int64) *segment {
	for _, seg := range s.segments {
		if row >= seg.first && row < seg.first+int64(seg.Items) {
			return seg
		}
	}
	return nil
}

// numbers reads a list of rising numbers below a bound, each as far as it is from the one before.
func (d *decoder) numbers(bound int) []int {
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
	list := d.numbers(s.Records)
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

// number takes the number of the record that comes next, or a negative one at the end.
func (c *newest) number() (n int, err error) {
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

// next reads the record that comes next.
func (c *newest) next() error {
	for {
		n, err := c.number()
		if c.at = nil; err != nil || n < 0 {
			return err
		}
		if c.at, err = c.segment.record(n); err != nil || len(c.at.head.items) > 0 {
			return err
		}
	}
}

// compare orders records, the newest first.
func (r *record) compare(other *record) int {
	return cmp.Or(cmp.Compare(other.at, r.at), strings.Compare(other.Ref, r.Ref))
}

// sortKey is the key of a sort. That of a part of it has one byte more: the part with the newest records comes first.
func sortKey(sum int64) string {
	return string(binary.BigEndian.AppendUint64([]byte{keySort}, uint64(sum))) //nolint:gosec // The bits of a sum.
}

// byNewest yields the records of any of some sorts, or of all where there is none, the newest first: of each segment those that are
// among the numbers of since, where that is not nil.
func (s *snapshot) byNewest(sorts []int64, since [][]int, yield func(*segment, *record) (more bool, err error)) error {
	var all []*newest
	for i, seg := range s.segments {
		var among []int
		if since != nil {
			among = since[i]
		}
		if since != nil && len(among) == 0 {
			continue
		}
		for _, sum := range sorts {
			key := sortKey(sum)
			all = append(all, &newest{segment: seg, sort: key, parts: seg.Seek(key), among: among})
		}
		switch {
		case len(sorts) > 0:
		case among != nil:
			all = append(all, &newest{segment: seg, numbers: among})
		default:
			all = append(all, &newest{segment: seg, left: seg.Records})
		}
	}
	return merge(all, yield)
}

// merge yields the records of several walks, each once, the newest first.
func merge(all []*newest, yield func(*segment, *record) (more bool, err error)) error {
	for _, c := range all {
		if err := c.next(); err != nil {
			return err
		}
	}
	last := ""
	for {
		all = slices.DeleteFunc(all, func(c *newest) bool { return c.at == nil })
		if len(all) == 0 {
			return nil
		}
		first := slices.MinFunc(all, func(a, b *newest) int { return a.at.compare(b.at) })
		r := first.at
		if r.Ref != last {
			if more, err := yield(first.segment, r); err != nil || !more {
				return err
			}
		}
		last = r.Ref
		if err := first.next(); err != nil {
			return err
		}
	}
}
