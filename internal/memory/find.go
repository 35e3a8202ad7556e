package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/scan"
)

// A record is named by at least minPart characters of its id. The ids inside
// the newest ownSearched packets are read where no name fits.
const (
	minPart     = 4
	idLength    = 26
	ownSearched = 5000
)

// Find returns the packet that spec names: a ULID, a unique prefix or suffix of
// one, an id that the packet brought along, "@" for the newest of this branch,
// or "@{N}" for the Nth before it.
func (m *Memory) Find(ctx context.Context, spec string) (Entry, error) {
	if n, ok := nth(spec); ok {
		return m.nthNewest(ctx, n)
	}
	ref, err := m.lookupAny(ctx, refs.Packets, spec)
	if errors.Is(err, ErrNotFound) && !errors.Is(err, ErrPurged) {
		return m.findOwn(ctx, spec)
	}
	if err != nil {
		return Entry{}, err
	}
	return m.named(ctx, ref)
}

// FindAny returns the record that spec names: a packet as Find knows them, or a note, a skip or an event by its ULID or a unique
// part of one.
func (m *Memory) FindAny(ctx context.Context, spec string) (Entry, error) {
	if _, ok := nth(spec); ok {
		return m.Find(ctx, spec)
	}
	ref, err := m.lookupAmong(ctx, append(refs.Telling(), refs.Events), spec)
	if errors.Is(err, ErrNotFound) && !errors.Is(err, ErrPurged) {
		e, ownErr := m.findOwn(ctx, spec)
		if errors.Is(ownErr, ErrNotFound) {
			return Entry{}, err
		}
		return e, ownErr
	}
	if err != nil {
		return Entry{}, err
	}
	return m.named(ctx, ref)
}

// named reads the record that was asked for; an error says which ref it lies in.
func (m *Memory) named(ctx context.Context, ref refs.Ref) (Entry, error) {
	if err := m.buried(ctx, ref.Name.ID); err != nil {
		return Entry{}, err
	}
	e, err := m.living(ctx, ref)
	if err != nil {
		return Entry{}, &ReadError{Ref: ref.Full(), Err: err}
	}
	return e, nil
}

// nth reads "@" and "@{N}".
func nth(spec string) (int, bool) {
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

func (m *Memory) nthNewest(ctx context.Context, back int) (Entry, error) {
	n := back
	branch := m.repo.Head.Branch
	for e, err := range m.List(ctx, Query{Branch: branch}) {
		if err != nil {
			return Entry{}, err
		}
		if e.Withheld(Asked) != "" {
			continue // Else whoever can push decides that this name fails.
		}
		if n--; n < 0 {
			return e, nil
		}
	}
	what := "packet"
	if back > 0 {
		what = fmt.Sprintf("packet %d before the newest", back)
	}
	if branch != "" {
		what += fmt.Sprintf(" of branch %q", branch)
	}
	return Entry{}, fmt.Errorf("%s: %w", what, ErrNotFound)
}

// lookup resolves a ULID or a unique part of one.
func (m *Memory) lookup(ctx context.Context, kind refs.Kind, spec string) (refs.Ref, error) {
	missing := fmt.Errorf("record %q: %w", quotable(spec), ErrNotFound)
	if id, err := packet.ParseID(strings.ToUpper(spec)); err == nil {
		ref, err := m.store.Lookup(ctx, kind, id)
		if errors.Is(err, refs.ErrNotFound) {
			return refs.Ref{}, cmp.Or(m.buried(ctx, id), missing)
		}
		if err != nil {
			return refs.Ref{}, &ReadError{Ref: refs.Name{Kind: kind, ID: id}.Ref(), Err: err}
		}
		return ref, nil
	}
	if len(spec) < minPart || len(spec) >= idLength {
		return refs.Ref{}, missing
	}
	return m.match(ctx, kind, spec, missing)
}

func (m *Memory) match(ctx context.Context, kind refs.Kind, part string, missing error) (refs.Ref, error) {
	found, err := m.store.Match(ctx, kind, part)
	switch {
	case err != nil && !errors.Is(err, refs.ErrNotFound):
		return refs.Ref{}, err
	case len(found) == 0:
		return refs.Ref{}, missing
	case len(found) > 1:
		return refs.Ref{}, ambiguous(part, found)
	}
	return found[0], nil
}

// ambiguous says that several records share a part of an id.
func ambiguous(part string, found []refs.Ref) error {
	e := &AmbiguousError{Part: quotable(part)}
	for _, ref := range found {
		e.IDs = append(e.IDs, ref.Name.ID)
	}
	return e
}

// findOwn looks for a packet that brought an id of another form. One that was
// saved here has a name derived from it; one that another program stored is
// found by reading.
func (m *Memory) findOwn(ctx context.Context, own string) (Entry, error) {
	missing := fmt.Errorf("packet %q: %w", quotable(own), ErrNotFound)
	if n := utf8.RuneCountInString(own); n < 10 || n > 64 {
		return Entry{}, missing
	}
	ref, err := m.match(ctx, refs.Packets, packet.DerivedSuffix(own), missing)
	if err == nil {
		return m.named(ctx, ref)
	}
	if !errors.Is(err, ErrNotFound) {
		return Entry{}, err
	}
	left := ownSearched
	for e, err := range m.List(ctx, Query{Hidden: true}) {
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

// quotable bounds what an error repeats of a request. A secret that is cut could not be told any more.
func quotable(s string) string {
	const most = 64
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	s = (*scan.Rules)(nil).Public(s)
	return string([]rune(s)[:min(most, utf8.RuneCountInString(s))]) + "…"
}
