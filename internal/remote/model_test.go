package remote_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

// sequences is how many random sequences the suite runs; LTM_MODEL asks for more, and LTM_MODEL_FIRST for
// others.
const sequences = 5

// TestModel runs random sequences of what people and machines do to a few clones and two remotes, and
// compares what is there with what a model of a few sets says: no record that was acknowledged is lost, none
// that was purged is back, and in the end all clones hold the same. LTM_MODEL_SEED runs one sequence again.
// SPEC.
func TestModel(t *testing.T) {
	t.Parallel()
	first, n := uint64(numberOf(t, "LTM_MODEL_FIRST", 1)), numberOf(t, "LTM_MODEL", sequences)
	if one := numberOf(t, "LTM_MODEL_SEED", 0); one > 0 {
		first, n = uint64(one), 1
	}
	env, bin := gittest.Env(t), program(t)
	seeds := make(chan uint64)
	var workers sync.WaitGroup
	var ran, failed atomic.Int64
	for range min(n, runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for seed := range seeds {
				ran.Add(1)
				if !sequence(t, seed, env, bin) {
					failed.Add(1)
				}
			}
		})
	}
	for seed := first; seed < first+uint64(n) && failed.Load() < enoughFailed; seed++ {
		seeds <- seed
	}
	close(seeds)
	workers.Wait()
	t.Logf("%d sequences, from number %d, %d failed", ran.Load(), first, failed.Load())
}

// enoughFailed is how many failed sequences end a run: to find the fewest steps of one takes minutes.
const enoughFailed = 5

// numberOf reads a positive number from a variable of the environment.
func numberOf(t *testing.T, variable string, otherwise int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s is %q, want a positive number", variable, text)
	}
	return n
}

// sequence runs one sequence, and tells whether it passed. One that fails is printed with the fewest of its steps
// that still fail.
func sequence(t *testing.T, seed uint64, env []string, bin string) bool {
	t.Helper()
	steps := draw(seed)
	err := run(t.Context(), seed, steps, env, bin)
	if err == nil || t.Context().Err() != nil {
		return true
	}
	var plan strings.Builder
	short, still := shrink(t.Context(), seed, steps, env, bin)
	for _, s := range short {
		fmt.Fprintf(&plan, "  %s\n", s)
	}
	t.Errorf("sequence %d: %v\nof its %d steps these %d fail (%v):\n%sLTM_MODEL_SEED=%d go test "+
		"./internal/remote -run 'TestModel$'",
		seed, err, len(steps), len(short), still, plan.String(), seed)
	return false
}

// shrinkings is how often a sequence that fails is tried with fewer steps.
const shrinkings = 60

// shrink drops steps as long as the rest fails.
func shrink(ctx context.Context, seed uint64, steps []step, env []string, bin string) ([]step, error) {
	var last error
	left := shrinkings
	for size := len(steps) / 2; size > 0; size /= 2 {
		for at := 0; at+size <= len(steps) && left > 0; left-- {
			fewer := slices.Delete(slices.Clone(steps), at, at+size)
			if err := run(ctx, seed, fewer, env, bin); err != nil {
				steps, last = fewer, err
			} else {
				at += size
			}
		}
	}
	return steps, last
}

// step is one thing that is done. Its numbers choose among what there is at the time, so that it means
// something also where other steps were dropped.
type step struct {
	at    int // its place in the sequence
	op    op
	clone int
	a, b  int
}

func (s step) String() string {
	return fmt.Sprintf("%2d %s clone=%d a=%d b=%d", s.at, s.op.name, s.clone, s.a, s.b)
}

// The length of a sequence.
const (
	fewestSteps = 8
	moreSteps   = 14
)

// draw makes the steps of a sequence.
func draw(seed uint64) []step {
	random := rand.New(rand.NewPCG(seed, 1))
	var bag []op
	for _, o := range ops() {
		for range o.weight {
			bag = append(bag, o)
		}
	}
	steps := make([]step, fewestSteps+random.IntN(moreSteps))
	for i := range steps {
		steps[i] = step{
			at: i, op: bag[random.IntN(len(bag))], clone: random.IntN(1 << 20),
			a: random.IntN(1 << 20), b: random.IntN(1 << 20),
		}
	}
	return steps
}

// run does the steps in a new world, checks it after each, and in the end.
func run(ctx context.Context, seed uint64, steps []step, env []string, bin string) (err error) {
	w, err := newWorld(ctx, seed, env, bin)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(w.dir)) }()
	for _, s := range steps {
		c := w.clones[s.clone%len(w.clones)]
		w.now++
		err := s.op.do(ctx, w, c, s)
		if err == nil {
			err = w.keeps(ctx, c)
		}
		if err != nil {
			return fmt.Errorf("step %s: %w\n%s", s, err, strings.Join(w.log, "\n"))
		}
	}
	if err := w.end(ctx); err != nil {
		return fmt.Errorf("in the end: %w\n%s", err, strings.Join(w.log, "\n"))
	}
	return nil
}
