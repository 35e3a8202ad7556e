package refs

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// archives is the part of a ref's name below which archives lie. It is no kind of record.
const archives = "archive"

// ErrArchive says that an archive does not have the form of one.
var ErrArchive = errors.New("archive is damaged")

// Archive is many old records in one ref: a commit without parents whose tree holds the records'
// blobs, and beside them the bytes of their tag objects. What it holds is read as if each record
// were a ref of its own. Its name says which commit that is, so that an archive never changes.
type Archive struct {
	Name   string // Name is "<quarter>/<commit>".
	Remote string // Remote is "" for a local archive, else the remote whose tracking ref this is.
	Commit string // Commit is what the ref names. Nobody has looked at it yet.
}

// Ref is the full name of the ref, local or tracking.
func (a Archive) Ref() string { return archivePrefix(a.Remote) + a.Name }

// quarter is when its records were made.
func (a Archive) quarter() string {
	quarter, _, _ := strings.Cut(a.Name, "/")
	return quarter
}

// ArchiveAt returns the local archive that a ref is which names an object. A ref whose name does
// not say which object that is is none.
func ArchiveAt(ref, oid string) (Archive, bool) {
	name, ok := strings.CutPrefix(ref, archivePrefix(""))
	a := Archive{Name: name, Commit: oid}
	return a, ok && isArchive(name) && strings.HasSuffix(name, "/"+oid)
}

// IsArchive reports whether a full name has the shape of that of a local archive.
func IsArchive(ref string) bool {
	name, ok := strings.CutPrefix(ref, archivePrefix(""))
	return ok && isArchive(name)
}

// isArchive reports whether text has the shape of the name of an archive.
func isArchive(text string) bool {
	quarter, digest, _ := strings.Cut(text, "/")
	_, ok := beginOf(quarter)
	return ok && git.IsObjectID(digest)
}

// quarterOf names the quarter of a year in which an ID was made.
func quarterOf(id packet.ID) string {
	at := id.Time()
	return fmt.Sprintf("%04d-Q%d", at.Year(), (at.Month()+2)/3)
}

// beginOf is when a quarter begins.
func beginOf(quarter string) (time.Time, bool) {
	year, number, ok := strings.Cut(quarter, "-Q")
	y, err := strconv.Atoi(year)
	if !ok || err != nil || len(number) != 1 || number < "1" || number > "4" {
		return time.Time{}, false
	}
	begin := time.Date(y, time.Month(3*int(number[0]-'0')-2), 1, 0, 0, 0, 0, time.UTC)
	return begin, quarter == fmt.Sprintf("%04d-Q%s", y, number) && y >= 1970
}

// parseTrackingArchive reads the remote in the full name of a tracking ref of an archive.
func parseTrackingArchive(ref string) (remote string, ok bool) {
	rest, ok := strings.CutPrefix(ref, TrackingRoot)
	at := beforeParts(rest, 3)
	if !ok || at <= 0 || !SafeRemote(rest[:at]) {
		return "", false
	}
	name, ok := strings.CutPrefix(rest[at+1:], archives+"/")
	return rest[:at], ok && isArchive(name)
}

// Archives are the archives of a repository.
type Archives struct{ store *Store }

// mostArchives bounds how many archives of one remote, or of this clone, are read.
const mostArchives = 1000

// List lists the local archives, and then those of the tracking refs. Nothing is opened.
func (as *Archives) List(ctx context.Context) ([]Archive, error) {
	remotes, err := as.store.reader.listRemotes(ctx)
	if err != nil {
		return nil, err
	}
	return as.archivesOf(ctx, append([]string{""}, remotes...))
}

// ListLocal lists the archives of this clone.
func (as *Archives) ListLocal(ctx context.Context) ([]Archive, error) {
	return as.archivesOf(ctx, []string{""})
}

// archivesOf lists the archives of each of some remotes, in their order; the remote "" is this clone.
func (as *Archives) archivesOf(ctx context.Context, remotes []string) ([]Archive, error) {
	var found []Archive
	for _, remote := range remotes {
		prefix, left := archivePrefix(remote), mostArchives
		for e, err := range listRefs(ctx, as.store.reader, scan{prefix: prefix}) {
			if err != nil {
				return nil, err
			}
			a, ok := ArchiveAt(archivePrefix("")+e.ref[len(prefix):], e.oid)
			if !ok || e.oid == "" {
				continue
			}
			if left--; left < 0 {
				break
			}
			a.Remote = remote
			found = append(found, a)
		}
	}
	return found, nil
}

// archivePrefix is what the names of the archives of a remote, or of this clone, begin with. It ends in a
// slash.
func archivePrefix(remote string) string { return rootOf(remote) + archives + "/" }

// Entries yields the records of an archive and their later signatures, in the order of kind and ID.
// Each can be given to Read of this Store. An archive that is not what it should be
// ends with an error.
func (as *Archives) Entries(ctx context.Context, a Archive) iter.Seq2[Ref, error] {
	return func(yield func(Ref, error) bool) {
		for _, kind := range archivedKinds() {
			for ref, err := range as.store.archive.archivedRefs(ctx, a, Query{Kind: kind}) {
				if err != nil {
					yield(Ref{}, wrap("read archive", a.Ref(), err))
					return
				}
				if !yield(ref, nil) {
					return
				}
			}
		}
	}
}

// archivedKinds are the folders of an archive.
func archivedKinds() []Kind { return []Kind{Events, Notes, Packets, Skips, endorsements} }

// Lookup returns the object of a record in a local archive, or nothing.
func (as *Archives) Lookup(ctx context.Context, name Name) (string, error) {
	all, err := as.ListLocal(ctx)
	return as.LookupIn(ctx, all, name.Ref()), err
}

// LookupIn returns the object that one of these archives holds under the full name of a record or of a
// later signature, or nothing. It reads no more than the folder in which the name would lie. What is damaged
// is passed over.
func (as *Archives) LookupIn(ctx context.Context, in []Archive, ref string) string {
	name, ok := parseOwn(ref)
	if !ok || name.Private {
		return ""
	}
	for _, found := range as.store.archive.inArchives(ctx, in, name) {
		return found.Object
	}
	return ""
}

// Covered reports whether one of some archives holds all that another one does, but for what is
// excepted by the full names of the records' refs.
func (as *Archives) Covered(ctx context.Context, a Archive, by []Archive,
	but func(ref string) bool,
) (bool, error) {
	held, err := as.store.archive.readContents(ctx, a)
	if err != nil {
		return false, wrap("read archive", a.Ref(), err)
	}
	maps.DeleteFunc(held, func(name Name, _ archived) bool { return but(name.Ref()) })
	for _, b := range by {
		if b.quarter() != a.quarter() {
			continue
		}
		if large, err := as.store.archive.readContents(ctx, b); err == nil && isWithin(held, large) {
			return true, nil
		}
	}
	return len(held) == 0, nil
}

// lockPatience is how long another process that changes archives is waited for.
const lockPatience = 30 * time.Second

// holder is the key under which a context tells that its caller holds the lock of a store.
type holder struct{ store *Store }

// Exclusively calls do while no other process changes an archive. What changes archives may be
// called from it, with the context that it hands over: a purge must not miss what a compaction
// moves at that moment. A lock that is not to be had is git.ErrConflict.
func (as *Archives) Exclusively(ctx context.Context, do func(context.Context) error) (err error) {
	if ctx.Value(holder{as.store}) != nil {
		return do(ctx)
	}
	release, err := as.store.repo.Local().File("archive.lock").Lock(ctx, lockPatience)
	if errors.Is(err, local.ErrLocked) {
		err = fmt.Errorf("%w: %w", err, git.ErrConflict)
	}
	if err != nil {
		return fmt.Errorf("lock archives: %w", err)
	}
	defer func() { err = errors.Join(err, release()) }()
	return do(context.WithValue(ctx, holder{as.store}, true))
}
