package citation

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"

	"github.com/git-ltm/git-ltm/internal/local"
)

// The bounds of the files that a check of cited places reads: each of them, and all together.
const (
	maxCitedFile  = 1 << 20
	maxCitedFiles = 64 << 20
)

// workTree reads files below the top of a work tree, as git would: it follows no link, and leaves the tree on
// no way.
type workTree struct {
	root    *os.Root        // nil where there is none
	folders map[string]bool // whether a folder is one, and no link
	left    int64           // bytes that may still be read
}

// openWorkTree makes the files of a repository ready to be read. One that cannot be opened counts as none.
func openWorkTree(repo *git.Repo) *workTree {
	w := &workTree{folders: map[string]bool{".": true}, left: maxCitedFiles}
	if repo.WorkTree != "" {
		w.root, _ = os.OpenRoot(repo.WorkTree)
	}
	return w
}

func (w *workTree) close() error {
	if w.root == nil {
		return nil
	}
	return w.root.Close()
}

// onDisk is what a work tree holds at a path.
type onDisk struct {
	there bool   // it holds something
	read  bool   // data is all of it; else it is a folder, too large, or not to be read
	data  []byte // of a link, the place that it names
}

// openFile returns what stands at a path.
func (w *workTree) openFile(name string) onDisk {
	if w.root == nil || !w.openFolder(path.Dir(name)) {
		return onDisk{}
	}
	info, err := w.root.Lstat(filepath.FromSlash(name))
	switch {
	case err != nil:
		return onDisk{there: !errors.Is(err, fs.ErrNotExist)}
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := w.root.Readlink(filepath.FromSlash(name))
		return onDisk{there: true, read: err == nil, data: []byte(target)}
	case !info.Mode().IsRegular() || info.Size() > min(maxCitedFile, w.left):
		return onDisk{there: true}
	}
	data, err := w.read(name)
	return onDisk{there: true, read: err == nil, data: data}
}

// openFolder tells whether a path is a folder that is reached over no link.
func (w *workTree) openFolder(name string) bool {
	is, known := w.folders[name]
	if !known {
		info, err := w.root.Lstat(filepath.FromSlash(name))
		is = w.openFolder(path.Dir(name)) && err == nil && info.IsDir()
		w.folders[name] = is
	}
	return is
}

func (w *workTree) read(name string) (data []byte, err error) {
	file, err := w.root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	data, err = local.ReadAll(file, maxCitedFile)
	w.left -= int64(len(data))
	return data, err
}

// pathOf is a cited path as git writes it, and whether it may name a file of the project. What lies in a git
// directory does not.
func pathOf(name string) (clean string, ok bool) {
	clean = path.Clean(name)
	if clean == "." || strings.ContainsRune(clean, 0) || !filepath.IsLocal(filepath.FromSlash(clean)) {
		return "", false
	}
	for part := range strings.SplitSeq(clean, "/") {
		if strings.EqualFold(part, ".git") || strings.EqualFold(part, "git~1") {
			return "", false
		}
	}
	return clean, true
}
