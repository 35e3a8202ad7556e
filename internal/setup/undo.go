package setup

import (
	"bytes"
	"errors"
	"slices"
	"strconv"

	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/settings"
)

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
	changed, isChanged := errors.AsType[*settings.ChangedError](err)
	taken, isTaken := errors.AsType[*settings.TakenError](err)
	switch {
	case err == nil:
		return left, nil
	case errors.Is(err, settings.ErrAbsent):
	case isChanged:
		p.Stays = append(p.Stays, Stay{t.Path, changed})
	case isTaken:
		p.Stays = append(p.Stays, Stay{t.Path, taken})
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
