package journal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// errPlace says that something other than a plain file stands in the place of one.
var errPlace = errors.New("not a plain file")

// same closes a file that is not the plain one that was looked at, which is gone then.
func same(file *os.File, place fs.FileInfo, err error) (*os.File, error) {
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && os.SameFile(info, place) {
		return file, nil
	}
	return nil, errors.Join(fs.ErrNotExist, err, file.Close())
}

// open opens a plain file of at most limit bytes for reading. Anything else in its place is no file.
func open(path string, limit int64) (*os.File, fs.FileInfo, error) {
	for range tries {
		place, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			return nil, nil, nil
		}
		if err != nil || !place.Mode().IsRegular() || place.Size() > limit {
			return nil, nil, err
		}
		file, err := os.Open(path)
		file, err = same(file, place, err)
		if !errors.Is(err, fs.ErrNotExist) {
			return file, place, err
		}
	}
	return nil, nil, fmt.Errorf("open journal %q: %w", path, errPlace)
}

// read takes in a tail, unless it has been read already and has not changed.
func (t *tail) read(path string) error {
	file, info, err := open(path, maxTail)
	if err != nil {
		return err
	}
	if file == nil {
		*t = tail{}
		return nil
	}
	defer func() { _ = file.Close() }() // Nothing was written.
	if t.info != nil && os.SameFile(t.info, info) && t.info.Size() == info.Size() && t.info.ModTime().Equal(info.ModTime()) {
		return nil
	}
	values := map[string]string{}
	for e, err := range entries(io.LimitReader(file, info.Size())) {
		if err != nil {
			return err
		}
		values[e.Key] = e.Value
	}
	*t = tail{info: info, values: values}
	return nil
}

// noBytes is the text of a file that is not there.
type noBytes struct{}

func (noBytes) Read([]byte) (int, error) { return 0, io.EOF }
