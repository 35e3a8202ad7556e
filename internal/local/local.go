// Package local owns what a clone keeps about itself in files: the folder <common git directory>/ltm, and how
// a file is made, read, replaced and locked there and elsewhere.
//
// It promises that a folder and a file are as open as core.sharedRepository asks for, whatever the umask;
// that a file is replaced whole or not at all, and survives a power cut where that was asked for; that a lock
// ends with its process; and that no more is read than was asked for. Below its folder it follows no link and
// waits for no pipe. It asks git nothing and knows nothing of what the files hold.
package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Dir is a folder that is made when something is first written into it.
type Dir struct {
	path    string
	parent  *Dir // nil for the outermost, whose own parent is not ours
	sharing func() Sharing
	private bool // it is for one user alone
}

// Open names a folder. It touches nothing, and asks for the sharing when it makes something; nil stands for
// Private.
func Open(path string, sharing func() Sharing) *Dir {
	if sharing == nil {
		sharing = func() Sharing { return Private }
	}
	return &Dir{path: path, sharing: sharing}
}

// Path is where the folder lies.
func (d *Dir) Path() string { return d.path }

// Sub is a folder in this one, as open as it.
func (d *Dir) Sub(name string) *Dir {
	return &Dir{path: filepath.Join(d.path, name), parent: d, sharing: d.sharing, private: d.private}
}

// IsShared tells whether other users may work in the folder, too.
func (d *Dir) IsShared() bool { return d.sharing() != Private || d.ownName("") != "" }

// Parent is the folder above, where it is one of a clone.
func (d *Dir) Parent() *Dir {
	if d.parent != nil {
		return d.parent
	}
	return &Dir{path: filepath.Dir(d.path), sharing: d.sharing}
}

// Own is the folder of this user in this one, which nobody else may enter.
func (d *Dir) Own(name string) *Dir {
	own := d.Sub(d.ownName(name))
	own.private, own.sharing = true, func() Sharing { return Private }
	return own
}

// File is a file in the folder, for all who may use the repository.
func (d *Dir) File(name string) File { return File{dir: d, path: filepath.Join(d.path, name)} }

// OwnFile is the file of this user in the folder. Another user of the repository has another one.
func (d *Dir) OwnFile(name string) File {
	return File{dir: d, path: filepath.Join(d.path, d.ownName(name)), private: true}
}

// ownName is a name for the user to whom the folder belongs, and the name with a number for every other: the
// folder is of whoever came first, who in most repositories is the only one.
func (d *Dir) ownName(name string) string {
	info, err := os.Stat(d.path)
	if errors.Is(err, fs.ErrNotExist) && d.sharing() != Private && d.Make() == nil {
		info, err = os.Stat(d.path) // Now it is certain who came first.
	}
	if err == nil && !ownedByUser(info) {
		return name + "." + strconv.Itoa(os.Geteuid())
	}
	return name
}

// Make makes the folder and those above it, and syncs where each was entered.
func (d *Dir) Make() error {
	info, err := os.Stat(d.path)
	if err == nil && info.IsDir() {
		return nil
	}
	if err == nil {
		return &fs.PathError{Op: "mkdir", Path: d.path, Err: fs.ErrExist}
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if d.parent != nil {
		err = d.parent.Make()
	} else {
		err = os.MkdirAll(filepath.Dir(d.path), 0o777) //nolint:gosec // As git makes its directories.
	}
	if err != nil {
		return err
	}
	perm := fs.FileMode(0o777)
	if d.private {
		perm = 0o700
	}
	if err := os.Mkdir(d.path, perm); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return nil // Another process was faster.
		}
		return err
	}
	if err := d.sharing().adjustMode(d.path); err != nil {
		return err
	}
	return SyncPath(filepath.Dir(d.path))
}

// Sweep removes what writers left in the folder that died longer ago than age.
func (d *Dir) Sweep(age time.Duration) {
	files, _ := os.ReadDir(d.path) // Where nothing can be read, nothing is swept.
	for _, file := range files {
		info, err := file.Info()
		if err == nil && strings.HasPrefix(file.Name(), TempPrefix) && time.Since(info.ModTime()) > age {
			_ = os.RemoveAll(filepath.Join(d.path, file.Name()))
		}
	}
}

// Prune removes everything in the folder but what keep wants, by its name. Where there is no folder, there is
// nothing to do.
func (d *Dir) Prune(keep func(name string) bool) (err error) {
	files, err := os.ReadDir(d.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, file := range files {
		if !keep(file.Name()) {
			err = errors.Join(err, os.RemoveAll(filepath.Join(d.path, file.Name())))
		}
	}
	return err
}

// File is a file of a Dir, or one that [At] names.
type File struct {
	dir     *Dir
	path    string
	private bool // it is for one user alone
}

// At is the file at a path, in a folder that is for one user alone.
func At(path string) File {
	dir := Open(filepath.Dir(path), nil)
	dir.private = true
	return File{dir: dir, path: path, private: true}
}

// Path is where the file lies.
func (f File) Path() string { return f.path }

// With is the file beside this one whose name goes on with a suffix.
func (f File) With(suffix string) File {
	f.path += suffix
	return f
}

// Exists reports whether something has the name of the file.
func (f File) Exists() bool {
	_, err := os.Lstat(f.path)
	return err == nil
}

// Remove removes the file, if there is one.
func (f File) Remove() error {
	if err := os.Remove(f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// sharingMode is how open the file is to be.
func (f File) sharingMode() Sharing {
	if f.private {
		return Private
	}
	return f.dir.sharing()
}

// maxMoved is how often a file is opened again that is replaced again and again.
const maxMoved = 100

// ErrNotPlain says that something other than a plain file has its name.
var ErrNotPlain = errors.New("not a plain file")

// Open opens the plain file with the flags of [os.OpenFile]. It follows no link. With O_CREATE it makes the
// file, and its folder, where they are missing.
func (f File) Open(flag int) (*os.File, error) {
	for range maxMoved {
		place, err := os.Lstat(f.path)
		if errors.Is(err, fs.ErrNotExist) && flag&os.O_CREATE != 0 {
			file, err := f.createNew(flag)
			if errors.Is(err, fs.ErrExist) {
				continue
			}
			return file, err
		}
		if err != nil {
			return nil, err
		}
		if !place.Mode().IsRegular() {
			return nil, fmt.Errorf("open %q: %w", f.path, ErrNotPlain)
		}
		file, err := os.OpenFile(f.path, flag&^(os.O_CREATE|os.O_EXCL), 0)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		info, err := file.Stat()
		if err == nil && os.SameFile(info, place) {
			return file, nil
		}
		if err := errors.Join(err, file.Close()); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("open %q: %w", f.path, ErrNotPlain)
}

// createNew makes the file, which must not be there, with its mode.
func (f File) createNew(flag int) (*os.File, error) {
	if err := f.dir.Make(); err != nil {
		return nil, err
	}
	return createShared(f.path, flag, 0o600, f.sharingMode())
}

// createShared makes a file that must not be there as open as is asked for.
func createShared(path string, flag int, perm fs.FileMode, sharing Sharing) (*os.File, error) {
	file, err := os.OpenFile(path, flag|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return nil, err
	}
	if err := sharing.adjustMode(path); err != nil {
		return nil, errors.Join(err, file.Close(), os.Remove(path))
	}
	return file, nil
}

// UserStoreKey is the key of the configuration that says where the user-wide memory lies, in the place of
// [UserMemory].
const UserStoreKey = "ltm.userStore"

// UserMemory is where the user-wide memory lies unless the configuration says otherwise: among the data of
// the user. It is not ok where the environment does not say where these lie.
func UserMemory(getenv func(string) string) (path string, ok bool) {
	data := getenv("XDG_DATA_HOME")
	if !filepath.IsAbs(data) {
		home := getenv("HOME")
		if !filepath.IsAbs(home) {
			return "", false
		}
		data = filepath.Join(home, ".local", "share")
	}
	return filepath.Join(data, "git-ltm", "memory.git"), true
}

// Sharing is what core.sharedRepository says of new files and folders, as git keeps it: bits that are added
// to what the umask left, or, when negative, the very bits.
type Sharing int

// The sharings that have a name.
const (
	Private   Sharing = 0     // Private leaves it to the umask.
	Group     Sharing = 0o660 // Group lets the group write.
	Everybody Sharing = 0o664 // Everybody lets the group write and all others read.
)

// ParseSharing reads a value of core.sharedRepository as git does. A key that stands alone has the value
// "true".
func ParseSharing(value string) (Sharing, error) {
	switch value {
	case "umask":
		return Private, nil
	case "group":
		return Group, nil
	case "all", "world", "everybody":
		return Everybody, nil
	}
	bits, err := strconv.ParseInt(value, 8, 32)
	if err != nil {
		switch strings.ToLower(value) {
		case "true", "yes", "on":
			return Group, nil
		case "false", "no", "off", "":
			return Private, nil
		}
		return Private, fmt.Errorf("core.sharedRepository: %q is no value of it", value)
	}
	switch bits {
	case 0:
		return Private, nil
	case 1:
		return Group, nil
	case 2:
		return Everybody, nil
	}
	if bits < 0 || bits&0o600 != 0o600 {
		return Private, fmt.Errorf("core.sharedRepository: %q takes files away from their owner", value)
	}
	return -Sharing(bits & 0o666), nil
}

// modeOf is what becomes of the mode of a new file or folder.
func (s Sharing) modeOf(old fs.FileMode) fs.FileMode {
	bits := fs.FileMode(s)
	if s < 0 {
		bits = fs.FileMode(-s)
	}
	if old&0o200 == 0 {
		bits &^= 0o222
	}
	if old&0o100 != 0 {
		bits |= bits & 0o444 >> 2 // Who may read a folder may enter it.
	}
	perm := old.Perm() | bits
	if s < 0 {
		perm = bits
	}
	if old.IsDir() && perm&0o060 != 0 {
		return perm | old&fs.ModeSticky | fs.ModeSetgid // What is made in it belongs to its group.
	}
	return perm | old&(fs.ModeSetgid|fs.ModeSticky)
}

// adjustMode gives a new file or folder the mode that is asked for, against which the umask has no say.
func (s Sharing) adjustMode(path string) error {
	if s == Private {
		return nil
	}
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	return os.Chmod(path, s.modeOf(info.Mode()))
}

// ErrLocked says that another process holds a lock.
var ErrLocked = errors.New("another process of git ltm is at it")

// lockPause is how long a lock is left alone that another process holds.
const lockPause = 20 * time.Millisecond

// TryLock takes the lock of a file of that name, or returns ErrLocked. It ends with the call of release, and
// with this process, however that ends. The file is there while the lock is held.
func (f File) TryLock() (release func() error, err error) {
	for range maxMoved {
		release, err := f.takeLock()
		if err != nil || release != nil {
			return release, err
		}
	}
	return nil, ErrLocked
}

// Lock takes the lock of a file of that name. It waits with patience for who holds it.
func (f File) Lock(ctx context.Context, patience time.Duration) (release func() error, err error) {
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		release, err := f.TryLock()
		if !errors.Is(err, ErrLocked) {
			return release, err
		}
		timer := time.NewTimer(lockPause)
		select {
		case <-timer.C:
		case <-waiting.Done():
			timer.Stop()
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			return nil, fmt.Errorf("lock %q: %w", f.path, ErrLocked)
		}
	}
}

// RealPath is where a file lies, or will lie, with links followed as far as they lead: what is about to be made
// need not be there.
func RealPath(name string) string {
	left := ""
	for at := filepath.Clean(name); ; at = filepath.Dir(at) {
		if there, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(there, left)
		}
		if at == filepath.Dir(at) {
			return name
		}
		left = filepath.Join(filepath.Base(at), left)
	}
}

// IsBelow tells whether a path is a folder, or lies below it, with the links of both followed.
func IsBelow(folder, path string) bool {
	rel, err := filepath.Rel(RealPath(folder), RealPath(path))
	return err == nil && filepath.IsLocal(rel)
}
