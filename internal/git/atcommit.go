package git

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// The bounds of the commits and trees that a search for a path reads. A larger one counts as missing.
const (
	maxCommit = 1 << 20
	maxTree   = 8 << 20
)

// ErrNoPath says that a commit is here and holds nothing at a path.
var ErrNoPath = errors.New("no such path in the commit")

// Place is a file or a folder as it was in a commit.
type Place struct {
	Commit string // Commit is required: a whole id.
	Path   string // Path is required: relative to the top, with forward slashes. It is compared byte for byte.
}

// Standing is what a commit holds at a place.
type Standing struct {
	OID  string
	Mode string // Mode is as in a tree: 100644, 120000 of a link, 40000 of a folder.
	Err  error  // Err is ErrMissing where the commit cannot be read, and ErrNoPath where it holds nothing there.
}

// At finds what commits hold at some places, in the order of the questions. Only names of objects are asked for, so that no
// path can be taken for anything else. An error ends the Batch, which can only be closed then.
func (b *Batch) At(places []Place) ([]Standing, error) {
	l := lookup{batch: b, found: make([]Standing, len(places)), trees: map[string]tree{}}
	// Puts every place at the top of its commit.
	l.left = make([]string, len(places))
	tops := map[string]Answer{}
	var wanted []Wanted
	for _, p := range places {
		if _, known := tops[p.Commit]; !known {
			tops[p.Commit] = Answer{}
			wanted = append(wanted, Wanted{OID: p.Commit, Max: maxCommit})
		}
	}
	answers, err := l.batch.ReadMany(wanted)
	if err != nil {
		return nil, err
	}
	for i, w := range wanted {
		tops[w.OID] = answers[i]
	}
	for i, p := range places {
		l.left[i] = strings.TrimSuffix(p.Path, "/")
		l.found[i] = topOf(p.Commit, tops[p.Commit])
	}
	for {
		more, err := l.descend()
		if err != nil {
			return nil, err
		}
		if !more {
			return l.found, nil
		}
	}
}

// lookup walks from commits to paths, one level of all of them at once.
type lookup struct {
	batch *Batch
	found []Standing // OID is where each stands now
	left  []string   // what each has still to go
	trees map[string]tree
}

// tree is the entries of a folder by their names, or why it cannot be read.
type tree struct {
	entries map[string]Standing
	err     error
}

// topOf is the tree that a commit names in its first line.
func topOf(commit string, a Answer) Standing {
	line, _, _ := bytes.Cut(a.Data, []byte("\n"))
	top, ok := strings.CutPrefix(string(line), "tree ")
	if a.Err != nil || a.Type != "commit" || !ok || !isObjectID(top) {
		return Standing{Err: fmt.Errorf("commit %q: %w", commit, ErrMissing)}
	}
	return Standing{OID: top, Mode: modeFolder}
}

// modeFolder is the mode of a tree within a tree.
const modeFolder = "40000"

// descend goes one level down wherever there is a way to go, and reports whether there was one.
func (l *lookup) descend() (more bool, err error) {
	var wanted []Wanted
	for i := range l.found {
		f := &l.found[i]
		if f.Err != nil || l.left[i] == "" {
			continue
		}
		if f.Mode != modeFolder {
			f.Err = ErrNoPath
			continue
		}
		if _, known := l.trees[f.OID]; !known {
			l.trees[f.OID] = tree{}
			wanted = append(wanted, Wanted{OID: f.OID, Max: maxTree})
		}
		more = true
	}
	answers, err := l.batch.ReadMany(wanted)
	if err != nil {
		return false, err
	}
	for i, w := range wanted {
		l.trees[w.OID] = readTree(answers[i], len(w.OID)/2)
	}
	for i := range l.found {
		if l.found[i].Err == nil && l.left[i] != "" {
			// Goes into the next part of a path.
			name, rest, _ := strings.Cut(l.left[i], "/")
			folder := l.trees[l.found[i].OID]
			next, ok := folder.entries[name]
			switch {
			case folder.err != nil:
				next.Err = folder.err
			case !ok:
				next.Err = ErrNoPath
			}
			l.found[i], l.left[i] = next, rest
		}
	}
	return more, nil
}

// readTree reads the entries of a tree.
func readTree(a Answer, oidBytes int) tree {
	if a.Err != nil || a.Type != "tree" {
		return tree{err: fmt.Errorf("read tree: %w", errors.Join(ErrMissing, a.Err))}
	}
	t := tree{entries: map[string]Standing{}}
	for e, err := range TreeEntries(a.Data, oidBytes) {
		if err != nil {
			return tree{err: fmt.Errorf("read tree: %w: %w", ErrMissing, err)}
		}
		t.entries[e.Name] = Standing{OID: e.OID, Mode: e.Mode}
	}
	return t
}
