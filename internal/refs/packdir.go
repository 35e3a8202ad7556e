package refs

import (
	"bytes"
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

// packDir is the packs of the object directory.
type packDir struct {
	dir   string
	packs []*pack
	read  bool
}

// useObject calls inPack with the pack that holds an object, and where it begins there. No such pack is
// fs.ErrNotExist.
func (d *packDir) useObject(h plumbing.Hash, inPack func(p *pack, at int64) error) error {
	if !d.read {
		if err := d.scanPacks(); err != nil {
			return err
		}
	}
	for i, p := range d.packs {
		at, err := p.index.FindOffset(h)
		if errors.Is(err, plumbing.ErrObjectNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		d.packs[0], d.packs[i] = d.packs[i], d.packs[0] // The next object is likely to be near.
		return inPack(p, at)
	}
	return fs.ErrNotExist
}

// scanPacks opens packs that are new, the newest first, and closes those that are gone.
func (d *packDir) scanPacks() error {
	files, err := os.ReadDir(d.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var found []*pack
	for _, file := range files {
		base, isIndex := strings.CutSuffix(file.Name(), ".idx")
		info, gone := file.Info()
		if gone != nil || !isIndex || !strings.HasPrefix(base, "pack-") {
			continue
		}
		path := filepath.Join(d.dir, base+".pack")
		if at := slices.IndexFunc(d.packs, func(p *pack) bool { return p.path == path }); at >= 0 {
			found = append(found, d.packs[at])
		} else {
			found = append(found, &pack{path: path, time: info.ModTime(), made: map[int64]madeObject{}})
		}
	}
	if len(found) > manyPacks {
		return errTooInvolved
	}
	slices.SortFunc(found, func(a, b *pack) int { return b.time.Compare(a.time) })
	known := d.packs
	d.packs, d.read, err = nil, true, nil
	for _, p := range found {
		if p.index == nil {
			p.index, err = openIndex(strings.TrimSuffix(p.path, "pack") + "idx")
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = nil // Another process has replaced it.
			continue
		}
		if err != nil {
			break
		}
		d.packs = append(d.packs, p)
	}
	for _, p := range known {
		if !slices.Contains(d.packs, p) {
			err = errors.Join(err, p.close())
		}
	}
	return err
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
// binary search needs. Who asks often, as a walk over all records, has it in memory, unless it is large.
type lazyIndex struct {
	file  io.ReaderAt
	close func() error
	size  int64
	count int64
	asked int // asked counts the questions.
}

// The bounds of an index that is read whole: after so many questions, and up to so many bytes.
const (
	oftenAsked = 256
	mostIndex  = 16 * 1024 * 1024
)

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
	if x.asked++; x.asked == oftenAsked && x.size <= mostIndex {
		whole := make([]byte, x.size)
		if _, err := x.file.ReadAt(whole, 0); err != nil {
			return -1, fmt.Errorf("%w: %w", errIndex, err)
		}
		x.file = bytes.NewReader(whole)
	}
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
