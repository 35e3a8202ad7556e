package recall

import (
	"context"
	"errors"
	"fmt"
	"maps"
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
}

// made is a commit that changed the file or the lines in question.
type made struct {
	step   step
	commit string // that changed it; the records may be anchored at its parent
	what   string // "last changed line 14"
}

// trail asks git for the history of a file and of its lines.
func (r *Recall) trail(ctx context.Context, p Place) (*trail, error) {
	t := &trail{place: p, names: []string{p.Path}, made: map[string]made{}}
	repo := r.memory.Repo().Offline()
	touches, err := history(ctx, repo, t)
	if err != nil {
		return nil, err
	}
	lines := map[string][]int{}
	if p.Line > 0 {
		blamed, err := repo.Blame(ctx, p.Path, p.Line, p.EndLine)
		if err != nil && !errors.Is(err, git.ErrNoPath) {
			return nil, err
		}
		for _, b := range blamed {
			lines[b.Commit] = append(lines[b.Commit], b.Line)
		}
	}
	t.known = len(touches)+len(lines) > 0
	if !t.known {
		if t.known, err = repo.Tracked(ctx, p.Path); err != nil {
			return nil, err
		}
	}
	return t, t.commitsOf(ctx, repo, touches, lines)
}

// history reads the changes of the file, and notes its older names. One that was renamed and not committed yet has the history
// of its old name.
func history(ctx context.Context, repo *git.Repo, t *trail) ([]git.Touch, error) {
	touches, err := repo.FileHistory(ctx, t.place.Path, changesOfTrail)
	if err != nil {
		return nil, err
	}
	if head, err := repo.Resolve(ctx); len(touches) == 0 && err == nil && head.Commit != "" {
		renamed, err := repo.RenamedSince(ctx, head.Commit)
		if err != nil {
			return nil, err
		}
		for before, now := range renamed {
			if now == t.place.Path {
				t.names = append(t.names, before)
				if touches, err = repo.FileHistory(ctx, before, changesOfTrail); err != nil {
					return nil, err
				}
			}
		}
	}
	for _, touch := range touches {
		if touch.Before != "" && !slices.Contains(t.names, touch.Before) {
			t.names = append(t.names, touch.Before)
		}
	}
	return touches, nil
}

// commitsOf notes the commits that changed the file, and their parents: what leads to a change is mostly written down before it
// is committed. The lines come before the file, a commit before what it was made on, and the newest before the older.
func (t *trail) commitsOf(ctx context.Context, repo *git.Repo, touches []git.Touch, lines map[string][]int) (err error) {
	var all []made
	for _, commit := range slices.Sorted(maps.Keys(lines)) {
		if len(all) < blamedOfTrail {
			all = append(all, made{changedLines, commit, "last changed " + linesNamed(lines[commit])})
		}
	}
	for _, touch := range touches {
		all = append(all, made{changedFile, touch.Commit, "changed " + touch.Path})
	}
	if len(all) == 0 {
		return nil
	}
	ids := make([]string, len(all))
	for i, m := range all {
		ids[i] = m.commit
	}
	objects, err := repo.Objects(ctx)
	if err != nil {
		return err
	}
	about, err := objects.Summaries(ids)
	if err = errors.Join(err, objects.Close()); err != nil {
		return fmt.Errorf("read history of %q: %w", t.place.Path, err)
	}
	for i := range all {
		all[i].what += " (" + about[all[i].commit].Subject + ")"
		t.note(all[i].commit, all[i])
	}
	for _, m := range all {
		for _, parent := range about[m.commit].Parents {
			t.note(parent, m)
		}
	}
	return nil
}

// note keeps the nearest reason to look at what is anchored at a commit.
func (t *trail) note(anchor string, m made) {
	if before, known := t.made[anchor]; !known || m.step > before.step {
		t.made[anchor] = m
	}
}

// commits are those at which records may be anchored.
func (t *trail) commits() []string { return slices.Sorted(maps.Keys(t.made)) }

// above tells whether a path names a folder above the file, under one of its names.
func (t *trail) above(name string) bool {
	name = path.Clean(name)
	return slices.ContainsFunc(t.names, func(n string) bool { return strings.HasPrefix(n, name+"/") })
}

// meets tells whether a path is one of the names of the file, or lies below it.
func (t *trail) meets(name string) bool {
	name = path.Clean(name)
	return slices.ContainsFunc(t.names, func(n string) bool { return name == n || strings.HasPrefix(name, n+"/") })
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
