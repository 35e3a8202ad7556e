package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/session"
)

// useMemory opens the memory of the repository, calls do, and tells what was skipped
// and mended on the way.
func (e *env) useMemory(ctx context.Context, do func(m *memory.Memory) error) (err error) {
	opts := memory.Options{
		Dir: e.dir, Env: e.vars, Now: e.now, Entropy: e.entropy, UserStore: e.userStore,
		View: recall.Views(e.now),
	}
	host, inShell := agent.InShellOf(e.getenv)
	_, _, inSession := agent.SessionIn(e.getenv)
	if opts.Agent = string(host); inShell || inSession {
		var places []string // Where the shell is, or was: these know more of a session than what -C names.
		for _, name := range []string{"PWD", "OLDPWD"} {
			if dir, _ := e.getenv(name); filepath.IsAbs(dir) && dir != e.dir {
				places = append(places, dir)
			}
		}
		opts.Shown = session.Shown(memory.Options{Env: e.vars, Now: e.now, Entropy: e.entropy}, places...)
		opts.Unattended = !e.isTerminal(e.stdin)
	}
	m, err := memory.Open(ctx, opts)
	if err != nil {
		return err
	}
	defer func() {
		if closing := m.Close(); err == nil {
			err = closing
		}
	}()
	if err = do(m); err != nil {
		// What went wrong is told in words that may hold a secret of the house. Where the rules cannot be
		// read, that is what went wrong, or nothing was scanned.
		e.rules, _ = m.Rules(ctx)
	}
	if several, ok := errors.AsType[*replay.AmbiguousError](err); ok {
		for _, id := range several.IDs[:min(len(several.IDs), replay.MostNamed)] {
			if title := titleOf(ctx, m, string(id)); title != "" {
				several.Told = append(several.Told, string(id)+" "+title)
			}
		}
	}
	if ctx.Err() == nil && m.Purges().Erased().MustForget() {
		forgetErased(ctx, e, m)
	}
	tellMended(e, m)
	if fault := m.UserError(); fault != nil { // No command fails by that.
		e.warnf("your user-wide memory is left out: %v", fault)
		e.hint("mend it, name another with 'git config --global ltm.userStore DIR', or turn it off " +
			"with 'off' for DIR")
	} else if user := m.UserOpened(); user != nil {
		tellMended(e, user)
	}
	return err
}

// tellMended tells what became of signatures that were wanted, that one gave this clone the id of its store, and
// what was skipped and mended in one memory.
func tellMended(e *env, m *memory.Memory) {
	for _, u := range m.Signer().Unsigned() {
		e.warnf("STORED UNSIGNED: %s: %v", u.ID, u.Err)
		for _, d := range errorDetails(u.Err) {
			_, _ = fmt.Fprintf(e.stderr, "  %s\n", e.printable(d))
		}
		if namedByTeam(u.Err) {
			e.hint("look at the list and accept it with 'git ltm trust init'")
		}
		e.hint("sign it later with 'git ltm sign " + string(u.ID) +
			"'; with ltm.sign = required nothing is stored unsigned")
	}
	if id := m.Signer().NewStore(); id != "" {
		e.hint("this clone made the store id " + id +
			" (git config ltm.store); signatures are good in clones that have the same")
	}
	e.warnAll(command.Mended(m))
}

// joinDirs applies -C as git does: each is relative to the one before.
func joinDirs(start string, dirs []string) string {
	for _, d := range dirs {
		switch {
		case d == "":
		case filepath.IsAbs(d):
			start = d
		default:
			start = filepath.Join(start, d)
		}
	}
	return start
}

// founders are the commands that make the user-wide memory where there is none.
const founders = ", save, init, import, note, skip add, task add,"

// workOnUser makes a command work on the user-wide memory instead of the repository at hand. Files on its
// command line are still those of the directory at hand.
func (e *env) workOnUser(ctx context.Context, cmd *cobra.Command) error {
	if typedName(cmd) == "git ltm setup" {
		return usagef("--user means your user-wide memory, which setup has nothing to do with; your own " +
			"files of an " +
			"agent are --scope user")
	}
	store, err := memory.FindUserStore(ctx, e.dir, e.vars)
	if err != nil {
		return err
	}
	made, err := store.Exists()
	if err != nil {
		return fmt.Errorf("user-wide memory: %w", err)
	}
	rehearsed, _ := cmd.Flags().GetBool("dry-run") // It makes none.
	switch {
	case !made && (rehearsed || !isListed(cmd, founders)):
		return fmt.Errorf("%q: %w", store.Path, memory.ErrNoUserStore)
	case !made:
		if err := store.Make(ctx, e.vars); err != nil {
			return err
		}
		e.hint("made your user-wide memory: " + store.Path)
	}
	e.userStore, e.vars = store.Path, store.Env(e.vars)
	return nil
}

// fromUser says that a record is of the user-wide memory, where it was asked for in a repository.
func (e *env) fromUser(m, of *memory.Memory, entry replay.Entry) {
	if of != m {
		e.hint(string(entry.Kind()) + " " + string(entry.ID) +
			" is of your user-wide memory, not of this repository")
	}
}

// forgetErased takes out of the index what is not among the records any more. Where that fails,
// nothing of it is
// told all the same: the index is asked for places only, and the records are read.
func forgetErased(ctx context.Context, e *env, m *memory.Memory) {
	if err := recall.Refresh(ctx, m, recall.Options{Now: e.now}); err != nil {
		e.warnf("the index still holds words of what is gone; delete %q: %v", recall.IndexPath(m), err)
	}
}

// maxDocument is the number of bytes of the largest file that is checked or
// scanned.
const maxDocument = 64 << 20

// standardInput is how a command line names standard input.
const standardInput = "-"

// dashFile is how the file of that name is called.
const dashFile = "./-"

// resolvePath applies -C to the name of a file.
func (e *env) resolvePath(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(e.dir, name)
}

// readDocument reads a file, or standard input for "-".
func (e *env) readDocument(ctx context.Context, name string) (data []byte, err error) {
	if name == standardInput {
		if data, err = e.readStdin(ctx, maxDocument+1); err != nil {
			return nil, err
		}
	} else {
		f, err := os.Open(e.resolvePath(name))
		if err != nil {
			return nil, fmt.Errorf("read file: %w", err)
		}
		if info, err := f.Stat(); err == nil && info.IsDir() {
			err = fmt.Errorf("%q is a directory; name the files in it, as git ls-files lists them", name)
			return nil, errors.Join(err, f.Close())
		}
		data, err = io.ReadAll(io.LimitReader(f, maxDocument+1))
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, fmt.Errorf("read file: %w", err)
		}
	}
	if len(data) > maxDocument {
		return nil, fmt.Errorf("read %q: it has more than %d bytes, which is the most that is read", name,
			maxDocument)
	}
	return data, nil
}

// readStdin reads standard input until it ends or the command is interrupted. A
// read from a terminal or a pipe cannot be called back, so it is left behind
// then; the process is about to end.
func (e *env) readStdin(ctx context.Context, limit int64) ([]byte, error) {
	if e.isTerminal(e.stdin) {
		e.hint("reading from the terminal; ctrl-d ends it")
	}
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
		if a.err != nil {
			return nil, fmt.Errorf("read standard input: %w", a.err)
		}
		return a.data, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// checkEachFile looks at files, several side by side, and adds what it finds in the order of their names. One
// that cannot be read is told and counted, and the others are looked at all the same. No more files are held in
// memory than are looked at.
func checkEachFile(ctx context.Context, e *env, v *verdict, files []string,
	look func(name string, data []byte) check.Checked,
) error {
	for some := range slices.Chunk(files, runtime.GOMAXPROCS(0)) {
		checked, failed := make([]check.Checked, len(some)), make([]error, len(some))
		var started sync.WaitGroup
		for i, name := range some {
			started.Go(func() {
				data, err := e.readDocument(ctx, name)
				if failed[i] = err; err == nil {
					checked[i] = look(calledFile(name), data)
				}
			})
		}
		started.Wait()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for i, err := range failed {
			if err != nil {
				v.progress.end()
				v.unread++
				e.warnf("%v", err)
				continue
			}
			v.addChecked(checked[i])
		}
	}
	return ctx.Err()
}

// calledFile is how a report calls a file.
func calledFile(name string) string {
	clean := filepath.ToSlash(filepath.Clean(name))
	if clean == standardInput && name != standardInput {
		return dashFile
	}
	return clean
}

// ownOnly is who may read a new file: its owner.
const ownOnly = 0o600

// replaceFile writes a file as a whole, in the place of the one that is there. It never writes through a
// link, since in a work tree somebody else may have chosen where that leads. What is no file, such as
// /dev/null, is written to.
func replaceFile(name string, write func(io.Writer) error) error {
	mode := fs.FileMode(ownOnly)
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%q is a symbolic link; name the file itself", name)
	case info.IsDir():
		return fmt.Errorf("%q is a directory", name)
	case !info.Mode().IsRegular():
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	default:
		mode = info.Mode().Perm()
	}
	return local.Replace(name, local.Replacement{Perm: mode, Exact: true}, write)
}
