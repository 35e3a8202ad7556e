package replay

import (
	"fmt"
) // LeftOut says what was left out of every answer so far, each an error to tell: records that cannot be read, where they are many

// all in one, and events that are too many.
func (r *Reader) LeftOut() []error {
	var all []error
	if n := len(r.skippedRefs); n > namedApart {
		all = append(all, fmt.Errorf("%d records cannot be read and are left out; 'git ltm check' says why of each, as of the first: %w", n, &r.skipped[0]))
	} else {
		for i := range r.skipped {
			all = append(all, &r.skipped[i])
		}
	}
	if r.crowd > 0 {
		all = append(all, fmt.Errorf("%d events of people who are not trusted are left out: "+
			"there are too many of one kind about one record, of which the newest count", r.crowd))
	}
	return all
}

// Skipped lists the records that could not be read so far, of many the first. They were left out of every answer.
func (r *Reader) Skipped() []RecordError { return r.skipped }

// Skip remembers a record that cannot be read. An error that is not the
// record's own is returned.
func (r *Reader) Skip(ref string, err error) error {
	if err == nil || !IsUnreadable(err) {
		return err
	}
	if r.skippedRefs[ref] {
		return nil
	}
	if r.skippedRefs == nil {
		r.skippedRefs = map[string]bool{}
	}
	r.skippedRefs[ref] = true
	if len(r.skipped) < mostSkipped {
		r.skipped = append(r.skipped, RecordError{Ref: ref, Err: err})
	}
	return nil
}

// The bounds of what is told of records that were left out.
const (
	mostSkipped = 64
	namedApart  = 8
)
