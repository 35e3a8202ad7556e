package mcp

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
)

// RepositoryKey is the key of the configuration that names further repositories, and folders of
// such, in which tools may work.
const RepositoryKey = "ltm.mcpRepository"

// errOutside refuses a repository that has nothing to do with the project.
var errOutside = errors.New("the repository is neither the project nor below it")

// checkReach refuses a directory whose repository lies outside of what the user gave to this server:
// the project in which it was started, what the client says of it, and what the user's own
// configuration names. What a model was talked into would else be shown to the next session of any
// repository of the user, as the user's own. The place of the git directory decides, so that no
// link leads out; a linked work tree belongs to its repository.
func (c *call) checkReach(ctx context.Context, dir string) error {
	target, err := git.Find(ctx, dir, git.Nowhere(c.Env))
	if err != nil {
		return err
	}
	started, err := filepath.Abs(c.Dir)
	if err != nil {
		return err
	}
	folders := append([]string{started}, c.roots.listRoots(ctx, c)...)
	if project, _ := git.LookupEnv(c.Env, projectDir); project != "" {
		folders = append(folders, project)
	}
	asked := target // for its configuration, which is the project's where there is one
	for i, folder := range folders {
		env := c.Env
		if i > 0 {
			env = git.Nowhere(c.Env)
		}
		repo, err := git.Find(ctx, folder, env)
		switch {
		case err != nil && c.holdsFolder(folder, target.CommonDir):
			return nil
		case err != nil:
		case sameFile(repo.CommonDir, target.CommonDir), c.holdsFolder(repo.WorkTree, target.CommonDir),
			c.holdsFolder(folder, target.CommonDir):
			return nil
		default:
			asked = repo
		}
	}
	named, err := asked.ScopedPaths(ctx, RepositoryKey)
	if err != nil {
		return err
	}
	for _, s := range named {
		repo, err := git.Find(ctx, s.Value, git.Nowhere(c.Env))
		own := s.Scope == "global" || s.Scope == "system"
		if own && filepath.IsAbs(s.Value) &&
			(err == nil && sameFile(repo.CommonDir, target.CommonDir) || c.holdsFolder(s.Value,
				target.CommonDir)) {
			return nil
		}
	}
	return &placeError{`"repo"`, errOutside}
}

// holdsFolder reports whether a directory lies below a folder, or is it. A folder that holds the home of
// the user is no project, and says nothing of what lies below: clients start servers there, or at
// the root.
func (c *call) holdsFolder(folder, dir string) bool {
	home, _ := git.LookupEnv(c.Env, "HOME")
	return filepath.IsAbs(folder) && local.IsBelow(folder, dir) && !local.IsBelow(folder, home) &&
		filepath.Dir(folder) != folder
}

func sameFile(a, b string) bool {
	one, errOne := os.Stat(a)
	two, errTwo := os.Stat(b)
	return errOne == nil && errTwo == nil && os.SameFile(one, two)
}
