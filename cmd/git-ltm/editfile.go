package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-ltm/git-ltm/internal/git"
)

// edited lets the person edit a file, which begins as a text unless one is there that was not stored, and
// returns what they wrote without its comments. What they wrote is in the file until the caller removes it;
// word is what the person calls it.
func (e *env) edited(ctx context.Context, file, word string, begin func() ([]byte, error)) ([]byte, error) {
	if _, err := os.Stat(file); err == nil {
		e.say("hint", "this continues the "+word+" that was not stored")
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("look for a %s: %w", word, err)
	} else if err := startEdit(file, word, begin); err != nil {
		return nil, err
	}
	streams := git.Streams{In: e.stdin, Out: e.stdout, Err: e.stderr}
	if err := git.Edit(ctx, e.dir, e.vars, streams, file); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", word, err)
	}
	return withoutComments(text), nil
}

// startEdit writes what the editor opens.
func startEdit(file, word string, begin func() ([]byte, error)) error {
	text, err := begin()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err !=
		nil { //nolint:gosec // As git makes its directories.
		return fmt.Errorf("write %s: %w", word, err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return fmt.Errorf("write %s: %w", word, err)
	}
	return nil
}
