package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// syncVerb is the first argument that measures the exchange with a remote.
const syncVerb = "sync"

// syncRuns is how often each side is counted where that does not take long.
const syncRuns = 20

// tracked is what a plain fetch brings to where git-ltm tracks it.
const tracked = "+refs/ltm/*:refs/ltm-remotes/origin/*"

// benchSync compares the exchange with a remote of records with what plain git takes for the same refs, once with a ref for
// each record and once with all of them in archives.
func benchSync(ctx context.Context, out io.Writer, args []string) error {
	sizes, err := numbers(args)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		sizes = []int{1000, 10000, 100000}
	}
	return withPrograms(ctx, func(dir string) error {
		if err := header(out, syncRuns); err != nil {
			return err
		}
		for _, n := range sizes {
			s := syncing{repo: newRepo(dir, n)}
			if err := s.all(ctx, out); err != nil {
				return fmt.Errorf("%d records: %w", n, err)
			}
		}
		return nil
	})
}

// syncing is a remote and the clones that exchange records with it.
type syncing struct {
	*repo
	kind   string // what the rows are called by: refs or archives
	remote string // a bare repository
	clone  string // holds all records, and git-ltm exchanges them
	plain  string // holds the same, and git alone exchanges them
	fresh  int    // how many clones were made for one pull
}

// all measures with one number of records.
func (s *syncing) all(ctx context.Context, out io.Writer) error {
	if err := s.filled(ctx); err != nil {
		return err
	}
	if err := s.compare(ctx, out, "refs", s.dir); err != nil {
		return err
	}
	compacted, err := s.compacted(ctx)
	if err != nil {
		return fmt.Errorf("compact: %w", err)
	}
	if err := s.compare(ctx, out, "archives", compacted); err != nil {
		return err
	}
	return s.weigh(ctx, out, compacted)
}

// compare measures exchanges with a remote that holds what a repository does.
func (s *syncing) compare(ctx context.Context, out io.Writer, kind, origin string) error {
	s.kind = kind
	if err := s.serve(ctx, origin); err != nil {
		return err
	}
	for _, c := range s.comparisons() {
		if err := c.run(ctx, out); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return nil
}

// comparisons are the three that a person waits for. Runs that take long are few.
func (s *syncing) comparisons() []comparison {
	return []comparison{
		{"noop-" + s.kind, s.n, min(syncRuns, 3+50_000/s.n), s.noop, s.plainNoop},
		{"one-" + s.kind, s.n, min(syncRuns, 3+50_000/s.n), s.one, s.plainOne},
		{"pull-" + s.kind, s.n, min(5, 1+10_000/s.n), s.pull, s.plainPull},
	}
}

func (s *syncing) noop(ctx context.Context) (sample, error) {
	return s.exchange(ctx, s.clone, "sync")
}

func (s *syncing) plainNoop(ctx context.Context) (sample, error) {
	return s.measureIn(ctx, s.plain, nil, nil, "git", "ls-remote", "origin", "refs/ltm/*")
}

// exchange runs a command of git-ltm in a clone.
func (s *syncing) exchange(ctx context.Context, dir, verb string) (sample, error) {
	return s.measureIn(ctx, dir, nil, nil, filepath.Join(s.bin, "git-ltm"), verb)
}

// one sends a record that was saved just before.
func (s *syncing) one(ctx context.Context) (sample, error) {
	file := filepath.Join(s.bin, "packet.json")
	if _, err := s.measureIn(ctx, s.clone, nil, nil, filepath.Join(s.bin, "git-ltm"), "save", file); err != nil {
		return sample{}, err
	}
	return s.exchange(ctx, s.clone, "sync")
}

// plainOne fetches the ref that came to the remote last, and pushes one that was made just before.
func (s *syncing) plainOne(ctx context.Context) (sample, error) {
	last, err := s.git(ctx, nil, s.remote, "for-each-ref", "--count=1", "--sort=-refname", "--format=%(refname)", "refs/ltm/packets")
	if err != nil {
		return sample{}, err
	}
	now := time.Now()
	id, err := packet.NewID(now, bytesOf{s.rand}, "")
	if err != nil {
		return sample{}, err
	}
	oid, err := s.git(ctx, bytes.NewReader(s.packet(id, now)), s.plain, "hash-object", "-w", "--stdin")
	if err != nil {
		return sample{}, err
	}
	name := "refs/plain/" + string(id)
	if _, err := s.git(ctx, nil, s.plain, "update-ref", name, strings.TrimSpace(string(oid))); err != nil {
		return sample{}, err
	}
	ref := strings.TrimSpace(string(last))
	sum, err := s.measureIn(ctx, s.plain, nil, nil, "git", "fetch", "-q", "origin",
		"+"+ref+":"+strings.Replace(ref, "refs/ltm/", "refs/ltm-remotes/origin/", 1))
	if err != nil {
		return sample{}, err
	}
	push, err := s.measureIn(ctx, s.plain, nil, nil, "git", "push", "-q", "origin", name)
	sum.add(push)
	return sum, err
}

// pull is the first pull of a fresh clone.
func (s *syncing) pull(ctx context.Context) (sample, error) {
	dir, err := s.freshClone(ctx)
	if err != nil {
		return sample{}, err
	}
	used, err := s.exchange(ctx, dir, "pull")
	if err != nil {
		return sample{}, err
	}
	return used, os.RemoveAll(dir)
}

func (s *syncing) plainPull(ctx context.Context) (sample, error) {
	dir, err := s.freshClone(ctx)
	if err != nil {
		return sample{}, err
	}
	used, err := s.measureIn(ctx, dir, nil, nil, "git", "fetch", "-q", "origin", tracked)
	if err != nil {
		return sample{}, err
	}
	return used, os.RemoveAll(dir)
}
