package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
)

// projectDir is where Claude Code says that the project lies.
const projectDir = "CLAUDE_PROJECT_DIR"

// errRelative says that a repository is named by a path that counts from nowhere.
var errRelative = errors.New("a repository is named by an absolute path")

// findDirectory is where a call works: what it names, what -C named, what the client says of the
// project, or where the server was started. The first that says something decides, so that nothing
// is written into a repository that nobody meant; given is false only for the last.
func (c *call) findDirectory(ctx context.Context) (dir string, given bool, err error) {
	var named struct{ Repo string }
	if err := c.args.readInto(&named); err != nil {
		return "", false, err
	}
	if repo := named.Repo; repo != "" {
		if !filepath.IsAbs(repo) {
			return "", false, &placeError{`"repo"`, errRelative}
		}
		return repo, true, c.checkReach(ctx, repo)
	}
	if c.Dir != "" {
		return c.Dir, false, nil
	}
	if project, _ := git.LookupEnv(c.Env, projectDir); project != "" {
		if !filepath.IsAbs(project) {
			return "", false, &placeError{projectDir, errRelative}
		}
		return project, true, nil
	}
	roots := c.roots.listRoots(ctx, c)
	if len(roots) == 0 {
		return "", false, nil
	}
	inRepository := func(dir string) bool {
		_, err := git.Find(ctx, dir, git.Nowhere(c.Env))
		return err == nil
	}
	if len(roots) > 1 {
		return roots[max(0, slices.IndexFunc(roots, inRepository))], true, nil
	}
	return roots[0], true, nil
}

// placeError says what named a place that is none.
type placeError struct {
	what string
	err  error
}

func (e *placeError) Error() string { return e.what + ": " + e.err.Error() }
func (e *placeError) Unwrap() error { return e.err }

// The bounds of a question for roots.
const (
	rootsTime = 2 * time.Second
	rootsMost = 16
)

// roots are the directories that a client says it works in, asked for once until the client says
// that they changed.
type roots struct {
	mu    sync.Mutex
	asked bool
	dirs  []string
}

// listRoots returns the directories; none where the client tells none.
func (r *roots) listRoots(ctx context.Context, c *call) []string {
	if !c.from.roots {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.asked {
		return r.dirs
	}
	within, stop := context.WithTimeout(ctx, rootsTime)
	defer stop()
	var listed []struct {
		URI string `json:"uri"`
	}
	fault := json.Unmarshal(c.connection.askClient(within, "roots/list")["roots"], &listed)
	if ctx.Err() != nil {
		return nil
	}
	r.asked, r.dirs = true, nil
	if fault != nil {
		return nil
	}
	for _, root := range listed[:min(len(listed), rootsMost)] {
		if u, err := url.Parse(root.URI); err == nil && u.Scheme == "file" &&
			filepath.IsAbs(filepath.FromSlash(u.Path)) {
			r.dirs = append(r.dirs, filepath.FromSlash(u.Path))
		}
	}
	return r.dirs
}
