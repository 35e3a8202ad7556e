package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/program"
	"github.com/git-ltm/git-ltm/internal/retrieval"
)

// Where the questions lie, and the calls that meet dead ends, from the top of the repository.
const (
	collections = "testdata/retrieval"
	calls       = "testdata/deadend/calls"
)

// manyUnrelated is how many records that have nothing to do with it a collection is put among.
const manyUnrelated = 20_000

// benchQuality prints how well is found what answers questions, beside plain searches: the open
// questions of all collections, and then the sealed ones. Its argument is the folder of a set that
// nobody has looked at, with the files of the usual one and those of dead ends: of that all are asked.
func benchQuality(ctx context.Context, out io.Writer, args []string) {
	folder, ends, parts := collections, calls, []retrieval.Part{retrieval.Open, retrieval.Sealed}
	switch len(args) {
	case 0:
	case 1:
		folder, ends, parts = args[0], args[0], []retrieval.Part{retrieval.Whole}
	default:
		panic(failure{errors.New("quality takes one folder")})
	}
	for _, part := range parts {
		qualityOfPart(ctx, out, folder, part, manyUnrelated)
	}
	all := must(retrieval.ReadCalls(os.DirFS(ends)))
	must(fmt.Fprintln(out, "\n"+strings.TrimSpace(all.Table(parts...))))
}

// qualityOfPart prints the table of a part of the questions.
func qualityOfPart(ctx context.Context, out io.Writer, folder string, part retrieval.Part, unrelated int) {
	all := must(retrieval.Sets(os.DirFS(folder), part))
	if part == retrieval.Open {
		all = append(all, must(retrieval.Coding(os.DirFS(folder))))
	}
	var rows []retrieval.Row
	for _, c := range all {
		rows = append(rows, qualityOf(ctx, c, unrelated)...)
	}
	must(fmt.Fprintf(out, "\nThe questions: %s\n\n%s", part, retrieval.Table(rows)))
}

// qualityOf puts prompts to the hook, and questions to the index with other words for them and
// without, to the plain searches, and again among many records that have nothing to do with them.
func qualityOf(ctx context.Context, c *retrieval.Collection, unrelated int) (rows []retrieval.Row) {
	ask := func(name string, c *retrieval.Collection, search retrieval.Searcher) {
		within(name, func() {
			answers := must(retrieval.Ask(ctx, c, search))
			rows = append(rows, retrieval.Row{Search: name, Collection: c.Name, Answers: answers})
		})
	}
	if strings.HasPrefix(c.Name, "prompts") {
		inFolder(func(dir string) {
			repo, env := filepath.Join(dir, "repo"), environment(dir)
			for _, args := range [][]string{
				{"init", "-q", "-b", "main", repo},
				{"-C", repo, "commit", "-q", "--allow-empty", "-m", "start"},
			} {
				run(ctx, program.Command{File: "git", Args: args, Env: env})
			}
			hook, done, err := retrieval.Prompted(ctx, repo, env, c)
			check(err)
			defer func() { check(done()) }()
			ask("hook", c, hook)
		})
		return rows
	}
	alone := &retrieval.Collection{Name: c.Name, Documents: c.Documents, Questions: slices.Clone(c.Questions)}
	for i := range alone.Questions {
		alone.Questions[i].Also = nil
	}
	root := run(ctx, program.Command{File: "go", Args: []string{"env", "GOROOT"}, Env: os.Environ()})
	among := must(alone.With(unrelated, os.DirFS(filepath.Join(strings.TrimSpace(string(root.Stdout)), "src"))))
	search := func(one *retrieval.Collection, plains ...retrieval.Plain) {
		search, done, err := retrieval.Indexed(ctx, one)
		check(err)
		defer func() { check(done()) }()
		ask("recall", one, search)
		if one == alone &&
			slices.ContainsFunc(c.Questions, func(q retrieval.Question) bool { return len(q.Also) > 0 }) {
			ask("recall, other words", c, search)
		}
		for _, p := range plains {
			ask(string(p), one, p.Search(one))
		}
	}
	search(alone, retrieval.Plains()...)
	search(among, retrieval.Textbook)
	return rows
}
