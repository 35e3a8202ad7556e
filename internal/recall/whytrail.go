package recall

import (
	"context"
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
)

// The bounds of a trail: how many changes of a file are looked at, and how many commits of its lines.
const (
	changesOfTrail = 50
	blamedOfTrail  = 50
)

// trail is what git knows of a file: the names that it had, and the commits that changed it.
type trail struct {
	place Place
	known bool     // git knows the file
	names []string // the one that was asked for, and then the older ones

	made map[string]made // by the commits at which records may be anchored

	blames bool // it is not known yet which commits last changed the lines
}

// made is a commit that changed the file or the lines in question.
type made struct {
	step        step
	git.Summary        // of the commit that changed it; the records may be anchored at its parent
	what        string // "last changed line 14"
}

// followTrail asks git for the history of a file.
func (r *Recall) followTrail(ctx context.Context, p Place) *trail {
	t := &trail{place: p, names: []string{p.Path}, made: map[string]made{}, blames: p.Line > 0}
	repo := r.memory.Repo().Offline()
	touches, err := repo.History().FileHistory(ctx, p.Path, changesOfTrail)
	if r.noteFault(err) {
		return t
	}
	if len(touches) == 0 { // One that was renamed and not committed yet has the history of its old name.
		if head, err := repo.Resolve(ctx); err == nil && head.Commit != "" {
			renamed, err := repo.History().RenamedSince(ctx, head.Commit)
			r.noteFault(err)
			for before, now := range renamed {
				if now == p.Path {
					t.names = append(t.names, before)
					touches, err = repo.History().FileHistory(ctx, before, changesOfTrail)
					r.noteFault(err)
				}
			}
		}
	}
	for _, touch := range touches {
		if touch.Before != "" && !slices.Contains(t.names, touch.Before) {
			t.names = append(t.names, touch.Before)
		}
	}
	var all []made
	for _, touch := range touches {
		if len(touch.Parents) > 0 { // All files began there: it says nothing of this one.
			all = append(all, made{changedFile, touch.Summary, "changed " + touch.Path})
		}
	}
	t.noteMade(all)
	if t.known = len(t.made) > 0; !t.known && r.fault == nil {
		t.known, err = repo.History().Tracked(ctx, p.Path)
		r.noteFault(err)
	}
	return t
}

// blameLines asks git for the commits that last changed the lines.
func (r *Recall) blameLines(ctx context.Context, t *trail) {
	t.blames = false
	blamed, err := r.memory.Repo().Offline().History().Blame(ctx, t.place.Path, t.place.Line, t.place.EndLine)
	if err != nil && !errors.Is(err, git.ErrNoPath) {
		r.noteFault(err)
	}
	var all []made
	for _, b := range blamed[:min(len(blamed), blamedOfTrail)] {
		all = append(all, made{changedLines, b.Summary, "last changed " + linesNamed(b.Lines)})
	}
	t.noteMade(all)
	t.known = t.known || len(all) > 0
}

// noteMade keeps the nearest reason to look at what is anchored at some commits or at their parents: what
// leads to a change is mostly written down before it is committed. The lines come before the file, a
// commit before what it was made on, and the newest before the older.
func (t *trail) noteMade(all []made) {
	note := func(anchor string, m made) {
		if before, known := t.made[anchor]; !known || m.step > before.step {
			t.made[anchor] = m
		}
	}
	for _, m := range all {
		note(m.Commit, m)
	}
	for _, m := range all {
		for _, parent := range m.Parents {
			note(parent, m)
		}
	}
}

// isFolderAbove tells whether a path names a folder above the file, under one of its names.
func (t *trail) isFolderAbove(name string) bool {
	name = path.Clean(name)
	return slices.ContainsFunc(t.names, func(n string) bool { return strings.HasPrefix(n, name+"/") })
}

// isFileOrBelow tells whether a path is one of the names of the file, or lies below it.
func (t *trail) isFileOrBelow(name string) bool {
	name = path.Clean(name)
	return slices.ContainsFunc(t.names, func(n string) bool {
		return name == n || strings.HasPrefix(name, n+"/")
	})
}

// linesNamed names rising lines as people do: "line 14", "lines 14-16, 20".
func linesNamed(lines []int) string {
	var parts []string
	for i := 0; i < len(lines); {
		k := i
		for k+1 < len(lines) && lines[k+1] == lines[k]+1 {
			k++
		}
		part := strconv.Itoa(lines[i])
		if k > i {
			part += "-" + strconv.Itoa(lines[k])
		}
		parts = append(parts, part)
		i = k + 1
	}
	if len(lines) == 1 {
		return "line " + parts[0]
	}
	return "lines " + strings.Join(parts, ", ")
}
