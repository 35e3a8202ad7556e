package setup

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/settings"
)

// Plan is what is going to change.
type Plan struct {
	Agent   Agent
	Scope   Scope
	Changes []Change
	Stays   []Stay   // what an undo leaves where it is
	Notes   []string // what is left to the person afterwards

	undo   bool          // it takes out
	record settings.File // as it was read
	next   record        // what it becomes
}

// Stay is something that is not taken out.
type Stay struct {
	Path string
	Why  error
}

// Change is one file that changes.
type Change struct {
	File  settings.File
	After []byte
	Gone  bool     // the file goes
	Dirs  []string // the directories that are made before, or go after if they are empty; the outermost first
}

// Empty tells whether nothing changes.
func (p *Plan) Empty() bool { return len(p.Changes) == 0 }

// PlanFor says what an agent is still to be told at a scope. It changes nothing.
func PlanFor(site Site, a Agent, scope Scope) (Plan, error) {
	p := Plan{Agent: a, Scope: scope}
	if err := a.checkScope(site, scope); err != nil {
		return p, err
	}
	if where := a.Plugin(site); where != "" {
		return p, &TwiceError{Agent: a.Title, Where: where}
	}
	for _, other := range a.Scopes {
		if other == scope || other != User && site.Top == "" {
			continue
		}
		if path := a.lookAt(site, other).Hooks; path != "" {
			return p, &TwiceError{Agent: a.Title, Where: path, Scope: other}
		}
	}
	r, file, err := readRecord(site, scope)
	if err != nil {
		return p, err
	}
	if err := p.planWishes(site, r.entryOf(site, a.Name, scope), a.wishesAt(site, scope)); err != nil {
		return p, err
	}
	p.record, p.next = file, r
	p.Notes = a.notes[scope]
	return p, nil
}

// checkScope checks a scope.
func (a Agent) checkScope(site Site, scope Scope) error {
	switch {
	case !slices.Contains(a.Scopes, scope):
		return &ScopeError{a.Title, scope}
	case scope != User && site.Top == "":
		return ErrOutside
	}
	return nil
}

// planWishes plans each file once, in the order of the wishes.
func (p *Plan) planWishes(site Site, e *entry, wishes []wish) error {
	for i, w := range wishes {
		if slices.ContainsFunc(wishes[:i], func(v wish) bool { return v.path == w.path }) {
			continue
		}
		if w.inside && !local.IsBelow(site.Top, w.path) {
			return &FileError{w.path, ErrOutward}
		}
		f, err := settings.Read(w.path)
		if err != nil {
			return err
		}
		if w.private && !f.Exists {
			f.Mode = 0o600
		}
		same := slices.DeleteFunc(slices.Clone(wishes), func(v wish) bool { return v.path != w.path })
		if err := p.planFile(f, same, e); err != nil {
			return &FileError{w.path, err}
		}
	}
	return nil
}

// planFile plans all that one file is to hold.
func (p *Plan) planFile(f settings.File, wishes []wish, e *entry) error {
	now := f
	if !f.Exists {
		e.Files = slices.DeleteFunc(e.Files, func(t *touch) bool { return t.Path == f.Path })
	}
	for _, w := range wishes {
		state, err := w.lookAt(now)
		if err != nil {
			return err
		}
		// Another version wrote it.
		renewed := state == altered && w.whole != nil && e.findTouch(f.Path).isUnchanged(f)
		if state != missing && !renewed {
			continue
		}
		if now.Text, err = w.putIn(now.Text, e.touchOf(f.Path)); err != nil {
			return err
		}
		now.Exists = true
	}
	if now.Exists == f.Exists && string(now.Text) == string(f.Text) {
		return nil
	}
	c := Change{File: f, After: now.Text}
	t := e.touchOf(f.Path)
	t.Sum = sumOf(now.Text)
	if !f.Exists {
		c.Dirs = missingDirs(filepath.Dir(f.Path))
		t.Made, t.Dirs = true, c.Dirs
	}
	p.Changes = append(p.Changes, c)
	return nil
}

// putIn puts what is wished for into a text, and notes how it goes out again.
func (w wish) putIn(text []byte, t *touch) ([]byte, error) {
	switch {
	case w.add != nil:
		after, added, err := settings.Insert(text, *w.add)
		if err == nil {
			t.Added = append(slices.DeleteFunc(t.Added, w.hasWritten), added)
		}
		return after, err
	case w.block != nil:
		t.Block, t.Ending = w.block.Name, settings.Ending(text)
		if w.table == nil {
			return w.block.Append(text), nil
		}
		return settings.AppendTable(text, *w.block, w.table...)
	}
	t.Whole = true
	return w.whole, nil
}

// missingDirs lists the directories that have to be made, the outermost first.
func missingDirs(dir string) []string {
	var dirs []string
	for {
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			break
		}
		dirs = append(dirs, dir)
		dir = filepath.Dir(dir)
	}
	slices.Reverse(dirs)
	return dirs
}
