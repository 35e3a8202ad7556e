package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-ltm/git-ltm/internal/settings"
)

// The errors of a plan.
var (
	ErrOutside = errors.New("there is no work tree here for files of the project")
	ErrRecord  = errors.New("it is damaged")
	ErrOutward = errors.New("a link leads out of the work tree")
)

// ScopeError is a scope that an agent has no files for.
type ScopeError struct {
	Agent string
	Scope Scope
}

// Error names both.
func (e *ScopeError) Error() string {
	return fmt.Sprintf("%s has no files for the scope %q", e.Agent, e.Scope)
}

// FileError is a file that cannot be edited, and is left as it is.
type FileError struct {
	Path string
	Err  error
}

// Error names the file.
func (e *FileError) Error() string { return fmt.Sprintf("edit %q: %v", e.Path, e.Err) }

// Unwrap returns why.
func (e *FileError) Unwrap() error { return e.Err }

// TwiceError is an agent that is told the same from somewhere else, so that each hook would run twice.
type TwiceError struct {
	Agent string
	Where string // the plugin, or the file
	Scope Scope  // of the file; "" for a plugin
}

// Error names where.
func (e *TwiceError) Error() string {
	if e.Scope == "" {
		return fmt.Sprintf("%s has git ltm from a plugin already: %s", e.Agent, e.Where)
	}
	return fmt.Sprintf("%s has the hooks of git ltm in %s already (scope %s), and would run each of them twice", e.Agent, e.Where, e.Scope)
}

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
	if err := a.allows(site, scope); err != nil {
		return p, err
	}
	if err := a.twice(site, scope); err != nil {
		return p, err
	}
	r, file, err := readRecord(site, scope)
	if err != nil {
		return p, err
	}
	if err := p.fill(site, r.entry(site, a.Name, scope)); err != nil {
		return p, err
	}
	p.record, p.next = file, r
	p.Notes = a.notes(site, scope)
	return p, nil
}

// allows checks a scope.
func (a Agent) allows(site Site, scope Scope) error {
	switch {
	case !slices.Contains(a.Scopes, scope):
		return &ScopeError{a.Title, scope}
	case scope != User && site.Top == "":
		return ErrOutside
	}
	return nil
}

// fill plans each file once, in the order of the wishes.
func (p *Plan) fill(site Site, e *entry) error {
	wishes := p.Agent.wishes(site, p.Scope)
	for i, w := range wishes {
		if slices.ContainsFunc(wishes[:i], func(v wish) bool { return v.path == w.path }) {
			continue
		}
		if w.inside && !below(site.Top, w.path) {
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
		e.forget(f.Path)
	}
	for _, w := range wishes {
		state, err := w.look(now)
		if err != nil {
			return err
		}
		renewed := state == altered && w.whole != nil && e.find(f.Path).wrote(f) // By another version.
		if state != missing && !renewed {
			continue
		}
		if now.Text, err = w.grant(now.Text, e.touch(f.Path)); err != nil {
			return err
		}
		now.Exists = true
	}
	if now.Exists == f.Exists && string(now.Text) == string(f.Text) {
		return nil
	}
	c := Change{File: f, After: now.Text}
	t := e.touch(f.Path)
	t.Sum = sumOf(now.Text)
	if !f.Exists {
		c.Dirs = missingDirs(filepath.Dir(f.Path))
		t.Made, t.Dirs = true, c.Dirs
	}
	p.Changes = append(p.Changes, c)
	return nil
}

// grant puts what is wished for into a text, and notes how it goes out again.
func (w wish) grant(text []byte, t *touch) ([]byte, error) {
	switch {
	case w.add != nil:
		after, added, err := settings.Insert(text, *w.add)
		if err == nil {
			t.Added = append(slices.DeleteFunc(t.Added, w.wrote), added)
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
