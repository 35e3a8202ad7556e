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

// Apply does what the plan says, and keeps the record. Where a file cannot be written, those before it are
// put back.
func (p *Plan) Apply() (err error) {
	all := p.Changes
	if c, ok := p.recordChange(); ok && p.undo {
		all = slices.Concat(all, []Change{c})
	} else if ok {
		all = slices.Concat([]Change{c}, all) // Whatever is written can be taken out, wherever we die.
	}
	for i, c := range all {
		if err := c.applyChange(); err != nil {
			return errors.Join(err, putBack(all[:i]))
		}
	}
	return nil
}

// recordChange is what becomes of the record.
func (p *Plan) recordChange() (c Change, changes bool) {
	c = Change{File: p.record, After: p.next.encodeRecord()}
	c.Gone = c.After == nil
	if c.Gone {
		c.Dirs = p.next.Dirs
		return c, p.record.Exists
	}
	c.Dirs = missingDirs(filepath.Dir(p.record.Path))
	return c, string(c.After) != string(p.record.Text)
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
	if err := c.makeDirs(); err != nil {
		return fmt.Errorf("make directory: %w", err)
	}
	if err := c.File.Replace(c.After); err != nil {
		if !c.File.Exists {
			c.removeDirs()
		}
		return err
	}
	return nil
}

// makeDirs makes the directories, each as open as the one that it is made in.
func (c Change) makeDirs() error {
	for _, dir := range c.Dirs {
		info, err := os.Stat(filepath.Dir(dir))
		if err != nil {
			return err
		}
		if err := os.Mkdir(dir, info.Mode().Perm()); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
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
