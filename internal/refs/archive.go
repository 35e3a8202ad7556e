package refs

import (
	"context"
	"errors"
	"iter"
	"strings"
)

// archives is the part of a ref's name below which archives lie. It is no kind of record.
const archives = "archive"

// writerLength is how many characters the name of a writer has.
const writerLength = 8

// ErrArchive says that an archive does not have the form of one.
var ErrArchive = errors.New("archive is damaged")

// ErrFull says that an archive would hold more than it may.
var ErrFull = errors.New("an archive holds no more")

// Archive is the old records of one writer in one ref: a commit without parents whose tree holds the records' blobs, and
// beside them the bytes of their tag objects. What it holds is read as if each record were a ref of its own.
type Archive struct {
	Writer string // Writer is 8 characters of a to z and 2 to 7.
	Remote string // Remote is "" for a local archive, else the remote whose tracking ref this is.
	Commit string // Commit is what the ref names. Nobody has looked at it yet.
}

// Ref is the full name of the ref, local or tracking.
func (a Archive) Ref() string {
	if a.Remote == "" {
		return root + archives + "/" + a.Writer
	}
	return trackingRoot + a.Remote + "/" + archives + "/" + a.Writer
}

// ParseArchive reads the full name of a local archive. Anything but the exact shape is refused.
func ParseArchive(ref string) (writer string, ok bool) {
	writer, ok = strings.CutPrefix(ref, root+archives+"/")
	return writer, ok && isWriter(writer)
}

// isWriter reports whether text is the name of a writer.
func isWriter(text string) bool {
	return len(text) == writerLength && strings.IndexFunc(text, func(c rune) bool { return (c < 'a' || c > 'z') && (c < '2' || c > '7') }) < 0
}

// parseTrackingArchive reads the remote in the full name of a tracking ref of an archive.
func parseTrackingArchive(ref string) (remote string, ok bool) {
	rest, ok := strings.CutPrefix(ref, trackingRoot)
	at := beforeParts(rest, 2)
	if !ok || at <= 0 || !SafeRemote(rest[:at]) {
		return "", false
	}
	writer, ok := strings.CutPrefix(rest[at+1:], archives+"/")
	return rest[:at], ok && isWriter(writer)
}

// mostArchives bounds how many archives of one remote, or of this clone, are read.
const mostArchives = 1000

// Archives lists the local archives, and then those of the tracking refs. Nothing is opened.
func (s *Store) Archives(ctx context.Context) ([]Archive, error) {
	remotes, err := s.reader.remotes(ctx)
	if err != nil {
		return nil, err
	}
	return s.reader.archives(ctx, append([]string{""}, remotes...))
}

// localArchives lists the archives of this clone.
func (s *Store) localArchives(ctx context.Context) ([]Archive, error) {
	return s.reader.archives(ctx, []string{""})
}

// archivePrefix is what the names of the archives of a remote, or of this clone, begin with. It ends in a slash.
func archivePrefix(remote string) string {
	return Archive{Remote: remote}.Ref()
}

// archiveOf reads an entry below archivePrefix.
func archiveOf(e entry, remote string) (Archive, bool) {
	writer := e.ref[len(archivePrefix(remote)):]
	return Archive{Writer: writer, Remote: remote, Commit: e.oid}, isWriter(writer) && e.oid != ""
}

// Entries yields the records of an archive in the order of kind and ID. Each can be given to Read and ReadMany of this
// Store. An archive that is not what it should be ends with an error.
func (s *Store) Entries(ctx context.Context, a Archive) iter.Seq2[Ref, error] {
	return func(yield func(Ref, error) bool) {
		for _, kind := range []Kind{Events, Notes, Packets, Skips} {
			for found, err := range s.withObjects(ctx, s.walk(ctx, a, Query{Kind: kind})) {
				if err != nil {
					yield(Ref{}, wrap("read archive", a.Ref(), err))
					return
				}
				if !yield(found.ref(a), nil) {
					return
				}
			}
		}
	}
}

// ref is the entry as a ref.
func (p placed) ref(a Archive) Ref {
	return Ref{Name: p.name, Remote: a.Remote, Object: p.object, Archive: a.Writer}
}

// ArchivedEndorsements yields the later signatures in an archive, as Entries yields the records.
func (s *Store) ArchivedEndorsements(ctx context.Context, a Archive) iter.Seq2[Endorsement, error] {
	return func(yield func(Endorsement, error) bool) {
		for found, err := range s.withObjects(ctx, s.walk(ctx, a, Query{Kind: endorsements})) {
			if err != nil {
				yield(Endorsement{}, wrap("read archive", a.Ref(), err))
				return
			}
			if !yield(found.endorsement(a), nil) {
				return
			}
		}
	}
}

// endorsement is the entry as a later signature.
func (p placed) endorsement(a Archive) Endorsement {
	return Endorsement{ID: p.name.ID, Key: p.name.Key, Remote: a.Remote, Object: p.object, Archive: a.Writer}
}

// Archived finds a record in a local archive.
func (s *Store) Archived(ctx context.Context, name Name) (Ref, bool, error) {
	if name.Private {
		return Ref{}, false, nil
	}
	all, err := s.localArchives(ctx)
	if err != nil {
		return Ref{}, false, err
	}
	found := s.inArchives(ctx, all, name)
	if len(found) == 0 {
		return Ref{}, false, nil
	}
	return found[0], true, nil
}

// archivedObject returns the object that a local archive holds under a name, "" where none does.
func (s *Store) archivedObject(ctx context.Context, name Name) (string, error) {
	found, _, err := s.Archived(ctx, name)
	return found.Object, err
}

// ArchivedIn returns the object that one of these archives holds under the full name of a record or of a later signature, or
// nothing. It reads no more than the folder in which the name would lie. What is damaged is passed over.
func (s *Store) ArchivedIn(ctx context.Context, in []Archive, ref string) string {
	name, ok := parseOwn(ref)
	if !ok || name.Private {
		return ""
	}
	for _, found := range s.inArchives(ctx, in, name) {
		return found.Object
	}
	return ""
}

// inArchives finds what archives hold under one name. What is damaged is passed over.
func (s *Store) inArchives(ctx context.Context, in []Archive, name Name) []Ref {
	var found []Ref
	for _, a := range in {
		entry, ok, err := s.search(ctx, a, name)
		object := ""
		if ok && err == nil {
			object, err = s.objectOf(ctx, entry)
		}
		if err != nil {
			s.passOver(a, err)
		} else if ok {
			found = append(found, placed{entry, object}.ref(a))
		}
	}
	return found
}

// archivedRecords yields the records of one kind in an archive, for a listing. What is damaged is passed over.
func (s *Store) archivedRecords(ctx context.Context, a Archive, q Query) iter.Seq2[Ref, error] {
	return func(yield func(Ref, error) bool) {
		for found, err := range s.withObjects(ctx, s.walk(ctx, a, q)) {
			if err != nil {
				if ctx.Err() != nil {
					yield(Ref{}, context.Cause(ctx))
					return
				}
				s.passOver(a, err)
			} else if !yield(found.ref(a), nil) {
				return
			}
		}
	}
}
