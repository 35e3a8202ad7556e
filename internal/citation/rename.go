package citation

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/git-ltm/git-ltm/internal/git"
)

// follow finds the new names of the files that are not there any more. A file that has none is gone; since a commit that is
// not here nobody knows.
func (c *check) follow(ctx context.Context) error {
	lost := slices.DeleteFunc(c.open(), func(p *citing) bool { return !c.now[p.path].absent() })
	names, blind, err := c.newNames(ctx, lost)
	if err != nil {
		return err
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
		c.look(p)
		p.decided = false // Also where it is the same object, it stands elsewhere.
	}
	return c.present(ctx, slices.Sorted(maps.Keys(paths)))
}

// newNames asks since as few commits as it takes: a name that was lost since one of them was lost since the others too. Those
// that are not here leave it blind.
func (c *check) newNames(ctx context.Context, lost []*citing) (names map[string]string, blind map[string]bool, err error) {
	names, blind = map[string]string{}, map[string]bool{}
	left := map[string]map[string]bool{} // by commit, the paths that nobody looked for since then
	for _, p := range lost {
		if p.commit == "" {
			continue
		}
		if left[p.commit] == nil {
			left[p.commit] = map[string]bool{}
		}
		left[p.commit][p.path] = true
	}
	for range mostRenames {
		commit := mostPaths(left)
		if commit == "" {
			break
		}
		renamed, err := c.repo.RenamedSince(ctx, commit)
		if blind[commit] = errors.Is(err, git.ErrMissing); err != nil && !blind[commit] {
			return nil, nil, err
		}
		for name := range left[commit] {
			if now, ok := pathOf(renamed[name]); ok {
				names[name] = now
			}
		}
		delete(left, commit)
		for _, paths := range left {
			maps.DeleteFunc(paths, func(name string, _ bool) bool { return names[name] != "" })
		}
	}
	return names, blind, nil
}

// mostPaths is the commit with the most paths, and of equal ones the first by its name.
func mostPaths(left map[string]map[string]bool) (commit string) {
	for _, id := range slices.Sorted(maps.Keys(left)) {
		if n := len(left[id]); n > 0 && (commit == "" || n > len(left[commit])) {
			commit = id
		}
	}
	return commit
}
