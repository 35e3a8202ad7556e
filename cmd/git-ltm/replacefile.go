package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/git-ltm/git-ltm/internal/local"
)

// ownOnly is who may read a new file: its owner.
const ownOnly = 0o600

// replaceFile writes a file as a whole, in the place of the one that is there. It never writes through a
// link, since in a work tree somebody else may have chosen where that leads. What is no file, such as
// /dev/null, is written to.
func replaceFile(name string, write func(io.Writer) error) error {
	mode := fs.FileMode(ownOnly)
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%q is a symbolic link; name the file itself", name)
	case info.IsDir():
		return fmt.Errorf("%q is a directory", name)
	case !info.Mode().IsRegular():
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	default:
		mode = info.Mode().Perm()
	}
	return local.Replace(name, local.Replacement{Perm: mode, Exact: true}, write)
}
