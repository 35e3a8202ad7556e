package refs

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/adler32"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/objfile"

	"github.com/git-ltm/git-ltm/internal/local"
)

// looseDir is the loose objects of one object directory.
type looseDir struct {
	dir     string
	sharing func() local.Sharing // of what is written; nil for one that is only read
}

// path is where an object lies when it is loose.
func (d looseDir) path(oid string) string {
	return filepath.Join(d.dir, oid[:2], oid[2:])
}

// has reports whether an object lies there; it does not look inside.
func (d looseDir) has(oid string) bool {
	info, err := os.Stat(d.path(oid))
	return err == nil && info.Size() > 0
}

// info reads the header of an object. An object that is not there is fs.ErrNotExist.
func (d looseDir) info(oid string) (typ string, size int64, err error) {
	err = d.open(oid, func(_ *objfile.Reader, t plumbing.ObjectType, n int64) error {
		typ, size = t.String(), n
		return nil
	})
	return typ, size, err
}

// read returns an object of at most limit bytes, and checks that it has its name.
func (d looseDir) read(oid string, limit int64) (typ string, data []byte, err error) {
	err = d.open(oid, func(r *objfile.Reader, t plumbing.ObjectType, size int64) error {
		if size > limit {
			return &TooLargeError{OID: oid, Size: size, Max: limit}
		}
		typ, data = t.String(), make([]byte, size)
		if _, err := io.ReadFull(r, data); err != nil {
			return fmt.Errorf("%w: %w", ErrCorrupt, err)
		}
		if n, _ := r.Read(make([]byte, 1)); n != 0 || r.Hash().String() != oid {
			return ErrCorrupt
		}
		return nil
	})
	return typ, data, err
}

// open reads the header and hands the rest on.
func (d looseDir) open(oid string, use func(*objfile.Reader, plumbing.ObjectType, int64) error) (err error) {
	file, err := os.Open(d.path(oid))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	r, err := objfile.NewReader(file)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	typ, size, err := r.Header()
	if err != nil || size < 0 {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return use(r, typ, size)
}

// writeTries is how often a write starts again after garbage collection took the directory away.
const writeTries = 5

// write stores an object durably. An object that is there already, and whole, becomes as new instead, so that no
// garbage collection takes it for an old one.
func (d looseDir) write(oid, typ string, data []byte) error {
	if _, _, err := d.read(oid, int64(len(data))); err == nil {
		if err := d.refresh(oid); err == nil {
			return nil
		}
	}
	compressed, err := deflate(typ, data)
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

// refresh renews the time of an object and makes sure that it is on the disk.
func (d looseDir) refresh(oid string) error {
	path, now := d.path(oid), clock()
	if err := os.Chtimes(path, now, now); err != nil {
		return err
	}
	if err := local.SyncPath(path); err != nil {
		return err
	}
	return local.SyncPath(filepath.Dir(path))
}

// mostStored is how many bytes of an object are written without being compressed: a file takes a block of the disk anyway, and
// git compresses when it packs.
const mostStored = 2048

// deflate makes the bytes of a loose object, at the level that git uses for them, or as they are where they are few: the
// tables of a compressor cost more than all else of a small object.
func deflate(typ string, data []byte) ([]byte, error) {
	if _, err := plumbing.ParseObjectType(typ); err != nil {
		return nil, err
	}
	text := append(fmt.Appendf(nil, "%s %d\x00", typ, len(data)), data...)
	if len(text) <= mostStored {
		stored := []byte{0x78, 0x01, 1} // The head of a zlib stream (RFC 1950), and its last block, which is a stored one (RFC 1951).
		stored = binary.LittleEndian.AppendUint16(stored, uint16(len(text)))
		stored = binary.LittleEndian.AppendUint16(stored, ^uint16(len(text)))
		return binary.BigEndian.AppendUint32(append(stored, text...), adler32.Checksum(text)), nil
	}
	var compressed bytes.Buffer
	w, err := zlib.NewWriterLevel(&compressed, zlib.BestSpeed)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return compressed.Bytes(), nil
}
