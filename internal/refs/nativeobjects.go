package refs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ltm/git-ltm/internal/local"
)

// nativeObjects reads and writes objects in this process. What it does not find or does not understand it asks git
// for: an object that can be fetched, a pack that is too involved.
type nativeObjects struct {
	mu       sync.Mutex
	loose    []looseDir // loose begins with the repository's own directory; alternates follow.
	packs    []*packDir
	searched bool // searched says that the alternates are known.
	program  *gitObjects
}

// newNativeObjects uses one object directory.
func newNativeObjects(dir string, sharing func() local.Sharing, program *gitObjects) *nativeObjects {
	return &nativeObjects{
		loose:   []looseDir{{dir: dir, sharing: sharing}},
		packs:   []*packDir{{dir: filepath.Join(dir, "pack")}},
		program: program,
	}
}

// info implements objects.
func (o *nativeObjects) info(ctx context.Context, oid string) (typ string, size int64, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	err = o.find(oid, func(d looseDir) error {
		typ, size, err = d.info(oid)
		return err
	}, func(p *pack) error {
		typ, size, err = p.info(plumbing.NewHash(oid))
		return err
	})
	if !unsure(err) {
		return typ, size, err
	}
	typ, size, known := o.program.info(ctx, oid)
	return typ, size, verdict(err, known)
}

// read implements objects.
func (o *nativeObjects) read(ctx context.Context, oid string, limit int64) (typ string, data []byte, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	err = o.find(oid, func(d looseDir) error {
		typ, data, err = d.read(oid, limit)
		return err
	}, func(p *pack) error {
		typ, data, err = p.read(plumbing.NewHash(oid), limit)
		return err
	})
	if !unsure(err) {
		return typ, data, err
	}
	typ, data, known := o.program.read(ctx, oid, limit)
	return typ, data, verdict(err, known)
}

// unsure reports whether git may know better.
func unsure(err error) bool {
	_, large := errors.AsType[*TooLargeError](err)
	return err != nil && !large
}

// verdict is the error after git was asked: what this process has seen of a damaged object says more than that git
// could not read it either.
func verdict(native, program error) error {
	if program != nil && errors.Is(native, ErrCorrupt) {
		return native
	}
	return program
}

// find calls one of the functions where the object lies. Packs are looked at a second time when it is nowhere,
// because another process may have packed it in between.
func (o *nativeObjects) find(oid string, inLoose func(looseDir) error, inPack func(*pack) error) error {
	if len(oid) != 2*oidBytes || !plumbing.IsHash(oid) {
		return fmt.Errorf("object %q: %w", oid, ErrMissing)
	}
	var damaged error
	for try := range 3 {
		for i := range o.loose {
			err := inLoose(o.loose[i])
			if errors.Is(err, ErrCorrupt) {
				damaged = err // A pack may hold a whole copy.
			} else if !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			if err := o.packs[i].use(plumbing.NewHash(oid), inPack); !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		if err := o.widen(try); err != nil {
			return err
		}
	}
	if damaged != nil {
		return fmt.Errorf("object %s: %w", oid, damaged)
	}
	return fmt.Errorf("object %s: %w", oid, ErrMissing)
}

// widen looks at the alternates first, and then at packs that are new.
func (o *nativeObjects) widen(try int) error {
	if !o.searched {
		dirs, err := alternates(o.loose[0].dir)
		if err != nil {
			return err
		}
		for _, dir := range dirs {
			o.loose = append(o.loose, looseDir{dir: dir})
			o.packs = append(o.packs, &packDir{dir: filepath.Join(dir, "pack")})
		}
		o.searched = true
		if len(dirs) > 0 {
			return nil
		}
	}
	if try > 1 {
		return nil
	}
	for _, packs := range o.packs {
		if err := packs.scan(); err != nil {
			return err
		}
	}
	return nil
}

// write implements objects.
func (o *nativeObjects) write(_ context.Context, typ string, data []byte) (string, error) {
	kind, err := plumbing.ParseObjectType(typ)
	if err != nil {
		return "", wrap("write object of type", typ, err)
	}
	oid := plumbing.ComputeHash(kind, data).String()
	return oid, wrap("write object", oid, o.loose[0].write(oid, typ, data))
}

// close implements objects.
func (o *nativeObjects) close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	err := o.program.close()
	for _, packs := range o.packs {
		err = errors.Join(err, packs.close())
	}
	return err
}
