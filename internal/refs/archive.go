package refs

import (
	"context"
	"errors"
	"iter"
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// archives is the part of a ref's name below which archives lie. It is no kind of record.
const archives = "archive"

// writerLength is how many characters the name of a writer has.
const writerLength = 8

// ErrArchive says that an archive does not have the form of one.
var ErrArchive = errors.New("archive is damaged")

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

// Archives lists the local archives, and then those of the tracking refs. Nothing is opened.
func (s *Store) Archives(ctx context.Context) ([]Archive, error) { return nil, errUnfinished }

// Entries yields the records of an archive in the order of kind and ID. Each can be given to Read and ReadMany. An archive
// that is not what it should be ends with ErrArchive.
func (s *Store) Entries(ctx context.Context, a Archive) iter.Seq2[Ref, error] {
	return func(yield func(Ref, error) bool) { yield(Ref{}, errUnfinished) }
}

// ArchivedEndorsements yields the later signatures in an archive, as Entries yields the records.
func (s *Store) ArchivedEndorsements(ctx context.Context, a Archive) iter.Seq2[Endorsement, error] {
	return func(yield func(Endorsement, error) bool) { yield(Endorsement{}, errUnfinished) }
}

// Archived finds a record in a local archive.
func (s *Store) Archived(ctx context.Context, name Name) (Ref, bool, error) {
	return Ref{}, false, errUnfinished
}

// Exclusively calls do while no other process changes an archive. SetArchive, Compact and Settle may be called from it.
// Whoever reads an archive, adds to what it read and sets it, does all of that inside.
func (s *Store) Exclusively(ctx context.Context, do func(context.Context) error) error {
	return errUnfinished
}

// SetArchive makes the local archive of a writer hold exactly these records and later signatures, and returns its commit.
// When it returns without an error, that survives a crash, a power cut and a garbage collection. An empty set deletes the
// archive, for which the commit is "".
func (s *Store) SetArchive(ctx context.Context, writer string, records []Ref, later []Endorsement) (commit string, err error) {
	return "", errUnfinished
}

// Moved is what a compaction moved.
type Moved struct {
	Archive      Archive
	Records      []Ref
	Endorsements []Endorsement
}

// Compact moves records and later signatures of this clone from their refs into the archive that this clone writes. The
// archive is read back before a ref is deleted. What cannot be read, or contradicts the archive, stays where it is.
func (s *Store) Compact(ctx context.Context, records []Ref, later []Endorsement) (Moved, error) {
	return Moved{}, errUnfinished
}

// Settle deletes the local refs whose very object a local archive holds too, and returns how many those were.
func (s *Store) Settle(ctx context.Context) (dropped int, err error) { return 0, errUnfinished }

// Damaged lists what reading has passed over in archives so far, one for each archive.
func (s *Store) Damaged() []Broken { return nil }

// errUnfinished stands for what is not written yet.
var errUnfinished = errors.New("archives are not supported yet")

// archiveFolder is the folder of an ID inside a kind: IDs begin with their time, so that the newest lie together.
func archiveFolder(id packet.ID) string { return string(id)[:5] }
