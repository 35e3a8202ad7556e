package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// maxDocument is the number of bytes of the largest file that is checked or
// scanned.
const maxDocument = 64 << 20

// standardInput is how a command line names standard input.
const standardInput = "-"

// dashFile is how the file of that name is called.
const dashFile = "./-"

// path applies -C to the name of a file.
func (e *env) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(e.dir, name)
}

// document reads a file, or standard input for "-".
func (e *env) document(ctx context.Context, name string) ([]byte, error) {
	if name == standardInput {
		data, err := e.readStdin(ctx, maxDocument+1)
		if err != nil {
			return nil, fmt.Errorf("read standard input: %w", err)
		}
		return data, bounded(name, data)
	}
	f, err := os.Open(e.path(name))
	if err != nil {
		return nil, fmt.Errorf("read file: %w", err)
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = fmt.Errorf("%q is a directory; name the files in it, as git ls-files lists them", name)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	data, err := io.ReadAll(io.LimitReader(f, maxDocument+1))
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("read file: %w", err)
	}
	return data, bounded(name, data)
}

func bounded(name string, data []byte) error {
	if len(data) > maxDocument {
		return fmt.Errorf("read %q: it has more than %d bytes, which is the most that is read", name,
			maxDocument)
	}
	return nil
}

// readStdin reads standard input until it ends or the command is interrupted. A
// read from a terminal or a pipe cannot be called back, so it is left behind
// then; the process is about to end.
func (e *env) readStdin(ctx context.Context, limit int64) ([]byte, error) {
	type answer struct {
		data []byte
		err  error
	}
	done := make(chan answer, 1)
	go func() {
		data, err := io.ReadAll(io.LimitReader(e.stdin, limit))
		done <- answer{data, err}
	}()
	select {
	case a := <-done:
		return a.data, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
