package git

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// PathIn names a file as seen from the top of the repository. It is given as seen from where the repository was opened, or from
// the root of the disk, with or without symbolic links on the way. One that lies elsewhere keeps its name.
func (r *Repo) PathIn(name string) string {
	if !filepath.IsAbs(name) || r.WorkTree == "" {
		return tidy(Below(r.Prefix, filepath.ToSlash(name)))
	}
	for _, seen := range []string{name, withoutLinks(name)} {
		if below, err := filepath.Rel(r.WorkTree, seen); err == nil && filepath.IsLocal(below) {
			return filepath.ToSlash(below)
		}
	}
	return filepath.ToSlash(name)
}

// tidy is a name of a file without what says nothing, such as ./ before it.
func tidy(name string) string {
	if name == "" {
		return ""
	}
	return path.Clean(name)
}

// Below names a path as seen from the top of a repository, which is given as seen from prefix, a folder of it.
func Below(prefix, name string) string {
	if prefix == "" || name == "" || path.IsAbs(name) {
		return name
	}
	return path.Join(prefix, name)
}

// withoutLinks is where a file lies, or will lie: what is about to be made need not be there.
func withoutLinks(name string) string {
	left := ""
	for at := filepath.Clean(name); ; at = filepath.Dir(at) {
		if there, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(there, left)
		}
		if at == filepath.Dir(at) {
			return name
		}
		left = filepath.Join(filepath.Base(at), left)
	}
}

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

// notIgnored is the exit code of git check-ignore for a path that no rule leaves out.
const notIgnored = 1

// Ignores reports whether git leaves a path out of the work tree, seen from its top. It need not be there; one that ends in a
// slash is a directory. A file that git tracks is not ignored.
func (r *Repo) Ignores(ctx context.Context, path string) (bool, error) {
	full := filepath.Join(r.WorkTree, filepath.FromSlash(path))
	if path != "" && path[len(path)-1] == '/' {
		full += string(filepath.Separator)
	}
	_, err := r.run.output(ctx, nil, "check-ignore", "-q", "--", full)
	switch {
	case err == nil:
		return true, nil
	case exitCode(err) == notIgnored:
		return false, nil
	}
	return false, fmt.Errorf("ask whether %q is ignored: %w", path, err)
}
