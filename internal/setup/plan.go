package setup

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/settings"
)

// recordFile keeps what was put where.
const recordFile = "setup.json"

// record is what was put into files of agents, so that it can be taken out again to the byte.
type record struct {
	// those that were made for the record of a person, the outermost first
	Dirs   []string `json:"dirs,omitempty"`
	Agents []*entry `json:"agents"`
}

// entry is what one agent was told at one scope.
type entry struct {
	Agent string   `json:"agent"`
	Scope Scope    `json:"scope"`
	Top   string   `json:"top,omitempty"` // the work tree; "" for the scope of the user
	Files []*touch `json:"files"`
}

// touch is what was done to one file.
type touch struct {
	Path string `json:"path"`
	Made bool   `json:"made,omitempty"` // the file was not there
	// the directories that were made for it, the outermost first
	Dirs   []string         `json:"dirs,omitempty"`
	Added  []settings.Added `json:"added,omitempty"`  // in the order in which they were put in
	Block  string           `json:"block,omitempty"`  // the name of the block
	Ending string           `json:"ending,omitempty"` // how the text ended before the block
	Whole  bool             `json:"whole,omitempty"`  // the whole file is ours
	Sum    string           `json:"sum"`              // of the text that was written
}

// readRecord reads the record of a scope, and the file that it stands in.
func readRecord(site Site, scope Scope) (record, settings.File, error) {
	path := filepath.Join(site.Common, "ltm", recordFile)
	if scope == User {
		path = site.inConfig("ltm", recordFile)
	} else if site.Common == "" {
		return record{}, settings.File{}, ErrOutside
	}
	f, err := settings.Read(path)
	if err != nil {
		return record{}, f, err
	}
	var r record
	if f.Exists {
		err := json.Unmarshal(f.Text, &r)
		saysNothing := func(e *entry) bool { return e == nil || slices.Contains(e.Files, nil) }
		if err != nil || slices.ContainsFunc(r.Agents, saysNothing) {
			return r, f, fmt.Errorf("read %q: %w", path, errors.Join(ErrRecord, err))
		}
	}
	if !f.Exists && scope == User {
		r.Dirs = missingDirs(filepath.Dir(path))
	}
	f.Mode = 0o600
	return r, f, nil
}

// encodeRecord returns the text of a record; nil for an empty one, which is no file.
func (r *record) encodeRecord() []byte {
	r.Agents = slices.DeleteFunc(r.Agents, func(e *entry) bool { return len(e.Files) == 0 })
	if len(r.Agents) == 0 {
		return nil
	}
	text, _ := clean.JSON(r, "  ") // It is made of plain types.
	return text
}

// IsOwn tells whether an agent was set up at a scope from here. In the files of a project somebody else may
// have done it.
func IsOwn(site Site, a Agent, scope Scope) (bool, error) {
	r, _, err := readRecord(site, scope)
	return err == nil && len(r.entryOf(site, a.Name, scope).Files) > 0, err
}

// entryOf finds what an agent was told, and makes an entry where there is none.
func (r *record) entryOf(site Site, name string, scope Scope) *entry {
	top := site.Top
	if scope == User {
		top = ""
	}
	for _, e := range r.Agents {
		if e.Agent == name && e.Scope == scope && e.Top == top {
			return e
		}
	}
	e := &entry{Agent: name, Scope: scope, Top: top}
	r.Agents = append(r.Agents, e)
	return e
}

// findTouch returns what was done to a file; nil for nothing.
func (e *entry) findTouch(path string) *touch {
	for _, t := range e.Files {
		if t.Path == path {
			return t
		}
	}
	return nil
}

// touchOf returns what was done to a file, and begins a list where nothing was.
func (e *entry) touchOf(path string) *touch {
	t := e.findTouch(path)
	if t == nil {
		t = &touch{Path: path}
		e.Files = append(e.Files, t)
	}
	return t
}

// sumOf is the sum of a text.
func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// heirOf is the entry of another work tree of the same clone that needs a file as well; nil where there is
// none, and for a file within the work tree.
func (r *record) heirOf(of *entry, site Site, path string) *entry {
	if of.Top == "" || local.IsBelow(site.Top, path) && path != filepath.Join(site.Common, "info", "exclude") {
		return nil
	}
	for _, e := range r.Agents {
		if e != of && e.Agent == of.Agent && e.Scope == of.Scope && len(e.Files) > 0 && isDir(e.Top) {
			return e
		}
	}
	return nil
}

// isUnchanged tells whether a file is as we wrote it last.
func (t *touch) isUnchanged(f settings.File) bool {
	return t != nil && t.Sum != "" && t.Sum == sumOf(f.Text)
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
	if err := a.checkScope(site, scope); err != nil {
		return p, err
	}
	if where := a.Plugin(site); where != "" {
		return p, fmt.Errorf("%s %w from a plugin already: %s", a.Title, ErrTwice, where)
	}
	for _, other := range a.Scopes {
		if other == scope || other != User && site.Top == "" {
			continue
		}
		if path := a.lookAt(site, other).Hooks; path != "" {
			return p, fmt.Errorf("%s %w in %s already (scope %s), and would run each hook twice", a.Title, ErrTwice, path, other)
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
		return fmt.Errorf("%s %w %q", a.Title, ErrScope, scope)
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

// Apply does what the plan says, and keeps the record. Where a file cannot be written, those before it stay,
// and another plan does the rest.
func (p *Plan) Apply() error {
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
	for _, c := range all {
		if err := c.applyChange(); err != nil {
			return err
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

// The errors of a plan.
var (
	ErrOutside = errors.New("there is no work tree here for files of the project")
	ErrRecord  = errors.New("it is damaged")
	ErrOutward = errors.New("a link leads out of the work tree")
	ErrScope   = errors.New("has no files for the scope")
	ErrTwice   = errors.New("has git ltm") // from elsewhere, so that each hook would run twice
)

// FileError is a file that cannot be edited, and is left as it is.
type FileError struct {
	Path string
	Err  error
}

// Error names the file.
func (e *FileError) Error() string { return fmt.Sprintf("edit %q: %v", e.Path, e.Err) }

// Unwrap returns why.
func (e *FileError) Unwrap() error { return e.Err }

// UndoFor says what is taken out again of what an agent was told at a scope. It changes nothing. What
// somebody changed since stays, and so does what others wrote.
func UndoFor(site Site, a Agent, scope Scope) (Plan, error) {
	p := Plan{Agent: a, Scope: scope, undo: true}
	if err := a.checkScope(site, scope); err != nil {
		return p, err
	}
	r, file, err := readRecord(site, scope)
	if err != nil {
		return p, err
	}
	e := r.entryOf(site, a.Name, scope)
	wishes := a.wishesAt(site, scope)
	// A skill alone may be that of another scope.
	if s := a.lookAt(site, scope); s.Told || len(s.Broken) > 0 {
		if err := e.adoptWishes(wishes); err != nil {
			return p, err
		}
	}
	for _, t := range slices.Backward(e.Files) {
		if heir := r.heirOf(e, site, t.Path); heir != nil {
			if heir.findTouch(t.Path) == nil {
				heir.Files = append(heir.Files, t)
			}
			continue
		}
		if err := p.undoFile(site, t, wishes); err != nil {
			return p, &FileError{t.Path, err}
		}
	}
	e.Files = nil
	p.record, p.next = file, r
	return p, nil
}

// adoptWishes adds what stands in the files as we write it and is not recorded here: a colleague's clone may
// have written it.
func (e *entry) adoptWishes(wishes []wish) error {
	for _, w := range wishes {
		f, err := settings.Read(w.path)
		if err != nil {
			return err
		}
		state, err := w.lookAt(f)
		if _, taken := errors.AsType[*settings.TakenError](err); err != nil && !taken {
			return &FileError{w.path, err}
		}
		t := e.findTouch(w.path)
		recorded := t != nil &&
			(w.add == nil && (t.Whole || t.Block != "") || slices.ContainsFunc(t.Added, w.hasWritten))
		if state == missing || recorded || w.mere {
			continue
		}
		t = e.touchOf(w.path)
		switch {
		case w.add != nil:
			t.Added = append(t.Added, settings.Added{Addition: *w.add, Made: len(w.add.Path)})
		case w.block != nil:
			t.Block, t.Ending = w.block.Name, "\n"
		default:
			t.Whole = true
		}
	}
	return nil
}

// undoFile plans what becomes of one file.
func (p *Plan) undoFile(site Site, t *touch, wishes []wish) error {
	f, err := settings.Read(t.Path)
	if err != nil || !f.Exists {
		return err
	}
	w := wishOf(wishes, t.Path)
	if w != nil && w.inside && !local.IsBelow(site.Top, t.Path) {
		return ErrOutward
	}
	c := Change{File: f, After: f.Text}
	if t.Whole {
		if !t.isUnchanged(f) && (w == nil || !w.isWhole(f.Text)) {
			p.Stays = append(p.Stays, Stay{t.Path, errors.New("it was changed since")})
			return nil
		}
		c.Gone = true
	} else if c.After, err = p.takeOut(f.Text, t, wishes); err != nil {
		return err
	}
	if t.Made && len(bytes.TrimSpace(c.After)) == 0 {
		c.Gone = true
	}
	if c.Gone {
		c.After, c.Dirs = nil, t.Dirs
	}
	if c.Gone || !bytes.Equal(c.After, f.Text) {
		p.Changes = append(p.Changes, c)
	}
	return nil
}

// wishOf is the first wish for a file; nil where there is none, as when another version wrote it.
func wishOf(wishes []wish, path string) *wish {
	i := slices.IndexFunc(wishes, func(w wish) bool { return w.path == path })
	if i < 0 {
		return nil
	}
	return &wishes[i]
}

// takeOut takes all that was added out of a text, the last first. A block that defines a table goes wherever the
// table stands now, if it is still ours.
func (p *Plan) takeOut(text []byte, t *touch, wishes []wish) ([]byte, error) {
	if t.Block != "" {
		b, w, left, err := settings.Block{Name: t.Block}, wishOf(wishes, t.Path), text, error(nil)
		if w == nil || w.table == nil {
			left, err = b.Cut(text, t.Ending)
		} else if _, err = w.lookTable(text); err == nil {
			left, err = settings.CutTable(text, b, t.Ending, w.table...)
		}
		return p.leaveChanged(t, text, left, err)
	}
	edited := sumOf(text) != t.Sum
	for _, a := range slices.Backward(t.Added) {
		// The wish that it came from; of another version there is none, and it goes by its value alone.
		var w wish
		if i := slices.IndexFunc(wishes, func(w wish) bool {
			return w.path == t.Path && w.hasWritten(a)
		}); i >= 0 {
			w = wishes[i]
		}
		if w.mere && edited {
			value, _, err := settings.Value(text, a.Path...)
			if m, _ := value.(map[string]any); err != nil || len(m) != 1 {
				continue // What others wrote needs it.
			}
		}
		left, err := settings.Remove(text, a, w.own)
		if errors.Is(err, settings.ErrAbsent) && w.inner != nil {
			left, err = w.inner.takeOut(text, a.Path)
		}
		if text, err = p.leaveChanged(t, text, left, err); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// leaveChanged returns a text without what was taken out, or as it was where that is not there any more, or where
// somebody changed it or has it: then it stays, and the plan says so.
func (p *Plan) leaveChanged(t *touch, was, left []byte, err error) ([]byte, error) {
	_, isChanged := errors.AsType[*settings.ChangedError](err)
	_, isTaken := errors.AsType[*settings.TakenError](err)
	switch {
	case err == nil:
		return left, nil
	case errors.Is(err, settings.ErrAbsent):
	case isChanged || isTaken:
		p.Stays = append(p.Stays, Stay{t.Path, err})
	default:
		return nil, err
	}
	return was, nil
}

// takeOut takes what is ours out of an element that others wrote in.
func (in *inner) takeOut(text []byte, path []string) ([]byte, error) {
	value, _, err := settings.Value(text, path...)
	if err != nil {
		return nil, err
	}
	list, _ := value.([]any)
	for i, element := range list {
		if in.isWithin(element) {
			at := append(slices.Clone(path), strconv.Itoa(i), in.name)
			return settings.Remove(text,
				settings.Added{Addition: settings.Addition{Path: at, Value: in.value}}, in.own)
		}
	}
	return nil, settings.ErrAbsent
}
