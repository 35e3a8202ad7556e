package quiet_test

import (
	"io"
	"path/filepath"
	"slices"
	"testing"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/deadend"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/quiet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/view"
)

// TestTool holds that a hook is quiet only where the view speaks of the refs as they are, in the repository
// and in the user-wide memory, where nothing failed, and where no fault waits to be forgotten.
func TestTool(t *testing.T) {
	t.Parallel()
	const ruled = "npm install --force"
	call := func(command string) agent.Moment {
		return agent.Moment{
			Host: agent.ClaudeCode, Event: agent.Tool,
			Call: agent.Call{Tool: "Bash", Command: command},
		}
	}
	tests := map[string]struct {
		moment agent.Moment
		change func(t *testing.T, s *site)
		want   bool
	}{
		"meets nothing":   {call("go test ./..."), nil, true},
		"may meet a rule": {call(ruled), nil, false},
		"nobody hears it": {agent.Moment{
			Host: agent.ClaudeCode, Event: agent.AfterTool,
			Call: agent.Call{Command: ruled},
		}, nil, true},
		"failed": {
			agent.Moment{Host: agent.ClaudeCode, Event: agent.AfterTool, Error: "exit 1"},
			nil, false,
		},
		"no deed": {agent.Moment{
			Host: agent.ClaudeCode, Event: agent.Tool,
			Call: agent.Call{Tool: "Read"},
		}, nil, true},
		"a prompt": {
			agent.Moment{Host: agent.ClaudeCode, Event: agent.Prompt, Prompt: "hello"},
			nil,
			false,
		},
		"no view": {call("go test"), func(t *testing.T, s *site) {
			must(t, view.StateFile(view.In(s.repo.Local())).Remove())
		}, false},
		"a ref came": {call("go test"), func(t *testing.T, s *site) {
			s.r.Git("update-ref", "refs/ltm/notes/01M7YG7ZEBNNBP2JXHQ4EHX1W2", s.blob)
		}, false},
		"a fault is kept": {call("go test"), func(t *testing.T, s *site) {
			must(t, s.repo.Local().OwnFile(quiet.FaultFile).WriteState("a fault"))
		}, false},
		"the user's may be met": {call("go test"), func(t *testing.T, s *site) {
			s.user(t, deadend.Rule{Command: "go test"})
		}, false},
		"the user's meets none": {call("go test"), func(t *testing.T, s *site) { s.user(t) }, true},
		"a draft may be met": {call("./deploy prod"), func(t *testing.T, s *site) {
			s.draft(t, "./deploy prod")
		}, false},
		"a draft meets none": {call("go test"), func(t *testing.T, s *site) {
			s.draft(t, "./deploy prod")
		}, true},
		"a draft of another form": {call("go test"), func(t *testing.T, s *site) {
			must(t, view.DraftFile(s.repo.Local()).WriteState(
				map[string]any{"form": deadend.Form + 1, "drafts": []view.Drafted{{ID: "x"}}}))
		}, true},
		"a setting of the place": {call("go test"), func(t *testing.T, s *site) {
			s.r.Git("config", "ltm.userStore", "off")
		}, false},
		"no plain repository": {call("go test"), func(t *testing.T, s *site) {
			s.r.Git("config", "core.worktree", s.dir)
		}, false},
		"no folder": {call("go test"), func(t *testing.T, s *site) {
			s.dir = filepath.Join(s.dir, "gone")
		}, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, deadend.Rule{Command: ruled})
			if test.change != nil {
				test.change(t, s)
			}
			test.moment.Dir = s.dir
			if got := quiet.Tool(test.moment, s.env); got != test.want {
				t.Errorf("Tool = %v, want %v", got, test.want)
			}
		})
	}
}

// TestAction holds that a command with paths in the home counts as it is and as a record has it, and any
// other as it is.
func TestAction(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	for home, commands := range map[string]map[string]string{
		filepath.Dir(r.Dir): {
			r.Dir + "/bin/x " + r.Dir: r.Dir + "/bin/x " + r.Dir + "\nbin/x ~/" + filepath.Base(r.Dir),
			"make x":                  "make x",
		},
		"/home/ada/": {"/home/ada/x /home/adam/y": "/home/ada/x /home/adam/y\n~/x /home/adam/y"},
		"/": {
			"/x": "/x", "ssh db.prod.internal:22 x": "ssh db.prod.internal:22 x\nssh db:22 x",
			"cat a.local.go": "cat a.local.go",
		},
		"": {"/x": "/x"},
	} {
		repo, err := git.Open(t.Context(), r.Dir, append(slices.Clone(r.Env), "HOME="+home))
		must(t, err)
		for command, want := range commands {
			if got := quiet.Action(repo, agent.Call{Command: command}).Command; got != want {
				t.Errorf("at home in %q, %q is %q, want %q", home, command, got, want)
			}
		}
	}
}

// site is a repository with a record, and a view that speaks of it.
type site struct {
	r    *gittest.Repository
	repo *git.Repo
	dir  string
	env  []string
	blob string
}

func newSite(t *testing.T, rules ...deadend.Rule) *site {
	t.Helper()
	s := &site{r: gittest.Repo(t, gittest.Plain)}
	s.dir, s.env = s.r.Dir, append(slices.Clone(s.r.Env), "XDG_DATA_HOME="+t.TempDir())
	s.blob = s.r.Feed("{}", "hash-object", "-w", "--stdin")
	s.r.Git("update-ref", "refs/ltm/notes/01M7YG7ZEBNNBP2JXHQ4EHX1W1", s.blob)
	if s.repo = git.Plain(s.dir, s.env); s.repo == nil {
		t.Fatal("the repository is not plain")
	}
	keep(t, s.repo, rules...)
	return s
}

// keep writes a view of a repository as it is now, with some rules.
func keep(t *testing.T, repo *git.Repo, rules ...deadend.Rule) {
	t.Helper()
	stamp, err := refs.StampOf(repo)
	must(t, err)
	must(t, repo.Local().Make())
	dir := view.In(repo.Local())
	seg := view.Info{Name: "rules", Records: 1}
	must(t, dir.File(seg.Name).ReplaceWith(local.Replacement{}, func(out io.Writer) (err error) {
		w := view.NewWriter(out)
		for _, rule := range rules {
			for _, trait := range rule.Outline().Rare() {
				must(t, w.Add(view.TraitKey(trait), view.AppendRule(nil, 0, 0, string(rule.Outline().Append(nil)))))
			}
		}
		seg.Root, err = w.Close()
		return err
	}))
	must(t, view.StateFile(dir).Replace(
		view.State{
			Stamp:    view.Stamp{Packed: stamp.Packed, Loose: stamp.Loose},
			Segments: []view.Info{seg},
		}.Encode(), local.Unsynced))
}

// draft lets the user keep a draft in which a command failed.
func (s *site) draft(t *testing.T, command string) {
	t.Helper()
	rule := deadend.Rule{Words: command, Command: command, Derived: true}
	must(t, view.WriteDrafts(s.repo.Local(), []view.Drafted{{ID: "x", Rules: rule.Outline().Append(nil)}}))
}

// user makes a user-wide memory with some rules.
func (s *site) user(t *testing.T, rules ...deadend.Rule) {
	t.Helper()
	data, _ := git.LookupEnv(s.env, "XDG_DATA_HOME")
	path := filepath.Join(data, "git-ltm", "memory.git")
	must(t, git.InitBare(t.Context(), path, s.env))
	keep(t, git.PlainBare(path, s.env), rules...)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
