package refs

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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

// use calls inPack with the pack that holds an object. No such pack is fs.ErrNotExist.
func (d *packDir) use(h plumbing.Hash, inPack func(*pack) error) error {
	p, err := d.find(h)
	if err != nil {
		return err
	}
	if p == nil {
		return fs.ErrNotExist
	}
	return inPack(p)
}

// find returns the pack that holds an object, or nil.
func (d *packDir) find(h plumbing.Hash) (*pack, error) {
	if !d.read {
		if err := d.scan(); err != nil {
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

// scan opens packs that are new and closes those that are gone.
func (d *packDir) scan() error {
	names, err := d.list()
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

// list names the packs that have an index, the newest first.
func (d *packDir) list() ([]string, error) {
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
