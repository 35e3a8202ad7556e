package briefing_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/rank"
)

func someAnswer(seed uint64, n, budget int) briefing.Answer {
	a := briefing.Answer{
		Now: noon, Nonce: "0123456789abcdef", Budget: budget, More: int(seed),
		Explain: seed%2 == 0,
	}
	for i, k := range someKnown(seed, n) {
		a.Known = append(a.Known, briefing.Ranked{
			Known: k, Met: []string{"spindle"}, Score: 1 / float64(i+1),
			Factors: []rank.Factor{{Name: "relevance", Value: 1, Why: "it\nis so"}},
		})
	}
	return a
}

// TestAnswer_budget: no answer is longer than the budget, none is cut, each keeps its rank, and the rest is
// counted.
func TestAnswer_budget(t *testing.T) {
	t.Parallel()

	for seed := range uint64(8) {
		for budget := 1; budget <= 4000; budget += 131 {
			a := someAnswer(seed, 20, budget)
			text := a.Markdown()
			if n := utf8.RuneCountInString(text); n > budget {
				t.Fatalf("seed %d: %d characters, and the budget is %d", seed, n, budget)
			}
			if text == "" {
				continue
			}
			kept := 0
			for i := range a.Known {
				if strings.Contains(text, fmt.Sprintf("\n| %d. ", i+1)) {
					kept++
					if !strings.Contains(text, a.Known[i].ID()) {
						t.Fatalf("seed %d, budget %d: answer %d has another rank", seed, budget, i+1)
					}
				}
			}
			if left := len(a.Known) + a.More - kept; kept == 0 ||
				left > 0 && !strings.Contains(text, fmt.Sprintf("\n%d more, ", left)) {
				t.Fatalf("seed %d, budget %d: %d are left out, which is not said:\n%s", seed, budget, left,
					text)
			}
			data, err := a.JSON()
			if err != nil {
				t.Fatal(err)
			}
			if n := utf8.RuneCount(data); n > budget && !strings.Contains(string(data), `"answers": []`) {
				t.Fatalf("seed %d: %d characters of JSON, and the budget is %d", seed, n, budget)
			}
		}
	}
}

// TestAnswer_passesOver: one that does not fit makes room for the next.
func TestAnswer_passesOver(t *testing.T) {
	t.Parallel()

	a := someAnswer(0, 3, 600)
	const id = "01ARZ3NDEKTSV4RRFFQ0000001"
	a.Known[0].Text, a.Known[1].Text, a.Known[1].Why = said(id, strings.Repeat("long ", 300)),
		said(id, "Short"), provenance.Text{}
	a.Known[0].Digest = provenance.Text{}
	a.Known[1].Marks, a.Known[1].Branch, a.Known[1].Digest = nil, "", provenance.Text{}
	text := a.Markdown()
	if !strings.Contains(text, "\n| 2. ") || strings.Contains(text, "\n| 1. ") {
		t.Errorf("the answer is\n%s", text)
	}
}
