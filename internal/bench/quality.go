package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-ltm/git-ltm/internal/program"
	"github.com/git-ltm/git-ltm/internal/retrieval"
)

// qualityVerb is the first argument of a run that measures how well is found what answers a question.
const qualityVerb = "quality"

// collections is where the questions lie, from the top of the repository.
const collections = "testdata/retrieval"

// benchQuality prints how well recall finds what answers the questions of two collections, beside plain
// searches. Its argument is the folder of the collections, where that is not the usual one.
func benchQuality(ctx context.Context, out io.Writer, args []string) (err error) {
	folder := collections
	switch len(args) {
	case 0:
	case 1:
		folder = args[0]
	default:
		return fmt.Errorf("%s takes one folder", qualityVerb)
	}
	dir, err := os.MkdirTemp("", "git-ltm-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	var rows, coding []retrieval.Row
	for _, read := range []func() (*retrieval.Collection, error){
		func() (*retrieval.Collection, error) { return retrieval.ADI(os.DirFS(folder)) },
		func() (*retrieval.Collection, error) { return retrieval.Coding(os.DirFS(folder)) },
	} {
		c, err := read()
		if err != nil {
			return fmt.Errorf("read collection: %w", err)
		}
		if coding, err = qualityOf(ctx, dir, c); err != nil {
			return err
		}
		rows = append(rows, coding...)
	}
	if err := retrieval.WriteTable(out, rows); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(out); err != nil {
		return err
	}
	if err := retrieval.WriteStyles(out, coding); err != nil {
		return err
	}
	calls, err := retrieval.ReadCalls(os.DirFS(filepath.Join(folder, "..", "deadend", "calls")))
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(out); err != nil {
		return err
	}
	return calls.Write(out)
}

// qualityOf puts a collection to recall, to its index alone and to the plain searches.
func qualityOf(ctx context.Context, dir string, c *retrieval.Collection) (rows []retrieval.Row, err error) {
	ours, done, err := retrieval.Indexed(ctx, c)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, done()) }()
	repo, env := filepath.Join(dir, c.Name), environment(dir)
	for _, args := range [][]string{{"init", "-q", "-b", "main", repo}, {"-C", repo, "commit", "-q", "--allow-empty", "-m", "start"}} {
		if _, err := run(ctx, program.Command{File: "git", Args: args, Env: env}); err != nil {
			return nil, err
		}
	}
	whole, closeWhole, err := retrieval.Whole(ctx, repo, env, c)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closeWhole()) }()
	fts5, err := retrieval.FTS5(ctx, sqlite3, filepath.Join(dir, c.Name+".db"), retrieval.PlainWords, c)
	if err != nil {
		return nil, err
	}
	stems, err := retrieval.FTS5(ctx, sqlite3, filepath.Join(dir, c.Name+"-stems.db"), retrieval.Stems, c)
	if err != nil {
		return nil, err
	}
	for _, s := range []struct {
		name   string
		search retrieval.Searcher
	}{{"recall", whole}, {"index alone", ours}, {"FTS5 BM25", fts5}, {"FTS5 BM25, stems", stems}, {"grep count", retrieval.Grep(c)}} {
		answers, err := retrieval.Ask(ctx, c, s.search)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		rows = append(rows, retrieval.Row{Search: s.name, Collection: c.Name, Answers: answers})
	}
	return rows, nil
}

// sqlite3 runs statements by the sqlite3 program, which reads no file of the user's.
func sqlite3(ctx context.Context, database, statements string) (string, error) {
	args := []string{"-batch", "-bail", "-init", os.DevNull, database}
	done, err := run(ctx, program.Command{File: "sqlite3", Args: args, Stdin: strings.NewReader(statements)})
	return string(done.Stdout), err
}
