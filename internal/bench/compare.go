package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/program"
)

// comparison is a command of git-ltm beside what does the same without it.
type comparison struct {
	name        string
	n           int
	runs        int
	ours, other func(ctx context.Context) (sample, error)
}

// sample is what one run took. CPU time counts the processes that were started.
type sample struct {
	wall, cpu time.Duration
	peak      int64 // KiB, of the largest process
}

func (s *sample) add(t sample) {
	s.wall += t.wall
	s.cpu += t.cpu
	s.peak = max(s.peak, t.peak)
}

// comparisons lists what is measured for each number of packets, reading first.
func (r *repo) comparisons() []comparison {
	file := filepath.Join(r.bin, "packet.json")
	return []comparison{
		{"ls", r.n, runs, r.ltm("ls", "--limit", "20"), r.plainList},
		{"show", r.n, runs, r.ltm("show", string(r.middle)), r.plainShow},
		{"resume", r.n, runs, r.ltm("resume"), r.plainList},
		{"as-is", r.n, runs, r.saveAsIs, r.plainSave(file)},
		{"save", r.n, runs, r.ltm("save", file), r.plainSave(file)},
		// Each save continued the one before, so that the newest is the end of a long thread now.
		{"thread", r.n, runs, r.ltm("resume"), r.plainList},
		{"check", r.n, min(runs, 1+20_000/r.n), r.ltm("check", "--quiet"), r.plainCheck},
	}
}

func (r *repo) ltm(args ...string) func(context.Context) (sample, error) {
	return func(ctx context.Context) (sample, error) {
		return r.measure(ctx, nil, nil, filepath.Join(r.bin, "git-ltm"), args...)
	}
}

// saveAsIs stores a packet that is complete, so that git-ltm asks git for no
// more than plain git is asked.
func (r *repo) saveAsIs(ctx context.Context) (sample, error) {
	now := time.Now()
	id, err := packet.NewID(now, bytesOf{r.rand}, "")
	if err != nil {
		return sample{}, err
	}
	return r.measure(ctx, r.packet(id, now), nil, filepath.Join(r.bin, "git-ltm"), "save", "--as-is", "-")
}

// plainSave stores the file as durably as git-ltm does, by two commands.
func (r *repo) plainSave(file string) func(context.Context) (sample, error) {
	return func(ctx context.Context) (sample, error) {
		data, err := os.ReadFile(file)
		if err != nil {
			return sample{}, err
		}
		var b [8]byte
		_, _ = bytesOf{r.rand}.Read(b[:])
		name := hex.EncodeToString(b[:])
		var oid bytes.Buffer
		sum, err := r.measure(ctx, append(data, name...), &oid, "git", "-c", "core.fsync=loose-object", "hash-object", "-w", "--stdin")
		if err != nil {
			return sample{}, err
		}
		second, err := r.measure(ctx, nil, nil, "git", "-c", "core.fsync=reference", "update-ref", "refs/plain/"+name,
			strings.TrimSpace(oid.String()), strings.Repeat("0", 40))
		sum.add(second)
		return sum, err
	}
}

// plainShow prints one packet.
func (r *repo) plainShow(ctx context.Context) (sample, error) {
	return r.measure(ctx, nil, nil, "git", "cat-file", "blob", "refs/ltm/packets/"+string(r.middle))
}

// empty starts a program that does nothing.
func (r *repo) empty(ctx context.Context) (sample, error) {
	return r.measure(ctx, nil, nil, filepath.Join(r.bin, "empty"))
}

// plainList lists the twenty newest refs and reads their objects.
func (r *repo) plainList(ctx context.Context) (sample, error) {
	var oids bytes.Buffer
	sum, err := r.measure(ctx, nil, &oids, "git", "for-each-ref", "--count=20", "--sort=-refname", "--format=%(objectname)", "refs/ltm/packets")
	if err != nil {
		return sample{}, err
	}
	second, err := r.measure(ctx, oids.Bytes(), nil, "git", "cat-file", "--batch")
	sum.add(second)
	return sum, err
}

// plainCheck lists all refs and reads all their objects.
func (r *repo) plainCheck(ctx context.Context) (sample, error) {
	var oids bytes.Buffer
	sum, err := r.measure(ctx, nil, &oids, "git", "for-each-ref", "--format=%(objectname)", "refs/ltm")
	if err != nil {
		return sample{}, err
	}
	second, err := r.measure(ctx, oids.Bytes(), nil, "git", "cat-file", "--batch")
	sum.add(second)
	return sum, err
}

// measure runs one process in the repository to its end.
func (r *repo) measure(ctx context.Context, in []byte, out *bytes.Buffer, name string, args ...string) (sample, error) {
	return r.measureIn(ctx, r.dir, in, out, name, args...)
}

// measureIn runs one process in a folder to its end.
func (r *repo) measureIn(ctx context.Context, dir string, in []byte, out *bytes.Buffer, name string, args ...string) (sample, error) {
	begin := time.Now()
	done, err := run(ctx, program.Command{File: name, Args: args, Dir: dir, Env: r.env, Stdin: bytes.NewReader(in)})
	if err != nil {
		return sample{}, err
	}
	wall := time.Since(begin)
	if out != nil {
		out.Write(done.Stdout)
	}
	usage, ok := done.State.SysUsage().(*syscall.Rusage)
	if !ok {
		return sample{}, errors.New("this system does not tell what a process used")
	}
	return sample{wall, done.State.UserTime() + done.State.SystemTime(), usage.Maxrss}, nil
}

// run runs a program to its end, which is found on the path of this process.
func run(ctx context.Context, c program.Command) (program.Result, error) {
	name := c.File
	var err error
	if c.File, err = program.Find(name, "", os.Getenv("PATH")); err != nil {
		return program.Result{}, err
	}
	done, err := c.Run(ctx)
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return done, err
}

// take takes both sides in turn.
func (c comparison) take(ctx context.Context) (ours, other []sample, err error) {
	warm := min(2, c.runs-1)
	for i := range c.runs + warm {
		a, err := c.ours(ctx)
		if err != nil {
			return nil, nil, err
		}
		b, err := c.other(ctx)
		if err != nil {
			return nil, nil, err
		}
		if i >= warm {
			ours, other = append(ours, a), append(other, b)
		}
	}
	return ours, other, nil
}

// run prints the medians of both sides.
func (c comparison) run(ctx context.Context, out io.Writer) error {
	return c.print(ctx, out, "%-12s %8d  %12.2f %12.2f %6.2fx %6.2fx  %4.1f/%4.1f\n")
}

// markdown prints them as a row of a table.
func (c comparison) markdown(ctx context.Context, out io.Writer) error {
	return c.print(ctx, out, "| %s | %d | %.1f | %.1f | %.2fx | %.2fx | %.0f/%.0f |\n")
}

// print takes both sides and prints a row in a form.
func (c comparison) print(ctx context.Context, out io.Writer, form string) error {
	ours, other, err := c.take(ctx)
	if err != nil {
		return err
	}
	wall := func(s sample) float64 { return s.wall.Seconds() * 1000 }
	cpu := func(s sample) float64 { return s.cpu.Seconds() * 1000 }
	peak := func(s sample) float64 { return float64(s.peak) / 1024 }
	_, err = fmt.Fprintf(out, form, c.name, c.n, median(ours, wall), median(other, wall),
		median(ours, wall)/median(other, wall), median(ours, cpu)/median(other, cpu), median(ours, peak), median(other, peak))
	return err
}

func median(samples []sample, of func(sample) float64) float64 {
	values := make([]float64, 0, len(samples))
	for _, s := range samples {
		values = append(values, of(s))
	}
	slices.Sort(values)
	return values[len(values)/2]
}
