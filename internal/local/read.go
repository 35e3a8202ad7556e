package local

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

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

// ReadFile reads a regular file of at most limit bytes, to which a link may lead. What is something else is ErrNotPlain:
// nothing else can be opened without waiting for it.
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

// ReadKept reads the file as one that may be lost at any time: where there is none that can be one of ours, it returns nil.
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

// ReadState reads a file of JSON into value, and reports whether there is one. What is no JSON is as if it were not there.
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
