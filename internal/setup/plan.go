package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/rogpeppe/go-internal/diff"

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

// Diff is the change in the unified form.
func (c Change) Diff() string {
	from, to := c.File.Path, c.File.Path
	if !c.File.Exists {
		from = "/dev/null"
	}
	if c.Gone {
		to = "/dev/null"
	}
	// The first line is of the command diff.
	_, text, _ := bytes.Cut(diff.Diff(from, c.File.Text, to, c.After), []byte("\n"))
	return string(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
}

// Apply does what the plan says, and keeps the record. Where a file cannot be written, those before it are
// put back.
func (p *Plan) Apply() (err error) {
	all, kept := p.Changes, Change{File: p.record, After: p.next.encodeRecord()}
	if kept.Gone = kept.After == nil; kept.Gone {
		kept.Dirs = p.next.Dirs
	} else {
		kept.Dirs = missingDirs(filepath.Dir(p.record.Path))
	}
	changes := kept.Gone && p.record.Exists || string(kept.After) != string(p.record.Text)
	if changes && p.undo {
		all = slices.Concat(all, []Change{kept})
	} else if changes {
		all = slices.Concat([]Change{kept}, all) // Whatever is written can be taken out, wherever we die.
	}
	for i, c := range all {
		if err := c.applyChange(); err != nil {
			return errors.Join(err, putBack(all[:i]))
		}
	}
	return nil
}

// applyChange changes one file.
func (c Change) applyChange() error {
	if c.Gone {
		if err := c.File.Remove(); err != nil {
			return err
		}
		c.removeDirs()
		return nil
	}
	for _, dir := range c.Dirs { // Each is as open as the one that it is made in.
		info, err := os.Stat(filepath.Dir(dir))
		if err == nil {
			err = os.Mkdir(dir, info.Mode().Perm())
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("make directory: %w", err)
		}
	}
	if err := c.File.Replace(c.After); err != nil {
		if !c.File.Exists {
			c.removeDirs()
		}
		return err
	}
	return nil
}

// removeDirs removes the directories that are empty, the innermost first.
func (c Change) removeDirs() {
	for _, dir := range slices.Backward(c.Dirs) {
		if err := os.Remove(dir); err != nil {
			return // Others have files in it.
		}
	}
}

// putBack undoes changes, the last first.
func putBack(done []Change) error {
	var errs []error
	for _, c := range slices.Backward(done) {
		now, err := settings.Read(c.File.Path)
		if err == nil && string(now.Text) == string(c.After) && now.Exists != c.Gone {
			now.Mode = c.File.Mode
			err = Change{File: now, After: c.File.Text, Gone: !c.File.Exists, Dirs: c.Dirs}.applyChange()
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("put back %q: %w", c.File.Path, err))
		}
	}
	return errors.Join(errs...)
}

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
