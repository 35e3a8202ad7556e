// Command bench measures git-ltm against plain git, side by side in one run.
//
// It makes repositories with so many records, runs each command of the table in rows.go in turn with what
// plain git or an empty program does, and prints medians of CPU time and their ratios: times on a shared
// machine are noise, ratios of one run are not. It counts the processes that a command starts, and apart from
// them those that it leaves behind. With -write it writes the table of a page. What does not depend on the
// machine at all is counted by the tests of this package, for the same commands.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/program"
	"github.com/git-ltm/git-ltm/internal/trace"
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
	if len(args) > 0 {
		switch args[0] {
		case qualityVerb:
			return benchQuality(ctx, out, args[1:])
		case peersVerb:
			return benchPage(ctx, args, []int{100, 10_000}, func(t tools, page string, sizes []int) error {
				return measurePeers(ctx, out, t, page, sizes)
			})
		case scaleVerb:
			// The records that are really there are those of three hours, and of a day.
			usual := []int{recordsDaily / 8, recordsDaily}
			return benchPage(ctx, args, usual, func(t tools, page string, sizes []int) error {
				return measureScale(ctx, out, t, page, sizes)
			})
		}
	}
	o, err := parseOptions(args)
	if err != nil {
		return err
	}
	if err := adoptOrphans(); err != nil {
		return err
	}
	return withPrograms(ctx, o.program, func(t tools) error {
		t.adopted = true
		return o.measureAll(ctx, out, t)
	})
}

// parseOptions reads the command line.
func parseOptions(args []string) (o options, err error) {
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
	if o.sizes, err = readSizes(strings.Fields(*sizes), nil); err != nil {
		return o, err
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
	ltm, hook, empty string
	adopted          bool // this process waits for what they leave behind, and for no other child
}

// withPrograms builds what is compared, in a folder that is gone afterwards.
func withPrograms(ctx context.Context, built string, do func(tools) error) (err error) {
	dir, err := os.MkdirTemp("", "git-ltm-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	t := tools{
		ltm: filepath.Join(dir, "git-ltm"), hook: filepath.Join(dir, "git-ltm-hook"),
		empty: filepath.Join(dir, "empty"),
	}
	pkgs := []string{"internal/bench/empty"}
	if built == "" {
		pkgs = append(pkgs, "cmd/git-ltm", "cmd/git-ltm-hook")
	} else if t.ltm, err = filepath.Abs(built); err == nil {
		t.hook = filepath.Join(filepath.Dir(t.ltm), "git-ltm-hook")
	}
	for _, pkg := range pkgs {
		args := []string{
			"build", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(dir, filepath.Base(pkg)),
			module + pkg,
		}
		if _, err := run(ctx,
			program.Command{File: "go", Args: args, Env: append(os.Environ(), "CGO_ENABLED=0")}); err != nil {
			return fmt.Errorf("build %s: %w", pkg, err)
		}
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

// measureAll measures every row in every repository, one after the other.
func (o options) measureAll(ctx context.Context, out io.Writer, t tools) error {
	found := map[spot]result{}
	all := slices.DeleteFunc(rows(), func(w *row) bool { return !o.names.MatchString(w.name) })
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
	table := table{options: o, rows: all, found: found}
	if o.page == "" {
		return table.writeRows(out)
	}
	return table.replaceIn(ctx, o.page)
}

// measureIn measures every row in one repository.
func (o options) measureIn(ctx context.Context, out io.Writer, t tools, at spot, all []*row,
	found map[spot]result,
) (err error) {
	home, err := os.MkdirTemp("", "git-ltm-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	r, err := newRepo(ctx, t, home, at.style, at.size)
	if err != nil {
		return err
	}
	if err := r.warmUp(ctx); err != nil {
		return err
	}
	for _, w := range inOrder(all) {
		if !w.fitsAt(at.style, at.size) {
			continue
		}
		took, err := r.compareWith(ctx, w, o.patience)
		if err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
		at.row = w
		found[at] = took
		if _, err := fmt.Fprintf(out,
			"%-9s %7d  %-40s %8.2fx  %9.2f ms  beside %8.2f ms  left %7.2f ms  %4.0f MB  %2d runs\n",
			at.style, at.size, w.name, took.ratio, took.ms, took.other, took.left, took.peak,
			took.runs); err != nil {
			return err
		}
	}
	return nil
}

// A call is one run of a program.
type call struct {
	file  string
	args  []string
	stdin []byte
	dir   string
	env   []string // more than that of the repository
	fails bool     // it may end with a code of its own, as where it finds something
}

// sample is what one run took. Its CPU time counts the processes that it started and waited for; what it left
// behind is apart.
type sample struct {
	cpu, wall, left time.Duration
	out             string
}

func (s *sample) add(t sample) {
	s.cpu += t.cpu
	s.wall += t.wall
	s.left += t.left
}

// measureCall runs a program to its end, with all that it leaves behind.
func (r *repo) measureCall(ctx context.Context, c call) (sample, error) {
	if c.dir == "" {
		c.dir = r.dir
	}
	begin := time.Now()
	done, err := run(ctx, program.Command{
		File: c.file, Args: c.args, Dir: c.dir, Env: append(slices.Clip(r.env), c.env...),
		Stdin: bytes.NewReader(c.stdin),
	})
	took := sample{wall: time.Since(begin), out: string(done.Stdout)}
	if code := new(program.ExitError); c.fails && errors.As(err, &code) && done.State != nil {
		err = nil
	}
	var left time.Duration
	if r.tools.adopted {
		var failed error
		left, failed = endLeft()
		err = errors.Join(err, failed)
	}
	if err != nil {
		return sample{}, err
	}
	took.cpu, took.left = done.State.UserTime()+done.State.SystemTime(), left
	return took, nil
}

// measurePeak runs a program once more, and returns the most memory in MB that one process of git ltm had.
func (r *repo) measurePeak(ctx context.Context, c call) (mb float64, took sample, err error) {
	file := filepath.Join(r.home, "trace")
	c.env = append(c.env, trace.Variable+"="+file)
	if took, err = r.measureCall(ctx, c); err != nil {
		return 0, took, err
	}
	reports, err := readTrace(file)
	for _, one := range reports {
		mb = max(mb, float64(one.PeakKB)/1024)
	}
	return mb, took, err
}

// readTrace reads the lines that processes left, and removes the file. One that traces nothing leaves none.
func readTrace(file string) (reports []trace.Report, err error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		var one trace.Report
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			return nil, fmt.Errorf("read the trace line %q: %w", line, err)
		}
		reports = append(reports, one)
	}
	return reports, os.Remove(file)
}

// gaveUp tells whether a hook did not answer in its time since this was asked last: then it did less than it
// should.
func (r *repo) gaveUp() (bool, error) {
	err := os.Remove(filepath.Join(r.dir, ".git", "ltm", "hook.json"))
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// A result is what both sides of a row took.
type result struct {
	ratio, ms, other, left, peak float64 // CPU, in milliseconds; memory in MB
	runs                         int
	faults                       int // hooks that did not answer in their time
}

// The runs of a comparison: as many as fit its time, but some.
const (
	mostRuns = 25
	fewRuns  = 3
	tooLong  = 3 * time.Second // what takes so long is run once
)

// compareWith runs both sides of a row in turn. The first run says how much memory ours takes, and counts
// where it is the only one.
func (r *repo) compareWith(ctx context.Context, w *row, patience time.Duration) (all result, err error) {
	var ours, others, left []float64
	begin := time.Now()
	for n, long := 0, false; !long && n <= mostRuns && (n <= fewRuns || time.Since(begin) < patience); n++ {
		if w.before != nil {
			if err := w.before(ctx, r); err != nil {
				return all, fmt.Errorf("before: %w", err)
			}
		}
		var mine sample
		if c := w.nextCall(r); n == 0 {
			all.peak, mine, err = r.measurePeak(ctx, c)
		} else {
			mine, err = r.measureCall(ctx, c)
		}
		if err != nil {
			return all, err
		}
		gaveUp, err := r.gaveUp()
		if gaveUp {
			all.faults++
		} else if err == nil {
			err = w.checkOutput(r, mine.out)
		}
		if err != nil {
			return all, err
		}
		other, err := w.runBeside(ctx, r)
		if err != nil {
			return all, err
		}
		if long = mine.wall+other.wall > tooLong; long || n > 0 {
			ours, others = append(ours, mine.cpu.Seconds()*1e3), append(others, other.cpu.Seconds()*1e3)
			left = append(left, mine.left.Seconds()*1e3)
		}
	}
	all.ms, all.other, all.left, all.runs = median(ours), median(others), median(left), len(ours)
	all.ratio = all.ms / all.other
	return all, nil
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
