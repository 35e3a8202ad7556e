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

// qualityVerb is the first argument of a run that measures how well is found what answers a question.
const qualityVerb = "quality"

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
func benchQuality(ctx context.Context, out io.Writer, args []string) error {
	folder, ends, parts := collections, calls, []retrieval.Part{retrieval.Open, retrieval.Sealed}
	switch len(args) {
	case 0:
	case 1:
		folder, ends, parts = args[0], args[0], []retrieval.Part{retrieval.Whole}
	default:
		return fmt.Errorf("%s takes one folder", qualityVerb)
	}
	for _, part := range parts {
		if err := qualityOfPart(ctx, out, folder, part, manyUnrelated); err != nil {
			return err
		}
	}
	all, err := retrieval.ReadCalls(os.DirFS(ends))
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(out); err != nil {
		return err
	}
	return all.Write(out, parts...)
}

// qualityOfPart prints the table of a part of the questions.
func qualityOfPart(ctx context.Context, out io.Writer, folder string, part retrieval.Part,
	unrelated int,
) error {
	all, err := retrieval.Sets(os.DirFS(folder), part)
	if err != nil {
		return fmt.Errorf("read collections: %w", err)
	}
	if part == retrieval.Open {
		coding, err := retrieval.Coding(os.DirFS(folder))
		if err != nil {
			return fmt.Errorf("read collection: %w", err)
		}
		all = append(all, coding)
	}
	var rows []retrieval.Row
	for _, c := range all {
		some, err := qualityOf(ctx, c, unrelated)
		if err != nil {
			return err
		}
		rows = append(rows, some...)
	}
	if _, err := fmt.Fprintf(out, "\nThe questions: %s\n\n", part); err != nil {
		return err
	}
	return retrieval.WriteTable(out, rows)
}

// qualityOf puts prompts to the hook, and questions to the index with other words for them and
// without, to the plain searches, and again among many records that have nothing to do with them.
func qualityOf(ctx context.Context, c *retrieval.Collection,
	unrelated int,
) (rows []retrieval.Row, err error) {
	ask := func(name string, c *retrieval.Collection, search retrieval.Searcher) error {
		answers, err := retrieval.Ask(ctx, c, search)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		rows = append(rows, retrieval.Row{Search: name, Collection: c.Name, Answers: answers})
		return nil
	}
	if strings.HasPrefix(c.Name, "prompts") {
		dir, err := os.MkdirTemp("", "git-ltm-bench-")
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		repo, env := filepath.Join(dir, "repo"), environment(dir)
		for _, args := range [][]string{
			{"init", "-q", "-b", "main", repo},
			{"-C", repo, "commit", "-q", "--allow-empty", "-m", "start"},
		} {
			if _, err := run(ctx, program.Command{File: "git", Args: args, Env: env}); err != nil {
				return nil, err
			}
		}
		hook, done, err := retrieval.Prompted(ctx, repo, env, c)
		if err != nil {
			return nil, err
		}
		return rows, errors.Join(ask("hook", c, hook), done())
	}
	alone := &retrieval.Collection{Name: c.Name, Documents: c.Documents, Questions: slices.Clone(c.Questions)}
	for i := range alone.Questions {
		alone.Questions[i].Also = nil
	}
	root, err := run(ctx, program.Command{File: "go", Args: []string{"env", "GOROOT"}, Env: os.Environ()})
	if err != nil {
		return nil, err
	}
	among, err := alone.With(unrelated,
		os.DirFS(filepath.Join(strings.TrimSpace(string(root.Stdout)), "src")))
	if err != nil {
		return nil, err
	}
	for _, one := range []*retrieval.Collection{alone, among} {
		search, done, err := retrieval.Indexed(ctx, one)
		if err == nil {
			err = ask("recall", one, search)
		}
		if err == nil && one == alone &&
			slices.ContainsFunc(c.Questions, func(q retrieval.Question) bool { return len(q.Also) > 0 }) {
			err = ask("recall, other words", c, search)
		}
		for _, p := range retrieval.Plains() {
			if err == nil && (one == alone || p == retrieval.Textbook) {
				err = ask(string(p), one, p.Search(one))
			}
		}
		if err = errors.Join(err, done()); err != nil {
			return nil, err
		}
	}
	return rows, nil
}
