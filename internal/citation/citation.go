// Package citation says how the places that records cite are now, and notes with new records what stands
// there when they are made.
//
// It asks git and the work tree, at the time of the question: nothing of it is stored, and no place outside
// of the work tree is looked at. What git cannot tell is unknown, and no error.
package citation

import (
	"context"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/deadend"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// IsNear reports whether what cites some places is about a folder, all as seen from the top: one of them lies in
// it, or beside what holds it. What cites none is about all of the repository, and so is what cites a file at its
// top.
func IsNear(folder string, cites []string) bool {
	return len(cites) == 0 || slices.ContainsFunc(cites, func(name string) bool {
		return packet.IsWithin(name, folder) || packet.IsWithin(folder, path.Dir(name))
	})
}

// PathsOf are the files that are cited.
func PathsOf(cites []packet.Cite) (paths []string) {
	for _, c := range cites {
		paths = append(paths, c.Path)
	}
	return paths
}

// State is how a place that a record cites is now, compared with the commit at which it was cited.
type State string

// The states of a cited place.
const (
	OK      State = "ok"      // the same text stands there; blanks at the ends of its lines do not count
	Moved   State = "moved"   // the same text stands elsewhere
	Changed State = "changed" // the text is another one
	Gone    State = "gone"    // the file is not there any more
	// git cannot tell here: the commit is missing, the path is none, the file is too large
	Unknown State = "unknown"
)

// Cited is a place that a record cites, and how it is now.
type Cited struct {
	Cite  packet.Cite
	State State
	Now   packet.Cite // where it stands now; valid where it has moved
}

// Mark says in a few words what a reader has to know of a cited place, or nothing where it is as it was.
func (c Cited) Mark() string {
	switch c.State {
	case Moved:
		return c.Cite.String() + " has moved to " + c.Now.String()
	case Changed:
		return c.Cite.String() + " has changed since"
	case Gone:
		return c.Cite.String() + " is gone"
	default:
		return ""
	}
}

// Outdated tells whether one of some cited places has changed or is gone.
func Outdated(cites []Cited) bool {
	for _, c := range cites {
		if c.State == Changed || c.State == Gone {
			return true
		}
	}
	return false
}

// Tree is the work tree, and the repository around it, that cited places are looked for in. Of the zero value
// none is known.
type Tree struct {
	Repo    *git.Repo
	BlobOID func([]byte) string // the name that git gives to a blob here
	// ReadHere reads an object of so many bytes at most that lies in this repository, without git; nil for none.
	ReadHere func(oid string, most int64) (typ string, data []byte, ok bool)
}

// Record is what a record says of the places that it cites.
type Record struct {
	Cites     []packet.Cite
	Anchor    packet.Anchor
	Elsewhere bool // it speaks of no project that is known here
}

// Check says of each place that some records cite how it is now, in the order of the records. What git cannot
// tell here is unknown, and no error. It asks git once for all of them, and not at all where the files in the
// work tree are, to the byte, those that were cited.
func (t Tree) Check(ctx context.Context, records []Record) ([][]Cited, error) {
	check := t.newCheck()
	for _, r := range records {
		for _, cite := range r.Cites {
			p := check.addCite(cite, r.Anchor)
			p.decided = p.decided || r.Elsewhere
		}
	}
	checked, err := check.runCheck(ctx)
	if err != nil {
		return nil, err
	}
	all := make([][]Cited, len(records))
	for i, r := range records {
		if n := len(r.Cites); n > 0 {
			all[i], checked = checked[:n:n], checked[n:]
		}
	}
	return all, nil
}

// Changed says of the cited files of a packet which are not as they were when it was saved, by their paths.
func (t Tree) Changed(ctx context.Context, p packet.Packet) (map[string]string, error) {
	if len(p.Cites) == 0 {
		return nil, nil //nolint:nilnil // No cited file is an answer.
	}
	checked, err := t.Check(ctx, []Record{{Cites: p.Cites, Anchor: p.Anchor}})
	if err != nil {
		return nil, err
	}
	marks := map[string]string{}
	for _, c := range checked[0] {
		if before, mark := marks[c.Cite.Path], c.Mark(); mark != "" {
			marks[c.Cite.Path] = strings.TrimPrefix(before+"; "+mark, "; ")
		}
	}
	return marks, nil
}

// followRenames finds the new names of the files that are not there any more. A file that has none is gone;
// since a commit that is not here nobody knows.
func (c *check) followRenames(ctx context.Context) {
	lost := slices.DeleteFunc(c.openPlaces(), func(p *citing) bool {
		now := c.now[p.path]
		return now.disk.there && now.dirty || !now.dirty && now.oid != missingObject
	})
	names, blind := c.newNames(ctx, lost)
	if c.fault != nil {
		return
	}
	paths := map[string]bool{}
	for _, p := range lost {
		if names[p.path] == "" {
			if p.decided = true; !blind[p.commit] {
				p.State = Gone
			}
			continue
		}
		p.path = names[p.path]
		paths[p.path] = true
		c.lookAt(p)
		p.decided = false // Also where it is the same object, it stands elsewhere.
	}
	c.findPresent(ctx, slices.Sorted(maps.Keys(paths)))
}

// newNames asks since as few commits as it takes: a name that was lost since one of them was lost since the
// others too. Those that are not here leave it blind.
func (c *check) newNames(ctx context.Context, lost []*citing) (names map[string]string, blind map[string]bool) {
	names, blind = map[string]string{}, map[string]bool{}
	for _, p := range lost {
		if _, asked := blind[p.commit]; asked || p.commit == "" || names[p.path] != "" || len(blind) == mostRenames {
			continue
		}
		renamed, err := c.repo.History().RenamedSince(ctx, p.commit)
		if blind[p.commit] = errors.Is(err, git.ErrMissing); !blind[p.commit] && c.noteFault(err) {
			return nil, nil
		}
		for _, other := range lost {
			if now, ok := pathOf(renamed[other.path]); ok {
				names[other.path] = now
			}
		}
	}
	return names, blind
}

// NamesPath tells whether one of the paths that a record names is this one, lies below it, or is a pattern
// that means it.
func NamesPath(names []string, path string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		return packet.IsWithin(name, path) || deadend.IsGlobOf(name, path)
	})
}
