package git

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-ltm/git-ltm/internal/local"
)

// The fields that Open asks for, in the order of its arguments.
const (
	fieldGitDir = iota
	fieldCommonDir
	fieldBare
	fieldInside
	fieldObjectFormat
	fieldRefFormat
	fieldPrefix
	fieldUp
	fieldHead
	fieldCount
)

// Open finds the repository that git uses in dir with env.
//
// One process answers everything. It prints what it can before it fails on an unborn branch, a detached HEAD
// or a missing upstream, so the answer is taken from what is there. Only an unborn branch takes a second
// process.
func Open(ctx context.Context, dir string, env []string) (*Repo, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("find directory %q: %w", dir, err)
	}
	if _, err := os.Stat(abs); err != nil {
		return nil, fmt.Errorf("find directory %q: %w", dir, err)
	}
	run, err := newRunner(abs, env)
	if err != nil {
		return nil, err
	}
	repo := &Repo{Dir: abs, run: run}
	if err := repo.askGit(ctx); err != nil {
		return nil, fmt.Errorf("open repository at %q: %w", abs, err)
	}
	return repo, nil
}

// askGit asks git where everything is. Nobody knows yet what the repository configures, so no server is
// reached: of a clone without the tree of its commit, that tree stays unknown.
//
// The fields are divided by a flag that no path can guess: git prints flags that it does not know, and paths
// may hold line breaks.
func (r *Repo) askGit(ctx context.Context) error {
	divider := "--" + strings.ToLower(rand.Text())
	args := []string{
		"rev-parse", "--path-format=absolute",
		"--git-dir", divider, "--git-common-dir", divider, "--is-bare-repository", divider,
		"--is-inside-work-tree", divider, "--show-object-format", divider, "--show-ref-format", divider,
		"--show-prefix", divider, "--show-cdup", divider,
		"HEAD^{commit}", "HEAD^{tree}", "--symbolic-full-name", "HEAD", "HEAD...@{upstream}", "--",
	}
	out, failure := r.Offline().run.readOutput(ctx, nil, args...)
	fields := strings.Split(string(out), divider+"\n")
	if len(fields) != fieldCount {
		return r.whyRefused(ctx, failure)
	}
	if err := r.setFields(fields); err != nil {
		return err
	}
	if embedded, err := r.isEmbedded(); embedded || err != nil {
		return cmp.Or(err, ErrEmbedded)
	}
	r.Head = parseHead(fields[fieldHead])
	if r.Head.Tree == "" {
		return r.readUnborn(ctx)
	}
	return nil
}

// setFields takes the paths and formats from the fields.
func (r *Repo) setFields(fields []string) error {
	for i := range fields {
		fields[i] = strings.TrimSuffix(fields[i], "\n")
	}
	r.GitDir, r.CommonDir = filepath.FromSlash(fields[fieldGitDir]),
		filepath.FromSlash(fields[fieldCommonDir])
	r.Bare = fields[fieldBare] == "true"
	r.ObjectFormat, r.RefFormat = fields[fieldObjectFormat], fields[fieldRefFormat]
	if strings.HasPrefix(r.RefFormat, "-") {
		r.RefFormat = "files" // A git that does not know the question knows only this format.
	}
	r.Prefix = fields[fieldPrefix]
	up := filepath.FromSlash(fields[fieldUp])
	if filepath.IsAbs(up) {
		r.WorkTree = filepath.Clean(up)
	}
	if fields[fieldInside] != "true" || r.WorkTree != "" {
		return nil
	}
	physical, err := filepath.EvalSymlinks(r.Dir)
	if err != nil {
		return fmt.Errorf("find directory %q: %w", r.Dir, err)
	}
	r.WorkTree = filepath.Join(physical, up)
	return nil
}

// parseHead reads as much about HEAD as git could print.
func parseHead(text string) Head {
	lines := strings.Split(text, "\n")
	var head Head
	if len(lines) > 0 && IsObjectID(lines[0]) {
		head.Commit = lines[0]
	}
	if len(lines) < 3 || head.Commit == "" || !IsObjectID(lines[1]) {
		return head
	}
	head.Tree = lines[1]
	head.Branch = branchName(lines[2])
	for _, line := range lines[3:] {
		base, isBase := strings.CutPrefix(line, "^")
		switch {
		case isBase && head.MergeBase == "" && IsObjectID(base):
			head.MergeBase = base
		case strings.HasPrefix(line, "refs/") && head.Upstream == "":
			head.Upstream = line
		}
	}
	return head
}

// branchName shortens the name of a branch; any other ref is no branch.
func branchName(ref string) string {
	name, ok := strings.CutPrefix(ref, "refs/heads/")
	if !ok {
		return ""
	}
	return name
}

// readUnborn asks which branch the first commit will start.
func (r *Repo) readUnborn(ctx context.Context) error {
	out, err := r.run.readOutput(ctx, nil, "symbolic-ref", "-q", "HEAD")
	if exitCode(err) == 1 {
		return nil
	}
	if err != nil {
		return err
	}
	r.Head.Branch = branchName(strings.TrimSuffix(string(out), "\n"))
	return nil
}

// whyRefused finds out why git did not open the repository. That git does not trust it is believed only where
// git names the setting that would change that: a git that was killed ends with a code as well.
func (r *Repo) whyRefused(ctx context.Context, failure error) error {
	exit, ended := errors.AsType[*ExitError](failure)
	switch {
	case failure == nil:
		return errors.New("read the answer of git: fields are missing")
	case ctx.Err() != nil || !ended:
		return failure
	case strings.Contains(exit.Stderr, "safe.directory") || strings.Contains(exit.Stderr, "safe.bareRepository"):
		return fmt.Errorf("%w: %w", ErrUnsafe, failure)
	case r.repositoryLike():
		return fmt.Errorf("read the answer of git: %w", failure)
	}
	return fmt.Errorf("%w: %w", ErrNotRepository, failure)
}

// repositoryLike reports whether something that names a repository lies where git looks: in GIT_DIR, or at or
// above the directory.
func (r *Repo) repositoryLike() bool {
	if named, ok := r.Env("GIT_DIR"); ok {
		return isThere(filepath.Join(pathFrom(r.Dir, named), "HEAD"))
	}
	value, _ := r.Env("GIT_CEILING_DIRECTORIES")
	ceilings := filepath.SplitList(value)
	for dir := r.Dir; ; dir = filepath.Dir(dir) {
		if isThere(filepath.Join(dir, ".git", "HEAD")) || isFile(filepath.Join(dir, ".git")) {
			return true
		}
		if isThere(filepath.Join(dir, "HEAD")) && isThere(filepath.Join(dir, "objects")) &&
			isThere(filepath.Join(dir, "refs")) {
			return true
		}
		if above := filepath.Dir(dir); above == dir || slices.Contains(ceilings, above) {
			return false
		}
	}
}

// isThere reports whether there is anything at path.
func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// isFile reports whether path is a regular file.
func isFile(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}

// IsObjectID reports whether s is a whole SHA-1 or SHA-256 object name.
func IsObjectID(s string) bool { return (len(s) == 40 || len(s) == 64) && IsHex(s) }

// IsHex reports whether a text consists of hexadecimal digits in lower case.
func IsHex[T string | []byte](text T) bool {
	for i := range len(text) {
		if notHex[text[i]] {
			return false
		}
	}
	return len(text) > 0
}

// notHex are the bytes that are no such digits. In a list of a hundred thousand digests to compare each with the
// ends of two ranges takes thirty times as long: a processor cannot guess which range the next one is in.
var notHex = func() (table [256]bool) {
	for c := range table {
		table[c] = !strings.ContainsRune("0123456789abcdef", rune(c))
	}
	return table
}()

// isEmbedded reports whether the repository is a folder of another one's work tree. Git takes it for a
// repository because the directory lies in it, but a clone may have brought its files like any others, so
// that its hooks, its configuration and what lies in it were written by a stranger. Who names it in GIT_DIR
// means it. What lies in the git directory of the other one, as the repository of a submodule does, came with
// no clone, nor did that directory, wherever it lies.
func (r *Repo) isEmbedded() (bool, error) {
	if _, named := r.Env("GIT_DIR"); named {
		return false, nil
	}
	own, err := os.Stat(r.GitDir)
	if err != nil {
		return false, fmt.Errorf("find git directory: %w", err)
	}
	dir, err := filepath.EvalSymlinks(r.Dir)
	if err != nil {
		return false, fmt.Errorf("find directory %q: %w", r.Dir, err)
	}
	var passed []fs.FileInfo // from the repository upwards; empty below it
	for ; ; dir = filepath.Dir(dir) {
		if len(passed) > 0 {
			if common, ok := commonDirOf(dir); ok {
				info, err := os.Stat(common)
				return err != nil ||
						!slices.ContainsFunc(passed, func(p fs.FileInfo) bool {
							return os.SameFile(p, info)
						}),
					nil
			}
		}
		info, err := os.Stat(dir)
		if err != nil {
			return false, fmt.Errorf("find directory %q: %w", dir, err)
		}
		if len(passed) > 0 || os.SameFile(info, own) {
			passed = append(passed, info)
		}
		if dir == filepath.Dir(dir) {
			return false, nil
		}
	}
}

// commonDirOf returns the directory that all work trees of the repository share whose .git lies in a folder.
// It is "" of one that cannot be read, which is a repository all the same.
func commonDirOf(top string) (dir string, ok bool) {
	gitDir := filepath.Join(top, ".git")
	info, err := os.Stat(gitDir)
	switch {
	case err != nil:
		return "", isThere(gitDir)
	case !info.IsDir():
		text, _ := smallFile(gitDir)
		if gitDir, ok = strings.CutPrefix(text, "gitdir: "); !ok {
			return "", true
		}
		gitDir = pathFrom(top, gitDir)
	case !isThere(filepath.Join(gitDir, "HEAD")):
		return "", false
	}
	if text, ok := smallFile(filepath.Join(gitDir, "commondir")); ok {
		return pathFrom(gitDir, text), true
	}
	return gitDir, true
}

// pathFrom is a path that a file of git's says on a line, relative to a directory or not.
func pathFrom(dir, line string) string {
	path := filepath.FromSlash(strings.TrimRight(line, "\r\n"))
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// ErrNotBare says that a repository has a work tree, or that its configuration does not say that it has none.
var ErrNotBare = errors.New("not a bare repository")

// At returns an environment in which git uses the repository in gitDir, whatever the given one says of
// repositories.
func At(env []string, gitDir string) []string { return append(Nowhere(env), "GIT_DIR="+gitDir) }

// Nowhere returns an environment that says nothing of where a repository lies and how it is read, so that the
// directory alone tells which is meant.
func Nowhere(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		switch name {
		case "GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE",
			"GIT_OBJECT_DIRECTORY",
			"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH", "GIT_NAMESPACE", "GIT_PREFIX",
			"GIT_SHALLOW_FILE",
			"GIT_GRAFT_FILE", "GIT_REPLACE_REF_BASE", "GIT_DEFAULT_REF_FORMAT", "GIT_REFERENCE_BACKEND":
			return true
		}
		return false
	})
}

// FindBare returns the bare repository in gitDir, whatever the environment says of repositories, and asks git
// only where the case is not plain. Nobody works in it, so its Head is empty.
func FindBare(ctx context.Context, gitDir string, env []string) (*Repo, error) {
	if repo := PlainBare(gitDir, env); repo != nil {
		return repo, nil
	}
	repo, err := Open(ctx, gitDir, At(env, gitDir))
	if err != nil {
		return nil, err
	}
	if !repo.Bare {
		return nil, fmt.Errorf("open repository at %q: %w", gitDir, ErrNotBare)
	}
	repo.Head = Head{}
	return repo, nil
}

// PlainBare returns what FindBare does where the case is plain, or nil, and starts no process.
func PlainBare(gitDir string, env []string) *Repo {
	own := Nowhere(env)
	if _, ok := plainHead(gitDir); !ok || !filepath.IsAbs(gitDir) || !plainEnv(own) ||
		!plainConfig(gitDir, "true") {
		return nil
	}
	run, err := newRunner(gitDir, At(env, gitDir))
	if err != nil {
		return nil
	}
	return &Repo{
		Dir: gitDir, GitDir: gitDir, CommonDir: gitDir, Bare: true, ObjectFormat: "sha1",
		RefFormat: "files", run: run,
	}
}

// InitBare makes a bare repository that only this user can read, with no hooks, whose first branch is main. It
// appears whole or not at all; one that is there already is left as it is.
func InitBare(ctx context.Context, dir string, env []string) (err error) {
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return fmt.Errorf("make repository: %w", err)
	}
	made, err := os.MkdirTemp(parent, ".making-")
	if err != nil {
		return fmt.Errorf("make repository: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(made)) }()
	run, err := newRunner(parent, Nowhere(env))
	if err != nil {
		return err
	}
	err = run.runStep(ctx, nil, "make repository", "init", "--quiet", "--bare", "--template=",
		"--initial-branch=main", made)
	if err != nil {
		return err
	}
	for _, path := range []string{filepath.Join(made, "HEAD"), filepath.Join(made, "config"), made} {
		if err := local.SyncPath(path); err != nil {
			return fmt.Errorf("make repository: %w", err)
		}
	}
	err = os.Rename(made, dir)
	if err != nil && isThere(filepath.Join(dir, "HEAD")) {
		return nil // Another process was faster.
	}
	if err != nil {
		return fmt.Errorf("make repository %q: %w", dir, err)
	}
	return local.SyncPath(parent)
}

// WithRemote returns an environment in which git knows one more remote, which stands in no file of the
// configuration.
func WithRemote(env []string, name, address string) []string {
	given, _ := LookupEnv(env, "GIT_CONFIG_COUNT")
	count, err := strconv.Atoi(given)
	if err != nil || count < 0 {
		count = 0
	}
	n := strconv.Itoa(count)
	return append(slices.Clone(env), "GIT_CONFIG_COUNT="+strconv.Itoa(count+1),
		"GIT_CONFIG_KEY_"+n+"=remote."+name+".url", "GIT_CONFIG_VALUE_"+n+"="+address)
}
