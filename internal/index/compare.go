package index

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/view"
)

// plan is how an index differs from a list.
type plan struct {
	fresh []Listed                  // fresh are to be added.
	gone  map[*segment]map[int]bool // gone are the numbers of the records that are to be taken out.
	young []string                  // young are the records of the list that are young.
}

func (p *plan) isEmpty() bool { return len(p.fresh) == 0 && len(p.gone) == 0 }

// stored goes along the refs of a segment.
type stored struct {
	segment *segment
	cursor  *view.Cursor
	record  string // record is "" at the end.
	ref     string
	object  string
	number  int
}

// nextRecord reads the record that comes next.
func (c *stored) nextRecord() error {
	c.record = ""
	if !c.cursor.Next() {
		return c.cursor.Err()
	}
	if key := c.cursor.Key(); key[0] == keyRef {
		return c.readRecord(string(key[1:]), c.cursor.Value())
	}
	return nil
}

// readRecord reads what stands under the name of a record.
func (c *stored) readRecord(record, value string) error {
	d := decoder{rest: value}
	c.record, c.number = record, d.atMost(c.segment.Records-1)
	c.ref, c.object = d.decodeText()+record, d.rest
	if d.bad || record == "" {
		return errDecode
	}
	return nil
}

// isSame reports whether a record is stored as it is listed.
func (c *stored) isSame(at Listed) bool { return c.object == at.version() && c.ref == at.Ref }

// compareList finds how the index differs from a list of all records.
func (s *snapshot) compareList(refs List) (plan, error) {
	p := newPlan()
	var all []*stored
	for _, seg := range s.segments {
		c := &stored{segment: seg, cursor: seg.Seek(keyOf(keyRef, ""))}
		if err := c.nextRecord(); err != nil {
			return plan{}, err
		}
		all = append(all, c)
	}
	// least finds what comes first of all segments.
	least := func() (first *stored) {
		for _, c := range all {
			if c.record != "" && (first == nil || c.record < first.record) {
				first = c
			}
		}
		return first
	}
	held := least()
	// pass goes on to what comes next.
	pass := func() error {
		err := held.nextRecord()
		held = least()
		return err
	}
	err := p.listRefs(refs, func(at Listed) error {
		for held != nil && held.record < at.recordName() {
			p.dropRecord(held)
			if err := pass(); err != nil {
				return err
			}
		}
		if held != nil && held.record == at.recordName() && held.isSame(at) {
			return pass()
		}
		p.fresh = append(p.fresh, at) // What is held of the same record is dropped with what comes next.
		return nil
	})
	for err == nil && held != nil {
		p.dropRecord(held)
		err = pass()
	}
	for _, c := range all {
		c.segment.Forget()
	}
	return p, err
}

// findRecord looks for a record in all segments, and returns nothing where it is in none.
func (s *snapshot) findRecord(record string) (*stored, error) {
	for _, seg := range slices.Backward(s.segments) {
		value, ok, err := seg.Get(keyOf(keyRef, record))
		if err != nil {
			return nil, err
		}
		if ok {
			held := &stored{segment: seg}
			return held, held.readRecord(record, value)
		}
	}
	return nil, nil
}

func newPlan() plan { return plan{gone: map[*segment]map[int]bool{}} }

// listRefs goes along a list in the order of the records, and notes what is young.
func (p *plan) listRefs(refs List, visit func(Listed) error) error {
	listed, err := refs()
	if err != nil {
		return fmt.Errorf("list refs: %w", err)
	}
	slices.SortFunc(listed, func(a, b Listed) int { return strings.Compare(a.recordName(), b.recordName()) })
	last := ""
	for _, at := range listed {
		if at.recordName() == last {
			return fmt.Errorf("list refs: %q stands there twice", last)
		}
		if last = at.recordName(); at.Young {
			p.young = append(p.young, last)
		}
		if err := visit(at); err != nil {
			return err
		}
	}
	return nil
}

// dropRecord notes that a record is to be taken out, where there is one.
func (p *plan) dropRecord(c *stored) {
	if c == nil {
		return
	}
	if p.gone[c.segment] == nil {
		p.gone[c.segment] = map[int]bool{}
	}
	p.gone[c.segment][c.number] = true
}
