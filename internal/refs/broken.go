package refs

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
)

// The reasons why a ref is broken.
const (
	reasonEmpty    = "empty"
	reasonGarbage  = "garbage"
	reasonDangling = "dangling"
)

// damage is a broken ref and what it holds.
type damage struct {
	Broken
	oid  string // oid is the object of a dangling ref.
	text string // text is what the file of an empty or garbage ref holds.
}

// Broken lists the refs below refs/ltm and refs/ltm-local that git cannot use. It changes nothing.
func (s *Store) Broken(ctx context.Context) ([]Broken, error) {
	names, err := s.looseNames()
	if err != nil {
		return nil, err
	}
	found, err := s.damaged(ctx, everything, names)
	var broken []Broken
	for _, d := range found {
		broken = append(broken, d.Broken)
	}
	return broken, err
}

// looseNames returns the names of all loose refs of ours; none where refs are not files.
func (s *Store) looseNames() (names []string, err error) {
	files, ok := plain(s.reader).(*filesReader)
	for _, place := range places() {
		if !ok {
			break
		}
		below, err := files.loose().names(place)
		if err != nil {
			return nil, wrap("list refs below", place, err)
		}
		names = append(names, below...)
	}
	return names, nil
}

// damaged finds broken refs, of which names are the loose ones.
func (s *Store) damaged(ctx context.Context, to depth, names []string) ([]damage, error) {
	files, ok := plain(s.reader).(*filesReader)
	if !ok {
		return s.danglingByGit(ctx, to)
	}
	if to == fewNewest {
		names = newest(names)
	}
	var found []damage
	for _, name := range names {
		if to == fewNewest && files.loose().looksWhole(name) {
			continue
		}
		d, err := s.inspect(ctx, files.loose(), name, to)
		if err != nil {
			return nil, err
		}
		if d.Reason != "" {
			found = append(found, d)
		}
	}
	return found, nil
}

// newest returns the few last names of each folder of a place. The names are sorted.
func newest(names []string) []string {
	folder := func(name string) string { return strings.Join(strings.SplitN(name, "/", 4)[:3], "/") }
	var few []string
	for i, name := range names {
		if later := i + newestFew; later >= len(names) || folder(names[later]) != folder(name) {
			few = append(few, name)
		}
	}
	return few
}

// looksWhole reports whether a loose ref file is as long as an object name and a line break.
func (l looseRefs) looksWhole(ref string) bool {
	info, err := os.Lstat(l.path(ref))
	return errors.Is(err, fs.ErrNotExist) || (err == nil && info.Size() == int64(l.oidLength)+1)
}

// inspect judges one loose ref.
func (s *Store) inspect(ctx context.Context, loose looseRefs, ref string, to depth) (damage, error) {
	d := damage{Broken: Broken{Ref: ref}}
	oid, state, err := loose.read(ref)
	if err != nil {
		return d, wrap("read ref", ref, err)
	}
	switch {
	case state == looseBroken:
		d.Reason = reasonGarbage
		d.text, err = loose.text(ref)
		if errors.Is(err, fs.ErrNotExist) {
			return damage{}, nil
		}
		if d.text == "" {
			d.Reason = reasonEmpty
		}
	case state == looseObject && to == everything:
		if _, _, lost := s.objects.info(ctx, oid); errors.Is(lost, ErrMissing) || errors.Is(lost, ErrCorrupt) {
			d.Reason, d.oid = reasonDangling, oid
		}
	}
	return d, err
}

// danglingByGit finds refs whose objects are missing, where refs are not files.
func (s *Store) danglingByGit(ctx context.Context, to depth) ([]damage, error) {
	if to == fewNewest {
		return nil, nil
	}
	refs, err := s.repo.Refs(ctx, places(), git.ListOptions{})
	if err != nil {
		return nil, wrap("list refs below", Root, err)
	}
	var found []damage
	for _, ref := range refs {
		if ref.Type == "" && ref.Symref == "" {
			found = append(found, damage{Broken: Broken{Ref: ref.Name, Reason: reasonDangling}, oid: ref.Object})
		}
	}
	return found, nil
}

// clock is the time that ages of files are told by. The file system stamps files by the same clock, so no caller's may
// take its place.
func clock() time.Time {
	return time.Now() //nolint:forbidigo // It is compared with times of files.
}

// sinceModified is the age of a file.
func sinceModified(info fs.FileInfo) time.Duration {
	return clock().Sub(info.ModTime())
}
