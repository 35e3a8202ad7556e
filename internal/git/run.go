package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/git-ltm/git-ltm/internal/program"
)

// runner starts git in one directory with one environment.
type runner struct {
	git   string
	dir   string
	env   []string // what git is run with
	given []string // what the caller handed in
	texts *configTexts

	offline bool   // whether git is kept from reaching a server
	watch   *Watch // told when git prints nothing; nil for nobody
}

// newRunner finds git on the path of the given environment.
func newRunner(dir string, env []string) (runner, error) {
	file, err := lookPath("git", env)
	if err != nil {
		return runner{}, fmt.Errorf("%w: %w", ErrNoGit, err)
	}
	return runner{git: file, dir: dir, env: childEnv(env), given: env, texts: &configTexts{kept: map[string]configText{}}}, nil
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
func LookupEnv(env []string, name string) (string, bool) { return program.LookupEnv(env, name) }

// lookPath finds a program on the PATH of env.
func lookPath(name string, env []string) (string, error) {
	path, _ := LookupEnv(env, "PATH")
	return program.Find(name, "", path)
}

// command prepares a git process. It is asked to end, not killed, when its context does: git then removes its lock files.
func (r runner) command(args ...string) program.Command {
	cmd := program.Command{File: r.git, Args: args, Dir: r.dir, Env: r.env}
	if r.offline {
		cmd.Env = append(slices.Clone(r.env), offline()...)
	}
	return cmd
}

// output runs git to its end and returns what it printed, also when it failed.
func (r runner) output(ctx context.Context, stdin io.Reader, args ...string) ([]byte, error) {
	cmd := r.command(args...)
	cmd.Stdin = stdin
	if r.watch != nil {
		came, end := r.watch.begin()
		defer end()
		cmd.Beside = came
	}
	done, err := cmd.Run(ctx)
	err = runError(args, err)
	if exit, ok := errors.AsType[*ExitError](err); ok && r.watch != nil {
		exit.Stderr = withoutProgress(exit.Stderr)
	}
	return done.Stdout, err
}

// runError turns the end of a process into an error of this package.
func runError(args []string, err error) error {
	if err == nil {
		return nil
	}
	name := commandName(args)
	if exit, ok := errors.AsType[*program.ExitError](err); ok {
		return &ExitError{Args0: name, Code: exit.Code, Stderr: exit.Stderr}
	}
	if errors.Is(err, os.ErrNotExist) {
		err = fmt.Errorf("%w: %w", ErrNoGit, err)
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

// Watch is told when a remote sends nothing. The sign of life is what git prints: its progress
// while it fetches and pushes, and the end of a listing, of which nothing is seen before.
type Watch struct {
	Ages   []time.Duration           // required: how long nothing came when Silent is called, the shortest first
	Silent func(since time.Duration) // required: it is called beside the call to the remote, and once for each age
}

// Watched returns the repository as one whose calls to remotes are watched. Others are not.
func (r *Repo) Watched(watch Watch) *Repo {
	watched := *r
	watched.watch = &watch
	return &watched
}

// signs tells a watch that something came.
type signs chan struct{}

// Write takes note that something came, and never waits.
func (s signs) Write(p []byte) (int, error) {
	select {
	case s <- struct{}{}:
	default: // That something came is known already.
	}
	return len(p), nil
}

// begin watches until end is called.
func (w *Watch) begin() (came signs, end func()) {
	came, stop, over := make(signs, 1), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		w.follow(came, stop)
	}()
	return came, func() { close(stop); <-over }
}

// follow counts the time in which nothing comes.
func (w *Watch) follow(came signs, stop <-chan struct{}) {
	began, next := time.Now(), 0
	for {
		var due <-chan time.Time
		if next < len(w.Ages) {
			due = time.After(time.Until(began.Add(w.Ages[next])))
		}
		select {
		case <-stop:
			return
		case <-came:
			began, next = time.Now(), 0
		case <-due:
			w.Silent(w.Ages[next])
			next++
		}
	}
}

// loudness returns the option under which git prints its progress where somebody watches, and else
// as little as it can.
func (r runner) loudness() string {
	if r.watch == nil {
		return "--quiet"
	}
	return "--progress"
}

// progressLine is what git tells of its progress, and of refs that are as they should be.
var progressLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(remote: )?([A-Z][a-z ]+: +\d+.*, done\.|Total \d.*|Delta compression .*|From .*| [ *+] .*->.*)[\s\x1b\[K]*$`)
})

// withoutProgress returns what is left of git's messages for a person.
func withoutProgress(text string) string {
	var kept []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n") // Programs for SSH end lines with both.
		if line = line[strings.LastIndexByte(line, '\r')+1:]; !progressLine().MatchString(line) {
			kept = append(kept, line)
		}
	}
	return strings.TrimSpace(strings.Join(kept, "\n"))
}
