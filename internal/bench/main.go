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
	"cmp"
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
	"strconv"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/program"
	"github.com/git-ltm/git-ltm/internal/trace"
)

func main() {
	if err := catch(func() { bench(context.Background(), os.Stdout, os.Args[1:]) }); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// A failure is why a run ends. Nothing that is measured after a step that failed is worth a look, so that the
// first one ends all: it is panicked, and [catch] gives it back.
type failure struct{ error }

// catch returns the failure that ended do.
func catch(do func()) (err error) {
	defer func() {
		switch why := recover().(type) {
		case nil:
		case failure:
			err = why.error
		default:
			panic(why)
		}
	}()
	do()
	return nil
}

// check ends the run where there is an error.
func check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// must returns a value, or ends the run where there is an error.
func must[T any](value T, err error) T {
	check(err)
	return value
}

// within does something, of which a failure says what it was.
func within(what string, do func()) {
	if err := catch(do); err != nil {
		panic(failure{fmt.Errorf("%s: %w", what, err)})
	}
}

// inFolder does something in a folder that is gone afterwards.
func inFolder(do func(dir string)) {
	dir := must(os.MkdirTemp("", "git-ltm-bench-"))
	defer func() { check(os.RemoveAll(dir)) }()
	do(dir)
}

// options say what is measured.
type options struct {
	sizes   []int
	styles  []style
	names   *regexp.Regexp // of rows
	program string         // git-ltm as it was built before; "" to build it
	page    string         // that is written, or in which the table is replaced; "" for none
}

// A kind of measurement is named by the first argument behind the options.
type kind struct {
	sizes   string // the usual numbers of records
	measure func(o options, ctx context.Context, out io.Writer, t tools)
}

func kinds() map[string]kind {
	return map[string]kind{
		"":      {"1000 10000 100000", options.measureAll},
		"peers": {"100 10000", options.measurePeers},
		// The records that are really there are those of three hours, and of a day.
		"scale": {fmt.Sprint(recordsDaily/8, " ", recordsDaily), options.measureScale},
	}
}

func bench(ctx context.Context, out io.Writer, args []string) {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	sizes := flags.String("sizes", "", "numbers of records; none for the usual ones")
	wanted := flags.String("styles", "own strangers pulled", "whose the records are")
	names := flags.String("run", "", "only rows whose name matches this expression")
	var o options
	flags.StringVar(&o.program, "program", "", "measure this git-ltm, and git-ltm-hook beside it")
	flags.StringVar(&o.page, "write", "", "write this page")
	check(flags.Parse(args))
	if flags.Arg(0) == "quality" {
		benchQuality(ctx, out, flags.Args()[1:])
		return
	}
	one, known := kinds()[flags.Arg(0)]
	if !known || flags.NArg() > 1 {
		panic(failure{fmt.Errorf("%q is no kind of measurement", flags.Args())})
	}
	o.sizes, o.names = readSizes(cmp.Or(*sizes, one.sizes)), must(regexp.Compile(*names))
	for _, word := range strings.Fields(*wanted) {
		if !slices.Contains(styles(), style(word)) {
			panic(failure{fmt.Errorf("%q is not one of %v", word, styles())})
		}
		o.styles = append(o.styles, style(word))
	}
	inFolder(func(dir string) {
		t := buildTools(ctx, dir, o.program)
		check(adoptOrphans()) // This process waits for what they leave behind.
		t.adopted = true
		one.measure(o, ctx, out, t)
	})
}

// readSizes reads numbers of records, and returns them in order.
func readSizes(words string) (sizes []int) {
	for word := range strings.FieldsSeq(words) {
		n, err := strconv.Atoi(word)
		if err != nil || n < 10 {
			panic(failure{fmt.Errorf("%q is no number of records, of which there are 10 at least", word)})
		}
		sizes = append(sizes, n)
	}
	slices.Sort(sizes)
	return sizes
}

// tools are the programs that are measured.
type tools struct {
	ltm, hook, empty string
	adopted          bool // this process waits for what they leave behind, and for no other child
}

// buildTools builds what is compared, and copies it as whoever installs it does: what a linker wrote lies
// in the memory of the system page by page, and a start of it takes a third more.
func buildTools(ctx context.Context, dir, built string) tools {
	t := tools{
		ltm: filepath.Join(dir, "git-ltm"), hook: filepath.Join(dir, "git-ltm-hook"),
		empty: filepath.Join(dir, "empty"),
	}
	for to, pkg := range map[string]string{
		t.empty: "internal/bench/empty", t.ltm: "cmd/git-ltm", t.hook: "cmd/git-ltm-hook",
	} {
		from := to + ".linked"
		if built == "" || to == t.empty {
			args := []string{
				"build", "-trimpath", "-ldflags=-s -w", "-o", from, "github.com/git-ltm/git-ltm/" + pkg,
			}
			run(ctx, program.Command{File: "go", Args: args, Env: append(os.Environ(), "CGO_ENABLED=0")})
		} else if from = built; to == t.hook {
			from = filepath.Join(filepath.Dir(built), "git-ltm-hook")
		}
		check(os.WriteFile(to, must(os.ReadFile(from)), 0o700)) //nolint:gosec // It is run.
	}
	return t
}

// A spot is a place in the table.
type spot struct {
	row   *row
	style style
	size  int
}

// measureAll measures every row in every repository, one after the other.
func (o options) measureAll(ctx context.Context, out io.Writer, t tools) {
	table := table{options: o, found: map[spot]result{}}
	table.rows = slices.DeleteFunc(rows(), func(w *row) bool { return !o.names.MatchString(w.name) })
	for _, size := range o.sizes {
		for _, s := range o.styles {
			if !slices.ContainsFunc(table.rows, func(w *row) bool { return w.fitsAt(s, size) }) {
				continue
			}
			within(fmt.Sprintf("%s, %d records", s, size), func() {
				inFolder(func(home string) { table.measureIn(ctx, out, newRepo(ctx, t, home, s, size)) })
			})
		}
	}
	if o.page == "" {
		must(io.WriteString(out, table.String()))
		return
	}
	table.replaceIn(ctx, o.page)
}

// measureIn measures every row in one repository.
func (t table) measureIn(ctx context.Context, out io.Writer, r *repo) {
	r.warmUp(ctx)
	for _, w := range inOrder(t.rows) {
		if !w.fitsAt(r.style, r.size) {
			continue
		}
		within(w.name, func() {
			took := r.compareWith(ctx, w)
			t.found[spot{w, r.style, r.size}] = took
			must(fmt.Fprintf(out,
				"%-9s %7d  %-40s %8.2fx  %9.2f ms  beside %8.2f ms  left %7.2f ms  %4.0f MB  %2d runs\n",
				r.style, r.size, w.name, took.ratio, took.ms, took.other, took.left, took.peak, took.runs))
		})
	}
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

// median is the median of each time, and what was printed last.
func median(all []sample) sample {
	of := func(what func(sample) time.Duration) time.Duration {
		return what(slices.SortedFunc(slices.Values(all), func(a, b sample) int {
			return cmp.Compare(what(a), what(b))
		})[len(all)/2])
	}
	return sample{
		cpu:  of(func(s sample) time.Duration { return s.cpu }),
		wall: of(func(s sample) time.Duration { return s.wall }),
		left: of(func(s sample) time.Duration { return s.left }), out: all[len(all)-1].out,
	}
}

// inMS is a time in milliseconds.
func inMS(d time.Duration) float64 { return d.Seconds() * 1e3 }

// measureCall runs a program to its end, with all that it leaves behind.
func (r *repo) measureCall(ctx context.Context, c call) (took sample) {
	begin := time.Now()
	done, err := runProgram(ctx, program.Command{
		File: c.file, Args: c.args, Dir: cmp.Or(c.dir, r.dir), Env: append(slices.Clip(r.env), c.env...),
		Stdin: bytes.NewReader(c.stdin),
	})
	took = sample{wall: time.Since(begin), out: string(done.Stdout)}
	if r.tools.adopted {
		took.left = must(endLeft())
	}
	if code := new(program.ExitError); !c.fails || !errors.As(err, &code) || done.State == nil {
		check(err)
	}
	took.cpu = done.State.UserTime() + done.State.SystemTime()
	return took
}

// measurePeak runs a program once more, and returns the most memory in MB that one process of git ltm had.
func (r *repo) measurePeak(ctx context.Context, c call) (mb float64, took sample) {
	file := filepath.Join(r.home, "trace")
	c.env = append(c.env, trace.Variable+"="+file)
	took = r.measureCall(ctx, c)
	for _, one := range readTrace(file) {
		mb = max(mb, float64(one.PeakKB)/1024)
	}
	return mb, took
}

// readTrace reads the lines that processes left, and removes the file. One that traces nothing leaves none.
func readTrace(file string) (reports []trace.Report) {
	text, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	check(err)
	for lines := json.NewDecoder(bytes.NewReader(text)); lines.More(); {
		var one trace.Report
		check(lines.Decode(&one))
		reports = append(reports, one)
	}
	check(os.Remove(file))
	return reports
}

// gaveUp tells whether a hook did not answer in its time since this was asked last: then it did less than it
// should.
func (r *repo) gaveUp() bool {
	err := os.Remove(filepath.Join(r.dir, ".git", "ltm", "hook.json"))
	if errors.Is(err, os.ErrNotExist) {
		return false
	}
	check(err)
	return true
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
	patience = time.Second
	tooLong  = 3 * time.Second // what takes so long is run once
)

// compareWith runs both sides of a row in turn. The first run says how much memory ours takes, and counts
// where it is the only one.
func (r *repo) compareWith(ctx context.Context, w *row) (all result) {
	var ours, others []sample
	begin := time.Now()
	for n, long := 0, false; !long && n <= mostRuns && (n <= fewRuns || time.Since(begin) < patience); n++ {
		var mine sample
		if c := w.nextCall(ctx, r); n == 0 {
			all.peak, mine = r.measurePeak(ctx, c)
		} else {
			mine = r.measureCall(ctx, c)
		}
		if r.gaveUp() {
			all.faults++
		} else {
			w.checkOutput(r, mine.out)
		}
		other := w.runBeside(ctx, r)
		if long = mine.wall+other.wall > tooLong; long || n > 0 {
			ours, others = append(ours, mine), append(others, other)
		}
	}
	mine, other := median(ours), median(others)
	all.ms, all.other, all.left, all.runs = inMS(mine.cpu), inMS(other.cpu), inMS(mine.left), len(ours)
	all.ratio = all.ms / all.other
	return all
}
