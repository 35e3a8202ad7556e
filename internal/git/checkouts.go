package git

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// maxLink bounds the file that says where a work tree lies, in bytes.
const maxLink = 64 * 1024

// OriginError is a setting that stands in a file which a checkout can change, as include.path = ../.gitconfig lets one. Whoever
// writes a branch would decide it.
type OriginError struct {
	Key  string
	File string // relative to the top of the work tree where it lies there
}

func (e *OriginError) Error() string {
	return e.Key + " is set in " + strconv.Quote(e.File) + ", a file that a checkout can change"
}

// own refuses a value of a key by where it stands. What the person's own files or those of the machine say is theirs, wherever
// they lie; what these include is judged by its place.
func (r *Repo) own(key, scope, origin string) error {
	file, isFile := strings.CutPrefix(origin, "file:")
	if !isFile || scope == "system" {
		return nil
	}
	top := cmp.Or(r.WorkTree, r.Dir)
	if !filepath.IsAbs(file) {
		file = filepath.Join(top, file)
	}
	file = filepath.Clean(file)
	if global, known := r.globalConfig(); scope == "global" && known && slices.Contains(global, file) || !r.InCheckout(file) {
		return nil
	}
	if rel, err := filepath.Rel(top, file); err == nil && filepath.IsLocal(rel) {
		file = rel
	}
	return &OriginError{Key: key, File: file}
}

// InCheckout reports whether a file lies in one of the work trees of the repository, through links too.
func (r *Repo) InCheckout(file string) bool {
	return slices.ContainsFunc(r.checkouts(), func(folder string) bool { return inside(folder, file) })
}

// checkouts returns the work trees of a repository: the one that is used now, that of the repository itself, and the linked
// ones. One that cannot be found is left out.
func (r *Repo) checkouts() []string {
	all := []string{r.WorkTree}
	if filepath.Base(r.CommonDir) == ".git" {
		all = append(all, filepath.Dir(r.CommonDir))
	}
	linked := filepath.Join(r.CommonDir, "worktrees")
	entries, _ := os.ReadDir(linked) // There may be none.
	for _, e := range entries {
		file := filepath.Join(linked, e.Name(), "gitdir")
		if info, err := os.Stat(file); err != nil || info.Size() > maxLink {
			continue
		}
		text, err := os.ReadFile(file)
		place := strings.TrimSpace(string(text))
		if err == nil && !filepath.IsAbs(place) {
			place = filepath.Join(linked, e.Name(), place)
		}
		if err == nil {
			all = append(all, filepath.Dir(place))
		}
	}
	return all
}

// inside reports whether a file lies in a folder, through links too.
func inside(folder, file string) bool {
	if folder == "" {
		return false
	}
	for _, resolve := range []func(string) string{filepath.Clean, realPath} {
		rel, err := filepath.Rel(resolve(folder), resolve(file))
		if err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) && !strings.HasPrefix(rel, ".git"+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// realPath resolves links as far as the path exists.
func realPath(path string) string {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		return resolved
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(dir, filepath.Base(path))
	}
	return filepath.Clean(path)
}
