package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/session"
)

// inMemory opens the memory of the repository that the call means, runs a tool, and tells what was
// skipped and mended.
func (c *call) inMemory(ctx context.Context, run runner) (a answer, err error) {
	dir, env := c.Dir, c.Env
	if c.UserStore == "" {
		given := false
		if dir, given, err = c.findDirectory(ctx); err != nil {
			return answer{}, err
		}
		if given {
			env = git.Nowhere(c.Env)
		}
	}
	c.m, err = memory.Open(ctx, memory.Options{
		Dir: dir, Env: env, Now: c.Now, Entropy: c.Entropy, Agent: c.clientName(), UserStore: c.UserStore,
		View: recall.Views(c.Now), Unattended: true,
		Shown: session.Shown(memory.Options{Env: c.Env, Now: c.Now, Entropy: c.Entropy}, c.Dir),
	})
	if err != nil {
		return answer{}, err
	}
	defer func() {
		if closing := c.m.Close(); err == nil {
			err = closing
		}
	}()
	if a, err = run(ctx, c); err != nil {
		// Where they cannot be read, that is what went wrong, or nothing was scanned.
		c.rules, _ = c.m.Rules(ctx)
		return answer{}, err
	}
	c.noteMended(c.m)
	if user := c.m.UserOpened(); user != nil {
		c.noteMended(user)
	}
	if err := c.m.UserError(); err != nil {
		c.notef("the user-wide memory is left out: %v", err)
	}
	a.notices = append(a.notices, c.notes...)
	return a, nil
}

// noteMended tells what was not signed, skipped and mended in one memory.
func (c *call) noteMended(m *memory.Memory) {
	for _, u := range m.Signer().Unsigned() {
		c.notef("STORED UNSIGNED: %s: %v; the user signs it later with 'git ltm sign %s'", u.ID, u.Err, u.ID)
	}
	if id := m.Signer().NewStore(); id != "" {
		c.notef("this clone made the store id %s (git config ltm.store)", id)
	}
	for _, line := range command.Mended(m) {
		c.notef("%s", line)
	}
}

func (c *call) notef(format string, args ...any) {
	c.notes = append(c.notes, printable(c.rules, fmt.Sprintf(format, args...)))
}

// withIndex makes the memory ready for questions.
func (c *call) withIndex(ctx context.Context, do func(*recall.Recall) (answer, error)) (a answer, err error) {
	c.index.Lock()
	defer c.index.Unlock()
	r := recall.Open(ctx, c.m, recall.Options{Now: c.Now})
	defer func() {
		if closing := r.Close(); err == nil {
			err = closing
		}
	}()
	if a, err = do(r); r.Slow() != "" {
		c.notef("there is no index to keep, so that every record was read: %s", r.Slow())
	}
	return a, err
}

// clientName is the name that the client has for itself, as far as a record takes it.
func (c *call) clientName() string {
	if c.from.name == "" {
		return ""
	}
	return clean.Truncate(clean.Line(strings.TrimSpace(c.from.name+" "+c.from.version)), 100)
}

// projectDir is where Claude Code says that the project lies.
const projectDir = "CLAUDE_PROJECT_DIR"

// errRelative says that a repository is named by a path that counts from nowhere.
var errRelative = errors.New("a repository is named by an absolute path")

// findDirectory is where a call works: what it names, what -C named, what the client says of the
// project, or where the server was started. The first that says something decides, so that nothing
// is written into a repository that nobody meant; given is false only for the last.
func (c *call) findDirectory(ctx context.Context) (dir string, given bool, err error) {
	var named struct{ Repo string }
	if err := json.Unmarshal(c.args, &named); err != nil {
		return "", false, err
	}
	if repo := named.Repo; repo != "" {
		if !filepath.IsAbs(repo) {
			return "", false, fmt.Errorf(`"repo": %w`, errRelative)
		}
		return repo, true, c.checkReach(ctx, repo)
	}
	if c.Dir != "" {
		return c.Dir, false, nil
	}
	if project, _ := git.LookupEnv(c.Env, projectDir); project != "" {
		if !filepath.IsAbs(project) {
			return "", false, fmt.Errorf("%s: %w", projectDir, errRelative)
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
	named, err := asked.Settings().ScopedPaths(ctx, RepositoryKey)
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
	return fmt.Errorf(`"repo": %w`, errOutside)
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
