// Command bench measures git-ltm against plain git, side by side in one run.
//
// It makes repositories with so many records, runs each command of the table in rows.go in turn with what plain git or an empty program
// does, and prints medians of CPU time and their ratios: times on a shared machine are noise, ratios of one run are not. It counts the
// processes that a command starts, and apart from them those that it leaves behind. With -write it writes the table of a page.
// What does not depend on the machine at all is counted by the tests of this package, for the same commands.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/program"
)

func main() {
	if err := bench(context.Background(), os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// options say what is measured.
type options struct {
	sizes    []int
	styles   []style
	names    *regexp.Regexp // of rows
	patience time.Duration
	program  string // git-ltm as it was built before; "" to build it
	page     string // the file in which the table is replaced; "" for none
}

func bench(ctx context.Context, out io.Writer, args []string) error {
	if len(args) > 0 && args[0] == qualityVerb {
		return benchQuality(ctx, out, args[1:])
	}
	o, err := parse(args)
	if err != nil {
		return err
	}
	if err := adopt(); err != nil {
		return err
	}
	return withPrograms(ctx, o.program, func(t tools) error {
		t.adopted = true
		return o.measure(ctx, out, t)
	})
}

// parse reads the command line.
func parse(args []string) (o options, err error) {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	sizes := flags.String("sizes", "1000 10000 100000", "numbers of records")
	wanted := flags.String("styles", "own strangers pulled", "whose the records are")
	names := flags.String("run", "", "only rows whose name matches this expression")
	flags.DurationVar(&o.patience, "patience", time.Second, "how long each comparison is repeated")
	flags.StringVar(&o.program, "program", "", "measure this git-ltm, and git-ltm-hook beside it")
	flags.StringVar(&o.page, "write", "", "replace the table of this page")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	for _, word := range strings.Fields(*sizes) {
		n, err := strconv.Atoi(word)
		if err != nil || n < 10 {
			return o, fmt.Errorf("%q is no number of records, of which there are 10 at least", word)
		}
		o.sizes = append(o.sizes, n)
	}
	for _, word := range strings.Fields(*wanted) {
		if !slices.Contains(styles(), style(word)) {
			return o, fmt.Errorf("%q is not one of %v", word, styles())
		}
		o.styles = append(o.styles, style(word))
	}
	if o.names, err = regexp.Compile(*names); err != nil {
		return o, err
	}
	slices.Sort(o.sizes)
	return o, nil
}

// tools are the programs that are measured.
type tools struct {
	ltm, hook, empty string // hook is "" where there is no small program
	adopted          bool   // this process waits for what they leave behind, and for no other child
}

// withPrograms builds what is compared, in a folder that is gone afterwards.
func withPrograms(ctx context.Context, built string, do func(tools) error) (err error) {
	dir, err := os.MkdirTemp("", "git-ltm-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	t := tools{ltm: filepath.Join(dir, "git-ltm"), hook: filepath.Join(dir, "git-ltm-hook"), empty: filepath.Join(dir, "empty")}
	pkgs := []string{"internal/bench/empty"}
	if built == "" {
		pkgs = append(pkgs, "cmd/git-ltm", "cmd/git-ltm-hook")
	} else if t.ltm, err = filepath.Abs(built); err == nil {
		t.hook = filepath.Join(filepath.Dir(t.ltm), "git-ltm-hook")
	}
	for _, pkg := range pkgs {
		if _, err := run(ctx, program.Command{File: "go", Args: []string{"list", module + pkg}}); err != nil && pkg == "cmd/git-ltm-hook" {
			continue // There is none.
		}
		args := []string{"build", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(dir, filepath.Base(pkg)), module + pkg}
		if _, err := run(ctx, program.Command{File: "go", Args: args, Env: append(os.Environ(), "CGO_ENABLED=0")}); err != nil {
			return fmt.Errorf("build %s: %w", pkg, err)
		}
	}
	if _, err := os.Stat(t.hook); err != nil {
		t.hook = ""
	}
	return errors.Join(err, do(t))
}

const module = "github.com/git-ltm/git-ltm/"

// A spot is a place in the table.
type spot struct {
	row   *row
	style style
	size  int
}

// measure measures every row in every repository, one after the other.
func (o options) measure(ctx context.Context, out io.Writer, t tools) error {
	found := map[spot]result{}
	all := slices.DeleteFunc(rows(), func(w *row) bool {
		return !o.names.MatchString(w.name) || w.name == hookVersion && t.hook == ""
	})
	for _, size := range o.sizes {
		for _, s := range o.styles {
			if !slices.ContainsFunc(all, func(w *row) bool { return w.fitsAt(s, size) }) {
				continue
			}
			if err := o.measureIn(ctx, out, t, spot{style: s, size: size}, all, found); err != nil {
				return fmt.Errorf("%s, %d records: %w", s, size, err)
			}
		}
	}
	table := table{options: o, tools: t, rows: all, found: found}
	if o.page == "" {
		return table.write(out)
	}
	return table.replaceIn(ctx, o.page)
}

// measureIn measures every row in one repository.
func (o options) measureIn(ctx context.Context, out io.Writer, t tools, at spot, all []*row, found map[spot]result) (err error) {
	home, err := os.MkdirTemp("", "git-ltm-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	r, err := newRepo(ctx, t, home, at.style, at.size)
	if err != nil {
		return err
	}
	if err := r.warm(ctx); err != nil {
		return err
	}
	for _, w := range inOrder(all) {
		if !w.fitsAt(at.style, at.size) {
			continue
		}
		took, err := r.compare(ctx, w, o.patience)
		if err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
		at.row = w
		found[at] = took
		if _, err := fmt.Fprintf(out, "%-9s %7d  %-40s %8.2fx  %9.2f ms  beside %8.2f ms  left %7.2f ms  %4.0f MB  %2d runs\n",
			at.style, at.size, w.name, took.ratio, took.ms, took.other, took.left, took.peak, took.runs); err != nil {
			return err
		}
	}
	return nil
}
