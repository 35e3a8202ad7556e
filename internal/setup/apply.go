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
