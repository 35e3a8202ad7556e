package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
)

// maxState is the largest file of state that is read.
const maxState = 1 << 20

// stateDir is where this clone keeps what is about itself.
func stateDir(repo *git.Repo) string { return filepath.Join(repo.CommonDir, "ltm") }

// readState reads a file of state into value, and reports whether there is one. What is no JSON is as if it were not there.
func readState(repo *git.Repo, name string, value any) (bool, error) {
	path := filepath.Join(stateDir(repo), name)
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read %q: %w", name, err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxState {
		return false, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return false, fmt.Errorf("read %q: %w", name, err)
	}
	return json.Unmarshal(text, value) == nil, nil
}

// writeState replaces a file of state.
func writeState(repo *git.Repo, name string, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fmt.Errorf("write %q: %w", name, err)
	}
	if err := makeStateDir(repo); err != nil {
		return err
	}
	file, err := os.CreateTemp(stateDir(repo), "tmp-")
	if err != nil {
		return fmt.Errorf("write %q: %w", name, err)
	}
	_, err = file.Write(append(text, '\n'))
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = os.Rename(file.Name(), filepath.Join(stateDir(repo), name))
	}
	if err != nil {
		return fmt.Errorf("write %q: %w", name, errors.Join(err, os.Remove(file.Name())))
	}
	return nil
}

// removeState removes a file of state, if there is one.
func removeState(repo *git.Repo, name string) error {
	err := os.Remove(filepath.Join(stateDir(repo), name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove %q: %w", name, err)
	}
	return nil
}

// makeStateDir makes the directory, as open or closed as the repository.
func makeStateDir(repo *git.Repo) error {
	mode := fs.FileMode(0o700)
	if info, err := os.Stat(filepath.Join(repo.CommonDir, "objects")); err == nil {
		mode |= info.Mode().Perm()
	}
	if err := os.MkdirAll(stateDir(repo), mode); err != nil {
		return fmt.Errorf("make the directory of state: %w", err)
	}
	return nil
}

// staleLock is when a lock was left behind by a process that died. Nothing holds one for so long.
const staleLock = 15 * time.Minute

// takeLock takes a lock of this clone, and reports whether it is free. Release gives it back.
func takeLock(repo *git.Repo, name string) (release func(), ok bool, err error) {
	if err := makeStateDir(repo); err != nil {
		return nil, false, err
	}
	path := filepath.Join(stateDir(repo), name)
	for range 2 {
		file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			release = func() { _ = os.Remove(path) }
			_, err = fmt.Fprintf(file, "%d\n", os.Getpid())
			if err = errors.Join(err, file.Close()); err != nil {
				release()
				return nil, false, fmt.Errorf("lock %q: %w", name, err)
			}
			return release, true, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, false, fmt.Errorf("lock %q: %w", name, err)
		}
		if leftBehind(path) {
			_ = os.Remove(path)
		}
	}
	return nil, false, nil
}

// leftBehind reports whether whoever took a lock is gone.
func leftBehind(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || time.Since(info.ModTime()) > staleLock {
		return err == nil
	}
	text, err := os.ReadFile(path)
	holder, bad := strconv.Atoi(strings.TrimSpace(string(text)))
	return err == nil && bad == nil && git.Ended(holder)
}

// errBusy says that another process of git ltm holds a lock.
var errBusy = errors.New("another process of git ltm is at it")

// waitLock takes a lock, and waits some seconds for who holds it.
func waitLock(ctx context.Context, repo *git.Repo, name string) (release func(), err error) {
	for range 100 {
		release, ok, err := takeLock(repo, name)
		if err != nil || ok {
			return release, err
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(50 * time.Millisecond):
		}
	}
	return nil, fmt.Errorf("lock %q: %w", name, errBusy)
}
