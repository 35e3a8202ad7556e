package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-ltm/git-ltm/internal/local"
)

// ErrMoved says that a file was changed while it was about to be written.
var ErrMoved = errors.New("another program changed it just now")

// File is a file as it was read.
type File struct {
	Path   string      // as the caller named it
	Real   string      // where it lies, behind symbolic links
	Text   []byte      // nil where there is none
	Exists bool        //
	Mode   fs.FileMode // of the file; 0 for one that is to be as open as its directory
}

// Read reads a file. One that is not there has no text; what is no plain file, and a link that leads nowhere,
// is an error.
func Read(path string) (File, error) {
	f := File{Path: path, Real: path}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(path); err == nil {
			return f, fmt.Errorf("read %q: it is a link that leads nowhere", path)
		}
		return f, nil
	}
	if err == nil {
		f.Real, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return f, fmt.Errorf("read %q: %w", path, err)
	}
	f.Exists, f.Mode = true, info.Mode().Perm()
	if f.Text, err = local.ReadFile(f.Real, maxText); err != nil {
		return f, fmt.Errorf("read %q: %w", path, err)
	}
	return f, nil
}

// Replace writes another text in the place of the one that was read: as a whole, with the mode of the file,
// and behind the links that lead to it. A file that changed since it was read is ErrMoved. Its directory has
// to be there.
func (f File) Replace(text []byte) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("write %q: %w", f.Path, err)
		}
	}()
	if err := f.checkWritable(); err != nil {
		return err
	}
	mode := f.Mode
	if mode == 0 {
		info, err := os.Stat(filepath.Dir(f.Real))
		if err != nil {
			return err
		}
		mode = info.Mode().Perm() & 0o666
	}
	return local.At(f.Real).ReplaceAs(text,
		local.Replacement{Perm: mode, Exact: true, Before: f.checkUnmoved})
}

// Remove removes the file, and the link that would lead nowhere without it. One that changed since it was
// read is ErrMoved.
func (f File) Remove() error {
	err := errors.Join(f.checkWritable(), f.checkUnmoved())
	if err == nil {
		err = os.Remove(f.Real)
	}
	if _, gone := os.Lstat(f.Path); err == nil && gone == nil {
		err = os.Remove(f.Path)
	}
	if err != nil {
		return fmt.Errorf("remove %q: %w", f.Path, err)
	}
	return nil
}

// checkWritable makes sure that nobody took away the right to write a file that is there: its directory alone
// would let it be replaced.
func (f File) checkWritable() error {
	if info, err := os.Stat(f.Real); err == nil && info.Mode()&0o222 == 0 {
		return fmt.Errorf("it is read-only: %w", fs.ErrPermission)
	}
	return nil
}

// checkUnmoved makes sure that the file is as it was read.
func (f File) checkUnmoved() error {
	now, err := Read(f.Path)
	if err != nil {
		return err
	}
	if now.Exists != f.Exists || now.Real != f.Real || !bytes.Equal(now.Text, f.Text) {
		return ErrMoved
	}
	return nil
}
