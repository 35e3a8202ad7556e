package transcript_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/transcript"
)

// planted is what no reader may let through: it stands in the fixtures wherever git ltm, a hook, a client or
// a subagent speaks.
const planted = "QUINCE"

// expectation is what a person says of a fixture.
type expectation struct {
	Format    transcript.Format `json:"format"`
	Goal      string            `json:"goal"`    // where the goal stands; empty where no prompt has it
	Prompts   int               `json:"prompts"` // how many there are
	Model     string            `json:"model"`
	Branch    string            `json:"branch"`
	Dir       string            `json:"dir"`
	Failed    []failedCommand   `json:"failed"`
	Decisions []string          `json:"decisions"`
	Todos     []string          `json:"todos"`
	Edited    []string          `json:"edited"`
	Commits   []string          `json:"commits"`
	Last      string            `json:"last"`
	Summary   string            `json:"summary"`
}

type failedCommand struct {
	Command string `json:"command"`
	Exit    int    `json:"exit"`
	Error   string `json:"error"` // a part of its output
}

// TestRead reads the fixtures, which are written by hand after real transcripts.
func TestRead(t *testing.T) {
	t.Parallel()
	files := fixtures(t)
	if len(files) < 26 {
		t.Errorf("%d fixtures, want 26", len(files))
	}
	for _, file := range files {
		t.Run(filepath.ToSlash(file), func(t *testing.T) {
			t.Parallel()
			data := readFile(t, file)
			want := expected(t, file)
			if f, ok := transcript.Detect(data[:min(len(data), 4096)]); !ok || f != want.Format {
				t.Errorf("Detect = %q, %t", f, ok)
			}
			got := read(t, data, want.Format)
			if diff := cmp.Diff(want, told(got, want)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if all := shown(t, got); strings.Contains(all, planted) {
				t.Errorf("what nobody said came through:\n%s", all)
			}
		})
	}
}

// told puts a session in the form of an expectation, with as much of each output as is expected.
func told(s transcript.Session, want expectation) expectation {
	got := expectation{
		Format: s.Format, Prompts: len(s.Prompts), Model: s.Model, Branch: s.Branch, Dir: s.Dir,
		Edited: s.Edited, Last: s.Last,
		Summary: s.Summary, Failed: []failedCommand{}, Decisions: []string{}, Todos: []string{},
		Commits: []string{},
	}
	for _, p := range s.Prompts {
		if p.Text == want.Goal {
			got.Goal = p.Text
		}
	}
	for _, c := range s.Commands {
		if !c.Failed {
			continue
		}
		f := failedCommand{Command: c.Text, Exit: c.Exit, Error: c.Output}
		if i := len(got.Failed); i < len(want.Failed) && want.Failed[i].Error != "" &&
			strings.Contains(c.Output, want.Failed[i].Error) {
			f.Error = want.Failed[i].Error
		}
		got.Failed = append(got.Failed, f)
	}
	for _, d := range s.Decisions {
		got.Decisions = append(got.Decisions, string(d.Kind)+": "+d.Question+" -> "+d.Text)
	}
	for _, d := range s.Todos {
		got.Todos = append(got.Todos, string(d.Status)+": "+d.Text)
	}
	for _, c := range s.Commits {
		got.Commits = append(got.Commits, c.ID+" "+c.Subject)
	}
	if got.Edited == nil {
		got.Edited = []string{}
	}
	return got
}

// fixtures are the transcripts below testdata.
func fixtures(tb testing.TB) []string {
	tb.Helper()
	var files []string
	for _, pattern := range []string{"*.jsonl", "*.json"} {
		found, err := filepath.Glob(filepath.Join("testdata", "*", pattern))
		if err != nil {
			tb.Fatal(err)
		}
		for _, f := range found {
			if !strings.HasSuffix(f, ".want.json") {
				files = append(files, f)
			}
		}
	}
	return files
}

// expected reads the expectation beside a fixture.
func expected(tb testing.TB, file string) expectation {
	tb.Helper()
	var want expectation
	data := readFile(tb, strings.TrimSuffix(file, filepath.Ext(file))+".want.json")
	if err := json.Unmarshal(data, &want); err != nil {
		tb.Fatalf("%s: %v", file, err)
	}
	return want
}

func readFile(tb testing.TB, file string) []byte {
	tb.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

func read(tb testing.TB, data []byte, f transcript.Format) transcript.Session {
	tb.Helper()
	s, err := transcript.Read(tb.Context(), bytes.NewReader(data), f)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// shown is all of a session as text.
func shown(tb testing.TB, s transcript.Session) string {
	tb.Helper()
	data, err := json.Marshal(s)
	if err != nil {
		tb.Fatal(err)
	}
	return string(data)
}
