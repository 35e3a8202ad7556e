package hook

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/git-ltm/git-ltm/internal/local"
)

// Keeper is who keeps the hook of a name.
type Keeper string

// The keepers of hooks.
const (
	Nobody    Keeper = ""            // Nobody keeps it: Install may write one.
	Foreign   Keeper = "somebody"    // Foreign is a hook that a person or a program wrote.
	Checkout  Keeper = "the project" // Checkout is a directory of hooks that lies in the work tree.
	Husky     Keeper = "husky"
	Lefthook  Keeper = "lefthook"
	PreCommit Keeper = "pre-commit"
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
	Calls      bool   // it, or the file of its keeper, calls git ltm
	Keeper     Keeper // who keeps it, where it is not Own
	File       string // the file that the keeper's users edit
	Lines      string // what calls git ltm from that file; empty where nothing can
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
	p.findKeeper(site, text)
	p.Calls = p.Exists && n.isCalledIn(text) || p.File != "" && n.isCalledIn(readSmall(p.File))
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
	if !info.Mode().IsRegular() {
		return "", nil
	}
	return readSmall(p.Path), nil
}

// readSmall returns the text of a file, or nothing.
func readSmall(path string) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxHook {
		return ""
	}
	text, _ := os.ReadFile(path) // What cannot be read calls nobody.
	return string(text)
}

// findKeeper finds out who keeps the hook, and what is to be added to which file.
func (p *Place) findKeeper(site Site, text string) {
	config := ""
	if p.Name == PrePush && site.WorkTree != "" {
		config = lefthookFile(site.WorkTree)
	}
	switch {
	case site.inWorkTree() && strings.Contains(filepath.ToSlash(site.Dir)+"/", "/.husky/"):
		dir := site.Dir
		if filepath.Base(dir) == "_" {
			dir = filepath.Dir(dir)
		}
		p.Keeper, p.File, p.Lines = Husky, filepath.Join(dir, string(p.Name)), p.Name.Line()+"\n"
	case config != "" && (!p.Exists || strings.Contains(text, "lefthook")):
		p.Keeper, p.File, p.Lines = Lefthook, config, lefthookLines
	case p.Exists && p.Name == PrePush && strings.Contains(text, "pre-commit") &&
		isFile(filepath.Join(site.WorkTree, preCommitFile)):
		p.Keeper, p.File = PreCommit, filepath.Join(site.WorkTree, preCommitFile)
	case site.inWorkTree() && !p.Exists:
		p.Keeper, p.File, p.Lines = Checkout, p.Path, p.Name.Script()
	case p.Exists:
		p.Keeper, p.File, p.Lines = Foreign, p.Path, p.Name.Line()+"\n"
	}
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

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
