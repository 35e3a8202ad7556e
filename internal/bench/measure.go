package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/program"
	"github.com/git-ltm/git-ltm/internal/trace"
)

// A call is one run of a program.
type call struct {
	file  string
	args  []string
	stdin []byte
	dir   string
	env   []string // more than that of the repository
	fails bool     // it may end with a code of its own, as where it finds something
}

// sample is what one run took. Its CPU time counts the processes that it started and waited for; what it left behind is apart.
type sample struct {
	cpu, wall, left time.Duration
	out             string
}

func (s *sample) add(t sample) {
	s.cpu += t.cpu
	s.wall += t.wall
	s.left += t.left
}

// measure runs programs one after the other, each to its end, with all that they leave behind.
func (r *repo) measure(ctx context.Context, calls ...call) (sum sample, err error) {
	for _, c := range calls {
		took, err := r.measureOne(ctx, c)
		if err != nil {
			return sample{}, err
		}
		sum.add(took)
		sum.out = took.out
	}
	return sum, nil
}

func (r *repo) measureOne(ctx context.Context, c call) (sample, error) {
	if c.dir == "" {
		c.dir = r.dir
	}
	begin := time.Now()
	done, err := run(ctx, program.Command{
		File: c.file, Args: c.args, Dir: c.dir, Env: append(slices.Clip(r.env), c.env...), Stdin: bytes.NewReader(c.stdin),
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

// peak runs a program once more, and returns the most memory in MB that one process of git ltm had.
func (r *repo) peak(ctx context.Context, c call) (mb float64, took sample, err error) {
	file := filepath.Join(r.home, "trace")
	c.env = append(c.env, trace.Variable+"="+file)
	if took, err = r.measure(ctx, c); err != nil {
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

// gaveUp tells whether a hook did not answer in its time since this was asked last: then it did less than it should.
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

// compare runs both sides of a row in turn. The first run says how much memory ours takes, and counts where it is the only one.
func (r *repo) compare(ctx context.Context, w *row, patience time.Duration) (all result, err error) {
	var ours, others, left []float64
	begin := time.Now()
	for n, long := 0, false; !long && n <= mostRuns && (n <= fewRuns || time.Since(begin) < patience); n++ {
		if w.before != nil {
			if err := w.before(ctx, r); err != nil {
				return all, fmt.Errorf("before: %w", err)
			}
		}
		var mine sample
		if c := w.call(r); n == 0 {
			all.peak, mine, err = r.peak(ctx, c)
		} else {
			mine, err = r.measure(ctx, c)
		}
		if err != nil {
			return all, err
		}
		gaveUp, err := r.gaveUp()
		if gaveUp {
			all.faults++
		} else if err == nil {
			err = w.check(r, mine.out)
		}
		if err != nil {
			return all, err
		}
		other, err := w.beside(ctx, r)
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
