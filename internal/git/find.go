package git

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/local"
)

// Find returns the repository that Open returns, and asks git only where the case is not plain. Of Head it may know the
// branch alone; Resolve has the rest.
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

// Plain returns the repository of a plain case, or nil, and starts no process. Plain is a directory .git of this user's, on the
// same file system, whose configuration names no extension, no other work tree and no other file, under an environment that says
// nothing of repositories. Of Head it knows the branch alone.
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
	top, ok := climb(here)
	if !ok {
		return nil
	}
	gitDir := filepath.Join(top, ".git")
	branch, ok := plainHead(gitDir)
	if !ok || !plainConfig(gitDir, "false") {
		return nil
	}
	repo := &Repo{
		Dir: start, GitDir: gitDir, CommonDir: gitDir, WorkTree: top, ObjectFormat: "sha1", RefFormat: "files",
		Head: Head{Branch: branch}, run: run, plain: true,
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
		if isGit && !harmless(rest) {
			return false
		}
	}
	return true
}

// harmless reports whether a variable of git's, without its prefix, has nothing to do with where a repository lies.
func harmless(variable string) bool {
	switch variable {
	case "CONFIG_GLOBAL", "CONFIG_SYSTEM", "CONFIG_NOSYSTEM", "TERMINAL_PROMPT", "SEQUENCE_EDITOR", "ASKPASS", "EXEC_PATH",
		"TEMPLATE_DIR", "OPTIONAL_LOCKS":
		return true
	}
	switch topic, _, _ := strings.Cut(variable, "_"); topic {
	case "AUTHOR", "COMMITTER", "LTM", "SSL", "HTTP", "CURL", "PROXY", "TRACE", "TRACE2", "SSH", "PAGER", "EDITOR", "MERGE":
		return true
	}
	return false
}

// climb finds the directory that holds .git, at or above here. It gives up where something else may be a repository.
func climb(here string) (top string, ok bool) {
	own, ok := stat(here)
	if !ok {
		return "", false
	}
	for dir := here; ; dir = filepath.Dir(dir) {
		if exists(filepath.Join(dir, "HEAD")) || dir == filepath.Dir(dir) {
			return "", false // It may be bare, or the inside of a git directory.
		}
		info, err := os.Lstat(filepath.Join(dir, ".git"))
		if err == nil {
			return dir, info.IsDir() && owned(dir, own) && owned(filepath.Join(dir, ".git"), own)
		}
		if !os.IsNotExist(err) || !onDevice(filepath.Dir(dir), own) {
			return "", false
		}
	}
}

// plainHead returns the branch of a repository that has the parts that git asks for.
func plainHead(gitDir string) (branch string, ok bool) {
	if !isDir(filepath.Join(gitDir, "objects")) || !isDir(filepath.Join(gitDir, "refs")) || exists(filepath.Join(gitDir, "commondir")) {
		return "", false
	}
	text, ok := smallFile(filepath.Join(gitDir, "HEAD"))
	if !ok {
		return "", false
	}
	text = strings.TrimSuffix(text, "\n")
	if isObjectID(text) {
		return "", len(text) == 40
	}
	branch, ok = strings.CutPrefix(text, "ref: refs/heads/")
	odd := strings.HasPrefix(branch, ".") || strings.HasSuffix(branch, ".lock") || strings.Contains(branch, "..") ||
		strings.Contains(branch, "/.") || strings.ContainsAny(branch, "\x7f\n\t ~^:?*[\\")
	return branch, ok && branch != "" && !odd
}

// plainConfig reports whether a configuration leaves the repository as git makes it. It need not understand the file: what
// might matter to where a repository lies makes the case one for git. What it says of being bare must be the word that is
// given, and a repository that is bare must say so.
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
		case strings.HasPrefix(line, "[") && !plainSection(line), !strings.HasPrefix(line, "[") && strings.Contains(line, "["),
			strings.Contains(line, "worktree"), strings.Contains(line, "bare"), strings.Contains(line, "repositoryformatversion"),
			strings.HasSuffix(line, `\`), strings.HasPrefix(line, "\ufeff"):
			return false
		}
	}
	return said
}

// plainSection reports whether a line is the head of a section, and nothing else, that says nothing of where a repository
// lies.
func plainSection(line string) bool {
	inside, ok := strings.CutSuffix(strings.TrimPrefix(line, "["), "]")
	name, _, _ := strings.Cut(inside, " ")
	switch {
	case !ok || strings.Contains(inside, "[") || strings.HasPrefix(name, "include") || strings.HasPrefix(name, "extensions"):
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

// Unattended returns the repository as one whose processes ask nobody: no terminal, no window, no passphrase. What can
// answer without a person does, such as an agent of SSH and the helpers for credentials.
func (r *Repo) Unattended(config Config) *Repo {
	quiet := *r
	quiet.run.env = Unattended(r.run.env, config)
	return &quiet
}

// EnvOutside returns the environment for a program that works on the repository, also when it is started from a hook, where git
// sets variables for itself.
func (r *Repo) EnvOutside() []string {
	env := At(r.run.given, r.GitDir)
	if r.WorkTree != "" {
		env = append(env, "GIT_WORK_TREE="+r.WorkTree)
	}
	return env
}

// Unattended returns an environment in which git and what it starts ask nobody: no program for passwords, no window, no terminal,
// and no key that waits for a touch.
func Unattended(env []string, config Config) []string {
	quiet := append(slices.Clone(env),
		"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS_REQUIRE=never", "GCM_INTERACTIVE=never")
	if command := quietSSH(env, config); command != "" {
		quiet = append(quiet, "GIT_SSH_COMMAND="+command)
	}
	return quiet
}

// quietSSH returns the command with which git reaches servers over SSH, told to ask nothing, and to leave keys alone that wait
// until somebody touches them. A program that is not ssh is left as it is.
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
