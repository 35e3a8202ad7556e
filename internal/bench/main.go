// Command bench measures git-ltm against plain git, side by side in one run.
//
// For each number of packets it makes a repository, runs the two sides of each comparison in turn, and prints the medians
// and their ratios. It judges nothing: times on a shared machine are noise, ratios of one run are not.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"github.com/git-ltm/git-ltm/internal/program"
)

// fillVerb is the first argument of the process that makes a repository: what
// it needs of memory would show in each process that it starts.
const fillVerb = "fill"

// runs is how often each side of a comparison is counted.
const runs = 40

func main() {
	if err := bench(context.Background(), os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func bench(ctx context.Context, out io.Writer, args []string) error {
	if len(args) == 0 {
		return benchCommands(ctx, out, nil)
	}
	switch args[0] {
	case scanVerb:
		return benchScan(ctx, out, args[1:])
	case signVerb:
		return benchSign(ctx, out, args[1:])
	case syncVerb:
		return benchSync(ctx, out, args[1:])
	case qualityVerb:
		return benchQuality(ctx, out, args[1:])
	case recallVerb:
		return benchRecall(ctx, out, args[1:])
	case hooksVerb:
		return benchHooks(ctx, out, args[1:])
	case fillVerb:
		return fill(ctx, args[1:])
	default:
		return benchCommands(ctx, out, args)
	}
}

// fill makes a repository: its arguments are a folder, a number of packets and what it is made for.
func fill(ctx context.Context, args []string) error {
	if len(args) != 3 {
		return fmt.Errorf("%s takes a folder, a number and a style", fillVerb)
	}
	n, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	r := newRepo(args[0], n)
	switch args[2] {
	case richStyle:
		r.rich()
		if err := r.fill(ctx); err != nil {
			return err
		}
		return r.writeItems(ctx)
	case hooksStyle, strangerStyle:
		r.rich()
		r.style = args[2]
	}
	return r.fill(ctx)
}

// benchCommands measures the commands of every day, with each number of packets.
func benchCommands(ctx context.Context, out io.Writer, args []string) error {
	sizes, err := numbers(args)
	if err != nil {
		return err
	}
	return withPrograms(ctx, func(dir string) error {
		if err := header(out, runs); err != nil {
			return err
		}
		for i, n := range sizes {
			r := newRepo(dir, n)
			if err := r.filled(ctx); err != nil {
				return fmt.Errorf("make %d packets: %w", n, err)
			}
			all := r.comparisons()
			if i == 0 {
				all = append(all, comparison{"version", r.n, runs, r.ltm("version"), r.empty})
			}
			for _, c := range all {
				if err := c.run(ctx, out); err != nil {
					return fmt.Errorf("%s at %d packets: %w", c.name, n, err)
				}
			}
		}
		return nil
	})
}

// withPrograms builds what is compared, in a folder that is gone afterwards.
func withPrograms(ctx context.Context, do func(dir string) error) (err error) {
	dir, err := os.MkdirTemp("", "git-ltm-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	for _, pkg := range []string{"cmd/git-ltm", "internal/bench/empty", "internal/bench/ten"} {
		args := []string{
			"build", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(dir, filepath.Base(pkg)), "github.com/git-ltm/git-ltm/" + pkg,
		}
		if _, err := run(ctx, program.Command{File: "go", Args: args, Env: append(os.Environ(), "CGO_ENABLED=0")}); err != nil {
			return fmt.Errorf("build %s: %w", pkg, err)
		}
	}
	return do(dir)
}

// numbers reads how many packets to measure with; without arguments it is the
// usual row.
func numbers(args []string) ([]int, error) {
	if len(args) == 0 {
		return []int{10, 1000, 10000, 100000}, nil
	}
	sizes := make([]int, len(args))
	for i, a := range args {
		n, err := strconv.Atoi(a)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q is no number of packets", a)
		}
		sizes[i] = n
	}
	return sizes, nil
}

// header prints what was measured on, how often at most, and the names of the columns.
func header(out io.Writer, most int) error {
	_, err := fmt.Fprintf(out, "%s, %d cores, %s, at most %d runs each, ratios of medians\n\n"+
		"%-12s %8s  %12s %12s %7s %7s  %10s\n",
		time.Now().UTC().Format(time.DateOnly), runtime.NumCPU(), runtime.Version(), most,
		"command", "packets", "git ltm ms", "other ms", "wall", "cpu", "peak MiB")
	return err
}
