package check

import (
	"cmp"
	"context"
	"iter"
	"sync"
)

// inOrder calls do for each item of a source in several workers, and yields the answers in the order of the
// source. The source is read by one goroutine, no further ahead than the workers need. When the caller stops,
// everything that was started has ended before inOrder returns.
func inOrder[In, Out any](ctx context.Context, workers int, source iter.Seq2[In, error],
	do func(In) Out,
) iter.Seq2[Out, error] {
	return func(yield func(Out, error) bool) {
		inner, cancel := context.WithCancel(ctx)
		var started sync.WaitGroup
		defer started.Wait()
		defer cancel()
		queue := make(chan chan Out, workers-1) // One more is under way: the one that is waited for.
		var failure error
		started.Go(func() {
			defer close(queue)
			for in, err := range source {
				if failure = err; err != nil {
					return
				}
				done := make(chan Out, 1)
				select {
				case queue <- done:
					started.Go(func() { done <- do(in) })
				case <-inner.Done():
					return
				}
			}
		})
		for done := range queue {
			if !yield(<-done, nil) {
				return
			}
		}
		if err := cmp.Or(failure, context.Cause(ctx)); err != nil {
			var none Out
			yield(none, err)
		}
	}
}
