package main

import (
	"context"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/git-ltm/git-ltm/internal/check"
)

// judged is what is known of one file.
type judged struct {
	checked check.Checked
	err     error // it could not be read
}

// eachFile looks at files, several side by side, and adds what it finds in the order of their names. One that
// cannot be read is told and counted, and the others are looked at all the same.
func (e *env) eachFile(ctx context.Context, v *verdict, files []string,
	look func(name string, data []byte) check.Checked,
) error {
	var started sync.WaitGroup
	defer started.Wait()
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	// No more files are held in memory than this has room for, and two.
	queue := make(chan chan judged, runtime.GOMAXPROCS(0))
	started.Go(func() {
		defer close(queue)
		e.readEach(inner, &started, queue, files, look)
	})
	for answer := range queue {
		j := <-answer
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if j.err != nil {
			v.progress.end()
			v.unread++
			e.warnf("%v", j.err)
			continue
		}
		v.add(j.checked)
	}
	return ctx.Err()
}

// readEach reads one file after the other and hands each on to be looked at.
func (e *env) readEach(ctx context.Context, started *sync.WaitGroup, queue chan<- chan judged, files []string,
	look func(name string, data []byte) check.Checked,
) {
	for _, name := range files {
		answer := make(chan judged, 1)
		select {
		case queue <- answer:
		case <-ctx.Done():
			return
		}
		data, err := e.document(ctx, name)
		if err != nil {
			answer <- judged{err: err}
			continue
		}
		started.Go(func() { answer <- judged{checked: look(calledFile(name), data)} })
	}
}

// calledFile is how a report calls a file.
func calledFile(name string) string {
	clean := filepath.ToSlash(filepath.Clean(name))
	if clean == standardInput && name != standardInput {
		return dashFile
	}
	return clean
}
