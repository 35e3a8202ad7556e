package check

import (
	"context"
	"iter"
	"sync"
)

// waiting is how many tasks for each worker may be under way. It bounds what a
// check holds in memory.
const waiting = 16

// A task is the place for what is made of one item of a source.
type task[Out any] struct {
	err  error    // the end of the source
	done chan Out // it has room for the one answer
}

// InOrder calls do for each item of a source in several workers, and yields the
// answers in the order of the source. The source is read by one goroutine, no
// further ahead than the workers need. When the caller stops, everything that
// was started has ended before inOrder returns.
func InOrder[In, Out any](ctx context.Context, workers int, source iter.Seq2[In, error],
	do func(In) Out,
) iter.Seq2[Out, error] {
	return func(yield func(Out, error) bool) {
		inner, cancel := context.WithCancel(ctx)
		var started sync.WaitGroup
		defer started.Wait()
		defer cancel()
		queue := make(chan task[Out], waiting*workers)
		type job struct {
			in   In
			done chan<- Out
		}
		jobs := make(chan job, waiting*workers) // As many as wait in the queue: a worker finds the next one there.
		started.Go(func() {
			defer close(queue)
			defer close(jobs)
			for in, err := range source {
				t := task[Out]{err, make(chan Out, 1)}
				if !sendTask(inner, queue, t) || err != nil || !sendTask(inner, jobs, job{in, t.done}) {
					return
				}
			}
		})
		for range workers { // They last: a new goroutine for each item would grow its stack anew each time.
			started.Go(func() {
				for j := range jobs {
					j.done <- do(j.in)
				}
			})
		}
		drainResults(inner, queue, yield)
	}
}

// sendTask reports whether the value went through before ctx ended.
func sendTask[T any](ctx context.Context, to chan<- T, value T) bool {
	select {
	case to <- value:
		return true
	case <-ctx.Done():
		return false
	}
}

// drainResults yields the answers in the order of the queue. An error is the last one.
func drainResults[Out any](ctx context.Context, queue <-chan task[Out], yield func(Out, error) bool) {
	var none Out
	for t := range queue {
		if t.err != nil {
			yield(none, t.err)
			return
		}
		select {
		case out := <-t.done:
			if !yield(out, nil) {
				return
			}
		case <-ctx.Done():
			yield(none, context.Cause(ctx))
			return
		}
	}
	if ctx.Err() != nil {
		yield(none, context.Cause(ctx))
	}
}
