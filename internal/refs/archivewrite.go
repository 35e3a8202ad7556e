package refs

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// SetArchive makes the local archive of a writer hold exactly these records and later signatures, of which each may be a ref
// or lie in an archive, here or of a remote. It returns the commit. When it returns without an error, that survives a crash,
// a power cut and a garbage collection. An empty set deletes the archive, for which the commit is "".
func (s *Store) SetArchive(ctx context.Context, writer string, records []Ref, later []Endorsement) (commit string, err error) {
	if !isWriter(writer) {
		return "", fmt.Errorf("set archive %q: not the name of a writer", writer)
	}
	err = s.Exclusively(ctx, func(ctx context.Context) error {
		old, known, err := s.archiveNow(ctx, writer)
		if err != nil {
			return err
		}
		made := archiving{store: s, old: old, known: known, entries: map[Name]archived{}}
		left, err := made.add(ctx, allRefs(records, later))
		if err != nil {
			return err
		}
		for _, l := range left {
			return wrap("read record", l.ref.Full(), l.err)
		}
		commit, err = made.write(ctx)
		return err
	})
	return commit, wrap("set archive", writer, err)
}

// archiveNow returns the local archive of a writer, and what it holds. One that is not there has no commit; one that is
// damaged holds nothing that counts.
func (s *Store) archiveNow(ctx context.Context, writer string) (Archive, map[Name]archived, error) {
	a := Archive{Writer: writer}
	commit, err := s.reader.resolve(ctx, a.Ref())
	if err != nil || commit == "" {
		return a, nil, err
	}
	a.Commit = commit
	known, err := s.contents(ctx, a)
	if errors.Is(err, ErrArchive) || errors.Is(err, ErrMissing) || errors.Is(err, ErrCorrupt) {
		return a, nil, nil
	}
	return a, known, err
}

// allRefs are records and later signatures as refs.
func allRefs(records []Ref, later []Endorsement) []Ref {
	all := slices.Clone(records)
	for _, e := range later {
		all = append(all, e.Ref())
	}
	return all
}

// contents returns all that an archive holds.
func (s *Store) contents(ctx context.Context, a Archive) (map[Name]archived, error) {
	held := map[Name]archived{}
	for _, kind := range []Kind{Events, Notes, Packets, Skips, endorsements} {
		for entry, err := range s.walk(ctx, a, Query{Kind: kind}) {
			if err != nil {
				return nil, err
			}
			held[entry.name] = entry
		}
	}
	return held, nil
}
