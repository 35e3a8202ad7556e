package replay

import (
	"errors"
	"fmt"
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/scan"
	"github.com/git-ltm/git-ltm/internal/sign"
)

// The errors that a caller must tell apart.
var (
	// ErrNotFound says that no record answers to what was asked for.
	ErrNotFound = errors.New("not found")
	// ErrWithheld says that every record that answers is kept from sessions.
	ErrWithheld = errors.New("none may be shown")
	// ErrExists says that another record has the id already.
	ErrExists = errors.New("another record has this id")
	// ErrUsage says that the request contradicts itself.
	ErrUsage = errors.New("cannot be asked for together")
)

// SecretError is a record that holds what must not travel.
type SecretError struct {
	Findings []redact.Finding // at least one
	Stored   bool             // it lies in a ref; nothing was refused to be stored
}

func (e *SecretError) Error() string {
	if n := len(e.Findings); n != 1 {
		return fmt.Sprintf("it holds %d secrets", n)
	}
	return "it holds a secret"
}

// AmbiguousError is a part of an id that several records share.
type AmbiguousError struct {
	Part string
	IDs  []packet.ID
	Told []string // the first of them with what they say, where somebody looked, for whoever prints the error
}

// MostNamed is how many records an error names.
const MostNamed = 5

func (e *AmbiguousError) Error() string {
	if len(e.Told) > 0 {
		return fmt.Sprintf("%q could be each of %d records", e.Part, len(e.IDs))
	}
	names := make([]string, 0, len(e.IDs))
	for _, id := range e.IDs[:min(len(e.IDs), MostNamed)] {
		names = append(names, string(id))
	}
	if n := len(e.IDs) - len(names); n > 0 {
		names = append(names, fmt.Sprintf("%d more", n))
	}
	return fmt.Sprintf("%q could be %s", e.Part, strings.Join(names, " or "))
}

// StandingError is a record that must not be handed on.
type StandingError struct {
	ID      packet.ID
	Verdict sign.Verdict
}

func (e *StandingError) Error() string {
	return fmt.Sprintf("packet %s is %s: %s", e.ID, e.Verdict.Standing, e.Verdict.Why)
}

// PolicyError is a record that policy keeps from sessions.
type PolicyError struct {
	ID  packet.ID
	Why string
}

func (e *PolicyError) Error() string { return fmt.Sprintf("packet %s is withheld: %s", e.ID, e.Why) }

// MismatchError is a record that says another name than the one it lies under.
type MismatchError struct{ Why string }

func (e *MismatchError) Error() string { return e.Why }

// RecordError is a record that was skipped, and why.
type RecordError struct {
	Ref string
	Err error
}

func (e *RecordError) Error() string { return fmt.Sprintf("skip %q: %v", e.Ref, e.Err) }

func (e *RecordError) Unwrap() error { return e.Err }

// ReadError is a record that was asked for and cannot be read.
type ReadError struct {
	Ref string
	Err error
}

func (e *ReadError) Error() string { return fmt.Sprintf("read %q: %v", e.Ref, e.Err) }

func (e *ReadError) Unwrap() error { return e.Err }

// IsStoredUnreadable tells whether a record that lies in a ref is at fault.
func IsStoredUnreadable(err error) bool {
	_, ok := errors.AsType[*ReadError](err)
	return ok && IsUnreadable(err)
}

// IsUnreadable tells whether a record is at fault, and not the machine: it is
// missing, damaged, too large, invalid, withheld, or not what its name says.
func IsUnreadable(err error) bool {
	if _, ok := errors.AsType[*scan.RulesError](err); ok {
		return false // No record can be judged, so none is at fault.
	}
	if refs.IsFault(err) || errors.Is(err, scan.ErrSlow) {
		return true
	}
	var invalid *packet.InvalidError
	var secret *SecretError
	var mismatch *MismatchError
	return errors.As(err, &invalid) || errors.As(err, &secret) || errors.As(err, &mismatch)
}

// LeftOut says what was left out of every answer so far, each an error to tell: records that cannot be read,
// where they are many all in one, and events that are too many.
func (r *Reader) LeftOut() []error {
	var all []error
	if n := len(r.skippedRefs); n > namedApart {
		where := ""
		if rest, ok := strings.CutPrefix(r.skipped[0].Ref, refs.TrackingRoot); ok {
			name, _, _ := strings.Cut(rest, "/")
			where = " --remote " + name
		}
		all = append(all, fmt.Errorf("%d records cannot be read and are left out; 'git ltm check%s' says why of each, "+
			"as of the first: %w", n, where, &r.skipped[0]))
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

// Skipped lists the records that could not be read so far, of many the first. They were left out of every
// answer.
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
