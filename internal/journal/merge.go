package journal

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/git-ltm/git-ltm/internal/local"
)

// merge puts the tail aside and makes a new base of it and the old base. A process that dies in between leaves a tail
// that was put aside, which every reader knows and the next merge takes first.
func (f *File) merge() (err error) {
	release, err := f.file.With(".lock").TryLock()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	if done, err := f.putAside(); done || err != nil {
		return err
	}
	var aside tail
	if err := aside.read(f.aside()); err != nil {
		return err
	}
	err = f.file.ReplaceWith(local.Replacement{Durability: local.Unsynced}, func(w io.Writer) error {
		return f.writeBase(w, aside.values)
	})
	if err != nil {
		return err
	}
	return f.aside().Remove()
}

// putAside makes room for a new tail, unless one is put aside already. It is done when another process has merged in
// the meantime.
func (f *File) putAside() (done bool, err error) {
	if _, err := os.Lstat(f.aside().Path()); !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	info, err := os.Lstat(f.tail().Path())
	if err != nil || info.Size() <= longTail {
		return err == nil, err
	}
	return false, os.Rename(f.tail().Path(), f.aside().Path())
}

// writeBase writes what the next base holds.
func (f *File) writeBase(w io.Writer, later map[string]string) error {
	text := bufio.NewWriter(w)
	for e, err := range f.merged(later) {
		if err != nil {
			return err
		}
		if _, err := text.WriteString(e.line()); err != nil {
			return err
		}
	}
	return text.Flush()
}
