package refs

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/adler32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/objfile"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
)

// nativeObjects reads and writes objects in this process. What it does not find or does not understand it
// asks git for: an object that can be fetched or is borrowed, a pack that is too involved.
type nativeObjects struct {
	mu      sync.Mutex
	loose   looseDir
	packs   packDir
	packed  bool // packed says that the last object lay in a pack, where the next one is likely to be.
	program *gitObjects
}

// newNativeObjects uses one object directory.
func newNativeObjects(dir string, sharing func() local.Sharing, program *gitObjects) *nativeObjects {
	return &nativeObjects{
		loose: looseDir{dir: dir, sharing: sharing}, packs: packDir{dir: filepath.Join(dir, "pack")},
		program: program,
	}
}

// readObject implements objects. It asks git for what this process did not read, where git may know better. What
// this process has seen of a damaged object says more than that git could not read it either.
func (o *nativeObjects) readObject(ctx context.Context, oid string,
	limit int64,
) (typ string, data []byte, err error) {
	typ, data, err = o.readHere(oid, limit)
	if _, large := errors.AsType[*TooLargeError](err); large || err == nil {
		return typ, data, err
	}
	said, found, failed := o.program.readObject(ctx, oid, limit)
	if failed != nil && errors.Is(err, ErrCorrupt) {
		return typ, data, err
	}
	return said, found, failed
}

// readHere reads an object that lies in the directory, and asks git for nothing. Packs are looked at a second
// time when it is nowhere, because another process may have packed it in between.
func (o *nativeObjects) readHere(oid string, limit int64) (typ string, data []byte, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(oid) != 2*oidBytes || !plumbing.IsHash(oid) {
		return "", nil, fmt.Errorf("object %q: %w", oid, ErrMissing)
	}
	inPacks := func() bool {
		typ, data, err = o.packs.readObject(oid, limit)
		o.packed = !errors.Is(err, fs.ErrNotExist)
		return o.packed
	}
	if o.packed && inPacks() {
		return typ, data, err
	}
	var damaged error
	for try := range 2 {
		if try > 0 {
			if err := o.packs.scanPacks(); err != nil {
				return "", nil, err
			}
		}
		typ, data, err = o.loose.readObject(oid, limit)
		if errors.Is(err, ErrCorrupt) {
			damaged = err // A pack may hold a whole copy.
		} else if !errors.Is(err, fs.ErrNotExist) {
			return typ, data, err
		}
		if inPacks() {
			return typ, data, err
		}
	}
	return "", nil, fmt.Errorf("object %s: %w", oid, cmp.Or(damaged, ErrMissing))
}

// writeObject implements objects.
func (o *nativeObjects) writeObject(_ context.Context, typ string, data []byte) (string, error) {
	kind, err := plumbing.ParseObjectType(typ)
	if err != nil {
		return "", wrap("write object of type", typ, err)
	}
	oid := plumbing.ComputeHash(kind, data).String()
	return oid, wrap("write object", oid, o.loose.writeObject(oid, typ, data))
}

// close implements objects.
func (o *nativeObjects) close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return errors.Join(o.program.close(), o.packs.close())
}

// looseDir is the loose objects of one object directory.
type looseDir struct {
	dir     string
	sharing func() local.Sharing // of what is written
}

// objectPath is where an object lies when it is loose.
func (d looseDir) objectPath(oid string) string {
	return filepath.Join(d.dir, oid[:2], oid[2:])
}

// hasObject reports whether an object lies there; it does not look inside.
func (d looseDir) hasObject(oid string) bool {
	info, err := os.Stat(d.objectPath(oid))
	return err == nil && info.Size() > 0
}

// readObject returns an object of at most limit bytes, and checks that it has its name. One that is not there is
// fs.ErrNotExist.
func (d looseDir) readObject(oid string, limit int64) (typ string, data []byte, err error) {
	file, err := os.Open(d.objectPath(oid))
	if err != nil {
		return "", nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	r, err := objfile.NewReader(file)
	if err != nil {
		return "", nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	kind, size, err := r.Header()
	switch {
	case err != nil || size < 0:
		return "", nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	case size > limit:
		return kind.String(), nil, &TooLargeError{OID: oid, Size: size, Max: limit}
	}
	data = make([]byte, size)
	if _, err := io.ReadFull(r, data); err != nil {
		return kind.String(), nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if n, _ := r.Read(make([]byte, 1)); n != 0 || r.Hash().String() != oid {
		err = ErrCorrupt
	}
	return kind.String(), data, err
}

// writeTries is how often a write starts again after garbage collection took the directory away.
const writeTries = 5

// writeObject stores an object durably. An object that is there already, and whole, becomes as new instead,
// so that no garbage collection takes it for an old one.
func (d looseDir) writeObject(oid, typ string, data []byte) error {
	if _, _, err := d.readObject(oid, int64(len(data))); err == nil {
		path, now := d.objectPath(oid), fileClock()
		if os.Chtimes(path, now, now) == nil && local.SyncPath(path) == nil &&
			local.SyncPath(filepath.Dir(path)) == nil {
			return nil
		}
	}
	compressed, err := deflateObject(typ, data)
	if err != nil {
		return err
	}
	object := local.Open(d.dir, d.sharing).Sub(oid[:2]).File(oid[2:])
	for try := 0; ; try++ {
		err := object.ReplaceAs(compressed, local.Replacement{Perm: 0o444, Prefix: "tmp_obj_"})
		if err == nil || try == writeTries || !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
}

// mostStored is how many bytes of an object are written without being compressed: a file takes a block of the
// disk anyway, which these fill with what stands around them, and git compresses when it packs.
const mostStored = 4096 - 11

// deflateObject makes the bytes of a loose object, at the level that git uses for them, or as they are where
// they are few: the tables of a compressor cost more than all else of a small object.
func deflateObject(typ string, data []byte) ([]byte, error) {
	text := append(fmt.Appendf(nil, "%s %d\x00", typ, len(data)), data...)
	if len(text) <= mostStored {
		// The head of a zlib stream (RFC 1950), and its last block, which is a stored one (RFC 1951).
		stored := []byte{0x78, 0x01, 1}
		stored = binary.LittleEndian.AppendUint16(stored, uint16(len(text)))
		stored = binary.LittleEndian.AppendUint16(stored, ^uint16(len(text)))
		return binary.BigEndian.AppendUint32(append(stored, text...), adler32.Checksum(text)), nil
	}
	var compressed bytes.Buffer
	w, err := zlib.NewWriterLevel(&compressed, zlib.BestSpeed)
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = w.Close()
	}
	return compressed.Bytes(), err
}

// gitObjects asks the git program, which understands every repository.
type gitObjects struct {
	repo  *git.Repo
	mu    sync.Mutex
	batch *git.Batch
}

// openBatch starts the reading process when it is needed first. It outlives the call that started it.
func (o *gitObjects) openBatch(ctx context.Context) (*git.Batch, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.batch != nil {
		return o.batch, nil
	}
	batch, err := o.repo.Objects(context.WithoutCancel(ctx))
	if err != nil {
		return nil, err
	}
	o.batch = batch
	return batch, nil
}

// dropProcess lets go of a process that has failed, so that the next question starts another.
func (o *gitObjects) dropProcess(batch *git.Batch, err error) {
	_, large := errors.AsType[*TooLargeError](err)
	if err == nil || large || errors.Is(err, ErrMissing) {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.batch == batch {
		o.batch = nil
		_ = batch.Close()
	}
}

// readObject implements objects.
func (o *gitObjects) readObject(ctx context.Context, oid string,
	limit int64,
) (typ string, data []byte, err error) {
	batch, err := o.openBatch(ctx)
	if err != nil {
		return "", nil, err
	}
	defer func() { o.dropProcess(batch, err) }()
	typ, data, err = batch.Read(oid, limit)
	if err == nil && hashObject(len(oid), typ, data) != oid { // Git itself does not look.
		err = fmt.Errorf("object %s: %w", oid, ErrCorrupt)
	}
	return typ, data, err
}

// writeObject implements objects.
func (o *gitObjects) writeObject(ctx context.Context, typ string, data []byte) (string, error) {
	return o.repo.WriteObject(ctx, typ, data)
}

// close implements objects.
func (o *gitObjects) close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.batch == nil {
		return nil
	}
	err := o.batch.Close()
	o.batch = nil
	return err
}
