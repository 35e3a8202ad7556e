package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// waitDelay is how long a process may take to end after it was told to.
const waitDelay = 2 * time.Second

// stderrLimit bounds how much of git's messages is kept.
const stderrLimit = 4096

// runner starts git in one directory with one environment.
type runner struct {
	git   string
	dir   string
	env   []string // what git is run with
	given []string // what the caller handed in
}

// newRunner finds git on the path of the given environment.
func newRunner(dir string, env []string) (runner, error) {
	program, err := lookPath("git", env)
	if err != nil {
		return runner{}, err
	}
	return runner{git: program, dir: dir, env: childEnv(env), given: env}, nil
}

// childEnv copies env without what disturbs and with the fixed locale.
func childEnv(env []string) []string {
	kept := slices.DeleteFunc(slices.Clone(env), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return disturbs(name)
	})
	return append(kept, "LC_ALL=C", "GIT_NO_REPLACE_OBJECTS=1")
}

// disturbs reports whether a variable would make a child look at another index, at one file of the configuration alone,
// read path names in another way, or speak another language.
func disturbs(name string) bool {
	switch name {
	case "GIT_INDEX_FILE", "GIT_CONFIG", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS",
		"GIT_PREFIX", "GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS", "GIT_NAMESPACE", "LANGUAGE", "LC_ALL":
		return true
	}
	return false
}

// LookupEnv returns the last value that a variable has in an environment, as a process would see it, and whether it has one.
func LookupEnv(env []string, name string) (string, bool) {
	for _, entry := range slices.Backward(env) {
		if key, value, found := strings.Cut(entry, "="); found && key == name {
			return value, true
		}
	}
	return "", false
}

// lookPath finds a program on the PATH of env; directories that are not absolute are skipped.
func lookPath(program string, env []string) (string, error) {
	path, _ := LookupEnv(env, "PATH")
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if found, err := exec.LookPath(filepath.Join(dir, program)); err == nil {
			return found, nil
		}
	}
	return "", fmt.Errorf("find %q on the path: %w", program, ErrNoGit)
}

// command prepares a git process that is asked to end, not killed, when ctx does: git then removes its lock files.
func (r runner) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, r.git, args...)
	cmd.Dir, cmd.Env = r.dir, r.env
	cmd.Cancel = func() error { return stop(cmd.Process) }
	cmd.WaitDelay = waitDelay
	return cmd
}

// stop asks a process to end, and kills it where asking is not possible.
func stop(process *os.Process) error {
	if err := process.Signal(terminate); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return process.Kill()
	}
	return nil
}

// output runs git to its end and returns what it printed, also when it failed.
func (r runner) output(ctx context.Context, stdin io.Reader, args ...string) ([]byte, error) {
	cmd := r.command(ctx, args...)
	var stdout bytes.Buffer
	stderr := &tail{limit: stderrLimit}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, &stdout, stderr
	err := cmd.Run()
	return stdout.Bytes(), runError(ctx, args, err, stderr)
}

// runError turns the end of a process into an error of this package.
func runError(ctx context.Context, args []string, err error, stderr *tail) error {
	if err == nil {
		return nil
	}
	name := commandName(args)
	if ctx.Err() != nil {
		return fmt.Errorf("git %s: %w", name, context.Cause(ctx))
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return &ExitError{Args0: name, Code: exit.ExitCode(), Stderr: stderr.String()}
	}
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, exec.ErrNotFound) {
		return fmt.Errorf("git %s: %w: %w", name, ErrNoGit, err)
	}
	return fmt.Errorf("git %s: %w", name, err)
}

// commandName is the first argument that is not an option of git itself.
func commandName(args []string) string {
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "-c":
			i++
		case !strings.HasPrefix(args[i], "-"):
			return args[i]
		}
	}
	return ""
}

// exitCode returns the exit code inside err, 0 for nil and -1 for any other error.
func exitCode(err error) int {
	if err == nil {
		return 0
	}
	if exit, ok := errors.AsType[*ExitError](err); ok {
		return exit.Code
	}
	return -1
}

// tail keeps the last bytes that were written to it.
type tail struct {
	limit int
	data  []byte
}

// Write keeps at most limit bytes.
func (t *tail) Write(p []byte) (int, error) {
	t.data = append(t.data, p...)
	if over := len(t.data) - t.limit; over > 0 {
		t.data = append(t.data[:0], t.data[over:]...)
	}
	return len(p), nil
}

// String returns what was kept, without the white space around it.
func (t *tail) String() string {
	return strings.TrimSpace(string(t.data))
}
