package session

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/retrieval"
)

// What people write around a question, and what they paste below it.
const (
	politely = "Hi there, I hope you are doing well today! I was wondering whether you could please help me out with something that has been " +
		"bothering our team for quite a while now. "
	pastedLog = "\n\n2026-11-20T10:44:12Z ERROR worker[17] panic: runtime error: index out of range [5] with length 5\ngoroutine 42 [running]:\n" +
		"main.(*Server).handleRequest(0xc0000b2000, {0x7f1, 0x20})\n\t/home/ada/src/app/server.go:118 +0x1a5\nexit status 2\n" +
		"make: *** [Makefile:12: test] Error 1\n"
)

// SPEC.
//
// TestPrompt_collection puts the questions of the collection as prompts: alone, politely, and with a log below. Most that have an
// answer are told one whichever way they come, most of what is told answers, and what nobody wrote about is hardly ever answered.
func TestPrompt_collection(t *testing.T) {
	t.Parallel()
	c, err := retrieval.Coding(os.DirFS(filepath.Join("..", "..", "testdata", "retrieval")))
	if err != nil {
		t.Fatal(err)
	}
	ask := prompting(t, c)
	for name, form := range map[string]func(string) string{
		"alone":      func(q string) string { return q },
		"politely":   func(q string) string { return politely + q },
		"with a log": func(q string) string { return q + pastedLog },
		"both":       func(q string) string { return politely + q + pastedLog },
	} {
		var known, answered, told, right, unknown, wrong int
		for _, q := range c.Questions {
			keys := ask(form(q.Text))
			if len(q.Relevant) == 0 {
				unknown++
				wrong += min(1, len(keys))
				continue
			}
			known++
			hits := 0
			for _, key := range keys {
				hits += min(1, q.Relevant[key])
			}
			told, right, answered = told+len(keys), right+hits, answered+min(1, hits)
		}
		t.Logf("%s: %d of %d prompts are told an answer; %d of %d things told are one; %d of %d prompts without an answer are told something",
			name, answered, known, right, told, wrong, unknown)
		if answered*100 < known*70 || right*100 < told*55 || wrong > 2 {
			t.Errorf("%s: want at least 70 and 55 of 100, and at most 2", name)
		}
	}
	for _, prompt := range []string{
		"fix the typo in the README", "commit this and push", "please refactor this file, it is too long", "continue",
		"Rename the variable foo to bar everywhere", "explain the architecture of this project", "remove the dead code",
		"translate the comments into English", "Looks good, thanks! Please also update the changelog.", politely + pastedLog,
	} {
		if keys := ask(prompt); len(keys) > 0 {
			t.Errorf("%q is told %q, want nothing", prompt, keys)
		}
	}
}

func TestIsCommand(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string]bool{
		"/compact keep the lexer":                      true,
		" /ltm:save the lexer":                         true,
		"/home/ada/lex.go panics in the tokenizer":     false,
		"Why does /compact lose what the lexer wants?": false,
	} {
		if got := isCommand(prompt); got != want {
			t.Errorf("isCommand(%q) = %v, want %v", prompt, got, want)
		}
	}
}

func TestApart(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string][2]string{
		"Why does parse_config() in src/app.go:118 return nil":     {"Why does parse_config() in src/app.go:118 return nil", ""},
		"Why does it fail?" + pastedLog + "\nIt worked yesterday.": {"Why does it fail?\n\n\nIt worked yesterday.", pastedLog[2 : len(pastedLog)-1]},
		"Fix this:\n```go\nfunc f() {\n\nreturn\n```\nand test it": {"Fix this:\nand test it", "```go\nfunc f() {\n\nreturn\n```"},
		"> as you said\n> before\n\nNo.":                           {"No.", "> as you said\n> before"},
		"Do:\n- the first thing\n- the second, in two steps\n":     {"Do:\n- the first thing\n- the second, in two steps", ""},
		"": {"", ""},
	} {
		asked, pasted := apart(prompt)
		if diff := cmp.Diff(want, [2]string{asked, pasted}); diff != "" {
			t.Errorf("apart(%q) (-want +got):\n%s", prompt, diff)
		}
	}
	if got := namesFirst("see the sync.Pool(0x20) of [ERR_SOCKET] at 12:30."); got != "sync.Pool ERR_SOCKET see the of at" {
		t.Errorf("namesFirst = %q", got)
	}
}

// prompting returns what a prompt to a collection is told.
func prompting(t *testing.T, c *retrieval.Collection) func(prompt string) []string {
	t.Helper()
	ids := map[string]string{}
	var documents []index.Document
	for _, d := range c.Documents {
		ref := "refs/ltm/" + string(d.Content.Kind) + "s/" + d.ID
		ids[ref] = d.ID
		documents = append(documents, index.Document{Ref: ref, Content: d.Content})
	}
	x, err := index.Memory(t.Context(), documents)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	return func(prompt string) (keys []string) {
		asked, pasted := apart(prompt)
		for text, least := range map[string]float64{asked: 0, namesFirst(pasted): pastedIsMet} {
			hits, err := x.Search(t.Context(), index.Query{Text: text, Plain: true, Limit: 4 * mostHits})
			if err != nil || text == "" {
				hits = nil
			}
			for _, h := range hits {
				if recall.IsSure(h) && h.Evidence >= least && recall.Informs(h.Kind) && len(keys) < mostHits {
					keys = append(keys, retrieval.Key(ids[h.Ref], h.Place))
				}
			}
		}
		return keys
	}
}
