package check

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Numbers yields 0 to n-1, then err if there is one, and counts what was taken.
func numbers(n int, err error, taken *atomic.Int64) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		for i := range n {
			taken.Add(1)
			if !yield(i, nil) {
				return
			}
		}
		if err != nil {
			yield(0, err)
		}
	}
}

// Test_inOrder shows that answers come in the order of the source, although the first task ends last.
func Test_inOrder(t *testing.T) {
	t.Parallel()
	for _, workers := range []int{1, 2, 7} {
		var taken atomic.Int64
		var others sync.WaitGroup
		others.Add(min(workers-1, 1))
		double := func(n int) int {
			switch n {
			case 0:
				others.Wait()
			case 1:
				if workers > 1 {
					others.Done()
				}
			}
			return 2 * n
		}
		var got, want []int
		for n := range 1000 {
			want = append(want, 2*n)
		}
		for n, err := range inOrder(t.Context(), workers, numbers(1000, nil, &taken), double) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, n)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("with %d workers (-want +got):\n%s", workers, diff)
		}
	}
}

// Test_inOrder_ends shows that an error of the source comes last, that a caller may stop, and that nobody
// reads far ahead of it.
func Test_inOrder_ends(t *testing.T) {
	t.Parallel()
	same := func(n int) int { return n }
	var taken atomic.Int64
	broken := errors.New("broken")
	var got []int
	var ended error
	for n, err := range inOrder(t.Context(), 3, numbers(50, broken, &taken), same) {
		if ended = err; err == nil {
			got = append(got, n)
		}
	}
	if len(got) != 50 || !slices.IsSorted(got) || !errors.Is(ended, broken) {
		t.Errorf("%d answers and then %v, want 50 in order and then %v", len(got), ended, broken)
	}

	taken.Store(0)
	for n, err := range inOrder(t.Context(), 2, numbers(1_000_000, nil, &taken), same) {
		if err != nil {
			t.Fatal(err)
		}
		if n == 10 {
			break
		}
	}
	if n := taken.Load(); n > 20 {
		t.Errorf("%d tasks were read for 11 answers", n)
	}
}

// Test_inOrder_cancelled shows that the end of the context ends everything, with its cause.
func Test_inOrder_cancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	defer cancel(enough)
	var taken atomic.Int64
	var ended error
	count := 0
	for n, err := range inOrder(ctx, 2, numbers(1_000_000, nil, &taken), func(n int) int { return n }) {
		ended = err
		count++
		if n == 5 {
			cancel(enough)
		}
	}
	if !errors.Is(ended, enough) || count > 1000 {
		t.Errorf("%d answers and then %v, want a few and then %v", count, ended, enough)
	}
}
