package journal

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/git-ltm/git-ltm/internal/local"
)

// open opens a plain file of at most limit bytes for reading. Anything else in its place is no file.
func open(place local.File, limit int64) (*os.File, fs.FileInfo, error) {
	file, err := place.Open(os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, local.ErrNotPlain) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err != nil || info.Size() > limit {
		return nil, nil, errors.Join(err, file.Close())
	}
	return file, info, nil
}

// read takes in a tail, unless it has been read already and has not changed.
func (t *tail) read(place local.File) error {
	file, info, err := open(place, maxTail)
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
