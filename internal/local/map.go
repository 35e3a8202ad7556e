package local

import (
	"errors"
	"io/fs"
	"os"
)

// Mapping is a file as it was when it was mapped into memory, of which the system reads only what is looked at.
// The file has to be one that is replaced and never changed, as git does with packed refs and indexes of packs.
type Mapping struct {
	data  []byte
	info  fs.FileInfo
	unmap func() error
}

// Map maps a file. One that is not there is fs.ErrNotExist.
func Map(path string) (m *Mapping, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	m = &Mapping{unmap: func() error { return nil }}
	if m.info, err = file.Stat(); err != nil || m.info.Size() == 0 {
		return m, err
	}
	m.data, m.unmap, err = mapFile(file, m.info.Size())
	return m, err
}

// Bytes is what the file holds. Nobody may look at it after Close, nor write to it.
func (m *Mapping) Bytes() []byte { return m.data }

// Is reports whether a file that was looked at now is the one that was mapped, unchanged.
func (m *Mapping) Is(info fs.FileInfo) bool {
	return os.SameFile(m.info, info) && m.info.Size() == info.Size() && m.info.ModTime().Equal(info.ModTime())
}

// Close lets go of the memory.
func (m *Mapping) Close() error { return m.unmap() }
