package recall

import (
	"strings"

	"github.com/git-ltm/git-ltm/internal/citation"
	"github.com/git-ltm/git-ltm/internal/index"
)

// step is how near a record is to a place.
type step int

// The steps, the furthest first.
const (
	beside       step = iota + 1 // made when the file was changed, and names others alone
	changedFile                  // made when the file was changed
	changedLines                 // made when the lines were changed
	namesFolder                  // names a folder above the file
	namesFile                    // names the file
	speaksOf                     // has the name of the file in its text
	citesFile                    // cites the file
	citesLines                   // cites the lines
)

// relation is what a record has to do with a place.
type relation struct {
	step step
	why  string // in words
}

// keepCloser keeps the nearer of two relations, and the first of equal ones.
func (o *relation) keepCloser(s step, why string) {
	if s > o.step {
		o.step, o.why = s, why
	}
}

// relationOf says what a record has to do with the place, by the commit at which it is anchored, the paths
// that it names, and how the places are that it cites.
func (t *trail) relationOf(commit string, paths []string, cites []citation.Cited) relation {
	var of relation
	if m, ok := t.made[commit]; ok {
		at := "anchored at " + shortHash(commit)
		if m.Commit != commit {
			at += ", just before " + shortHash(m.Commit)
		}
		s := m.step
		if len(paths) > 0 {
			s = beside
		}
		of.keepCloser(s, at+" which "+m.what+" ("+m.Subject+")")
	}
	for _, name := range paths {
		switch {
		case t.isFileOrBelow(name):
			of.keepCloser(namesFile, "names "+name)
		case t.isFolderAbove(name):
			of.keepCloser(namesFolder, "names "+name+", above it")
		}
	}
	for _, cited := range cites {
		if t.isFileOrBelow(cited.Cite.Path) || cited.State == citation.Moved && t.isFileOrBelow(cited.Now.Path) {
			s := citesFile
			if t.overlapsLines(cited) {
				s = citesLines
			}
			of.keepCloser(s, "cites "+cited.Cite.String()+t.becameOf(cited))
		}
	}
	return of
}

// nearestStep is the nearest that a record may turn out to be, by what the index says of it.
func (t *trail) nearestStep(h index.Hit) step {
	of := t.relationOf(h.Record.Anchor.Commit, h.Record.Paths, nil).step
	switch {
	case of < namesFile || !h.Cites:
		return of
	case t.place.Line > 0 && h.CitesLines:
		return citesLines
	default:
		return citesFile
	}
}

// shortHash is a commit as people name it.
func shortHash(commit string) string { return commit[:min(len(commit), 7)] }

// overlapsLines tells whether a cited place shares a line with the one that was asked for. Of one that is not
// found again, the lines as they were cited are compared.
func (t *trail) overlapsLines(c citation.Cited) bool {
	at := c.Cite
	if c.State == citation.Moved {
		at = c.Now
	}
	if t.place.Line == 0 || at.Line == 0 {
		return false
	}
	return at.Line <= max(t.place.Line, t.place.EndLine) && t.place.Line <= max(at.Line, at.EndLine)
}

// becameOf says what became of a cited place.
func (t *trail) becameOf(c citation.Cited) string {
	switch c.State {
	case citation.Moved:
		now := c.Now.String()
		if c.Now.Path == c.Cite.Path {
			now = strings.TrimPrefix(now, c.Now.Path+":")
		}
		return " (moved to " + now + ")"
	case citation.Changed:
		return " (changed since)"
	case citation.Gone:
		return " (gone)"
	default:
		return ""
	}
}
