package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/foreign"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// The bounds of a folder that is imported.
const (
	mostFiles = 20_000
	mostDepth = 32
)

// A source is something that holds records, with its contents.
type source struct {
	name     string // as people call it
	data     []byte
	modified time.Time
	folder   bool // it was found in a folder, and not named itself
}

// leftFileError is why a file of a folder is left out, as it should be.
type leftFileError string

func (l leftFileError) Error() string { return string(l) }

func stat(name string) (fs.FileInfo, error) { return os.Stat(name) }

// eachSource reads what was named, one after the other. What a folder holds is left out by leave where it
// cannot be read.
func (e *env) eachSource(ctx context.Context, names []string, leave func(name string, why error),
	do func(source) error,
) error {
	for _, name := range names {
		if err := e.readSource(ctx, name, leave, do); err != nil {
			return err
		}
	}
	return nil
}

func (e *env) readSource(ctx context.Context, name string, leave func(string, error),
	do func(source) error,
) error {
	if name == standardInput {
		data, err := e.readStdin(ctx, foreign.MaxInput+1)
		if err != nil {
			return fmt.Errorf("read standard input: %w", err)
		}
		return do(source{name: name, data: data, modified: e.now()})
	}
	info, err := stat(e.path(name))
	if err != nil {
		return fmt.Errorf("read source: %w", err)
	}
	if info.IsDir() {
		return e.readFolder(ctx, name, leave, do)
	}
	if !info.Mode().IsRegular() {
		return usagef("%q is neither a file nor a folder", reply.Word(name))
	}
	f, err := os.Open(e.path(name))
	if err != nil {
		return fmt.Errorf("read source: %w", err)
	}
	s, err := readOpen(f, calledFile(name))
	if err != nil {
		return err
	}
	return do(s)
}

// readOpen reads a file and closes it.
func readOpen(f fs.File, name string) (source, error) {
	info, err := f.Stat()
	var data []byte
	if err == nil {
		data, err = io.ReadAll(io.LimitReader(f, foreign.MaxInput+1))
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return source{}, fmt.Errorf("read %q: %w", name, err)
	}
	return source{name: name, data: data, modified: info.ModTime()}, nil
}

// readFolder reads the files of a folder in the order of their names. Nothing outside of it is opened,
// whatever leads there.
func (e *env) readFolder(ctx context.Context, name string, leave func(string, error),
	do func(source) error,
) (err error) {
	root, err := os.OpenRoot(e.path(name))
	if err != nil {
		return fmt.Errorf("read folder: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	files := root.FS()
	ignored, err := readIgnore(files)
	if err != nil {
		return fmt.Errorf("read folder %q: %w", reply.Word(name), err)
	}
	called := func(inner string) string { return path.Join(filepath.ToSlash(filepath.Clean(name)), inner) }
	left, room := mostFiles, foreign.MaxInput
	return fs.WalkDir(files, ".", func(inner string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			leave(called(inner), err)
			return nil
		case inner == ".":
			return nil
		case entry.IsDir():
			if entry.Name() == ".git" || ignored.matches(inner, entry) ||
				strings.Count(inner, "/") >= mostDepth {
				return fs.SkipDir
			}
			return nil
		case !readsName(inner) || ignored.matches(inner, entry):
			return nil
		case !entry.Type().IsRegular():
			leave(called(inner), leftFileError("only files of the folder itself are read, and no links"))
			return nil
		}
		if left--; left < 0 {
			return usagef("%q holds more than %d files", reply.Word(name), mostFiles)
		}
		f, err := files.Open(inner)
		if err != nil {
			leave(called(inner), err)
			return nil
		}
		s, err := readOpen(f, called(inner))
		if err != nil {
			leave(called(inner), err)
			return nil
		}
		if room -= len(s.data); room < 0 {
			return usagef("%q holds more than %d bytes", reply.Word(name), foreign.MaxInput)
		}
		s.folder = true
		return do(s)
	})
}

// readsName tells the files of a folder that may hold records.
func readsName(name string) bool {
	return slices.Contains([]string{".md", ".json", ".jsonl"}, strings.ToLower(path.Ext(name)))
}

// isMemoryFile tells the names of the files in which people and agents keep what agents should know.
func isMemoryFile(name string) bool {
	return slices.Contains([]string{"memory.md", "claude.md", "claude.local.md", "agents.md", "gemini.md"},
		strings.ToLower(path.Base(name)))
}
