package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Append adds entries with one write. A caller for whom the journal is a help and no more may ignore the error.
func (f *File) Append(list []Entry) error {
	text, err := encode(list)
	if err != nil || len(list) == 0 {
		return err
	}
	for range tries {
		size, done, err := f.write(text)
		if size > longTail || errors.Is(err, ErrFull) {
			_ = f.merge() // The entries are safe in the tail; the next Append tries again.
		}
		if err != nil && !errors.Is(err, ErrFull) && !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("append to journal %q: %w", f.tail().Path(), err)
		}
		if done {
			return nil
		}
	}
	return fmt.Errorf("append to journal %q: %w", f.tail().Path(), ErrFull)
}

// write adds text to the tail. It is done when the tail was still in its place afterwards: whoever puts it aside later
// finds the whole text in it.
func (f *File) write(text []byte) (size int64, done bool, err error) {
	file, err := f.tail().Open(os.O_CREATE | os.O_WRONLY | os.O_APPEND)
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
	now, err := os.Lstat(f.tail().Path())
	if err != nil {
		return size, false, err
	}
	return size + int64(len(text)), os.SameFile(info, now), nil
}
