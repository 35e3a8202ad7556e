package recall_test

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/recall"
)

// asked is a repository whose memory is asked for reasons.
type asked struct {
	*gittest.Repository

	t      *testing.T
	memory *memory.Memory
}

func newAsked(t *testing.T) asked {
	t.Helper()
	a := asked{Repository: gittest.Repo(t, gittest.Plain), t: t}
	return a.again()
}

// again opens the memory as the next command does.
func (a asked) again() asked {
	a.t.Helper()
	m, err := memory.Open(a.t.Context(),
		memory.Options{Dir: a.Dir, Env: a.Env, Now: time.Now, Entropy: rand.Reader})
	if err != nil {
		a.t.Fatal(err)
	}
	a.t.Cleanup(func() { _ = m.Close() })
	a.memory = m
	return a
}

// commit writes a file and commits everything.
func (a asked) commit(name, text string) asked {
	a.t.Helper()
	path := filepath.Join(a.Dir, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700),
		os.WriteFile(path, []byte(text), 0o600)); err != nil {
		a.t.Fatal(err)
	}
	a.Git("add", "-A")
	a.Git("commit", "-q", "-m", "change "+name)
	return a.again()
}

// note saves a note with some more members and returns its id.
func (a asked) note(text, more string) string {
	a.t.Helper()
	data := `{"type":"note","kind":"fact","text":"` + text + `"` + more + `}`
	receipt, err := a.again().memory.SaveSmall(a.t.Context(), gate.SaveRequest{Data: []byte(data)})
	if err != nil {
		a.t.Fatal(err)
	}
	return string(receipt.ID)
}

// why returns the texts of the answers, each with how it was found.
func (a asked) why(p recall.Place) ([]string, recall.Answer) {
	a.t.Helper()
	a = a.again()
	r := recall.Open(a.t.Context(), a.memory, recall.Options{Now: time.Now})
	defer func() { _ = r.Close() }()
	answer, err := r.Why(a.t.Context(), p)
	if err != nil {
		return []string{err.Error()}, answer
	}
	var all []string
	for _, f := range answer.Found {
		all = append(all, f.Item.Text+": "+strings.Join(f.Hit.Matched, " "))
	}
	return all, answer
}

func TestRecall_Why(t *testing.T) {
	t.Parallel()
	a := newAsked(t).commit("src/a.go", "package a\nthe quick brown fox\njumps over it\n")
	a.note("of the lines", `,"cites":[{"path":"src/a.go","line":2,"end_line":3}]`)
	a.note("of the file", `,"cites":[{"path":"src/a.go","line":1}]`)
	at := a.Git("rev-parse", "--short=7", "HEAD")
	a.note("of the commit", "")
	gone := a.note("taken back", `,"cites":[{"path":"src/a.go","line":2}]`)
	if _, err := a.again().memory.Happen(t.Context(),
		gate.Happen{Event: "retract", Targets: []string{gone}}); err != nil {
		t.Fatal(err)
	}
	a = a.commit("src/a.go", "package a\nimport fox\nthe quick brown fox\njumps over it\n")
	got, answer := a.why(recall.Place{Path: "src/a.go", Line: 4})
	want := []string{
		"of the lines: cites src/a.go:2-3 (moved to 3-4)",
		"of the file: cites src/a.go:1",
		"of the commit: anchored at " + at + " which last changed line 4 (change src/a.go)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("why (-want +got):\n%s", diff)
	}
	if len(answer.Out) != 1 || answer.Out[0].Hit.ID != gone || answer.Out[0].Why != "it was retracted" {
		t.Errorf("kept out: %v", answer.Out)
	}
	got, answer = a.why(recall.Place{Path: "src/a.go", Line: 4, Limit: 1})
	if len(got) != 1 || answer.More != 2 {
		t.Errorf("the first alone: %v, and %d more", got, answer.More)
	}
	a.Git("mv", "src/a.go", "b.go")
	if got, _ = a.why(recall.Place{Path: "b.go", Line: 4}); got[0] !=
		"of the lines: cites src/a.go:2-3 (moved to b.go:3-4)" {
		t.Errorf("renamed and not committed: %v", got)
	}
}

// The first answers are the same however few are asked for, and so however few records are read; the text
// names the file in one.
func TestRecall_Why_first(t *testing.T) {
	t.Parallel()
	a := newAsked(t).commit("src/a.go", "package a\n")
	for i := range 30 {
		if i%10 == 9 { // Of more than ten at one commit none is about what it changed.
			a = a.commit("src/a.go", fmt.Sprintf("package a // %d\n", i))
		}
		a.note(fmt.Sprint("number ", i),
			[3]string{"", `,"cites":[{"path":"src"}]`, `,"cites":[{"path":"src/a.go","line":1}]`}[i%3])
	}
	all, _ := a.why(recall.Place{Path: "src/a.go", Line: 1, Limit: 30})
	for _, limit := range []int{1, 3, 10, 11, 25} {
		got, answer := a.why(recall.Place{Path: "src/a.go", Line: 1, Limit: limit})
		if diff := cmp.Diff(all[:limit], got); diff != "" || len(all) != 30 || answer.More == 0 {
			t.Errorf("the first %d of %d, and %d more (-want +got):\n%s", limit, len(all), answer.More, diff)
		}
	}
}

// What is only written down at a commit where much is written down is no reason for what it changed.
func TestRecall_Why_crowdedCommit(t *testing.T) {
	t.Parallel()
	a := newAsked(t).commit("src/a.go", "package a\n")
	for i := range 11 {
		a.note(fmt.Sprint("number ", i), "")
	}
	a.note("of the file", `,"cites":[{"path":"src/a.go","line":1}]`)
	if got, _ := a.why(recall.Place{Path: "src/a.go"}); len(got) != 1 || !strings.HasPrefix(got[0], "of the file") {
		t.Errorf("why src/a.go: %v, want what cites it alone", got)
	}
}

// A file that is there and of which nothing is known has no reasons; one that is not there is an error.
func TestRecall_Why_unknown(t *testing.T) {
	t.Parallel()
	a := newAsked(t)
	if got, _ := a.why(recall.Place{Path: "file", Line: 1}); len(got) != 0 {
		t.Errorf("nothing is known, got %v", got)
	}
	for _, name := range []string{"none", "*", ":(glob)*", "--help", "file/below"} {
		got, _ := a.why(recall.Place{Path: name})
		if len(got) != 1 || !strings.HasSuffix(got[0], "and no record names it: not found") {
			t.Errorf("why %q: %v", name, got)
		}
	}
}
