package refs

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// manyPacks is how many packs are searched in process; beyond them git's own index over all packs is faster.
const manyPacks = 128

// packDir is the packs of one object directory.
type packDir struct {
	dir   string
	packs []*pack
	read  bool
}

// useObject calls inPack with the pack that holds an object. No such pack is fs.ErrNotExist.
func (d *packDir) useObject(h plumbing.Hash, inPack func(*pack) error) error {
	p, err := d.findPack(h)
	if err != nil {
		return err
	}
	if p == nil {
		return fs.ErrNotExist
	}
	return inPack(p)
}

// findPack returns the pack that holds an object, or nil.
func (d *packDir) findPack(h plumbing.Hash) (*pack, error) {
	if !d.read {
		if err := d.scanPacks(); err != nil {
			return nil, err
		}
	}
	for i, p := range d.packs {
		held, err := p.index.Contains(h)
		if err != nil {
			return nil, err
		}
		if held {
			d.packs[0], d.packs[i] = d.packs[i], d.packs[0] // The next object is likely to be near.
			return p, nil
		}
	}
	return nil, nil
}

// scanPacks opens packs that are new and closes those that are gone.
func (d *packDir) scanPacks() error {
	names, err := d.listPacks()
	if err != nil {
		return err
	}
	known := map[string]*pack{}
	for _, p := range d.packs {
		known[p.path] = p
	}
	d.packs, d.read = nil, true
	for _, name := range names {
		p := known[name]
		delete(known, name)
		if p == nil {
			p, err = openPack(name)
			if errors.Is(err, fs.ErrNotExist) {
				continue // Another process has replaced it.
			}
			if err != nil {
				return errors.Join(err, closePacks(known))
			}
		}
		d.packs = append(d.packs, p)
	}
	return closePacks(known)
}

// listPacks names the packs that have an index, the newest first.
func (d *packDir) listPacks() ([]string, error) {
	found, err := os.ReadDir(d.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	type dated struct {
		path string
		time int64
	}
	var packs []dated
	for _, file := range found {
		base, ok := strings.CutSuffix(file.Name(), ".idx")
		if !ok || !strings.HasPrefix(base, "pack-") {
			continue
		}
		if info, err := file.Info(); err == nil {
			packs = append(packs, dated{filepath.Join(d.dir, base+".pack"), info.ModTime().UnixNano()})
		}
	}
	if len(packs) > manyPacks {
		return nil, errTooInvolved
	}
	slices.SortFunc(packs, func(a, b dated) int { return cmp.Compare(b.time, a.time) })
	names := make([]string, len(packs))
	for i, p := range packs {
		names[i] = p.path
	}
	return names, nil
}

// close closes all packs.
func (d *packDir) close() error {
	var err error
	for _, p := range d.packs {
		err = errors.Join(err, p.close())
	}
	d.packs, d.read = nil, false
	return err
}

// closePacks closes the packs that are no longer there.
func closePacks(packs map[string]*pack) error {
	var err error
	for _, p := range packs {
		err = errors.Join(err, p.close())
	}
	return err
}

// The layout of a version 2 pack index.
const (
	idxHeader    = 8
	idxFanout    = 256 * 4
	idxNames     = idxHeader + idxFanout
	idxTrailer   = 40
	oidBytes     = 20
	largeOffset  = 1 << 31
	bucketAtOnce = 2048 // bucketAtOnce is how many names are read in one piece.
)

var errIndex = errors.New("pack index is damaged")

// lazyIndex answers questions about one pack from its index file, by reading only the few places that a
// binary search needs. It never holds the index in memory, however large the pack is.
type lazyIndex struct {
	file  io.ReaderAt
	close func() error
	size  int64
	count int64
}

// openIndex opens an index file and checks that its size fits what it says about itself.
func openIndex(path string) (*lazyIndex, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	x := &lazyIndex{file: file, close: file.Close}
	if err := x.checkHeader(file); err != nil {
		return nil, errors.Join(wrap("read index", path, err), file.Close())
	}
	return x, nil
}

// checkHeader reads the header and the number of objects.
func (x *lazyIndex) checkHeader(file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	var header [idxHeader]byte
	if _, err := file.ReadAt(header[:], 0); err != nil {
		return fmt.Errorf("%w: %w", errIndex, err)
	}
	if !bytes.Equal(header[:], []byte{0xff, 't', 'O', 'c', 0, 0, 0, 2}) {
		return fmt.Errorf("%w: not of version 2", errIndex)
	}
	x.size = info.Size()
	_, last, err := x.bucketOf(255)
	if err != nil {
		return err
	}
	x.count = last
	if x.size < idxNames+x.count*(oidBytes+8)+idxTrailer {
		return fmt.Errorf("%w: too short", errIndex)
	}
	return nil
}

// bucketOf returns which objects begin with the byte b.
func (x *lazyIndex) bucketOf(b byte) (first, end int64, err error) {
	var pair [8]byte
	piece, at := pair[:], int64(idxHeader)+int64(b)*4-4
	if b == 0 {
		piece, at = pair[4:], idxHeader // There is nothing before the first bucket.
	}
	if _, err := x.file.ReadAt(piece, at); err != nil {
		return 0, 0, fmt.Errorf("%w: %w", errIndex, err)
	}
	first, end = int64(binary.BigEndian.Uint32(pair[:4])), int64(binary.BigEndian.Uint32(pair[4:]))
	if first > end || idxNames+end*oidBytes > x.size {
		return 0, 0, fmt.Errorf("%w: numbers do not rise", errIndex)
	}
	return first, end, nil
}

// positionOf finds where an object stands in the index, or -1.
func (x *lazyIndex) positionOf(h plumbing.Hash) (int64, error) {
	first, end, err := x.bucketOf(h[0])
	if err != nil {
		return -1, err
	}
	var name [oidBytes]byte
	for end-first > bucketAtOnce {
		middle := first + (end-first)/2
		if _, err := x.file.ReadAt(name[:], idxNames+middle*oidBytes); err != nil {
			return -1, fmt.Errorf("%w: %w", errIndex, err)
		}
		if bytes.Compare(name[:], h[:]) <= 0 {
			first = middle
		} else {
			end = middle
		}
	}
	names := make([]byte, (end-first)*oidBytes)
	if _, err := x.file.ReadAt(names, idxNames+first*oidBytes); err != nil && len(names) > 0 {
		return -1, fmt.Errorf("%w: %w", errIndex, err)
	}
	at, found := sort.Find(len(names)/oidBytes, func(i int) int {
		return bytes.Compare(h[:], names[i*oidBytes:(i+1)*oidBytes])
	})
	if !found {
		return -1, nil
	}
	return first + int64(at), nil
}

// FindOffset returns where an object begins in the pack.
func (x *lazyIndex) FindOffset(h plumbing.Hash) (int64, error) {
	position, err := x.positionOf(h)
	if err != nil {
		return 0, err
	}
	if position < 0 {
		return 0, plumbing.ErrObjectNotFound
	}
	var small [4]byte
	offsets := idxNames + x.count*(oidBytes+4)
	if _, err := x.file.ReadAt(small[:], offsets+position*4); err != nil {
		return 0, fmt.Errorf("%w: %w", errIndex, err)
	}
	offset := int64(binary.BigEndian.Uint32(small[:]))
	if offset < largeOffset {
		return offset, nil
	}
	var large [8]byte
	at := offsets + x.count*4 + (offset-largeOffset)*8
	if _, err := x.file.ReadAt(large[:], at); err != nil || at+8 > x.size-idxTrailer {
		return 0, fmt.Errorf("%w: large offset: %w", errIndex, err)
	}
	high, low := binary.BigEndian.Uint32(large[:4]), binary.BigEndian.Uint32(large[4:])
	return int64(high&^(1<<31))<<32 | int64(low), nil
}

// Contains reports whether the pack holds an object.
func (x *lazyIndex) Contains(h plumbing.Hash) (bool, error) {
	position, err := x.positionOf(h)
	return position >= 0, err
}
