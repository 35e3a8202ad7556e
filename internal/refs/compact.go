package refs

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// movedAtOnce is how many refs move in one step.
const movedAtOnce = 1000

// Moved is what a compaction moved.
type Moved struct {
	Archives     []Archive // Archives are those that took something in, as they are now.
	Records      []Ref
	Endorsements []Endorsement
}

// Compact moves records and later signatures of this clone from their refs into the archive that this clone writes, and
// into the next one when that is full. An archive is read back before a ref is deleted: a process that dies at any line
// loses nothing, and leaves at most a record that is both a ref and in an archive. What cannot be read, or contradicts the
// archive, stays where it is.
func (s *Store) Compact(ctx context.Context, records []Ref, later []Endorsement) (moved Moved, err error) {
	refs := slices.DeleteFunc(allRefs(records, later), func(r Ref) bool { return r.Remote != "" || r.Archive != "" || r.Name.Private })
	slices.SortStableFunc(refs, func(a, b Ref) int { return cmp.Compare(a.Name.ID, b.Name.ID) })
	if len(refs) == 0 {
		return Moved{}, nil
	}
	err = s.Exclusively(ctx, func(ctx context.Context) error {
		refs, err := s.still(ctx, refs) // A purge may have been faster.
		if err != nil {
			return err
		}
		for chunk := range slices.Chunk(refs, movedAtOnce) {
			if err := s.compact(ctx, chunk, &moved); err != nil {
				return err
			}
		}
		return nil
	})
	return moved, wrap("compact records of", s.repo.CommonDir, err)
}

// still returns those of the refs that name what they did.
func (s *Store) still(ctx context.Context, refs []Ref) ([]Ref, error) {
	held, err := s.Held(ctx, "")
	return slices.DeleteFunc(refs, func(r Ref) bool { return held[r.Full()] != r.Object }), err
}

// compact moves some refs.
func (s *Store) compact(ctx context.Context, refs []Ref, moved *Moved) error {
	old, known, err := s.ownArchive(ctx)
	if err != nil {
		return err
	}
	w := archiving{store: s, old: old, known: known, entries: map[Name]archived{}}
	w.keep()
	out, err := w.add(ctx, refs)
	if err != nil {
		return err
	}
	refs = slices.DeleteFunc(slices.Clone(refs), func(r Ref) bool {
		return slices.ContainsFunc(out, func(l left) bool { return l.ref == r })
	})
	if len(refs) == 0 {
		return nil
	}
	made := Archive{Writer: old.Writer}
	if made.Commit, err = w.write(ctx); err != nil {
		return err
	}
	if err := s.readBack(ctx, made, w.all(refs)); err != nil {
		return err
	}
	if err := s.Delete(ctx, refs); err != nil {
		return err
	}
	moved.note(made, refs)
	return nil
}

// all are the entries of refs.
func (w *archiving) all(refs []Ref) []archived {
	entries := make([]archived, len(refs))
	for i, ref := range refs {
		entries[i] = w.entries[ref.Name]
	}
	return entries
}

// note adds what moved.
func (m *Moved) note(a Archive, refs []Ref) {
	m.Archives = slices.DeleteFunc(m.Archives, func(b Archive) bool { return b.Writer == a.Writer })
	m.Archives = append(m.Archives, a)
	for _, ref := range refs {
		if ref.Name.Key == "" {
			m.Records = append(m.Records, ref)
		} else {
			m.Endorsements = append(m.Endorsements, Endorsement{ID: ref.Name.ID, Key: ref.Name.Key, Object: ref.Object})
		}
	}
}

// Settle deletes the local refs whose very object a local archive holds too, and returns how many those were.
func (s *Store) Settle(ctx context.Context) (dropped int, err error) {
	err = s.Exclusively(ctx, func(ctx context.Context) error {
		all, err := s.localArchives(ctx)
		if err != nil || len(all) == 0 {
			return err
		}
		both, err := s.alsoIn(ctx, all)
		if err != nil {
			return err
		}
		for chunk := range slices.Chunk(both, movedAtOnce) {
			if err := s.Delete(ctx, chunk); err != nil {
				return err
			}
			dropped += len(chunk)
		}
		return nil
	})
	return dropped, err
}

// alsoIn lists the local refs whose very object one of the archives holds.
func (s *Store) alsoIn(ctx context.Context, in []Archive) (both []Ref, err error) {
	for e, err := range s.reader.list(ctx, root, false) {
		if err != nil {
			return nil, err
		}
		name, ok := parseOwn(e.ref)
		if ok && e.oid != "" && s.archivesHold(ctx, in, name, e.oid) {
			both = append(both, Ref{Name: name, Object: e.oid})
		}
	}
	return both, nil
}

// archivesHold reports whether one of the archives holds an object under a name, and the objects of it are here.
func (s *Store) archivesHold(ctx context.Context, in []Archive, name Name, object string) bool {
	for _, a := range in {
		entry, ok, err := s.search(ctx, a, name)
		if err != nil || !ok {
			continue
		}
		oid, err := s.objectOf(ctx, entry)
		if err == nil && oid == object && s.readBack(ctx, a, []archived{entry}) == nil {
			return true
		}
	}
	return false
}

// writerFile is where the name of this clone's writer stands.
func (s *Store) writerFile() string { return filepath.Join(s.repo.CommonDir, "ltm", "writer") }

// Writer returns the name under which this clone writes its archive, "" before the first one.
func (s *Store) Writer() (string, error) {
	text, err := os.ReadFile(s.writerFile())
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	writer := strings.TrimSuffix(string(text), "\n")
	if err == nil && !isWriter(writer) {
		writer = ""
	}
	return writer, wrap("read", s.writerFile(), err)
}

// ownArchive returns the archive that this clone writes, and what it holds. One that is full or damaged is left as it is: a
// new writer takes its place.
func (s *Store) ownArchive(ctx context.Context) (Archive, map[Name]archived, error) {
	writer, err := s.Writer()
	if err != nil {
		return Archive{}, nil, err
	}
	if writer != "" {
		a, known, err := s.archiveNow(ctx, writer)
		damaged := a.Commit != "" && len(known) == 0
		if err == nil && !damaged && len(known) < fullArchive {
			return a, known, nil
		}
		if err != nil && !errors.Is(err, ErrCorrupt) {
			return Archive{}, nil, err
		}
	}
	writer, err = s.drawWriter(ctx)
	return Archive{Writer: writer}, nil, err
}

// drawWriter makes up a writer that nobody is known to be, and remembers it.
func (s *Store) drawWriter(ctx context.Context) (string, error) {
	const alphabet = "abcdefghijklmnopqrstuvwxyz234567"
	all, err := s.Archives(ctx)
	for err == nil {
		var random [writerLength]byte
		_, _ = rand.Read(random[:]) // It never fails.
		for i, b := range random {
			random[i] = alphabet[b&31]
		}
		writer := string(random[:])
		if slices.ContainsFunc(all, func(a Archive) bool { return a.Writer == writer }) {
			continue
		}
		return writer, wrap("write", s.writerFile(), writeDurable(s.writerFile(), tmpPrefix, []byte(writer+"\n"), s.spool.modes, replace))
	}
	return "", err
}

// trackedArchive returns what a remote holds as the archive of a writer, if that is whole.
func (s *Store) trackedArchive(ctx context.Context, writer string) string {
	all, err := s.Archives(ctx)
	if err != nil {
		return ""
	}
	for _, a := range all {
		if a.Writer != writer || a.Remote == "" {
			continue
		}
		if held, err := s.contents(ctx, a); err == nil && len(held) > 0 {
			return a.Commit
		}
	}
	return ""
}
