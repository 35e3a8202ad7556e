package transcript_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/transcript"
)

// shelves is a home with the folders of clients, and a repository of whose sessions they tell.
type shelves struct {
	t          *testing.T
	home, repo string
	env        map[string]string
	age        time.Duration
}

func newShelves(t *testing.T) *shelves {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &shelves{
		t: t, home: filepath.Join(base, "home"), repo: filepath.Join(base, "work", "my_repo.x"),
		env: map[string]string{},
	}
	s.mkdir(s.home)
	s.mkdir(filepath.Join(s.repo, ".git"))
	return s
}

func (s *shelves) mkdir(dir string) {
	s.t.Helper()
	if err := os.MkdirAll(dir, 0o750); err != nil {
		s.t.Fatal(err)
	}
}

// write puts a file below home, each older than the one before.
func (s *shelves) write(name, text string) {
	s.t.Helper()
	path := s.abs(name)
	s.mkdir(filepath.Dir(path))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	s.age += time.Hour
	at := time.Date(2026, 9, 14, 8, 0, 0, 0, time.UTC).Add(-s.age)
	if err := os.Chtimes(path, at, at); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shelves) abs(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(s.home, filepath.FromSlash(name))
}

// takeAll are the transcripts that belong to a directory, below home, the newest first. Each is removed.
func (s *shelves) takeAll(dir string) (all []string) {
	s.t.Helper()
	for {
		p, ok := s.newest(dir, "")
		if !ok {
			return all
		}
		rel, err := filepath.Rel(s.home, p.Path)
		if err != nil {
			s.t.Fatal(err)
		}
		all = append(all, string(p.Format)+" "+filepath.ToSlash(rel))
		if err := os.Remove(p.Path); err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s *shelves) newest(dir string, only transcript.Format) (transcript.Place, bool) {
	return transcript.Newest(s.home, func(name string) (string, bool) {
		v, ok := s.env[name]
		return v, ok
	}, dir, only)
}

func slug(dir string) string { return regexp.MustCompile("[^a-zA-Z0-9]").ReplaceAllString(dir, "-") }

func cwd(dir string) string { return fmt.Sprintf(`{"type":"user","cwd":%q}`+"\n", dir) }

func codexHead(dir string) string {
	return fmt.Sprintf(`{"timestamp":"2026-09-14T08:00:00Z","type":"session_meta","payload":{"id":"x","cwd":%q,"base_instructions":{"text":%q}}}`, dir,
		strings.Repeat("long ", 80<<10)) + "\n"
}

func TestNewest(t *testing.T) {
	t.Parallel()
	s := newShelves(t)
	elsewhere := filepath.Join(filepath.Dir(s.repo), "other")
	mine := slug(s.repo)

	s.write(".claude/projects/"+mine+"/b.jsonl", `{"type":"mode"}`+"\n"+cwd(s.repo))
	s.write(".claude/projects/"+mine+"/collides.jsonl", cwd(strings.Replace(s.repo, "my_repo", "my-repo", 1)))
	s.write(".claude/projects/"+mine+"/a.jsonl", "")
	s.write(".claude/projects/"+mine+"/notes.txt", cwd(s.repo))
	s.write(".claude/projects/"+mine+"/a/subagents/agent-1.jsonl", cwd(s.repo))
	s.write(".claude/projects/"+mine+"-sub/below.jsonl", cwd(filepath.Join(s.repo, "sub")))
	s.write(".claude/projects/"+mine+"-sub/sibling.jsonl", cwd(s.repo+"-sub"))
	s.write(".claude/projects/"+slug(elsewhere)+"/o.jsonl", cwd(s.repo))
	s.write(".codex/sessions/2026/09/13/rollout-1.jsonl", codexHead(s.repo))
	s.write(".codex/sessions/2026/09/14/rollout-2.jsonl", codexHead(elsewhere))
	s.write(".codex/sessions/2026/09/12/rollout-4.jsonl",
		strings.Replace(codexHead(s.repo), `"id"`, `"thread_source":"subagent","id"`, 1))
	s.write(".codex/sessions/2025/12/31/rollout-3.jsonl", codexHead(s.repo))
	s.write(".gemini/projects.json",
		fmt.Sprintf(`{"projects":{%q:"maps",%q:"other",%q:"../../x"}}`, s.repo, elsewhere,
			filepath.Join(s.repo, "x")))
	s.write(".gemini/tmp/maps/chats/session-1.jsonl", "")
	s.write(".gemini/tmp/other/chats/session-1.jsonl", "")
	started := `{"type":"session.start","data":{"context":{"cwd":%q}}}`
	s.write(".copilot/session-state/two/events.jsonl", fmt.Sprintf(started, elsewhere))
	s.write(".copilot/session-state/three/events.jsonl", fmt.Sprintf(started, s.repo))
	s.write(".qwen/projects/"+mine+"/chats/q.jsonl", cwd(s.repo))

	want := []string{
		"claude-code .claude/projects/" + mine + "/b.jsonl",
		"claude-code .claude/projects/" + mine + "-sub/below.jsonl",
		"codex .codex/sessions/2026/09/13/rollout-1.jsonl",
		"codex .codex/sessions/2025/12/31/rollout-3.jsonl",
		"gemini .gemini/tmp/maps/chats/session-1.jsonl",
		"copilot .copilot/session-state/three/events.jsonl",
		"qwen .qwen/projects/" + mine + "/chats/q.jsonl",
	}
	if p, ok := s.newest(s.repo, transcript.Codex); !ok || !strings.HasSuffix(p.Path, "rollout-1.jsonl") {
		t.Errorf("the newest of Codex is %v, %v", p, ok)
	}
	if diff := cmp.Diff(want, s.takeAll(s.repo)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	s.write(".claude/projects/"+mine+"-sub/below.jsonl", cwd(filepath.Join(s.repo, "sub")))
	s.mkdir(filepath.Join(s.repo, "sub", ".git"))
	if p, ok := s.newest(s.repo, ""); ok {
		t.Errorf("%s is of another repository", p.Path)
	}
	if p, ok := s.newest(filepath.Join(s.home, "nothing"), ""); ok {
		t.Errorf("a directory without sessions has %s", p.Path)
	}
	s.home = ""
	if p, ok := s.newest(s.repo, ""); ok {
		t.Errorf("without a home there is %s", p.Path)
	}
}

func TestNewest_variables(t *testing.T) {
	t.Parallel()
	s := newShelves(t)
	s.env["CLAUDE_CONFIG_DIR"], s.env["CODEX_HOME"], s.env["GEMINI_CLI_HOME"] = s.abs("c"), s.abs("x"),
		s.abs("g")
	s.env["QWEN_HOME"], s.env["COPILOT_HOME"] = s.abs("q"), "relative"
	s.write("c/projects/"+slug(s.repo)+"/a.jsonl", cwd(s.repo))
	s.write(".claude/projects/"+slug(s.repo)+"/b.jsonl", cwd(s.repo))
	s.write("x/sessions/2026/01/02/r.jsonl", codexHead(s.repo))
	s.write("g/.gemini/projects.json", fmt.Sprintf(`{"projects":{%q:"p"}}`, s.repo))
	s.write("g/.gemini/tmp/p/chats/session-1.jsonl", "")
	s.write("q/projects/"+slug(s.repo)+"/chats/q.jsonl", cwd(s.repo))
	s.write(".copilot/session-state/one/events.jsonl", fmt.Sprintf(`{"data":{"context":{"cwd":%q}}}`, s.repo))
	want := []string{
		"claude-code c/projects/" + slug(s.repo) + "/a.jsonl", "codex x/sessions/2026/01/02/r.jsonl",
		"gemini g/.gemini/tmp/p/chats/session-1.jsonl", "qwen q/projects/" + slug(s.repo) + "/chats/q.jsonl",
		"copilot .copilot/session-state/one/events.jsonl",
	}
	if diff := cmp.Diff(want, s.takeAll(s.repo)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestNewest_links holds that a link out of the place of a client is not followed, and that a directory
// counts under both its names.
func TestNewest_links(t *testing.T) {
	t.Parallel()
	s := newShelves(t)
	mine := ".claude/projects/" + slug(s.repo)
	s.write(mine+"/a.jsonl", cwd(s.repo))
	s.write("outside/secret.jsonl", cwd(s.repo))
	link(t, s.abs("outside/secret.jsonl"), s.abs(mine+"/link.jsonl"))
	link(t, s.abs("outside"), s.abs(mine+"-dir"))
	link(t, "a.jsonl", s.abs(mine+"/again.jsonl"))
	other := filepath.Join(filepath.Dir(s.repo), "link")
	link(t, s.repo, other)
	for _, dir := range []string{s.repo, other} {
		if p, ok := s.newest(dir, ""); !ok || !strings.HasSuffix(p.Path, "/a.jsonl") {
			t.Errorf("%s: %v, %v", dir, p, ok)
		}
	}
	if err := os.Remove(s.abs(mine + "/a.jsonl")); err != nil {
		t.Fatal(err)
	}
	if p, ok := s.newest(s.repo, ""); ok {
		t.Errorf("a link leads to %s", p.Path)
	}
}

func link(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Skip(err)
	}
}

// TestNewest_many holds that a bounded number of files is opened.
func TestNewest_many(t *testing.T) {
	t.Parallel()
	s := newShelves(t)
	for i := range 1001 {
		dir := filepath.Dir(s.repo)
		if i == 999 {
			dir = s.repo
		}
		s.write(fmt.Sprintf(".codex/sessions/2026/01/02/rollout-%04d.jsonl", i),
			fmt.Sprintf(`{"payload":{"cwd":%q}}`, dir))
	}
	if p, ok := s.newest(s.repo, ""); !ok {
		t.Error("the last one that is looked at is not found")
	} else if err := os.Rename(p.Path, s.abs(".codex/moved")); err != nil {
		t.Fatal(err)
	}
	s.write(".codex/sessions/2026/01/02/rollout-0999.jsonl", "")
	s.write(".codex/sessions/2026/01/02/rollout-old.jsonl", fmt.Sprintf(`{"payload":{"cwd":%q}}`, s.repo))
	if p, ok := s.newest(s.repo, ""); ok {
		t.Errorf("%s is beyond the bound", p.Path)
	}
}
