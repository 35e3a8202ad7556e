package setup

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

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
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return nil // It is made of plain types.
	}
	return append(text, '\n')
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
