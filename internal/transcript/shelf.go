package transcript

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// shelf is the folder of one client. Nothing outside it is read, whatever the symbolic links in it say.
type shelf struct {
	root   *os.Root
	format Format
}

// openShelf opens a folder below the place where a client keeps its files.
func openShelf(f Format, base, name string) (*shelf, bool) {
	if !filepath.IsAbs(base) {
		return nil, false
	}
	root, err := os.OpenRoot(filepath.Join(base, name))
	if err != nil {
		return nil, false
	}
	return &shelf{root: root, format: f}, true
}

func (s *shelf) close() { _ = s.root.Close() }

// names are the entries of a folder, the last in the order of names first, and not too many.
func (s *shelf) names(dir string) []string {
	all, err := fs.ReadDir(s.root.FS(), dir)
	if err != nil {
		return nil
	}
	var names []string
	for _, entry := range slices.Backward(all) {
		if len(names) == mostNames {
			break
		}
		names = append(names, entry.Name())
	}
	return names
}

// mostNames is how many entries of a folder are looked at.
const mostNames = 5000

// files are the plain files of a folder with one of some endings, newest first.
func (s *shelf) files(dir string, endings ...string) []Place {
	var all []Place
	for _, name := range s.names(dir) {
		if slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(name, e) }) {
			all = append(all, s.file(path.Join(dir, name))...)
		}
	}
	sortPlaces(all)
	return all[:min(len(all), mostPlaces)]
}

// file is one plain file, or none.
func (s *shelf) file(name string) []Place {
	info, err := s.root.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return []Place{{Format: s.format, Path: filepath.Join(s.root.Name(), filepath.FromSlash(name)), Modified: info.ModTime()}}
}

// mostHead is how much of a file is read to know where its session worked.
const mostHead = 256 << 10

// head reads the beginning of a file of the shelf.
func (s *shelf) head(name string) []byte {
	f, err := s.root.Open(name)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	data := make([]byte, mostHead)
	n, err := io.ReadFull(f, data)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return data[:n]
}

// headOf reads the beginning of a place of the shelf.
func (s *shelf) headOf(p Place) []byte {
	name, err := filepath.Rel(s.root.Name(), p.Path)
	if err != nil {
		return nil
	}
	return s.head(filepath.ToSlash(name))
}
