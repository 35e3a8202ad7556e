package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Append adds entries with one write. A caller for whom the journal is a help and no more may ignore the error.
func (f *File) Append(list []Entry) error {
	text, err := encode(list)
	if err != nil || len(list) == 0 {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
		return fmt.Errorf("make directory of journal: %w", err)
	}
	for range tries {
		size, done, err := f.write(text)
		if size > longTail || errors.Is(err, ErrFull) {
			_ = f.merge() // The entries are safe in the tail; the next Append tries again.
		}
		if err != nil && !errors.Is(err, ErrFull) && !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("append to journal %q: %w", f.tailPath(), err)
		}
		if done {
			return nil
		}
	}
	return fmt.Errorf("append to journal %q: %w", f.tailPath(), ErrFull)
}

// write adds text to the tail. It is done when the tail was still in its place afterwards: whoever puts it aside later
// finds the whole text in it.
func (f *File) write(text []byte) (size int64, done bool, err error) {
	file, err := openTail(f.tailPath())
	if err != nil {
		return 0, false, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil {
		return 0, false, err
	}
	if size = info.Size(); size > maxTail-maxAppend {
		return size, false, ErrFull
	}
	if _, err := file.Write(text); err != nil {
		return size, false, err
	}
	now, err := os.Lstat(f.tailPath())
	if err != nil {
		return size, false, err
	}
	return size + int64(len(text)), os.SameFile(info, now), nil
}

// openTail opens a file for appending, which it makes where it is missing, and never follows a link.
func openTail(path string) (*os.File, error) {
	place, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600)
	}
	if err != nil {
		return nil, err
	}
	if !place.Mode().IsRegular() {
		return nil, errPlace
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	return same(file, place, err)
}
