package web

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/local"
)

// ErrOccupied says that a folder holds something else than an earlier export, which would be lost.
var ErrOccupied = errors.New("it holds what is not of an earlier export")

// A place is the folder that an export goes to.
type place struct{ dir string }

// manifestName is the file that lists an export, and by which it is known.
const manifestName = "git-ltm-pages.txt"

// manifestHead is its first line.
const manifestHead = "Pages that git ltm web --export wrote. It replaces these files as a whole:"

// The modes of folders and files: what a memory says is its owner's to hand on.
const (
	folderMode = 0o700
	fileMode   = 0o600
)

// newPlace makes sure that nothing is lost.
func newPlace(dir string) (place, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return place{}, fmt.Errorf("write pages: %w", err)
	}
	p := place{dir: dir}
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return p, nil
	case err != nil:
		return place{}, fmt.Errorf("write pages: %w", err)
	case !info.IsDir():
		return place{}, fmt.Errorf("write pages: %q: %w", dir, ErrOccupied)
	}
	if strange, err := p.strange(); err != nil || strange != "" {
		if err == nil {
			err = fmt.Errorf("%w: %s", ErrOccupied, strange)
		}
		return place{}, fmt.Errorf("write pages: %q: %w", dir, err)
	}
	return p, nil
}

// strange returns the first thing in the folder that its manifest does not list. A link is strange wherever it leads.
func (p place) strange() (string, error) {
	root, err := os.OpenRoot(p.dir)
	if err != nil {
		return "", err
	}
	defer func() { _ = root.Close() }()
	manifest, err := root.ReadFile(manifestName)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return manifestName, nil
	}
	lines := strings.Split(string(manifest), "\n")
	if lines[0] != manifestHead {
		lines = nil
	}
	listed := make(map[string]bool, len(lines))
	for _, name := range lines {
		for ; name != "" && name != "."; name = path.Dir(name) {
			listed[name] = true
		}
	}
	found := ""
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		ours := listed[name] || name == manifestName && len(lines) > 0
		if err == nil && name != "." && (!ours || d.Type()&fs.ModeType&^fs.ModeDir != 0) {
			found = name
			return fs.SkipAll
		}
		return err
	})
	return found, err
}

// fill lets a folder be filled beside the place, and puts it there when it is whole.
func (p place) fill(fill func(writer) error) error {
	if err := local.Beside(p.dir, func(fresh string) error { return p.write(fresh, fill) }); err != nil {
		return fmt.Errorf("write pages: %w", err)
	}
	return nil
}

// write fills a new folder, and lists in it what it holds.
func (p place) write(fresh string, fill func(writer) error) (err error) {
	if err := os.Mkdir(fresh, folderMode); err != nil {
		return fmt.Errorf("write pages: %w", err)
	}
	root, err := os.OpenRoot(fresh)
	if err != nil {
		return fmt.Errorf("write pages: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	var names []string
	err = fill(func(name string, data []byte) error {
		if err := root.MkdirAll(path.Dir(name), folderMode); err != nil {
			return fmt.Errorf("write pages: %w", err)
		}
		names = append(names, name)
		if err := root.WriteFile(name, data, fileMode); err != nil {
			return fmt.Errorf("write pages: %w", err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	slices.Sort(names)
	var manifest bytes.Buffer
	manifest.WriteString(manifestHead + "\n" + strings.Join(names, "\n") + "\n")
	return root.WriteFile(manifestName, manifest.Bytes(), fileMode)
}
