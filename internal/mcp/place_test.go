package mcp_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

// TestPlace: what a call names decides, then -C, then what the client says of the project.
func TestPlace(t *testing.T) {
	t.Parallel()
	one, two, three := gittest.Repo(t, gittest.Plain), gittest.Repo(t, gittest.Plain),
		gittest.Repo(t, gittest.Worktree)
	resolved := func(dir string) string {
		dir, err := filepath.EvalSymlinks(dir)
		if err != nil {
			t.Fatal(err)
		}
		return dir
	}
	for name, c := range map[string]struct {
		dir, project string
		roots        []string
		args         map[string]any
		want         string
	}{
		"the call": {
			one.Dir, two.Dir,
			[]string{"file://" + three.Dir},
			map[string]any{"repo": three.Dir},
			three.Dir,
		},
		"a folder of it": {
			one.Dir, two.Dir, nil,
			map[string]any{"repo": filepath.Join(two.Dir, ".")},
			two.Dir,
		},
		"-C":                {one.Dir, two.Dir, nil, nil, one.Dir},
		"Claude's project":  {"", two.Dir, []string{"file://" + three.Dir}, nil, two.Dir},
		"the client's root": {"", "", []string{"file://" + three.Dir}, nil, three.Dir},
		"the second root": {
			"", "",
			[]string{"https://example.com/", "file://" + t.TempDir(), "file://" + two.Dir},
			nil, two.Dir,
		},
	} {
		o := options(one)
		o.Dir, o.Env = c.dir, slices.Concat(one.Env, []string{"GIT_INDEX_FILE=/nowhere"})
		if c.dir != "" {
			o.Env = one.Env
		}
		if c.project != "" {
			o.Env = append(slices.Clone(o.Env), "CLAUDE_PROJECT_DIR="+c.project)
		}
		a := start(t, o, c.roots...)
		for range 2 { // The roots are asked for once.
			_, value := a.does("status", c.args)
			if got := value["repository"]; got != resolved(c.want) {
				t.Errorf("%s: the repository is %v, want %s", name, got, resolved(c.want))
			}
		}
	}
}

// TestPlace_comesAndGoes: the server outlives its repository, and finds one that appears. SPEC.
func TestPlace_comesAndGoes(t *testing.T) {
	t.Parallel()
	repo := gittest.Repo(t, gittest.Plain)
	a := start(t, options(repo))
	a.does("save", packetArgs("Before"))
	git, away := filepath.Join(repo.Dir, ".git"), filepath.Join(t.TempDir(), "away")
	if err := os.Rename(git, away); err != nil {
		t.Fatal(err)
	}
	for _, tool := range []string{"resume", "status", "recall"} {
		holds(t, tool, a.fails(tool, nil), "not a git repository", "hint: give repo")
	}
	if err := os.Rename(away, git); err != nil {
		t.Fatal(err)
	}
	text, _ := a.does("resume", nil)
	holds(t, "resume", text, "| - Before")

	dir := filepath.Join(repo.Dir, "sub")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	elsewhere := t.TempDir()
	holds(t, "a directory", a.fails("save", map[string]any{"goal": "g", "next_step": "n", "repo": elsewhere}),
		"not a git repository")
	repo.Git("init", "-q", dir)
	a.does("save", map[string]any{"goal": "g", "next_step": "n", "repo": dir})

	relative := options(repo)
	relative.Dir, relative.Env = "", append(slices.Clone(repo.Env), "CLAUDE_PROJECT_DIR=here")
	holds(t, "a relative project", start(t, relative).fails("status", nil),
		"CLAUDE_PROJECT_DIR: a repository is named by an absolute path")
}

// TestPlace_outside: no call reaches a repository that is neither the project nor below it, nor named by the
// client or by the user's own configuration. SPEC.
func TestPlace_outside(t *testing.T) {
	t.Parallel()
	project, other := gittest.Repo(t, gittest.Plain), gittest.Repo(t, gittest.Plain)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	in := func(parts ...string) string { return filepath.Join(append([]string{project.Dir}, parts...)...) }
	project.Git("init", "-q", in("nested"))
	project.Git("init", "-q", "--bare", in("bare.git"))
	project.Git("worktree", "add", "-q", "--detach", filepath.Join(t.TempDir(), "linked"))
	linked := project.Git("worktree", "list", "--porcelain")
	linked = strings.TrimPrefix(strings.Split(linked, "\n\n")[1], "worktree ")
	linked, _, _ = strings.Cut(linked, "\n")
	must(os.Symlink(other.Dir, in("link")))
	must(os.Mkdir(in("gitfile"), 0o755))
	must(os.WriteFile(in("gitfile", ".git"), []byte("gitdir: "+filepath.Join(other.Dir, ".git")+"\n"), 0o600))

	o := options(project)
	a := start(t, o)
	for _, dir := range []string{project.Dir, in("nested"), in(".git"), linked} {
		a.does("status", map[string]any{"repo": dir})
	}
	embedded := a.fails("status", map[string]any{"repo": in("bare.git")})
	holds(t, "a bare repository within", embedded,
		"git does not trust this repository: it is bare, and lies in the work tree of another one")
	before := other.Git("for-each-ref")
	refused := func(a *agent, what, dir string) {
		t.Helper()
		text := a.fails("note", map[string]any{"repo": dir, "text": "planted"})
		holds(t, what, text, `"repo": the repository is neither the project nor below it`,
			"hint: leave repo out", "ltm.mcpRepository")
	}
	for _, dir := range []string{
		other.Dir, filepath.Join(other.Dir, ".git"), in("link"), in("gitfile"),
		in("..", filepath.Base(project.Dir), "link", ".git"),
	} {
		refused(a, dir, dir)
	}

	// What a repository says of itself or of another lets nobody in, and neither does the call.
	project.Git("config", "ltm.mcpRepository", other.Dir)
	other.Git("config", "ltm.mcpRepository", other.Dir)
	refused(a, "a setting of the repository", other.Dir)
	o.Env = append(slices.Clone(project.Env), "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=ltm.mcpRepository",
		"GIT_CONFIG_VALUE_0="+other.Dir)
	refused(start(t, o), "a setting of the call", other.Dir)

	// A server that was started at the home of the user, or above it, reaches nothing by that.
	o.Env = project.Env
	o.Dir = "/"
	refused(start(t, o), "the root", other.Dir)
	o.Dir, o.Env = filepath.Dir(other.Dir), append(slices.Clone(project.Env), "HOME="+filepath.Dir(other.Dir))
	refused(start(t, o), "the home", other.Dir)
	o = options(project)
	o.Dir = filepath.Dir(other.Dir)
	start(t, o).does("status", map[string]any{"repo": other.Dir})

	// The client's root and the user's own configuration do.
	start(t, options(project), "file://"+other.Dir).does("status", map[string]any{"repo": other.Dir})
	project.Git("config", "--global", "ltm.mcpRepository", filepath.Dir(other.Dir))
	a.does("status", map[string]any{"repo": other.Dir})
	if after := other.Git("for-each-ref"); after != before {
		t.Errorf("something was stored:\n%s", after)
	}
}
