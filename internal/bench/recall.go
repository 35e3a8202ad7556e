package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// recallVerb is the first argument that measures what recall, context and the index cost.
const recallVerb = "recall"

// The vocabulary of records that are searched: as in any language, a few words stand everywhere and most almost nowhere.
const (
	searchedWords = 20_000
	commonest     = 4_000 // commonest is how often the first word stands in the list that words are drawn from.
)

// The numbers of words, the commonest is the first.
const (
	commonWord = 4
	mediumWord = 120
	rareWord   = 3_000
)

// benchRecall prints what recall, context and the index cost beside a plain full-text table, with each number of records.
func benchRecall(ctx context.Context, out io.Writer, args []string) error {
	sizes := []int{10_000, 100_000}
	if len(args) > 0 {
		var err error
		if sizes, err = numbers(args); err != nil {
			return err
		}
	}
	return withPrograms(ctx, func(dir string) error {
		if _, err := fmt.Fprintf(out, "%s, %d cores, %s, ratios of medians\n\n"+
			"| what | records | git ltm, ms | other, ms | wall | CPU | peak MiB, both |\n|---|---|---|---|---|---|---|\n",
			time.Now().UTC().Format(time.DateOnly), runtime.NumCPU(), runtime.Version()); err != nil {
			return err
		}
		for _, n := range sizes {
			s := &searched{repo: newRepo(dir, n)}
			s.rich()
			if err := s.filled(ctx); err != nil {
				return fmt.Errorf("make %d records: %w", n, err)
			}
			if err := s.measureAll(ctx, out); err != nil {
				return fmt.Errorf("with %d records: %w", n, err)
			}
		}
		return nil
	})
}

// searched is a repository whose items stand in a plain full-text table too.
type searched struct{ *repo }

// rich makes the words of a repository those that are searched.
func (r *repo) rich() {
	r.style = richStyle
	made := rand.New(rand.NewPCG(3, 3)) //nolint:gosec // The words must be the same in each run.
	syllables := strings.Fields("ka ro mi te lo su ne pa dri fo gal ven tor qui xa bel")
	r.words = nil
	for i := range searchedWords {
		word := madeWord(i, made, syllables)
		for range 1 + commonest/(i+1) {
			r.words = append(r.words, word)
		}
	}
}

// madeWord is a word that no other number has.
func madeWord(i int, made *rand.Rand, syllables []string) string {
	var word strings.Builder
	for range 2 + made.IntN(2) {
		word.WriteString(syllables[made.IntN(len(syllables))])
	}
	return fmt.Sprintf("%s%c%c%c", &word, 'b'+i%23, 'b'+i/23%23, 'b'+i/529%23)
}

// word is the word of a number in the list of a rich repository.
func (s *searched) word(number int) string {
	at := 0
	for i := range number {
		at += 1 + commonest/(i+1)
	}
	return s.words[at]
}

// plain is the file of the plain table.
func (s *searched) plain() string { return filepath.Join(s.dir, plainTable) }

// measureAll measures everything, the first build first.
func (s *searched) measureAll(ctx context.Context, out io.Writer) error {
	few := max(2, min(runs, 200_000/s.n))
	all := []comparison{{"first build of the index", s.n, max(1, min(5, 50_000/s.n)), s.build, s.buildPlain}}
	for _, query := range []struct {
		name   string
		number int
	}{{"rare", rareWord}, {"medium", mediumWord}, {"common", commonWord}} {
		words := []string{s.word(query.number), s.word(query.number + 1)}
		all = append(all, comparison{"recall, " + query.name + " words", s.n, few, s.ltm(append([]string{"recall"}, words...)...), s.match(words)})
	}
	all = append(all,
		comparison{"recall after one new record", s.n, min(few, 10), s.update, s.listRefs},
		comparison{"context", s.n, few, s.ltm("context"), s.plainList})
	for _, c := range all {
		if err := c.markdown(ctx, out); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return s.speed(ctx, out)
}

// build makes the index from nothing, by a question.
func (s *searched) build(ctx context.Context) (sample, error) {
	if err := os.RemoveAll(filepath.Join(s.dir, ".git", "ltm")); err != nil {
		return sample{}, err
	}
	return s.ltm("recall", s.word(rareWord))(ctx)
}

// buildPlain makes the plain table anew.
func (s *searched) buildPlain(ctx context.Context) (sample, error) {
	if err := os.RemoveAll(s.plain()); err != nil {
		return sample{}, err
	}
	return s.sqlite(ctx, ".read "+plainItems)
}

// match asks the plain table.
func (s *searched) match(words []string) func(context.Context) (sample, error) {
	return func(ctx context.Context) (sample, error) {
		return s.sqlite(ctx, fmt.Sprintf("SELECT rowid, text FROM items WHERE items MATCH '%s' ORDER BY bm25(items) LIMIT 10",
			strings.Join(words, " OR ")))
	}
}

func (s *searched) sqlite(ctx context.Context, statement string) (sample, error) {
	return s.measure(ctx, nil, nil, "sqlite3", "-batch", "-bail", "-init", os.DevNull, plainTable, statement)
}

// update asks a question after a record was saved, which is not counted.
func (s *searched) update(ctx context.Context) (sample, error) {
	if _, err := s.saveAsIs(ctx); err != nil {
		return sample{}, err
	}
	return s.ltm("recall", s.word(rareWord))(ctx)
}

// listRefs lists the refs as git does.
func (s *searched) listRefs(ctx context.Context) (sample, error) {
	return s.measure(ctx, nil, nil, "git", "for-each-ref", "--format=%(objectname) %(refname)", "refs/ltm")
}

// speed prints how many megabytes of records a first build takes in a second, and how large the two files are.
func (s *searched) speed(ctx context.Context, out io.Writer) error {
	took, err := s.build(ctx)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(s.dir, textBytes))
	if err != nil {
		return err
	}
	var size int64
	if _, err := fmt.Sscan(string(text), &size); err != nil {
		return err
	}
	ours, err := os.Stat(filepath.Join(s.dir, ".git", "ltm", "index.db"))
	if err != nil {
		return err
	}
	other, err := os.Stat(s.plain())
	if err != nil {
		return err
	}
	const mega = 1e6
	_, err = fmt.Fprintf(out, "| first build: %.1f MB of records, %.1f MB/s; files %.1f and %.1f MB | %d | | | | | |\n", float64(size)/mega,
		float64(size)/mega/took.wall.Seconds(), float64(ours.Size())/mega, float64(other.Size())/mega, s.n)
	return err
}
