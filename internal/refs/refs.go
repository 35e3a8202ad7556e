// Package refs keeps records as refs and objects of a git repository.
//
// A record is one ref below refs/ltm that is written once and points to a blob, or to a tag object that
// points to a blob. The package promises that a record whose Create has returned survives a crash, a power
// cut and a garbage collection that runs beside it, that nothing outside refs/ltm, refs/ltm-local and
// refs/ltm-remotes is ever changed, and that a name or an object it did not write itself is never trusted. It
// is the only package that uses go-git, and it uses it for objects alone: every change of a ref goes through
// the git program, but for a single new ref (SPEC ).
package refs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"path/filepath"

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
	return large || errors.Is(err, ErrMissing) || errors.Is(err, ErrShape) || errors.Is(err, ErrCorrupt) ||
		errors.Is(err, ErrArchive)
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
	// Archive names the archive in which the record lies, "" for one that is a ref of its own.
	Archive string
	Young   bool // Young says that a ref of this name was loose when it was listed, here or tracked.
}

// Full is the full name of the ref, local or tracking.
func (r Ref) Full() string {
	if r.Name.Private {
		return r.Name.Ref()
	}
	return rootOf(r.Remote) + r.Name.tail()
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
	// Tag returns the raw tag object that shall stand before the blob, signed by whoever makes it. Nil stores
	// the record without one, and so does a Tag that returns nothing.
	Tag func(blobOID string) ([]byte, error)
}

// Query narrows a listing.
type Query struct {
	Kind    Kind // Kind is required.
	Newest  bool // Newest lists in falling order of the names.
	Remotes bool // Remotes adds what the tracking refs hold.
	// Private adds the private records. Of two with one id the one that travels comes first.
	Private bool
	After   packet.ID // After leaves out this name and those before it.
	only    string    // only is the one folder of archives that is read, "" for all.
}

// wrap adds the step and its subject to an error.
func wrap(step, subject string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s %q: %w", step, subject, err)
}

// objects reads and writes the objects of a repository. One implementation works in this process, the other
// asks the git program.
type objects interface {
	// readObject returns an object of at most limit bytes, or ErrMissing, or a *TooLargeError. Of one that is too
	// large it says the type.
	readObject(ctx context.Context, oid string, limit int64) (typ string, data []byte, err error)
	// writeObject stores an object so that it survives a power cut, and returns its name.
	writeObject(ctx context.Context, typ string, data []byte) (oid string, err error)
	close() error
}

// typeOf returns the type of an object of any size, and reads none of its bytes.
func typeOf(ctx context.Context, from objects, oid string) (string, error) {
	typ, _, err := from.readObject(ctx, oid, -1)
	if _, large := errors.AsType[*TooLargeError](err); large {
		err = nil
	}
	return typ, err
}

// entry is a ref as a reader finds it, before anything is believed about its name.
type entry struct {
	ref      string
	oid      string
	loose    bool
	symbolic bool // symbolic says that it stands for another ref, as far as git was asked.
}

// scan says which refs are listed.
type scan struct {
	prefix string // prefix is what their names begin with, and ends in a slash.
	newest bool   // newest lists in falling order of the names.
	// names asks for names alone: those of broken and symbolic refs too, and of no loose one the object.
	names bool
}

// reader looks at refs and never changes them. One implementation reads the files, the other asks the git
// program.
type reader interface {
	// pullRefs returns what [listRefs] yields, one at a time, and what ends that. It is begun when it returns.
	pullRefs(ctx context.Context, q scan) (puller[entry], error)
	// resolveRef returns the object of one ref, or "" when there is none.
	resolveRef(ctx context.Context, ref string) (oid string, err error)
	// listRemotes returns the remotes that have tracking refs.
	listRemotes(ctx context.Context) ([]string, error)
}

// puller returns one thing after the other, and then false. It ends with stop, wherever it is.
// [iter.Pull2] makes one of a sequence, which then has a stack of its own: that costs more than all of a
// short listing.
type puller[T any] struct {
	pull func() (T, error, bool)
	stop func()
}

// yieldAll yields what a puller returns, which is begun when somebody asks.
func yieldAll[T any](begin func() (puller[T], error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		p, err := begin()
		if err != nil {
			var none T
			yield(none, err)
			return
		}
		defer p.stop()
		for {
			one, err, ok := p.pull()
			if !ok || !yield(one, err) {
				return
			}
		}
	}
}

// listRefs yields refs in the order of their names. Broken and symbolic refs are left out. A ref that went
// away since the listing began has no object.
func listRefs(ctx context.Context, r reader, q scan) iter.Seq2[entry, error] {
	return yieldAll(func() (puller[entry], error) { return r.pullRefs(ctx, q) })
}

// Store is the records of one repository.
type Store struct {
	Archives *Archives // Archives are what many old records lie in.

	repo    *git.Repo
	plain   reader       // plain reads the refs that there are.
	files   *filesReader // files is plain where refs are files, else nil.
	reader  reader       // reader reads what is offered too.
	objects objects
	spool   spool
	archive *archiveReader
}

// Open looks at a repository. It starts no process and writes nothing.
func Open(repo *git.Repo) *Store {
	from, found := newReader(repo), newObjects(repo)
	s := &Store{
		repo: repo, plain: from, objects: found, spool: spool{files: repo.Local().Sub("spool")},
		archive: &archiveReader{
			objects: found,
			trees:   map[string][]git.TreeEntry{}, folders: map[string][]archived{},
			tags: map[string]string{}, named: map[string]string{},
		},
	}
	s.Archives = &Archives{s}
	s.files, _ = from.(*filesReader)
	s.showWaiting(s.readWaiting())
	return s
}

// Close ends what reading has opened.
func (s *Store) Close() error { return s.objects.close() }

// newReader chooses who reads the refs.
func newReader(repo *git.Repo) reader {
	if repo.RefFormat != "files" {
		return &gitReader{repo: repo}
	}
	return &filesReader{
		looseRefs: looseRefs{dir: repo.CommonDir, oidLength: oidLength(repo)},
		packed: packedCache{
			path: filepath.Join(repo.CommonDir, "packed-refs"), oidLength: oidLength(repo),
		},
		fallback: &gitReader{repo: repo},
	}
}

// newObjects chooses who reads and writes the objects. What this process does not understand goes to git, and
// so it does where the environment moves the objects elsewhere.
func newObjects(repo *git.Repo) objects {
	program := &gitObjects{repo: repo}
	own, _ := repo.Env("GIT_OBJECT_DIRECTORY")
	others, _ := repo.Env("GIT_ALTERNATE_OBJECT_DIRECTORIES")
	if repo.ObjectFormat != "sha1" || own != "" || others != "" || !repo.HasPlainExtensions() {
		return program
	}
	return newNativeObjects(filepath.Join(repo.CommonDir, "objects"), repo.Sharing, program)
}

// ReadHere reads an object of any kind that lies in the repository itself, of at most limit bytes. No
// process is started for it and no server asked: where it is not here, is too large, or takes git to be
// read, ok is false.
func (s *Store) ReadHere(oid string, limit int64) (typ string, data []byte, ok bool) {
	native, ok := s.objects.(*nativeObjects)
	if !ok {
		return "", nil, false
	}
	typ, data, err := native.readHere(oid, limit)
	return typ, data, err == nil
}

// BlobOID returns the name that git gives to a blob here.
func (s *Store) BlobOID(data []byte) string { return hashObject(oidLength(s.repo), "blob", data) }

// oidLength is how many characters an object name has.
func oidLength(repo *git.Repo) int {
	if repo.ObjectFormat == "sha256" {
		return 64
	}
	return 40
}

// checkKind refuses a kind that is not one of the layout.
func checkKind(kind Kind) error {
	if !kind.isKnown() {
		return fmt.Errorf("kind %q: not a kind of record", kind)
	}
	return nil
}

// Format is the format of the layout that this version writes, and the newest that it reads.
const Format = 1

// FormatRef is the ref that says which format the memory of a repository has.
const FormatRef = Root + "meta/format"

// maxFormat bounds what is read of it.
const maxFormat = 4096

// FormatRecord is what refs/ltm/meta/format holds in this version.
func FormatRecord() []byte { return []byte("{\n  \"format\": 1,\n  \"min_reader\": 1\n}\n") }

// WriteFormat stores what says which format the memory has, and makes its ref unless there is one. It returns
// the object to send. Where the ref cannot be made now, as beside the lock that a dead process left, a later
// exchange makes it.
func (s *Store) WriteFormat(ctx context.Context) (string, error) {
	oid, err := s.objects.writeObject(ctx, "blob", FormatRecord())
	if err != nil {
		return "", wrap("write", FormatRef, err)
	}
	err = s.repo.Update(ctx, []git.Change{{Kind: git.Create, Ref: FormatRef, New: oid}})
	if errors.Is(err, git.ErrConflict) {
		return s.reader.resolveRef(ctx, FormatRef)
	}
	return oid, ctx.Err()
}

// MinReader reads from the object of a ref refs/ltm/meta/format which format a reader must know at least.
func (s *Store) MinReader(ctx context.Context, oid string) (int, error) {
	object, err := s.readObject(ctx, oid, maxFormat)
	if err != nil {
		return 0, wrap("read", FormatRef, err)
	}
	var says struct {
		MinReader int `json:"min_reader"`
	}
	if err := json.Unmarshal(object.Data, &says); err != nil || says.MinReader < 1 {
		return 0, wrap("read", FormatRef,
			fmt.Errorf("it does not say which readers it is for: %w", ErrCorrupt))
	}
	return says.MinReader, nil
}
