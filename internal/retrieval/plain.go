package retrieval

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/words"
)

// Plain is a search that a good one has to beat. All of them take runs of letters and digits for
// words, in lower case.
type Plain string

// The plain searches.
const (
	// Textbook is BM25 as it is taught, k1 1.2 and b 0.75, over the stems of all words but stop words.
	Textbook Plain = "BM25"
	// FTS5 is the bm25 of a full-text table of SQLite with the tokenizer "porter unicode61", the
	// words joined by OR.
	FTS5 Plain = "FTS5 porter"
	// Counts is that of somebody with grep -ic: an item counts as many points as words of the query
	// occur in it, also in others.
	Counts Plain = "term counts"
)

// Plains are all of them.
func Plains() []Plain { return []Plain{Textbook, FTS5, Counts} }

// splitTerms are the words of a text.
func (p Plain) splitTerms(text string) []string {
	all := strings.FieldsFunc(words.Fold(text), func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c)
	})
	switch p {
	case Textbook:
		all = slices.DeleteFunc(all, words.IsStop)
	case Counts:
		return all
	}
	for i, w := range all {
		all[i] = words.Stem(w)
	}
	return all
}

// Search makes the search ready for the items of a collection. Items that meet a question as well
// keep their order.
func (p Plain) Search(c *Collection) Searcher {
	entries := c.Entries()
	postings := map[string]map[int]float64{} // how often a word stands in which items
	lengths, length := make([]float64, len(entries)), 0.0
	for i, e := range entries {
		for _, t := range p.splitTerms(e.Text) {
			if postings[t] == nil {
				postings[t] = map[int]float64{}
			}
			postings[t][i]++
			lengths[i]++
			length++
		}
	}
	all := float64(len(entries))
	weigh := func(term string, score map[int]float64) {
		const saturation, lengthEffect = 1.2, 0.75
		some := float64(len(postings[term]))
		idf := math.Log(1 + (all-some+0.5)/(some+0.5))
		if p == FTS5 {
			idf = max(1e-6, math.Log((all-some+0.5)/(some+0.5)))
		}
		for i, count := range postings[term] {
			score[i] += idf * count * (saturation + 1) /
				(count + saturation*(1-lengthEffect+lengthEffect*lengths[i]/(length/all)))
		}
	}
	if p == Counts {
		weigh = func(term string, score map[int]float64) {
			for i, e := range entries {
				if strings.Contains(strings.ToLower(e.Text), term) {
					score[i]++
				}
			}
		}
	}
	return func(_ context.Context, q Question, limit int) ([]Hit, error) {
		score := map[int]float64{}
		asked := p.splitTerms(q.Text)
		slices.Sort(asked)
		for _, term := range slices.Compact(asked) {
			weigh(term, score)
		}
		var order []int
		for i := range entries {
			if score[i] > 0 {
				order = append(order, i)
			}
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
		var hits []Hit
		for _, i := range order[:min(len(order), limit)] {
			hits = append(hits, Hit{Key: entries[i].Key})
		}
		return hits, nil
	}
}

// With returns the collection among so many notes that have nothing to do with it: comments of Go
// code below a folder, of 40 to 400 characters, each once. They are of the same trade, so that they
// hold many of the words that are asked for.
func (c *Collection) With(unrelated int, code fs.FS) (*Collection, error) {
	more := &Collection{
		Name: fmt.Sprintf("%s among %d", c.Name, unrelated), Documents: c.Documents,
		Questions: c.Questions,
	}
	seen := map[string]bool{}
	note := func(text string) {
		if n := utf8.RuneCountInString(text); n < 40 || n > 400 || seen[text] ||
			strings.Contains(text, "Copyright") {
			return
		}
		seen[text] = true
		more.Documents = append(more.Documents,
			Document{ID: fmt.Sprintf("x%05d", len(seen)), Content: packet.Content{
				Kind: packet.KindNote, Items: []packet.Item{{Kind: "fact", Place: "/text", Text: text}},
			}})
	}
	err := fs.WalkDir(code, ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".go" || strings.Contains(name, "testdata") {
			return err
		}
		data, err := fs.ReadFile(code, name)
		if err != nil {
			return err
		}
		comment := ""
		for line := range strings.Lines(string(data)) {
			if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "// "); ok {
				comment = strings.TrimSpace(comment + " " + rest)
				continue
			}
			if note(comment); len(seen) >= unrelated {
				return fs.SkipAll
			}
			comment = ""
		}
		return nil
	})
	if err == nil && len(seen) < unrelated {
		err = fmt.Errorf("there are %d comments, and %d are wanted", len(seen), unrelated)
	}
	return more, err
}
