package refs

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// PrivateRoot is where records lie that never leave this clone. No refspec names it, and nobody tracks it.
const PrivateRoot = "refs/ltm-local/"

// ParsePrivate reads the full name of a private record's ref. Anything but the exact shape is refused.
func ParsePrivate(ref string) (Name, bool) {
	rest, ok := strings.CutPrefix(ref, PrivateRoot)
	if !ok {
		return Name{}, false
	}
	name, ok := parseTail(rest)
	name.Private = ok
	return name, ok
}

// ListPrivate yields the private records of one kind, reading only as far as the caller goes.
func (s *Store) ListPrivate(ctx context.Context, q Query) iter.Seq2[Ref, error] {
	return func(yield func(Ref, error) bool) {
		if err := checkKind(q.Kind); err != nil {
			yield(Ref{}, err)
			return
		}
		for e, err := range s.reader.list(ctx, PrivateRoot+string(q.Kind)+"/", q.Newest) {
			if err != nil {
				yield(Ref{}, err)
				return
			}
			name, ok := ParsePrivate(e.ref)
			if ok && e.oid != "" && q.admits(name.ID) && !yield(Ref{Name: name, Object: e.oid, Young: e.loose}, nil) {
				return
			}
		}
	}
}

// LookupPrivate finds a private record by its ID.
func (s *Store) LookupPrivate(ctx context.Context, kind Kind, id packet.ID) (Ref, error) {
	ref := Ref{Name: Name{Kind: kind, ID: id, Private: true}}
	if !ref.Name.valid() {
		return Ref{}, fmt.Errorf("find record %q of kind %q: %w", id, kind, ErrNotFound)
	}
	var err error
	if ref.Object, err = s.reader.resolve(ctx, ref.Full()); err != nil {
		return Ref{}, err
	}
	if ref.Object == "" {
		return Ref{}, fmt.Errorf("find record %q of kind %q: %w", id, kind, ErrNotFound)
	}
	return ref, nil
}

// MatchPrivate finds the private records that Match would find if they were not private.
func (s *Store) MatchPrivate(ctx context.Context, kind Kind, part string) ([]Ref, error) {
	part = strings.ToUpper(part)
	if len(part) < shortestPart || strings.IndexFunc(part, notInID) >= 0 {
		return nil, checkKind(kind)
	}
	found := map[packet.ID]bool{}
	if err := s.collect(ctx, PrivateRoot+string(kind)+"/", part, found); err != nil {
		return nil, err
	}
	var refs []Ref
	for _, id := range slices.Sorted(maps.Keys(found)) {
		if ref, err := s.LookupPrivate(ctx, kind, id); err == nil {
			refs = append(refs, ref)
		}
	}
	return refs, nil
}

// places are the roots below which refs of this clone are mended.
func places() []string { return []string{Root, PrivateRoot} }
