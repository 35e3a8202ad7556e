// Package git runs the git program as if it were a library.
//
// Every call of git is a method with a meaning; no caller builds arguments. The package promises that a
// decision never rests on git's words, only on exit codes and on what the repository then holds, that each
// process has a context, and that the environment of a child is the one that was handed in, with a fixed
// locale. It is the only package that starts processes of git.
package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/program"
)

// The errors that a caller has to tell apart.
var (
	// ErrNotRepository says that no repository was found at or above the directory.
	ErrNotRepository = errors.New("not a git repository")
	// ErrUnsafe says that git refuses the repository because of who owns it or where it lies.
	ErrUnsafe = errors.New("git does not trust this repository")
	// ErrEmbedded is ErrUnsafe of a bare repository that lies in the work tree of another one and was not
	// named.
	ErrEmbedded = fmt.Errorf("%w: it is bare, and lies in the work tree of another one", ErrUnsafe)
	// ErrNoGit says that there is no git program on the path.
	ErrNoGit = errors.New("git is not installed")
	// ErrConflict says that a ref did not have the value that a change expected.
	ErrConflict = errors.New("ref has another value")
	// ErrMissing says that an object is not in the repository.
	ErrMissing = errors.New("object is missing")
)

// ExitError is a git process that ended with a code other than zero.
type ExitError struct {
	Args0  string // Args0 is the git command, such as "update-ref".
	Code   int    // Code is the exit code, or -1 when a signal ended the process.
	Stderr string // Stderr is the last part of what git wrote, for a person to read.
}

// Error names the command, its code and what git said.
func (e *ExitError) Error() string {
	if e.Stderr == "" {
		return fmt.Sprintf("git %s: exit code %d", e.Args0, e.Code)
	}
	return fmt.Sprintf("git %s: exit code %d: %s", e.Args0, e.Code, e.Stderr)
}

// TooLargeError is an object that is larger than the reader accepts.
type TooLargeError struct {
	OID  string // OID is the object.
	Size int64  // Size is how large the object is.
	Max  int64  // Max is how large it may be.
}

// Error says by how much the object is too large.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("object %s has %d bytes, more than %d", e.OID, e.Size, e.Max)
}

// Head is what the work tree stands on.
type Head struct {
	Branch    string // Branch is the short name, "" when HEAD is detached.
	Commit    string // Commit is "" while the branch is unborn.
	Tree      string // Tree is the tree of Commit.
	MergeBase string // MergeBase is the newest commit shared with Upstream, "" when there is none.
	// Upstream is the full name of the upstream ref, "" when none is configured or it is gone.
	Upstream string
}

// Repo is a repository as git sees it from one directory. It holds answers of the moment it was opened.
type Repo struct {
	Dir       string // Dir is where commands run.
	GitDir    string // GitDir is the directory of this work tree, absolute.
	CommonDir string // CommonDir is the directory that all linked work trees share, absolute.
	// WorkTree is the top of the work tree, "" in a bare repository and inside a git directory.
	WorkTree     string
	Prefix       string // Prefix is Dir relative to WorkTree, with a final slash, or "".
	Bare         bool
	ObjectFormat string // ObjectFormat is sha1 or sha256.
	RefFormat    string // RefFormat is files or reftable.
	Head         Head

	run   runner
	watch *Watch // watch is over calls to remotes; nil for none.
	plain bool   // plain says that Head knows the branch alone.
}

// Env returns the value of a variable in the environment that git is run with.
func (r *Repo) Env(name string) (string, bool) {
	return LookupEnv(r.run.env, name)
}

// Environ returns the environment that was handed in, for programs of the user that speak the user's
// language.
func (r *Repo) Environ() []string { return slices.Clone(r.run.given) }

// PackRefs gathers loose refs into the packed-refs file.
func (r *Repo) PackRefs(ctx context.Context) error {
	_, err := r.run.readOutput(ctx, nil, "pack-refs", "--all")
	return err
}

// Version is which git is used.
type Version struct{ Major, Minor int }

// Before reports whether the version is older than another one.
func (v Version) Before(major, minor int) bool {
	return v.Major < major || v.Major == major && v.Minor < minor
}

func (v Version) String() string { return fmt.Sprintf("%d.%d", v.Major, v.Minor) }

// Version asks git for its version.
func (r *Repo) Version(ctx context.Context) (Version, error) {
	out, err := r.run.readOutput(ctx, nil, "version")
	if err != nil {
		return Version{}, fmt.Errorf("ask git for its version: %w", err)
	}
	for word := range strings.FieldsSeq(string(out)) {
		first, rest, ok := strings.Cut(word, ".")
		second, _, _ := strings.Cut(rest, ".")
		major, err := strconv.Atoi(first)
		minor, err2 := strconv.Atoi(second)
		if ok && err == nil && err2 == nil {
			return Version{Major: major, Minor: minor}, nil
		}
	}
	return Version{}, fmt.Errorf("ask git for its version: it answered %q", out)
}

// HasProgram reports whether a program is found as git would find it: by its path, or on the PATH of the
// environment.
func (r *Repo) HasProgram(name string) bool {
	if strings.ContainsAny(name, `/\`) {
		return isThere(name)
	}
	_, err := lookPath(name, r.run.given)
	return err == nil
}

// maxConfig is how many bytes of a file of the configuration are looked at without asking git.
const maxConfig = 16 << 20

// Local is the folder in which this clone keeps what is about itself.
func (r *Repo) Local() *local.Dir { return local.Open(filepath.Join(r.CommonDir, "ltm"), r.Sharing) }

// Sharing is what core.sharedRepository says. It stands in the file of the repository, the only one in which
// git looks for it while it opens a repository, and without includes; so no process is started for it.
func (r *Repo) Sharing() local.Sharing {
	text, err := r.run.texts.readText(r.Settings().File())
	if err != nil {
		return local.Private
	}
	sharing, section := local.Private, ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if head, rest, ok := strings.Cut(line, "]"); ok && strings.HasPrefix(head, "[") {
			section, line = head[1:], strings.TrimSpace(rest)
		}
		line, _, _ = strings.Cut(line, "#")
		line, _, _ = strings.Cut(line, ";")
		key, value, set := strings.Cut(line, "=")
		if !strings.EqualFold(section, "core") ||
			!strings.EqualFold(strings.TrimSpace(key), "sharedRepository") {
			continue
		}
		if value = strings.Trim(value, " \t\""); !set {
			value = "true"
		}
		// With another value git itself refuses the repository.
		if said, err := local.ParseSharing(value); err == nil {
			sharing = said
		}
	}
	return sharing
}

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
	return runner{
		git: file, dir: dir, env: childEnv(env), given: env,
		texts: &configTexts{kept: map[string]configText{}},
	}, nil
}

// childEnv copies env without what disturbs and with the fixed locale.
func childEnv(env []string) []string {
	kept := slices.DeleteFunc(slices.Clone(env), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		switch name {
		case "GIT_INDEX_FILE", "GIT_CONFIG", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS",
			"GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS",
			"GIT_PREFIX", "GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS", "GIT_NAMESPACE", "LANGUAGE", "LC_ALL":
			return true
		}
		return false
	})
	return append(kept, "LC_ALL=C", "GIT_NO_REPLACE_OBJECTS=1")
}

// LookupEnv returns the last value that a variable has in an environment, as a process would see it, and
// whether it has one.
func LookupEnv(env []string, name string) (string, bool) { return program.LookupEnv(env, name) }

// lookPath finds a program on the PATH of env.
func lookPath(name string, env []string) (string, error) {
	path, _ := LookupEnv(env, "PATH")
	return program.Find(name, "", path)
}

// newCommand prepares a git process. It is asked to end, not killed, when its context does: git then removes
// its lock files.
func (r runner) newCommand(args ...string) program.Command {
	cmd := program.Command{File: r.git, Args: args, Dir: r.dir, Env: r.env}
	if r.offline {
		cmd.Env = append(slices.Clone(r.env), // The first is enough for a git that knows it.
			"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_TERMINAL_PROMPT=0")
	}
	return cmd
}

// readOutput runs git to its end and returns what it printed, also when it failed.
func (r runner) readOutput(ctx context.Context, stdin io.Reader, args ...string) ([]byte, error) {
	cmd := r.newCommand(args...)
	cmd.Stdin = stdin
	return r.runCommand(ctx, cmd, args)
}

// runInto runs git to its end and writes what it prints.
func (r runner) runInto(ctx context.Context, to io.Writer, args ...string) error {
	cmd := r.newCommand(args...)
	cmd.Stdout = to
	_, err := r.runCommand(ctx, cmd, args)
	return err
}

// runCommand runs a command, watched where its remote is.
func (r runner) runCommand(ctx context.Context, cmd program.Command, args []string) ([]byte, error) {
	if r.watch != nil {
		came, end := r.watch.beginWatch()
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

// runStep runs git for what it changes. The step is what failed if that does, and may name its subject.
func (r runner) runStep(ctx context.Context, stdin io.Reader, step string, args ...string) error {
	if _, err := r.readOutput(ctx, stdin, args...); err != nil {
		return fmt.Errorf("%s: %w", step, err)
	}
	return nil
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
	// required: how long nothing came when Silent is called, the shortest first
	Ages []time.Duration
	// required: it is called beside the call to the remote, and once for each age
	Silent func(since time.Duration)
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

// beginWatch watches until end is called.
func (w *Watch) beginWatch() (came signs, end func()) {
	came, stop, over := make(signs, 1), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
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
	}()
	return came, func() { close(stop); <-over }
}

// progressOption returns the option under which git prints its progress where somebody watches, and else
// as little as it can.
func (r runner) progressOption() string {
	if r.watch == nil {
		return "--quiet"
	}
	return "--progress"
}

// progressLine is what git tells of its progress, and of refs that are as they should be.
var progressLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`^(remote: )?([A-Z][a-z ]+: +\d+.*, done\.|Total \d.*|Delta compression .*|From .*| [ *+] .*->.*)[\s\x1b\[K]*$`)
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
