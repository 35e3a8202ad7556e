package local

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
)

// Mapping is a file as it was when it was mapped into memory, of which the system reads only what is looked at.
// The file has to be one that is replaced and never changed, as git does with packed refs and indexes of packs.
// The memory is given back when nobody holds the mapping any more: whoever looks at its bytes holds it that
// long, by [runtime.KeepAlive] where nothing else does.
type Mapping struct {
	data []byte
	info fs.FileInfo
}

// Map maps a file that is open, and closes it.
func Map(file *os.File) (*Mapping, error) {
	info, err := file.Stat()
	m := &Mapping{info: info}
	if err == nil && info.Size() > 0 {
		if m.data, err = mapFile(file, info.Size()); err == nil {
			runtime.AddCleanup(m, unmapFile, m.data)
		}
	}
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	return m, nil
}

// Bytes is what the file holds. Nobody may write to it.
func (m *Mapping) Bytes() []byte { return m.data }

// Is reports whether a file that was looked at now is the one that was mapped, unchanged.
func (m *Mapping) Is(info fs.FileInfo) bool { return IsUnchanged(m.info, info) }

// IsUnchanged reports whether a file that was looked at twice is the same file, as it was.
func IsUnchanged(was, now fs.FileInfo) bool {
	return os.SameFile(was, now) && was.Size() == now.Size() && was.ModTime().Equal(now.ModTime())
}

// Forget gives the memory back that holds what was looked at so far, for whoever goes along the whole file. What
// is looked at again is read again.
func (m *Mapping) Forget() { forgetMapped(m.data) }
