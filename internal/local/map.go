package local

import (
	"errors"
	"io/fs"
	"os"
)

// Mapping is a file as it was when it was mapped into memory, of which the system reads only what is looked at.
// The file has to be one that is replaced and never changed, as git does with packed refs and indexes of packs.
type Mapping struct {
	file  *os.File
	data  []byte
	info  fs.FileInfo
	unmap func() error
}

// Map maps a file. One that is not there is fs.ErrNotExist.
func Map(path string) (*Mapping, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	m := &Mapping{file: file, unmap: func() error { return nil }}
	if m.info, err = file.Stat(); err == nil && m.info.Size() > 0 {
		m.data, m.unmap, err = mapFile(file, m.info.Size())
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return m, nil
}

// Bytes is what the file holds. Nobody may look at it after Close, nor write to it.
func (m *Mapping) Bytes() []byte { return m.data }

// Is reports whether a file that was looked at now is the one that was mapped, unchanged.
func (m *Mapping) Is(info fs.FileInfo) bool { return IsUnchanged(m.info, info) }

// IsUnchanged reports whether a file that was looked at twice is the same file, as it was.
func IsUnchanged(was, now fs.FileInfo) bool {
	return os.SameFile(was, now) && was.Size() == now.Size() && was.ModTime().Equal(now.ModTime())
}

// ReadAt implements io.ReaderAt, for a part that is looked at once: what was looked at in Bytes stays in memory.
func (m *Mapping) ReadAt(to []byte, at int64) (int, error) { return m.file.ReadAt(to, at) }

// Forget gives the memory back that holds what was looked at so far, for whoever goes along the whole file. What
// is looked at again is read again.
func (m *Mapping) Forget() { forgetMapped(m.data) }

// Close lets go of the memory and the file.
func (m *Mapping) Close() error { return errors.Join(m.unmap(), m.file.Close()) }
