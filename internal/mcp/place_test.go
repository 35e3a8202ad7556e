package mcp_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

// TestPlace: what a call names decides, then -C, then what the client says of the project.
func TestPlace(t *testing.T) {
	t.Parallel()
	one, two, three := gittest.Repo(t, gittest.Plain), gittest.Repo(t, gittest.Plain), gittest.Repo(t, gittest.Worktree)
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
		"the call":          {one.Dir, two.Dir, nil, map[string]any{"repo": three.Dir}, three.Dir},
		"a folder of it":    {one.Dir, "", nil, map[string]any{"repo": filepath.Join(two.Dir, ".")}, two.Dir},
		"-C":                {one.Dir, two.Dir, nil, nil, one.Dir},
		"Claude's project":  {"", two.Dir, []string{"file://" + three.Dir}, nil, two.Dir},
		"the client's root": {"", "", []string{"file://" + three.Dir}, nil, three.Dir},
		"the second root":   {"", "", []string{"https://example.com/", "file://" + t.TempDir(), "file://" + two.Dir}, nil, two.Dir},
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
	for _, tool := range []string{"resume", "status", "context"} {
		holds(t, tool, a.fails(tool, nil), "not a git repository", "hint: give repo")
	}
	if err := os.Rename(away, git); err != nil {
		t.Fatal(err)
	}
	text, _ := a.does("resume", nil)
	holds(t, "resume", text, "| - Before")

	dir := t.TempDir()
	holds(t, "a directory", a.fails("save", map[string]any{"goal": "g", "next_step": "n", "repo": dir}), "not a git repository")
	repo.Git("init", "-q", dir)
	a.does("save", map[string]any{"goal": "g", "next_step": "n", "repo": dir})

	relative := options(repo)
	relative.Dir, relative.Env = "", append(slices.Clone(repo.Env), "CLAUDE_PROJECT_DIR=here")
	holds(t, "a relative project", start(t, relative).fails("status", nil), "CLAUDE_PROJECT_DIR: a repository is named by an absolute path")
}
