package refs

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ltm/git-ltm/internal/local"
)

// manyPacks is how many packs are searched in process; beyond them git's own index over all packs is faster.
const manyPacks = 128

// packDir is the packs of the object directory.
type packDir struct {
	dir   string
	packs []*pack
	read  bool
}

// readObject returns an object of at most limit bytes, and checks that it has its name. Where no pack holds it,
// it is fs.ErrNotExist.
func (d *packDir) readObject(oid string, limit int64) (typ string, data []byte, err error) {
	if !d.read {
		if err := d.scanPacks(); err != nil {
			return "", nil, err
		}
	}
	h := plumbing.NewHash(oid)
	for i, p := range d.packs {
		at, err := p.index.FindOffset(h)
		if errors.Is(err, plumbing.ErrObjectNotFound) {
			continue
		}
		if err != nil {
			return "", nil, err
		}
		d.packs[0], d.packs[i] = d.packs[i], d.packs[0] // The next object is likely to be near.
		typ, data, err = p.readObject(at, limit)
		if large, ok := errors.AsType[*TooLargeError](err); ok {
			large.OID = oid
		}
		if err == nil && hashObject(len(oid), typ, data) != oid {
			err = ErrCorrupt
		}
		return typ, data, err
	}
	return "", nil, fs.ErrNotExist
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
			found = append(found, &pack{
				path: path, time: info.ModTime(), blocks: map[int64][]byte{}, made: map[int64]madeObject{},
			})
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
	idxHeader   = 8
	idxFanout   = 256 * 4
	idxNames    = idxHeader + idxFanout
	idxTrailer  = 40
	oidBytes    = 20
	largeOffset = 1 << 31
)

var errIndex = errors.New("pack index is damaged")

// packIndex answers questions about one pack from its index file.
type packIndex struct {
	file  *local.Mapping // It holds the data.
	data  []byte
	count int
}

// openIndex maps an index file and checks that its size fits what it says about itself.
func openIndex(path string) (*packIndex, error) {
	opened, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	file, err := local.Map(opened)
	if err != nil {
		return nil, err
	}
	x := &packIndex{file: file, data: file.Bytes()}
	switch {
	case len(x.data) < idxNames:
		err = fmt.Errorf("%w: too short", errIndex)
	case !bytes.HasPrefix(x.data, []byte{0xff, 't', 'O', 'c', 0, 0, 0, 2}):
		err = fmt.Errorf("%w: not of version 2", errIndex)
	default:
		x.count = x.countUpTo(255)
		for b := range byte(255) {
			if x.countUpTo(b) > x.countUpTo(b+1) {
				err = fmt.Errorf("%w: numbers do not rise", errIndex)
			}
		}
		if len(x.data) < idxNames+x.count*(oidBytes+8)+idxTrailer {
			err = fmt.Errorf("%w: too short", errIndex)
		}
	}
	if err != nil {
		return nil, wrap("read index", path, err)
	}
	return x, nil
}

// countUpTo returns how many objects have names whose first byte is b or less.
func (x *packIndex) countUpTo(b byte) int {
	return int(binary.BigEndian.Uint32(x.data[idxHeader+4*int(b):]))
}

// FindOffset returns where an object begins in the pack.
func (x *packIndex) FindOffset(h plumbing.Hash) (int64, error) {
	first, end := 0, x.countUpTo(h[0])
	if h[0] > 0 {
		first = x.countUpTo(h[0] - 1)
	}
	names := x.data[idxNames+first*oidBytes : idxNames+end*oidBytes]
	at, found := sort.Find(end-first, func(i int) int {
		return bytes.Compare(h[:], names[i*oidBytes:(i+1)*oidBytes])
	})
	if !found {
		return 0, plumbing.ErrObjectNotFound
	}
	offsets := x.data[idxNames+x.count*(oidBytes+4) : len(x.data)-idxTrailer]
	offset := binary.BigEndian.Uint32(offsets[4*(first+at):])
	if offset < largeOffset {
		return int64(offset), nil
	}
	large := offsets[4*x.count:]
	if at := 8 * int(offset-largeOffset); at+8 <= len(large) {
		return int64(binary.BigEndian.Uint64(large[at:]) &^ (1 << 63)), nil
	}
	return 0, fmt.Errorf("%w: large offset", errIndex)
}
