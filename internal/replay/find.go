package replay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/scan"
)

// A record is named by at least minPart characters of its id. The ids inside
// the newest ownSearched packets are read where no name fits.
const (
	MinPart     = 4
	idLength    = 26
	ownSearched = 5000
)

// Find returns the packet that spec names: a ULID, a unique prefix or suffix of
// one, an id that the packet brought along, "@" for the newest of this branch that the
// user made, as [Threads.Own] tells, or "@{N}" for the Nth before it.
func (r *Reader) Find(ctx context.Context, spec string) (Entry, error) {
	if n, ok := Nth(spec); ok {
		back := n
		branch := r.opts.Repo.Head.Branch
		// Else whoever can push, or has a broken clock, decides what this name is.
		q := Query{Filter: index.Filter{Branch: branch}}
		for e, err := range NewThreads(r).ownPackets(ctx, Asked, q, math.MaxInt) {
			if err != nil {
				return Entry{}, err
			}
			if branch != "" && e.packet.Anchor.Branch != branch {
				continue
			}
			if n--; n < 0 {
				return e, nil
			}
		}
		what := "packet of your own"
		if back > 0 {
			what = fmt.Sprintf("packet of your own, %d before the newest", back)
		}
		if branch != "" {
			what += fmt.Sprintf(" of branch %q", branch)
		}
		return Entry{}, fmt.Errorf("%s: %w", what, ErrNotFound)
	}
	ref, err := r.LookupAny(ctx, refs.Packets, spec)
	if errors.Is(err, ErrNotFound) && !errors.Is(err, ErrPurged) {
		return r.findOwn(ctx, spec)
	}
	if err != nil {
		return Entry{}, err
	}
	return r.readNamed(ctx, ref)
}

// FindAny returns the record that spec names: a packet as Find knows them, or a note, a skip or an event by
// its ULID or a unique part of one.
func (r *Reader) FindAny(ctx context.Context, spec string) (Entry, error) {
	if _, ok := Nth(spec); ok {
		return r.Find(ctx, spec)
	}
	ref, err := r.locate(ctx, append(refs.Telling(), refs.Events), spec)
	if err != nil {
		return Entry{}, err
	}
	return r.readNamed(ctx, ref)
}

// locate finds the one record of some kinds that spec names, or the packet that brought that id along, without
// reading it.
func (r *Reader) locate(ctx context.Context, kinds []refs.Kind, spec string) (refs.Ref, error) {
	var e Entry
	var err error
	if _, nth := Nth(spec); nth {
		e, err = r.Find(ctx, spec)
	} else {
		ref, missing := r.lookupAmong(ctx, kinds, spec)
		if !errors.Is(missing, ErrNotFound) || errors.Is(missing, ErrPurged) {
			return ref, missing
		}
		if e, err = r.findOwn(ctx, spec); errors.Is(err, ErrNotFound) {
			err = missing // It need not have been a packet.
		}
	}
	if err != nil {
		return refs.Ref{}, err
	}
	return r.opts.Store.Lookup(ctx, refs.Name{Kind: refs.Packets, ID: e.ID, Private: e.Store == OfClone})
}

// readNamed reads the record that was asked for; an error says which ref it lies in.
func (r *Reader) readNamed(ctx context.Context, ref refs.Ref) (Entry, error) {
	if err := r.Buried(ctx, ref.Name.ID); err != nil {
		return Entry{}, err
	}
	e, err := r.Living(ctx, ref)
	if err != nil {
		return Entry{}, &ReadError{Ref: ref.Full(), Err: err}
	}
	return e, nil
}

// Nth reads "@" and "@{N}".
func Nth(spec string) (int, bool) {
	if spec == "@" {
		return 0, true
	}
	digits, ok := strings.CutPrefix(spec, "@{")
	if !ok || !strings.HasSuffix(digits, "}") {
		return 0, false
	}
	n, err := strconv.ParseUint(strings.TrimSuffix(digits, "}"), 10, 16)
	return int(n), err == nil
}

func (r *Reader) matchPart(ctx context.Context, kind refs.Kind, part string,
	missing error,
) (refs.Ref, error) {
	found, err := r.opts.Store.Match(ctx, refs.Name{Kind: kind}, part)
	if err != nil && !errors.Is(err, refs.ErrNotFound) {
		return refs.Ref{}, err
	}
	return onlyOne(part, found, missing)
}

// onlyOne returns the one record that a part of an id names, the error that says that none does, or an
// AmbiguousError.
func onlyOne(part string, found []refs.Ref, missing error) (refs.Ref, error) {
	switch len(found) {
	case 0:
		return refs.Ref{}, missing
	case 1:
		return found[0], nil
	}
	e := &AmbiguousError{Part: Quotable(part)}
	for _, ref := range found {
		e.IDs = append(e.IDs, ref.Name.ID)
	}
	return refs.Ref{}, e
}

// missingError says that no record answers to what was asked for, and of what is too short for a part of an id
// that it is.
func missingError(what, spec string) error {
	if len(spec) < MinPart {
		return fmt.Errorf("%s %q: %w: at least %d characters of an id are needed",
			what, spec, ErrNotFound, MinPart)
	}
	return fmt.Errorf("%s %q: %w", what, Quotable(spec), ErrNotFound)
}

// findOwn looks for a packet that brought an id of another form. One that was
// saved here has a name derived from it; one that another program stored is
// found by reading.
func (r *Reader) findOwn(ctx context.Context, own string) (Entry, error) {
	missing := missingError("packet", own)
	if n := utf8.RuneCountInString(own); n < 10 || n > 64 {
		return Entry{}, missing
	}
	ref, err := r.matchPart(ctx, refs.Packets, packet.DerivedSuffix(own), missing)
	if err == nil {
		return r.readNamed(ctx, ref)
	}
	if !errors.Is(err, ErrNotFound) {
		return Entry{}, err
	}
	left := ownSearched
	for e, err := range r.List(ctx, Query{Hidden: true}) {
		if err != nil {
			return Entry{}, err
		}
		if e.record.OwnID() == own {
			return e, nil
		}
		if left--; left == 0 {
			break
		}
	}
	return Entry{}, missing
}

// Quotable bounds what an error repeats of a request. A secret that is cut could not be told any more.
func Quotable(s string) string {
	const most = 64
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	s = (*scan.Rules)(nil).Public(s)
	return string([]rune(s)[:min(most, utf8.RuneCountInString(s))]) + "…"
}

// LookupAny resolves as lookup does, and knows private records too. Where a record that travels has the same
// id, that one is meant.
func (r *Reader) LookupAny(ctx context.Context, kind refs.Kind, spec string) (refs.Ref, error) {
	found, err := refs.Ref{}, missingError("record", spec)
	name := refs.Name{Kind: kind}
	if id, notID := packet.ParseID(strings.ToUpper(spec)); notID == nil {
		name.ID = id
		shared, failure := r.opts.Store.Lookup(ctx, name)
		switch {
		case errors.Is(failure, refs.ErrNotFound):
			err = cmp.Or(r.Buried(ctx, id), err)
		case failure != nil:
			err = &ReadError{Ref: name.Ref(), Err: failure}
		default:
			found, err = shared, nil
		}
	} else if len(spec) >= MinPart && len(spec) < idLength {
		found, err = r.matchPart(ctx, kind, spec, err)
	}
	if err != nil && (!errors.Is(err, ErrNotFound) || errors.Is(err, ErrPurged)) {
		return found, err
	}
	var private []refs.Ref
	if len(spec) >= MinPart && len(spec) <= idLength {
		var failure error
		among := refs.Name{Kind: kind, Private: true}
		if private, failure = r.opts.Store.Match(ctx, among, spec); failure != nil {
			return refs.Ref{}, fmt.Errorf("find private record %q: %w", Quotable(spec), failure)
		}
	}
	if err == nil {
		private = slices.DeleteFunc(private, func(r refs.Ref) bool { return r.Name.ID == found.Name.ID })
		private = append([]refs.Ref{found}, private...)
	}
	return onlyOne(spec, private, err)
}

// IsPrivate tells whether an id names a private record here, and none that travels.
func (r *Reader) IsPrivate(ctx context.Context, id packet.ID) (bool, error) {
	for _, kind := range refs.Kinds() {
		_, err := r.opts.Store.Lookup(ctx, refs.Name{Kind: kind, ID: id, Private: true})
		if errors.Is(err, refs.ErrNotFound) {
			continue
		}
		if err != nil {
			return false, err
		}
		_, err = r.opts.Store.Lookup(ctx, refs.Name{Kind: kind, ID: id})
		return errors.Is(err, refs.ErrNotFound), nil
	}
	return false, nil
}

// lookupHere finds a record by its name, or the private one of that name.
func (r *Reader) lookupHere(ctx context.Context, name refs.Name) (refs.Ref, error) {
	ref, err := r.opts.Store.Lookup(ctx, name)
	if errors.Is(err, refs.ErrNotFound) {
		name.Private = true
		return r.opts.Store.Lookup(ctx, name)
	}
	return ref, err
}

// IsHere tells whether a record of that name is known here, private or not.
func (r *Reader) IsHere(ctx context.Context, kind refs.Kind, id packet.ID) bool {
	_, err := r.lookupHere(ctx, refs.Name{Kind: kind, ID: id})
	return err == nil
}

// Identify returns the name of the record that spec names, of a kind that says something. One that is withheld,
// or that nobody can read, can still be named by its id.
func (r *Reader) Identify(ctx context.Context, spec string) (refs.Name, error) {
	ref, err := r.locate(ctx, refs.Telling(), spec)
	return ref.Name, err
}

// lookupAmong finds the one record of some kinds that spec names.
func (r *Reader) lookupAmong(ctx context.Context, kinds []refs.Kind, spec string) (refs.Ref, error) {
	var found []refs.Ref
	missing := error(nil)
	for _, kind := range kinds {
		ref, err := r.LookupAny(ctx, kind, spec)
		several, ambiguous := errors.AsType[*AmbiguousError](err)
		switch {
		case err == nil:
			found = append(found, ref)
		case ambiguous: // Records of the other kinds are meant as well.
			for _, id := range several.IDs {
				found = append(found, refs.Ref{Name: refs.Name{Kind: kind, ID: id}})
			}
		case !errors.Is(err, ErrNotFound):
			return ref, err
		case missing == nil || errors.Is(err, ErrPurged):
			missing = err
		}
	}
	found = slices.CompactFunc(found, func(a, b refs.Ref) bool { return a.Name.ID == b.Name.ID })
	return onlyOne(spec, found, missing)
}

// Targets finds the records that were asked for, each once, in the order of
// their refs.
func (r *Reader) Targets(ctx context.Context, specs []string) ([]check.Target, error) {
	var found []check.Target
	var missing []error
	for _, spec := range specs {
		t, err := r.TargetOf(ctx, spec)
		if err != nil {
			missing = append(missing, err)
			continue
		}
		found = append(found, t)
	}
	if len(missing) > 0 {
		return nil, errors.Join(missing...)
	}
	slices.SortFunc(found, func(a, b check.Target) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(found, func(a, b check.Target) bool { return a.Name == b.Name }), nil
}

// TargetOf finds one record. One that nobody can read is found by its id.
func (r *Reader) TargetOf(ctx context.Context, spec string) (check.Target, error) {
	ref, err := r.locate(ctx, append(refs.Telling(), refs.Events), spec)
	if read, ok := errors.AsType[*ReadError](err); ok && IsUnreadable(err) {
		name, _ := refs.ParseName(read.Ref)
		return check.Target{
			Ref: refs.Ref{Name: name}, Name: read.Ref, Flaw: check.RuleObject, Why: refs.Flaw(err),
		}, nil
	}
	if err != nil {
		return check.Target{}, err
	}
	return check.Target{Ref: ref, Name: ref.Full()}, nil
}
