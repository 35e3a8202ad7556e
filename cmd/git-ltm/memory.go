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

// use opens the memory of the repository, calls do, and tells what was skipped
// and mended on the way.
func (e *env) use(ctx context.Context, do func(m *memory.Memory) error) (err error) {
	opts := memory.Options{
		Dir: e.dir, Env: e.vars, Now: e.now, Entropy: e.entropy, UserStore: e.userStore,
		View: recall.Views(e.now),
	}
	host, inShell := agent.InShellOf(e.getenv)
	_, _, inSession := agent.SessionIn(e.getenv)
	if opts.Agent = string(host); inShell || inSession {
		opts.Shown = session.Shown(memory.Options{Env: e.vars, Now: e.now, Entropy: e.entropy},
			shellPlaces(e)...)
		opts.Unattended = !e.terminal(e.stdin)
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
	if ctx.Err() == nil && m.Purges().Erased().MustForget() {
		forgetErased(ctx, e, m)
	}
	tellMended(e, m)
	tellUserStoreFault(e, m)
	return err
}

// shellPlaces are the directories in which the shell is, or was before the last change, that the program runs
// in: of the clone of a session they know more than what a command was pointed at.
func shellPlaces(e *env) (all []string) {
	for _, name := range []string{"PWD", "OLDPWD"} {
		if dir, _ := e.getenv(name); filepath.IsAbs(dir) && dir != e.dir {
			all = append(all, dir)
		}
	}
	return all
}

// tellMended tells what was not signed, skipped and mended in one memory.
func tellMended(e *env, m *memory.Memory) {
	tellSigning(e, m)
	for _, line := range command.Mended(m) {
		e.warnf("%s", line)
	}
}

// tellSigning tells what became of signatures that were wanted, and that one gave this clone the id of its
// store.
func tellSigning(e *env, m *memory.Memory) {
	for _, u := range m.Signer().Unsigned() {
		e.warnf("STORED UNSIGNED: %s: %v", u.ID, u.Err)
		for _, d := range details(u.Err) {
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
const founders = ", save, init, import, note, skip add, task add, identity set,"

// workOnUser makes a command work on the user-wide memory instead of the repository at hand. Files on its
// command line are still those of the directory at hand.
func (e *env) workOnUser(ctx context.Context, cmd *cobra.Command) error {
	if displayed(cmd) == "git ltm setup" {
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

// tellUserStoreFault tells what was skipped and mended in the user-wide memory, and that it cannot
// be read. No command
// fails by that.
func tellUserStoreFault(e *env, m *memory.Memory) {
	if err := m.UserError(); err != nil {
		e.warnf("your user-wide memory is left out: %v", err)
		e.hint("mend it, name another with 'git config --global ltm.userStore DIR', or turn it off " +
			"with 'off' for DIR")
		return
	}
	if user := m.UserOpened(); user != nil {
		tellMended(e, user)
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

// judged is what is known of one file.
type judged struct {
	checked check.Checked
	err     error // it could not be read
}

// checkEachFile looks at files, several side by side, and adds what it finds in the order of their
// names. One that
// cannot be read is told and counted, and the others are looked at all the same.
func checkEachFile(ctx context.Context, e *env, v *verdict, files []string,
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
		readEachFile(inner, e, &started, queue, files, look)
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

// readEachFile reads one file after the other and hands each on to be looked at.
func readEachFile(ctx context.Context, e *env, started *sync.WaitGroup, queue chan<- chan judged, files []string,
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
