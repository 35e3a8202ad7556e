package hook

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/git-ltm/git-ltm/internal/local"
)

// Keeper is who keeps the hook of a name.
type Keeper string

// The keepers of hooks.
const (
	Nobody   Keeper = ""            // Nobody keeps it: Install may write one.
	Foreign  Keeper = "somebody"    // Foreign is a hook that a person or a program wrote.
	Checkout Keeper = "the project" // Checkout is a directory of hooks that lies in the work tree.
	Lefthook Keeper = "lefthook"
)

// Site is where a repository has its hooks.
type Site struct {
	Dir      string // required: where git looks for hooks
	WorkTree string // empty in a bare repository
	GitDir   string // the directory of git, which may lie in the work tree
	Shared   bool   // other repositories may have their hooks there too
}

// Resolve returns the site with Shared filled in.
func (s Site) Resolve() Site {
	s.Shared = !isBelow(s.GitDir, s.Dir)
	return s
}

// Place is where one hook lies, or would lie.
type Place struct {
	Name       Name
	Path       string // where git looks for it
	Exists     bool
	Own        bool // Install wrote it
	Executable bool
	Calls      bool   // it calls git ltm
	Keeper     Keeper // who keeps it, where it is not Own
}

// At looks at the place of a hook. It changes nothing.
func (n Name) At(site Site) (Place, error) {
	p := Place{Name: n, Path: filepath.Join(site.Dir, string(n))}
	text, err := p.readFile()
	if err != nil {
		return p, fmt.Errorf("look at hook %q: %w", p.Path, err)
	}
	if p.Own = text == n.Script(); p.Own {
		p.Calls = true
		return p, nil
	}
	p.Calls = n.isCalledIn(text)
	switch {
	case p.Exists:
		p.Keeper = Foreign
	case site.inWorkTree():
		p.Keeper = Checkout
	case n == PrePush && site.WorkTree != "" && isOfLefthook(site.WorkTree):
		p.Keeper = Lefthook
	}
	return p, nil
}

// maxHook is the longest file that is searched for a line.
const maxHook = 1 << 20

// readFile returns the text of the hook, and notes what kind of file it is. What is no plain file has no
// text.
func (p *Place) readFile() (string, error) {
	info, err := os.Lstat(p.Path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	p.Exists = true
	if target, err := os.Stat(p.Path); err == nil {
		p.Executable = target.Mode().Perm()&0o111 != 0
	}
	if !info.Mode().IsRegular() || info.Size() > maxHook {
		return "", nil
	}
	text, _ := os.ReadFile(p.Path) // What cannot be read calls nobody.
	return string(text), nil
}

// inWorkTree reports whether the hooks are files of the project.
func (s Site) inWorkTree() bool {
	return s.WorkTree != "" && isBelow(s.WorkTree, s.Dir) && !isBelow(s.GitDir, s.Dir)
}

// isBelow reports whether a path lies in a directory, also where links lead to either.
func isBelow(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return dir != "" && (err == nil && filepath.IsLocal(rel) || local.IsBelow(dir, path))
}
