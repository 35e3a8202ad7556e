package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/retrieval"
)

// TestAsked_collection puts the questions of the collection as prompts. Most that have an answer are told one, most of what is
// told answers, and what nobody wrote about is hardly ever answered.
func TestAsked_collection(t *testing.T) {
	t.Parallel()
	c, err := retrieval.Coding(os.DirFS(filepath.Join("..", "..", "testdata", "retrieval")))
	if err != nil {
		t.Fatal(err)
	}
	ask := prompting(t, c)
	var known, answered, told, right, unknown, wrong int
	for _, q := range c.Questions {
		keys := ask(q.Text)
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
	t.Logf("%d of %d prompts are told an answer; %d of %d things told are one; %d of %d prompts without an answer are told something",
		answered, known, right, told, wrong, unknown)
	if answered*100 < known*70 || right*100 < told*65 || wrong > 3 {
		t.Error("want at least 70 and 65 of 100, and at most 3")
	}
	for _, prompt := range []string{
		"fix the typo in the README", "commit this and push", "please refactor this file, it is too long", "continue",
		"Rename the variable foo to bar everywhere", "explain the architecture of this project", "remove the dead code",
		"translate the comments into English", "Looks good, thanks! Please also update the changelog.",
	} {
		if keys := ask(prompt); len(keys) > 0 {
			t.Errorf("%q is told %q, want nothing", prompt, keys)
		}
	}
}

func TestAsked_command(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string]bool{
		"/compact keep the lexer":                      false,
		" /ltm:save the lexer":                         false,
		"/home/ada/lex.go panics in the tokenizer":     true,
		"Why does /compact lose what the lexer wants?": true,
	} {
		if got := len(asked(prompt)) > 0; got != want {
			t.Errorf("asked(%q) has words: %v, want %v", prompt, got, want)
		}
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
		words := asked(prompt)
		if len(words) == 0 {
			return nil
		}
		hits, err := x.Search(t.Context(), index.Query{Text: strings.Join(words, " "), Limit: lookedAt, OnlyKnown: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range hits {
			if plain(recall.Found{Hit: h}) && len(keys) < mostHits {
				keys = append(keys, retrieval.Key(ids[h.Ref], h.Place))
			}
		}
		return keys
	}
}
