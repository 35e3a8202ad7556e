// Package refs keeps records as refs and objects of a git repository.
//
// A record is one ref below refs/ltm that is written once and points to a blob, or to a tag object that points to a
// blob. The package promises that a record whose Create has returned survives a crash, a power cut and a garbage
// collection that runs beside it, that nothing outside refs/ltm, refs/ltm-local and refs/ltm-remotes is ever changed,
// and that a name or an object it did not write itself is never trusted. It is the only package that uses go-git, and it
// uses it for objects alone: every change of a ref goes through the git program, but for a single new ref (SPEC ).
package refs

import (
	"errors"
	"fmt"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// The errors that a caller has to tell apart.
var (
	// ErrExists says that the name holds other content already.
	ErrExists = errors.New("record exists with other content")
	// ErrNotFound says that there is no such record.
	ErrNotFound = errors.New("record not found")
	// ErrMissing says that a ref points to an object that is not here.
	ErrMissing = git.ErrMissing
	// ErrShape says that a ref points to something other than a blob or a tag of a blob.
	ErrShape = errors.New("not a blob and not a tag of a blob")
	// ErrCorrupt says that stored bytes do not have the name that they are stored under.
	ErrCorrupt = errors.New("stored bytes are damaged")
)

// IsFault tells whether a ref or its object is at fault, and not the machine.
func IsFault(err error) bool {
	_, large := errors.AsType[*TooLargeError](err)
	return large || errors.Is(err, ErrMissing) || errors.Is(err, ErrShape) || errors.Is(err, ErrCorrupt) || errors.Is(err, ErrArchive)
}

// Flaw says why an object cannot be read, in words that stay the same.
func Flaw(err error) string {
	switch {
	case errors.Is(err, ErrMissing):
		return "the object is missing"
	case errors.Is(err, ErrShape):
		return "the object is " + ErrShape.Error()
	default:
		return "the ref or its object is damaged"
	}
}

// symbolicError is a ref that names another ref. To a caller it is as good as damaged.
type symbolicError struct{}

func (symbolicError) Error() string { return "a symbolic ref is never followed" }

func (symbolicError) Is(target error) bool { return target == ErrCorrupt }

// TooLargeError is an object that is larger than the reader accepts.
type TooLargeError = git.TooLargeError

// maxTag bounds a tag object, which holds a few lines and a signature.
const maxTag = 65536

// Ref is a record's name and the object it points to.
type Ref struct {
	Name     Name
	Remote   string // Remote is "" for a local record, else the remote whose tracking ref this is.
	Object   string // Object is a blob or a tag object.
	Conflict bool   // Conflict says that a tracking ref of the same name points elsewhere.
	Archive  string // Archive names the archive in which the record lies, "" for one that is a ref of its own.
	Young    bool   // Young says that a ref of this name was loose when it was listed, here or tracked.
}

// Full is the full name of the ref, local or tracking.
func (r Ref) Full() string {
	if r.Remote == "" {
		return r.Name.Ref()
	}
	return TrackingRoot + r.Remote + "/" + r.Name.tail()
}

// Object is what a record holds.
type Object struct {
	Type   string // Type is "blob".
	Data   []byte
	OID    string // OID is the blob.
	Tag    []byte // Tag is the raw tag object when the ref points to one.
	TagOID string // TagOID is the name of Tag, "" without one.
}

// New is a record that shall be stored.
type New struct {
	Name Name   // Name is required.
	Data []byte // Data is stored as it is.
	// Tag returns the raw tag object that shall stand before the blob, signed by whoever makes it. Nil stores the
	// record without one, and so does a Tag that returns nothing.
	Tag func(blobOID string) ([]byte, error)
}

// Query narrows a listing.
type Query struct {
	Kind    Kind      // Kind is required.
	Newest  bool      // Newest lists in falling order of the names.
	Remotes bool      // Remotes adds what the tracking refs hold.
	Private bool      // Private adds the private records. Of two with one id the one that travels comes first.
	After   packet.ID // After leaves out this name and those before it.
	Before  packet.ID // Before leaves out this name and those after it.
	tags    bool      // tags reads those of archived records ahead.
	only    string    // only is the one folder of archives that is read, "" for all.
}

// admits reports whether a name lies between After and Before.
func (q Query) admits(id packet.ID) bool {
	return (q.After == "" || id > q.After) && (q.Before == "" || id < q.Before)
}

// past reports whether a name tells that no later one of the listing lies between After and Before.
func (q Query) past(id packet.ID) bool {
	if q.Newest {
		return q.After != "" && id <= q.After
	}
	return q.Before != "" && id >= q.Before
}

// wrap adds the step and its subject to an error.
func wrap(step, subject string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s %q: %w", step, subject, err)
}
