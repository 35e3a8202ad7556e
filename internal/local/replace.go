package local

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// TempPrefix is what the name begins with of a file that is being written, and of one that a process left
// which died.
const TempPrefix = ".git-ltm-"

// Durability says whether a file has to survive a power cut.
type Durability int

// The durabilities of a new file.
const (
	Synced Durability = iota // Synced is on the disk, under its name, when the call returns.
	// Unsynced is whole or not there, and may be lost: what it holds can be had again.
	Unsynced
)

// Replacement says how a new file comes into its place. The zero value makes a durable file for its owner
// alone.
type Replacement struct {
	Perm       fs.FileMode // as git makes a file of that mode; 0 for 0600
	Exact      bool        // Perm holds whatever the umask says
	Sharing    Sharing     // what is added to Perm
	Durability Durability  //
	KeepFirst  bool        // a file of that name stays, and is fs.ErrExist
	Prefix     string      // of the name while it is written; "" for TempPrefix
	// it is written under its name with LockSuffix, as git does; where that is there, it is fs.ErrExist
	Lock   bool
	Before func() error // is asked when the file is whole, and may refuse it
}

// LockSuffix is what git adds to the name of a file that it writes, which is the lock of it.
const LockSuffix = ".lock"

// Replace writes a file beside its place and gives it its name: there is the old one or the new one, never a
// part. A link of that name is replaced, not followed. The folder has to be there.
func Replace(path string, as Replacement, write func(io.Writer) error) (err error) {
	if as.Perm == 0 {
		as.Perm = 0o600
	}
	if as.Prefix == "" {
		as.Prefix = TempPrefix
	}
	dir := filepath.Dir(path)
	made := filepath.Join(dir, as.Prefix+rand.Text()[:10])
	if as.Lock {
		made = path + LockSuffix
	}
	file, err := createShared(made, os.O_RDWR, as.Perm, as.Sharing)
	if err != nil {
		return err
	}
	named := false
	defer func() {
		if !named || as.KeepFirst {
			_ = os.Remove(made)
		}
	}()
	err = write(file)
	if as.Exact {
		err = errors.Join(err, file.Chmod(as.Perm))
	}
	if err == nil && as.Durability == Synced {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil && as.Before != nil {
		err = as.Before()
	}
	if err != nil {
		return err
	}
	if err := renameMade(made, path, as.KeepFirst); err != nil {
		return err
	}
	if named = true; as.Durability != Synced {
		return nil
	}
	return SyncPath(dir)
}

// renameMade gives a finished file its name.
func renameMade(made, path string, keepFirst bool) error {
	if !keepFirst {
		return os.Rename(made, path)
	}
	err := os.Link(made, path)
	if err == nil || errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, err := os.Lstat(path); err == nil {
		return fs.ErrExist
	}
	return os.Rename(made, path) // The file system knows no links.
}

// SyncPath makes sure that a file, or the names in a directory, are on the disk, where the system can.
func SyncPath(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	err = file.Sync()
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EINVAL) ||
		errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return errors.Join(err, file.Close())
}

// Replace puts a text in the place of the file, and makes its folder where that is missing.
func (f File) Replace(text []byte, durability Durability) error {
	return f.ReplaceAs(text, Replacement{Durability: durability})
}

// ReplaceAs does what Replace does in another way than the usual one. The sharing is that of the file.
func (f File) ReplaceAs(text []byte, as Replacement) error {
	return f.ReplaceWith(as, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// ReplaceWith does what ReplaceAs does with what write writes.
func (f File) ReplaceWith(as Replacement, write func(io.Writer) error) error {
	if err := f.dir.Make(); err != nil {
		return err
	}
	as.Sharing = f.sharingMode()
	return Replace(f.path, as, write)
}

// Beside lets make put a file or a folder of the name that it is given, and moves it to path when it is
// whole. It takes the place of a file, and of a folder: what that held is there again where it fails, and
// gone where it does not.
func Beside(path string, make func(made string) error) (err error) {
	dir, err := os.MkdirTemp(filepath.Dir(path), TempPrefix)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	made, old := filepath.Join(dir, "new"), filepath.Join(dir, "old")
	if err := make(made); err != nil {
		return err
	}
	if info, err := os.Lstat(path); err == nil && info.IsDir() {
		if err := os.Rename(path, old); err != nil {
			return err
		}
	}
	err = os.Rename(made, path)
	if _, none := os.Lstat(old); err != nil && none == nil {
		err = errors.Join(err, os.Rename(old, path))
	}
	return err
}

// ErrTooLarge says that there is more to read than was asked for.
var ErrTooLarge = errors.New("it is too large")

// ReadAll reads to the end, unless that is more than limit bytes away: then it is ErrTooLarge.
func ReadAll(r io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(data)) > limit {
		return nil, fmt.Errorf("%w: it has more than %d bytes", ErrTooLarge, limit)
	}
	return data, err
}

// ReadFile reads a regular file of at most limit bytes, to which a link may lead. What is something else is
// ErrNotPlain: nothing else can be opened without waiting for it.
func ReadFile(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("read %q: %w", path, ErrNotPlain)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return readOpen(file, limit)
}

// readOpen reads a file and closes it.
func readOpen(file *os.File, limit int64) ([]byte, error) {
	data, err := ReadAll(file, limit)
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, fmt.Errorf("read %q: %w", file.Name(), err)
	}
	return data, nil
}

// Read reads the file, of at most limit bytes, over no link.
func (f File) Read(limit int64) ([]byte, error) {
	file, err := f.Open(os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	return readOpen(file, limit)
}

// ReadKept reads the file as one that may be lost at any time: where there is none that can be one of ours,
// it returns nil.
func (f File) ReadKept(limit int64) ([]byte, error) {
	data, err := f.Read(limit)
	for _, none := range []error{fs.ErrNotExist, syscall.ENOTDIR, ErrNotPlain, ErrTooLarge} {
		if errors.Is(err, none) {
			return nil, nil
		}
	}
	return data, err
}

// maxState is the largest file of state that is read.
const maxState = 1 << 20

// ReadState reads a file of JSON into value, and reports whether there is one. What is no JSON is as if it
// were not there.
func (f File) ReadState(value any) (bool, error) {
	text, err := f.ReadKept(maxState)
	if text == nil || err != nil {
		return false, err
	}
	return json.Unmarshal(text, value) == nil, nil
}

// WriteState replaces a file of JSON.
func (f File) WriteState(value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fmt.Errorf("write %q: %w", f.path, err)
	}
	return f.Replace(append(text, '\n'), Synced)
}
