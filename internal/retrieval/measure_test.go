package retrieval_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/retrieval"
)

// near tells whether two figures are the same but for rounding.
func near(a, b float64) bool { return math.Abs(a-b) < 5e-5 }

func TestNDCG(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		keys     []string
		relevant map[string]int
		want     float64
	}{
		{"nothing returned", nil, map[string]int{"a": 1}, 0},
		{"nothing relevant", []string{"a"}, nil, 0},
		{"first", []string{"a"}, map[string]int{"a": 2}, 1},
		// 1/log2(3) = 0.6309.
		{"second", []string{"x", "a"}, map[string]int{"a": 2}, 0.6309},
		// The best order is 2 + 1/log2(3) = 2.6309, the other way round is 1 + 2/log2(3) = 2.2619.
		{"grades the wrong way round", []string{"b", "a"}, map[string]int{"a": 2, "b": 1}, 0.8597},
		// 2/log2(2) + 1/log2(5) = 2.4307, of 2 + 1/log2(3) + 1/log2(4) = 3.1309.
		{
			"one missing, one late",
			[]string{"a", "x", "y", "b"},
			map[string]int{"a": 2, "b": 1, "c": 1},
			0.7763,
		},
		// Rank 10 counts 1/log2(11) = 0.2891, rank 11 nothing.
		{"tenth", strings.Split("1234567890", ""), map[string]int{"0": 1}, 0.2891},
		{"eleventh", strings.Split("1234567890a", ""), map[string]int{"a": 1}, 0},
		// Of twelve relevant items the best ten can be there.
		{"more relevant than places", strings.Split("abcdefghij", ""), ones("abcdefghijkl"), 1},
		// Twice the same gains once: 1 of 1 + 0.6309.
		{"again", []string{"a", "a"}, map[string]int{"a": 1, "b": 1}, 0.6131},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := retrieval.NDCG(tt.keys, tt.relevant); !near(got, tt.want) {
				t.Errorf("NDCG(%v, %v) = %.4f, want %.4f", tt.keys, tt.relevant, got, tt.want)
			}
		})
	}
}

func TestRecall(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		keys     []string
		relevant map[string]int
		want     float64
	}{
		{"nothing returned", nil, map[string]int{"a": 1}, 0},
		{"nothing relevant", []string{"a"}, nil, 0},
		{"all", []string{"x", "b", "a"}, map[string]int{"a": 2, "b": 1}, 1},
		{"half", []string{"x", "b"}, map[string]int{"a": 2, "b": 1}, 0.5},
		{"fifth", strings.Split("1234a", ""), ones("ab"), 0.5},
		{"sixth", strings.Split("12345a", ""), ones("ab"), 0},
		{"again", []string{"a", "a"}, ones("ab"), 0.5},
		{"more relevant than places", strings.Split("abcdefg", ""), ones("abcdefghij"), 0.5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := retrieval.Recall(tt.keys, tt.relevant); !near(got, tt.want) {
				t.Errorf("Recall(%v, %v) = %.4f, want %.4f", tt.keys, tt.relevant, got, tt.want)
			}
		})
	}
}

// ones is a judgement of grade 1 for each letter.
func ones(letters string) map[string]int {
	relevant := map[string]int{}
	for _, c := range letters {
		relevant[string(c)] = 1
	}
	return relevant
}

// three is a collection of three questions, the last of which nothing answers.
func three() *retrieval.Collection {
	return &retrieval.Collection{Name: "three", Questions: []retrieval.Question{
		{ID: "plain-1", Text: "one", Relevant: map[string]int{"a": 2}},
		{ID: "hard-1", Text: "two", Relevant: map[string]int{"a": 1, "b": 1}},
		{ID: "nothing-1", Text: "three"},
	}}
}

// always answers each question with the same keys.
func always(keys ...string) retrieval.Searcher {
	var hits []retrieval.Hit
	for _, key := range keys {
		hits = append(hits, retrieval.Hit{Key: key})
	}
	return func(context.Context, retrieval.Question, int) ([]retrieval.Hit, error) { return hits, nil }
}

// TestSum shows the macro average: each question with an answer counts the same, and the others count apart.
func TestSum(t *testing.T) {
	t.Parallel()
	answers, err := retrieval.Ask(t.Context(), three(), always("a"))
	if err != nil {
		t.Fatal(err)
	}
	got := retrieval.Sum(answers)
	// The second question has 1 of 1 + 0.6309 = 0.6131.
	if got.Questions != 2 || !near(got.NDCG, (1+0.6131)/2) || !near(got.Recall, 0.75) ||
		got.Unanswerable != 1 || got.FalseAlarms != 1 {
		t.Errorf("Sum = %+v", got)
	}
	if answers, err = retrieval.Ask(t.Context(), three(), always()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(retrieval.Score{Questions: 2, Unanswerable: 1}, retrieval.Sum(answers)); diff != "" {
		t.Errorf("Sum where nothing is found (-want +got):\n%s", diff)
	}
}

func TestAsk_fails(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	_, err := retrieval.Ask(t.Context(), three(),
		func(context.Context, retrieval.Question, int) ([]retrieval.Hit, error) { return nil, broken })
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), `"plain-1" of three`) {
		t.Errorf("Ask with a broken search: %v", err)
	}
	if _, err := retrieval.Ask(t.Context(), three(), always(strings.Split("abcdefghijk", "")...)); err ==
		nil {
		t.Error("Ask took eleven answers")
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	all, err := retrieval.Ask(t.Context(), three(), always("a"))
	if err != nil {
		t.Fatal(err)
	}
	rows := []retrieval.Row{
		{Collection: "three", Search: "git ltm", Answers: all},
		{Collection: "two", Search: "grep", Answers: all[:2]},
	}
	got := retrieval.Table(rows)
	want := `| set | search | questions | nDCG@10 | recall@5 | answered | sure without an answer |
| --- | --- | ---: | ---: | ---: | ---: | ---: |
| three | git ltm | 2 | 0.807 | 0.750 | 2 | 1 of 1 |
| two | grep | 2 | 0.807 | 0.750 | 2 | - |
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
}
