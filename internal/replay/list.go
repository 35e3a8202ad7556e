package replay

import (
	"context"
	"iter"
	"slices"

	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// Query narrows a list of records. The zero value asks for all packets that are not hidden.
type Query struct {
	Kind  packet.Kind // the kind of the records; "" is packets
	Notes []string    // of notes: one of these kinds; none asks for all
	index.Filter
	Hidden bool // also what is retracted, superseded or expired

	Private     bool // only what never leaves this clone
	Untrusted   bool // only what is not trusted
	Unconfirmed bool // only what nobody confirmed

	Vouched bool // a view leaves out what surely nobody vouches for who is trusted here

	LeftOut *LeftOut // leaves out what somebody hid, too, and counts; nil does not
}

// LeftOut counts what a list leaves out.
type LeftOut struct {
	Hidden int // by a person or an agent, of what is asked for
	Ended  int // retracted, superseded or expired, whatever is asked for
}

// List yields records of one kind, newest first by id. Records that cannot be read are left out and stand in
// [Reader.Skipped]; an error ends the list.
func (r *Reader) List(ctx context.Context, q Query) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		page := make([]refs.Ref, 0, firstPage)
		for ref, err := range r.listRefs(ctx, q, nil) {
			if err != nil {
				yield(Entry{}, err)
				return
			}
			if page = append(page, ref); len(page) < cap(page) {
				continue
			}
			if !r.listPage(ctx, page, q, yield) {
				return
			}
			page = make([]refs.Ref, 0, min(4*cap(page), check.Together))
		}
		r.listPage(ctx, page, q, yield)
	}
}

// firstPage is how many records of a list are looked at together at first.
const firstPage = 4

// listPage yields those of some records that a query asks for, and reports whether more are wanted.
func (r *Reader) listPage(ctx context.Context, page []refs.Ref, q Query, yield func(Entry, error) bool) bool {
	ids := make([]packet.ID, len(page))
	for i, ref := range page {
		ids[i] = ref.Name.ID
	}
	s, err := r.stateOf(ctx, ids...)
	if err != nil {
		yield(Entry{}, err)
		return false
	}
	for _, ref := range page {
		_, purged := s.Purged[ref.Name.ID]
		if s.leavesOut(ref.Name.ID, q) {
			q.countEnded(!purged)
			continue
		}
		e, ok, err := r.readListed(ctx, ref, s)
		if err != nil {
			yield(Entry{}, err)
			return false
		}
		q.countEnded(ok && e.Life.Hidden() && !q.Hidden)
		switch {
		case !ok || !q.admitsEntry(e):
		case e.Life.Archived && q.LeftOut != nil:
			q.LeftOut.Hidden++
		case !yield(e, nil):
			return false
		}
	}
	return true
}

// leavesOut tells a record that a list does not even read: it was purged, or hidden by an event where that is
// not asked for.
func (s *State) leavesOut(id packet.ID, q Query) bool {
	_, purged := s.Purged[id]
	return purged || s.Lives[id].Hidden() && !q.Hidden
}

// countEnded counts one record, where somebody wants to know, if it has ended.
func (q Query) countEnded(is bool) {
	if is && q.LeftOut != nil {
		q.LeftOut.Ended++
	}
}

// readListed reads a record of a list; one that cannot be read is skipped.
func (r *Reader) readListed(ctx context.Context, ref refs.Ref, s *State) (e Entry, ok bool, err error) {
	if err = r.whyLeftOut(ctx, ref); err == nil {
		e, err = r.livingIn(ctx, ref, s)
	}
	if err != nil {
		return Entry{}, false, r.Skip(ref.Full(), err)
	}
	return e, true, nil
}

func (q Query) admitsEntry(e Entry) bool {
	switch {
	case e.Life.Hidden() && !q.Hidden, q.Private && e.Store != OfClone, q.Untrusted && e.Trusted(),
		q.Unconfirmed && !e.Life.Confirmed.IsZero(), len(q.Notes) > 0 && !slices.Contains(q.Notes, e.note.Kind):
		return false
	case !q.Filter.IsNarrow():
		return true
	}
	c := e.record.Content()
	return q.Admits(&c)
}
