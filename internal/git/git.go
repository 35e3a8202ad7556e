// Package git runs the git program as if it were a library.
//
// Every call of git is a method with a meaning; no caller builds arguments. The package promises that a decision
// never rests on git's words, only on exit codes and on what the repository then holds, that each process has a
// context, and that the environment of a child is the one that was handed in, with a fixed locale. It is the only
// package that starts processes of git.
package git

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-ltm/git-ltm/internal/local"
)

// The errors that a caller has to tell apart.
var (
	// ErrNotRepository says that no repository was found at or above the directory.
	ErrNotRepository = errors.New("not a git repository")
	// ErrUnsafe says that git refuses the repository because of who owns it or where it lies.
	ErrUnsafe = errors.New("git does not trust this repository")
	// ErrEmbedded is ErrUnsafe of a bare repository that lies in the work tree of another one and was not named.
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
	Upstream  string // Upstream is the full name of the upstream ref, "" when none is configured or it is gone.
}

// Repo is a repository as git sees it from one directory. It holds answers of the moment it was opened.
type Repo struct {
	Dir          string // Dir is where commands run.
	GitDir       string // GitDir is the directory of this work tree, absolute.
	CommonDir    string // CommonDir is the directory that all linked work trees share, absolute.
	WorkTree     string // WorkTree is the top of the work tree, "" in a bare repository and inside a git directory.
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

// Environ returns the environment that was handed in, for programs of the user that speak the user's language.
func (r *Repo) Environ() []string { return slices.Clone(r.run.given) }

// PackRefs gathers loose refs into the packed-refs file.
func (r *Repo) PackRefs(ctx context.Context) error {
	_, err := r.run.output(ctx, nil, "pack-refs", "--all")
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
	out, err := r.run.output(ctx, nil, "version")
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

// HasProgram reports whether a program is found as git would find it: by its path, or on the PATH of the environment.
func (r *Repo) HasProgram(name string) bool {
	if strings.ContainsAny(name, `/\`) {
		return exists(name)
	}
	_, err := lookPath(name, r.run.given)
	return err == nil
}

// maxConfig is how many bytes of a file of the configuration are looked at without asking git.
const maxConfig = 16 << 20

// Local is the folder in which this clone keeps what is about itself.
func (r *Repo) Local() *local.Dir { return local.Open(filepath.Join(r.CommonDir, "ltm"), r.Sharing) }

// Sharing is what core.sharedRepository says. It stands in the file of the repository, the only one in which git looks for
// it while it opens a repository, and without includes; so no process is started for it.
func (r *Repo) Sharing() local.Sharing {
	text, err := r.run.texts.read(r.ConfigFile())
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
		if !strings.EqualFold(section, "core") || !strings.EqualFold(strings.TrimSpace(key), "sharedRepository") {
			continue
		}
		if value = strings.Trim(value, " \t\""); !set {
			value = "true"
		}
		if said, err := local.ParseSharing(value); err == nil { // With another value git itself refuses the repository.
			sharing = said
		}
	}
	return sharing
}
