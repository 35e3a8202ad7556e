package refs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
)

const (
	maxChain   = 4096        // maxChain bounds the deltas that stand one on another.
	maxBase    = 1024 * 1024 // maxBase bounds each part that making an object takes; git makes no such deltas of records.
	cacheBytes = 4 * 1024 * 1024
)

// errTooInvolved says that making the object here would take more than it is allowed to.
var errTooInvolved = errors.New("object is too involved to read in process")

// pack is one pack and its index. It is not safe for several goroutines.
type pack struct {
	path  string // path ends in ".pack".
	index *lazyIndex
	file  *os.File
	data  *packfile.Packfile
	types map[int64]plumbing.ObjectType // types are those at the end of the chains that were walked, by offset.
}

// openPack opens the index; the pack itself is opened when an object is read.
func openPack(path string) (*pack, error) {
	index, err := openIndex(path[:len(path)-len("pack")] + "idx")
	if err != nil {
		return nil, err
	}
	return &pack{path: path, index: index, types: map[int64]plumbing.ObjectType{}}, nil
}

// ready opens the pack file.
func (p *pack) ready() error {
	if p.data != nil {
		return nil
	}
	file, err := os.Open(p.path)
	if err != nil {
		return err
	}
	p.file = file
	p.data = packfile.NewPackfileWithCache(p.index, nil, plainFile{file}, cache.NewObjectLRU(cacheBytes), 0)
	return nil
}

// close ends what was opened.
func (p *pack) close() error {
	err := p.index.close()
	if p.file != nil {
		err = errors.Join(err, p.file.Close())
	}
	return err
}

// info returns the type and the size of an object, and remembers the way to them for the objects on it.
func (p *pack) info(h plumbing.Hash) (typ plumbing.ObjectType, size int64, err error) {
	if err := p.ready(); err != nil {
		return 0, 0, err
	}
	offset, err := p.index.FindOffset(h)
	if err != nil {
		return 0, 0, err
	}
	typ, size, passed, err := p.walk(offset)
	if large, ok := errors.AsType[*TooLargeError](err); ok {
		large.OID = h.String()
	}
	if err != nil {
		return 0, 0, err
	}
	for _, at := range passed {
		p.types[at] = typ
	}
	return typ, size, nil
}

// walk goes through the headers of an object's deltas down to the whole object below them, or to where an earlier walk
// went on. It inflates at most the first delta, and only within the bounds. It returns the deltas that it passed.
func (p *pack) walk(offset int64) (typ plumbing.ObjectType, size int64, passed []int64, err error) {
	size = -1
	for range maxChain {
		if known, ok := p.types[offset]; ok && size >= 0 {
			return known, size, passed, nil
		}
		header, err := p.data.Scanner().SeekObjectHeader(offset)
		if err != nil {
			return 0, 0, nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
		}
		whole := header.Type != plumbing.OFSDeltaObject && header.Type != plumbing.REFDeltaObject
		switch {
		case whole && size < 0:
			return header.Type, header.Length, nil, nil
		case header.Length > maxBase:
			return 0, 0, nil, &TooLargeError{Size: header.Length, Max: maxBase} // Git would make it at any price.
		case whole:
			return header.Type, size, passed, nil
		}
		passed = append(passed, offset)
		if offset, size, err = p.below(header, size); err != nil {
			return 0, 0, nil, err
		}
	}
	return 0, 0, nil, errTooInvolved
}

// below steps from the delta whose header was read last to the object that it builds on. The first delta tells the size
// of the result; until then it is -1.
func (p *pack) below(header *packfile.ObjectHeader, size int64) (offset, result int64, err error) {
	if size < 0 {
		if size, err = p.deltaSize(); err != nil {
			return 0, 0, err
		}
	}
	offset, err = p.base(header)
	return offset, size, err
}

// base finds the object that a delta builds on.
func (p *pack) base(header *packfile.ObjectHeader) (int64, error) {
	if header.Type == plumbing.OFSDeltaObject {
		return header.OffsetReference, nil
	}
	return p.index.FindOffset(header.Reference)
}

// deltaSize reads the size of the result from the delta whose header was read last.
func (p *pack) deltaSize() (int64, error) {
	var delta bytes.Buffer
	if _, _, err := p.data.Scanner().NextObject(&delta); err != nil {
		return 0, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if _, err := deltaNumber(&delta); err != nil {
		return 0, err
	}
	return deltaNumber(&delta)
}

// deltaNumber reads seven bits a byte, the lowest first.
func deltaNumber(r io.ByteReader) (int64, error) {
	var number int64
	for shift := 0; shift < 56; shift += 7 {
		b, err := r.ReadByte()
		if err != nil {
			return 0, fmt.Errorf("%w: delta is too short", ErrCorrupt)
		}
		number |= int64(b&0x7f) << shift
		if b&0x80 == 0 {
			return number, nil
		}
	}
	return 0, fmt.Errorf("%w: delta is too large", ErrCorrupt)
}

// read returns an object whose size was checked before.
func (p *pack) read(h plumbing.Hash) ([]byte, error) {
	object, err := p.data.Get(h)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if object.Hash() != h {
		return nil, ErrCorrupt
	}
	r, err := object.Reader()
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(r)
	return data, errors.Join(err, r.Close())
}

// plainFile is an open file in the form that the pack reader asks for. It is never written.
type plainFile struct{ *os.File }

// Lock does nothing.
func (plainFile) Lock() error { return nil }

// Unlock does nothing.
func (plainFile) Unlock() error { return nil }
