package retrieval_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/retrieval"
)

// behind is how far a search may be behind one with the same stems, on a few questions.
const behind = 0.01

// TestAhead fails where recall, or the index alone, is not better than a plain search in both figures, or further behind the one
// with stems than a question or two make up. With -v it prints the tables.
func TestAhead(t *testing.T) {
	t.Parallel()
	for _, c := range []*retrieval.Collection{adi(t), coding(t)} {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			rows := measure(t, c)
			var table strings.Builder
			if err := retrieval.WriteTable(&table, rows); err != nil {
				t.Fatal(err)
			}
			if err := retrieval.WriteStyles(&table, rows); err != nil {
				t.Fatal(err)
			}
			t.Logf("\n%s", table.String())
			for _, one := range rows[:2] {
				ours := retrieval.Sum(one.Answers)
				for _, r := range rows[2:] {
					plain := retrieval.Sum(r.Answers)
					if r.Search == stemmed {
						plain.NDCG, plain.Recall = plain.NDCG-behind, plain.Recall-behind
					}
					if ours.NDCG <= plain.NDCG || ours.Recall <= plain.Recall {
						t.Errorf("on %s nDCG@10 %.3f and recall@5 %.3f of %s are not ahead of %s with %.3f and %.3f",
							c.Name, ours.NDCG, ours.Recall, one.Search, r.Search, plain.NDCG, plain.Recall)
					}
				}
			}
		})
	}
}

// stemmed is the plain search that knows stems, too.
const stemmed = "FTS5 BM25, stems"

// measure puts a collection to recall as a whole and to the search of its index, and then to the plain ones.
func measure(t *testing.T, c *retrieval.Collection) []retrieval.Row {
	t.Helper()
	fts5, err := retrieval.FTS5(t.Context(), sqlite3(t), filepath.Join(t.TempDir(), "plain.db"), retrieval.PlainWords, c)
	if err != nil {
		t.Fatal(err)
	}
	stems, err := retrieval.FTS5(t.Context(), sqlite3(t), filepath.Join(t.TempDir(), "stems.db"), retrieval.Stems, c)
	if err != nil {
		t.Fatal(err)
	}
	ours, done, err := retrieval.Indexed(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	repo := gittest.Repo(t, gittest.Plain)
	whole, wholeDone, err := retrieval.Whole(t.Context(), repo.Dir, repo.Env, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(done(), wholeDone()); err != nil {
			t.Error(err)
		}
	})
	var rows []retrieval.Row
	for _, s := range []struct {
		name   string
		search retrieval.Searcher
	}{{"recall", whole}, {"index", ours}, {"FTS5 BM25", fts5}, {stemmed, stems}, {"grep count", retrieval.Grep(c)}} {
		answers, err := retrieval.Ask(t.Context(), c, s.search)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, retrieval.Row{Search: s.name, Collection: c.Name, Answers: answers})
	}
	return rows
}
