package git

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-ltm/git-ltm/internal/local"
)

// Find returns the repository that Open returns, and asks git only where the case is not plain. Of Head it
// may know the branch alone; Resolve has the rest.
//
// Everything that is not plain is git's to judge.
func Find(ctx context.Context, dir string, env []string) (*Repo, error) {
	if repo := Plain(dir, env); repo != nil {
		return repo, nil
	}
	return Open(ctx, dir, env)
}

// Resolve returns all of Head.
func (r *Repo) Resolve(ctx context.Context) (Head, error) {
	if !r.plain {
		return r.Head, nil
	}
	full, err := Open(ctx, r.Dir, r.run.env)
	if err != nil {
		return Head{}, err
	}
	return full.Head, nil
}

// Plain returns the repository of a plain case, or nil, and starts no process. Plain is a directory .git of
// this user's, on the same file system, whose configuration names no extension, no other work tree and no
// other file, under an environment that says nothing of repositories. Of Head it knows the branch alone.
func Plain(dir string, env []string) *Repo {
	start, err := filepath.Abs(dir)
	if err != nil || !plainEnv(env) {
		return nil
	}
	run, err := newRunner(start, env)
	if err != nil {
		return nil
	}
	here, err := filepath.EvalSymlinks(start)
	if err != nil {
		return nil
	}
	top, ok := findTop(here)
	if !ok {
		return nil
	}
	gitDir := filepath.Join(top, ".git")
	branch, ok := plainHead(gitDir)
	if !ok || !plainConfig(gitDir, "false") {
		return nil
	}
	repo := &Repo{
		Dir: start, GitDir: gitDir, CommonDir: gitDir, WorkTree: top, ObjectFormat: "sha1",
		RefFormat: "files",
		Head:      Head{Branch: branch}, run: run, plain: true,
	}
	if prefix, err := filepath.Rel(top, here); err == nil && prefix != "." {
		repo.Prefix = filepath.ToSlash(prefix) + "/"
	}
	return repo
}

// plainEnv reports whether no variable of git's says where a repository is or how it is read.
func plainEnv(env []string) bool {
	for _, entry := range env {
		name, _, _ := strings.Cut(entry, "=")
		rest, isGit := strings.CutPrefix(name, "GIT_")
		if isGit && !isHarmless(rest) {
			return false
		}
	}
	return true
}

// isHarmless reports whether a variable of git's, without its prefix, has nothing to do with where a
// repository lies.
func isHarmless(variable string) bool {
	switch variable {
	case "CONFIG_GLOBAL", "CONFIG_SYSTEM", "CONFIG_NOSYSTEM", "TERMINAL_PROMPT", "SEQUENCE_EDITOR", "ASKPASS",
		"EXEC_PATH",
		"TEMPLATE_DIR", "OPTIONAL_LOCKS":
		return true
	}
	switch topic, _, _ := strings.Cut(variable, "_"); topic {
	case "AUTHOR", "COMMITTER", "LTM", "SSL", "HTTP", "CURL", "PROXY", "TRACE", "TRACE2", "SSH", "PAGER",
		"EDITOR", "MERGE":
		return true
	}
	return false
}

// findTop finds the directory that holds .git, at or above here. It gives up where something else may be a
// repository.
func findTop(here string) (top string, ok bool) {
	own, ok := lstat(here)
	if !ok {
		return "", false
	}
	for dir := here; ; dir = filepath.Dir(dir) {
		if isThere(filepath.Join(dir, "HEAD")) || dir == filepath.Dir(dir) {
			return "", false // It may be bare, or the inside of a git directory.
		}
		info, err := os.Lstat(filepath.Join(dir, ".git"))
		if err == nil {
			return dir, info.IsDir() && isOwned(dir, own) && isOwned(filepath.Join(dir, ".git"), own)
		}
		if !os.IsNotExist(err) || !onDevice(filepath.Dir(dir), own) {
			return "", false
		}
	}
}

// plainHead returns the branch of a repository that has the parts that git asks for.
func plainHead(gitDir string) (branch string, ok bool) {
	if !isDir(filepath.Join(gitDir, "objects")) || !isDir(filepath.Join(gitDir, "refs")) ||
		isThere(filepath.Join(gitDir, "commondir")) {
		return "", false
	}
	text, ok := smallFile(filepath.Join(gitDir, "HEAD"))
	if !ok {
		return "", false
	}
	text = strings.TrimSuffix(text, "\n")
	if IsObjectID(text) {
		return "", len(text) == 40
	}
	branch, ok = strings.CutPrefix(text, "ref: refs/heads/")
	odd := strings.HasPrefix(branch, ".") || strings.HasSuffix(branch, ".lock") ||
		strings.Contains(branch, "..") ||
		strings.Contains(branch, "/.") || strings.ContainsAny(branch, "\x7f\n\t ~^:?*[\\")
	return branch, ok && branch != "" && !odd
}

// plainConfig reports whether a configuration leaves the repository as git makes it. It need not understand
// the file: what might matter to where a repository lies makes the case one for git. What it says of being
// bare must be the word that is given, and a repository that is bare must say so.
func plainConfig(gitDir, bare string) bool {
	text, ok := smallFile(filepath.Join(gitDir, "config"))
	if !ok {
		return false
	}
	said := bare == "false"
	for line := range strings.Lines(strings.ToLower(text)) {
		line = strings.TrimSpace(line)
		key, value, _ := strings.Cut(line, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		switch {
		case key == "bare" && value == bare:
			said = true
		case key == "repositoryformatversion" && value == "0":
		case strings.HasPrefix(line, "[") && !plainSection(line),
			!strings.HasPrefix(line, "[") && strings.Contains(line, "["),
			strings.Contains(line, "worktree"), strings.Contains(line, "bare"),
			strings.Contains(line, "repositoryformatversion"),
			strings.HasSuffix(line, `\`), strings.HasPrefix(line, "\ufeff"):
			return false
		}
	}
	return said
}

// plainSection reports whether a line is the head of a section, and nothing else, that says nothing of where
// a repository lies.
func plainSection(line string) bool {
	inside, ok := strings.CutSuffix(strings.TrimPrefix(line, "["), "]")
	name, _, _ := strings.Cut(inside, " ")
	switch {
	case !ok || strings.Contains(inside, "[") || strings.HasPrefix(name, "include") ||
		strings.HasPrefix(name, "extensions"):
		return false
	default:
		return !strings.HasPrefix(name, "core") || inside == "core"
	}
}

// smallFile reads a regular file of at most 64 KiB.
func smallFile(path string) (string, bool) {
	text, err := local.At(path).Read(1 << 16)
	return string(text), err == nil
}

func isDir(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}

// Unattended returns the repository as one whose processes ask nobody: no terminal, no window, no passphrase.
// What can answer without a person does, such as an agent of SSH and the helpers for credentials.
func (r *Repo) Unattended(config Config) *Repo {
	quiet := *r
	quiet.run.env = Unattended(r.run.env, config)
	return &quiet
}

// EnvOutside returns the environment for a program that works on the repository, also when it is started from
// a hook, where git sets variables for itself.
func (r *Repo) EnvOutside() []string {
	env := At(r.run.given, r.GitDir)
	if r.WorkTree != "" {
		env = append(env, "GIT_WORK_TREE="+r.WorkTree)
	}
	return env
}

// Unattended returns an environment in which git and what it starts ask nobody: no program for passwords, no
// window, no terminal, and no key that waits for a touch.
func Unattended(env []string, config Config) []string {
	quiet := append(slices.Clone(env),
		"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS_REQUIRE=never", "GCM_INTERACTIVE=never")
	if command := quietSSH(env, config); command != "" {
		quiet = append(quiet, "GIT_SSH_COMMAND="+command)
	}
	return quiet
}

// quietSSH returns the command with which git reaches servers over SSH, told to ask nothing, and to leave
// keys alone that wait until somebody touches them. A program that is not ssh is left as it is.
func quietSSH(env []string, config Config) string {
	command, ok := LookupEnv(env, "GIT_SSH_COMMAND")
	if !ok || command == "" {
		command, ok = config.Get("core.sshCommand")
	}
	if _, other := LookupEnv(env, "GIT_SSH"); !ok && other {
		return ""
	}
	if command == "" {
		command = "ssh"
	}
	words := strings.Fields(command)
	if len(words) == 0 || strings.TrimSuffix(filepath.Base(words[0]), ".exe") != "ssh" {
		return ""
	}
	return command + " -o BatchMode=yes -o 'PubkeyAcceptedKeyTypes=-sk-*'"
}

// PathIn names a file as seen from the top of the repository. It is given as seen from where the repository
// was opened, or from the root of the disk, with or without symbolic links on the way. One that lies
// elsewhere keeps its name.
func (r *Repo) PathIn(name string) string {
	if !filepath.IsAbs(name) || r.WorkTree == "" {
		name := Below(r.Prefix, filepath.ToSlash(name))
		if name == "" {
			return ""
		}
		return path.Clean(name)
	}
	for _, seen := range []string{name, local.RealPath(name)} {
		if below, err := filepath.Rel(r.WorkTree, seen); err == nil && filepath.IsLocal(below) {
			return filepath.ToSlash(below)
		}
	}
	return filepath.ToSlash(name)
}

// Holds reports whether a folder, as seen from the top, is one of the repository, and not of one within it.
func (r *Repo) Holds(dir string) bool {
	for ; dir != "" && dir != "."; dir = path.Dir(dir) {
		if !filepath.IsLocal(dir) || isThere(filepath.Join(r.WorkTree, dir, ".git")) {
			return false
		}
	}
	return true
}

// Below names a path as seen from the top of a repository, which is given as seen from prefix, a folder of
// it.
func Below(prefix, name string) string {
	if prefix == "" || name == "" || path.IsAbs(name) {
		return name
	}
	return path.Join(prefix, name)
}

// maxLink bounds the file that says where a work tree lies, in bytes.
const maxLink = 64 * 1024

// OriginError is a setting that stands in a file which a checkout can change, as include.path = ../.gitconfig
// lets one. Whoever writes a branch would decide it.
type OriginError struct {
	Key  string
	File string // relative to the top of the work tree where it lies there
}

func (e *OriginError) Error() string {
	return e.Key + " is set in " + strconv.Quote(e.File) + ", a file that a checkout can change"
}

// checkOrigin refuses a value of a key by where it stands. What the person's own files or those of the
// machine say is theirs, wherever they lie; what these include is judged by its place.
func (s Settings) checkOrigin(key, scope, origin string) error {
	file, isFile := strings.CutPrefix(origin, "file:")
	if !isFile || scope == "system" {
		return nil
	}
	top := cmp.Or(s.repo.WorkTree, s.repo.Dir)
	if !filepath.IsAbs(file) {
		file = filepath.Join(top, file)
	}
	file = filepath.Clean(file)
	if global, known := s.globalFiles(); scope == "global" && known && slices.Contains(global, file) ||
		!s.repo.InCheckout(file) {
		return nil
	}
	if rel, err := filepath.Rel(top, file); err == nil && filepath.IsLocal(rel) {
		file = rel
	}
	return &OriginError{Key: key, File: file}
}

// InCheckout reports whether a file lies in one of the work trees of the repository, through links too.
func (r *Repo) InCheckout(file string) bool {
	return slices.ContainsFunc(r.workTrees(), func(t workTree) bool {
		if t.folder == "" {
			return false
		}
		for _, resolve := range []func(string) string{filepath.Clean, local.RealPath} {
			rel, err := filepath.Rel(resolve(t.folder), resolve(file))
			if err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) &&
				!strings.HasPrefix(rel, ".git"+string(filepath.Separator)) {
				return true
			}
		}
		return false
	})
}

// IsCheckedOut reports whether one of the work trees of the repository has a branch checked out.
func (r *Repo) IsCheckedOut(branch string) bool {
	return slices.ContainsFunc(r.workTrees(), func(t workTree) bool {
		head, ok := smallFile(filepath.Join(t.gitDir, "HEAD"))
		return ok && strings.TrimSpace(head) == "ref: refs/heads/"+branch && isDir(t.folder)
	})
}

// workTree is a work tree of a repository.
type workTree struct{ folder, gitDir string }

// workTrees returns the work trees of a repository: the one that is used now, that of the repository itself,
// and the linked ones. One that cannot be found is left out.
func (r *Repo) workTrees() []workTree {
	all := []workTree{{r.WorkTree, r.GitDir}}
	if filepath.Base(r.CommonDir) == ".git" {
		all = append(all, workTree{filepath.Dir(r.CommonDir), r.CommonDir})
	}
	linked := filepath.Join(r.CommonDir, "worktrees")
	entries, _ := os.ReadDir(linked) // There may be none.
	for _, e := range entries {
		file := filepath.Join(linked, e.Name(), "gitdir")
		if info, err := os.Stat(file); err != nil || info.Size() > maxLink {
			continue
		}
		text, err := os.ReadFile(file)
		place := strings.TrimSpace(string(text))
		if err == nil && !filepath.IsAbs(place) {
			place = filepath.Join(linked, e.Name(), place)
		}
		if err == nil {
			all = append(all, workTree{filepath.Dir(place), filepath.Join(linked, e.Name())})
		}
	}
	return all
}

// notIgnored is the exit code of git check-ignore for a path that no rule leaves out.
const notIgnored = 1

// Ignores reports whether git leaves a path out of the work tree, seen from its top. It need not be there;
// one that ends in a slash is a directory. A file that git tracks is not ignored.
func (r *Repo) Ignores(ctx context.Context, path string) (bool, error) {
	full := filepath.Join(r.WorkTree, filepath.FromSlash(path))
	if path != "" && path[len(path)-1] == '/' {
		full += string(filepath.Separator)
	}
	_, err := r.run.readOutput(ctx, nil, "check-ignore", "-q", "--", full)
	switch {
	case err == nil:
		return true, nil
	case exitCode(err) == notIgnored:
		return false, nil
	}
	return false, fmt.Errorf("ask whether %q is ignored: %w", path, err)
}
