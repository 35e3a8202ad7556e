package retrieval_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/retrieval"
)

// measured puts the open questions of a collection to a search, and logs the row of it.
func measured(t *testing.T, name string, c *retrieval.Collection, search retrieval.Searcher) retrieval.Score {
	t.Helper()
	answers, err := retrieval.Ask(t.Context(), c, search)
	if err != nil {
		t.Fatal(err)
	}
	table := retrieval.Table([]retrieval.Row{{Search: name, Collection: c.Name, Answers: answers}})
	t.Log(strings.SplitN(table, "\n", 3)[2])
	return retrieval.Sum(answers)
}

// TestAhead fails where the index is behind a plain search by more than a question or two make up,
// and where other words for the same thing do not help much. What nothing answers is hardly ever
// answered surely.
func TestAhead(t *testing.T) {
	t.Parallel()
	const behind, ahead = 0.005, 0.05
	for _, c := range append(sets(t)[:2], coding(t)) {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			search, done, err := retrieval.Indexed(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			with := measured(t, "with other words", c, search)
			others := slices.ContainsFunc(c.Questions, func(q retrieval.Question) bool {
				return len(q.Also) > 0
			})
			for i := range c.Questions {
				c.Questions[i].Also = nil
			}
			ours := measured(t, "recall", c, search)
			for _, p := range retrieval.Plains() {
				plain := measured(t, string(p), c, p.Search(c))
				if ours.NDCG < plain.NDCG-behind || ours.Recall < plain.Recall-behind {
					t.Errorf("nDCG@10 %.3f and recall@5 %.3f are behind %s with %.3f and %.3f", ours.NDCG,
						ours.Recall, p, plain.NDCG, plain.Recall)
				}
			}
			if others && (with.NDCG < ours.NDCG+ahead || with.Recall < ours.Recall+ahead) {
				t.Errorf("with other words nDCG@10 and recall@5 are %.3f and %.3f, and without %.3f and %.3f",
					with.NDCG, with.Recall, ours.NDCG, ours.Recall)
			}
			if ours.FalseAlarms*10 > ours.Unanswerable {
				t.Errorf("%d of %d questions without an answer have a sure one", ours.FalseAlarms,
					ours.Unanswerable)
			}
			if err := done(); err != nil {
				t.Error(err)
			}
		})
	}
}

// SPEC.
//
// TestPrompted puts prompts to the hook, alone, behind a polite sentence, and above a log:
// politeness and logs take nothing away, and the noise of daily work is hardly ever answered.
func TestPrompted(t *testing.T) {
	t.Parallel()
	var plain int
	for _, c := range sets(t)[2:] {
		repo := gittest.Repo(t, gittest.Plain)
		search, done, err := retrieval.Prompted(t.Context(), repo.Dir, repo.Env, c)
		if err != nil {
			t.Fatal(err)
		}
		s := measured(t, "hook", c, search)
		plain = max(plain, s.Met)
		if s.Met < plain || s.Met*100 < s.Questions*60 || s.FalseAlarms*100 > s.Unanswerable*12 {
			t.Errorf("%s: %d of %d are shown an answer, and %d of %d noises something", c.Name, s.Met,
				s.Questions, s.FalseAlarms, s.Unanswerable)
		}
		if err := done(); err != nil {
			t.Error(err)
		}
	}
}

// SPEC.
//
// TestPrompted_smallMemory cuts the notes into memories of 10, 30 and 100, where hardly any word stands
// twice: as many prompts are shown an answer as in all of them, and no more noise.
func TestPrompted_smallMemory(t *testing.T) {
	t.Parallel()
	const memories = 4
	whole := sets(t)[2]
	for _, size := range []int{10, 30, 100} {
		t.Run(strconv.Itoa(size), func(t *testing.T) {
			t.Parallel()
			var sum retrieval.Score
			for n := range memories {
				c := &retrieval.Collection{Name: whole.Name}
				for i := range size {
					c.Documents = append(c.Documents, whole.Documents[(n*size+i)%len(whole.Documents)])
				}
				for _, q := range whole.Questions {
					if len(q.Relevant) == 0 || slices.ContainsFunc(c.Documents, func(d retrieval.Document) bool {
						return q.Relevant[retrieval.Key(d.ID, d.Content.Items[0].Place)] > 1
					}) {
						c.Questions = append(c.Questions, q)
					}
				}
				repo := gittest.Repo(t, gittest.Plain)
				search, done, err := retrieval.Prompted(t.Context(), repo.Dir, repo.Env, c)
				if err != nil {
					t.Fatal(err)
				}
				s := measured(t, "hook", c, search)
				sum.Met, sum.Questions = sum.Met+s.Met, sum.Questions+s.Questions
				sum.FalseAlarms, sum.Unanswerable = sum.FalseAlarms+s.FalseAlarms, sum.Unanswerable+s.Unanswerable
				if err := done(); err != nil {
					t.Error(err)
				}
			}
			if sum.Met*100 < sum.Questions*55 || sum.FalseAlarms*100 > sum.Unanswerable*12 {
				t.Errorf("%d of %d are shown an answer, and %d of %d noises something",
					sum.Met, sum.Questions, sum.FalseAlarms, sum.Unanswerable)
			}
			t.Logf("%d: %d of %d, and %d of %d", size, sum.Met, sum.Questions, sum.FalseAlarms, sum.Unanswerable)
		})
	}
}
