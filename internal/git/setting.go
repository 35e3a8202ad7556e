package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/git-ltm/git-ltm/internal/local"
)

// Settings are the configuration of a repository, read and written key by key. Where the files that git reads
// show the answer, no process is started.
type Settings struct{ repo *Repo }

// Settings are those of the repository.
func (r *Repo) Settings() Settings { return Settings{r} }

// notSet is the exit code of git config for a key that has no value.
const notSet = 1

// ErrOneCall says that a key has a value for one call alone, of a parameter or of a variable, and not of a
// file.
var ErrOneCall = errors.New("it was set for one call alone")

// Path returns the last value of a key, with "~" at its beginning expanded as git does it, and whether
// there is one. Where the files of the configuration show that there is none, no process is started. A value
// that no file holds, as "git -c" sets one, is [ErrOneCall], and one of a file that a checkout can change is
// an [OriginError].
func (s Settings) Path(ctx context.Context, key string) (value string, ok bool, err error) {
	all, err := s.ScopedPaths(ctx, key)
	if err != nil || len(all) == 0 {
		return "", false, err
	}
	last := all[len(all)-1]
	if last.Scope == "command" {
		return "", false, fmt.Errorf("configuration %q: %w", key, ErrOneCall)
	}
	return last.Value, true, nil
}

// AnyPath returns what Path does, and takes a value for one call too.
func (s Settings) AnyPath(ctx context.Context, key string) (value string, ok bool, err error) {
	all, err := s.ScopedPaths(ctx, key)
	if err != nil || len(all) == 0 {
		return "", false, err
	}
	return all[len(all)-1].Value, true, nil
}

// PathSetting returns what [Settings.AnyPath] does, for those who work in dir, which need not lie in a
// repository.
func PathSetting(ctx context.Context, dir string, env []string,
	key string,
) (value string, ok bool, err error) {
	if repo, err := Find(ctx, dir, env); err == nil {
		return repo.Settings().AnyPath(ctx, key)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", false, fmt.Errorf("find directory %q: %w", dir, err)
	}
	run, err := newRunner(abs, env)
	if err != nil {
		return "", false, err
	}
	all, err := run.askScoped(ctx, key, "--type=path")
	if err != nil || len(all) == 0 {
		return "", false, err
	}
	return all[len(all)-1].Value, true, nil
}

// MaybeSet reports whether one of several keys may have a value. It starts no process, and says no only where
// every file that git reads shows that there is none.
func (s Settings) MaybeSet(keys ...string) bool { return slices.ContainsFunc(keys, s.maybeSet) }

// maybeSet reports whether a key may have a value. It says no only where every file that git reads was read,
// and none of them holds the name of the key or leads to another file. The name stands there in one piece, in
// any case of letters.
func (s Settings) maybeSet(key string) bool {
	name := strings.ToLower(key[strings.LastIndexByte(key, '.')+1:])
	for _, entry := range s.repo.run.env {
		variable, value, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(variable, "GIT_CONFIG") && mentionsName([]byte(value), name) {
			return true
		}
	}
	files, ok := s.configFiles()
	if !ok {
		return true
	}
	for _, file := range files {
		if s.fileMentions(file.path, name) {
			return true
		}
	}
	return false
}

// mentionsName reports whether a configuration holds a name, or may lead to another file.
func mentionsName(text []byte, name string) bool {
	text = bytes.ToLower(text)
	return bytes.Contains(text, []byte(name)) || bytes.Contains(text, []byte("include"))
}

// fileMentions says of a file what mentions says of its text. A file that cannot be read may hold anything.
func (s Settings) fileMentions(path, name string) bool {
	text, err := s.repo.run.texts.readText(path)
	return !errors.Is(err, fs.ErrNotExist) && (err != nil || mentionsName(text, name))
}

// Plain returns the last value of a key without a process. It is sure only where every file that git
// reads was read, none leads to another, and the value stands there as it is, without a quote, an escape or a
// comment.
func (s Settings) Plain(key string) (value string, sure bool) {
	key = canonicalKey(key)
	c, sure := s.plainEntries(key[strings.LastIndexByte(key, '.')+1:],
		func(k string) bool { return k == key })
	value, _ = c.Get(key)
	return value, sure
}

// PlainUpstream returns the full name of the ref that follows the upstream of a branch, without a process. It
// is sure only where the branch names a remote that is fetched as git clone sets it up, and by nothing else.
func (s Settings) PlainUpstream(branch string) (ref string, sure bool) {
	remote, sure := s.Plain("branch." + branch + ".remote")
	merge, plain := s.Plain("branch." + branch + ".merge")
	heads, ok := strings.CutPrefix(merge, "refs/heads/")
	if !sure || !plain || !ok || remote == "" || remote == "." {
		return "", false
	}
	fetched, sure := s.Plain("remote." + remote + ".fetch")
	return "refs/remotes/" + remote + "/" + heads,
		sure && fetched == "+refs/heads/*:refs/remotes/"+remote+"/*"
}

// plainEntries returns the lines of the configuration with keys that are wanted, without a process. It is
// sure only where every file that git reads was read, none leads to another, the environment sets nothing that
// mentions a name, and each such line stands there as it is.
func (s Settings) plainEntries(mention string, wanted func(key string) bool) (c Config, sure bool) {
	for _, entry := range s.repo.run.env {
		switch variable, text, _ := strings.Cut(entry, "="); variable {
		case "GIT_CONFIG_SYSTEM", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM": // They say which files are read.
		default:
			if strings.HasPrefix(variable, "GIT_CONFIG") && mentionsName([]byte(text), mention) {
				return Config{}, false
			}
		}
	}
	files, ok := s.configFiles()
	c.repo = s.repo
	for _, file := range files {
		text, err := s.repo.run.texts.readText(file.path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		before := len(c.entries)
		// Those of a work tree count where an extension says so.
		if err != nil || bytes.Contains(bytes.ToLower(text), []byte("include")) ||
			!c.addPlain(file, string(text), wanted) || file.scope == "worktree" && len(c.entries) > before {
			return Config{}, false
		}
	}
	return c, ok
}

// gitSpace is what git takes for space in its configuration.
const gitSpace = " \t\r\n"

// addPlain adds the lines of the text of a file with keys that are wanted. It returns whether these stand
// there as they are, and whether each other line is one of a configuration.
func (c *Config) addPlain(file configFile, text string, wanted func(key string) bool) bool {
	if strings.HasPrefix(text, "\ufeff") {
		return false
	}
	section := ""
	for line := range strings.Lines(text) {
		line = strings.Trim(line, gitSpace)
		if head, ok := strings.CutPrefix(line, "["); ok {
			section, line, ok = strings.Cut(head, "]")
			if line = strings.Trim(line, gitSpace); !ok || strings.Count(section, `"`)%2 > 0 {
				return false
			}
			// What stands in quotes, the name of a remote or a branch, has its case.
			name, of, quoted := strings.Cut(strings.TrimSuffix(section, `"`), ` "`)
			if !isConfigName(strings.ReplaceAll(name, ".", "")) {
				return false
			}
			if section = strings.ToLower(name); quoted {
				section += "." + of
			}
		}
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		name, value, set := strings.Cut(line, "=")
		name, value = strings.Trim(name, gitSpace), strings.Trim(value, gitSpace)
		if section == "" || !isConfigName(name) || strings.HasSuffix(line, `\`) {
			return false
		}
		key := section + "." + strings.ToLower(name)
		if !wanted(key) {
			continue
		}
		if !set || strings.ContainsAny(section, `"\`) || strings.ContainsAny(value, "\"\\#;") ||
			strings.ContainsFunc(key+value, unicode.IsControl) {
			return false
		}
		c.entries = append(c.entries,
			configEntry{key: key, value: value, set: true, scope: file.scope, origin: "file:" + file.path})
	}
	return true
}

// isConfigName reports whether git takes a text for the name of a section or of a key. One that begins with a digit is left
// to git, which has sections of such names, but no keys.
func isConfigName(text string) bool {
	for i, r := range text {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r != '-' && (r < '0' || r > '9')) {
			return false
		}
	}
	return text != ""
}

// HasPlainExtensions reports whether the configuration of the repository names only extensions that change
// neither where objects and refs lie nor how they are written, or state a default. Whatever it is not sure
// about is not plain.
func (r *Repo) HasPlainExtensions() bool {
	var c Config
	text, err := r.run.texts.readText(r.Settings().File())
	isExtension := func(key string) bool { return strings.HasPrefix(key, "extensions.") }
	if err != nil || !c.addPlain(configFile{}, string(text), isExtension) {
		return false
	}
	return !slices.ContainsFunc(c.entries, func(e configEntry) bool {
		switch strings.TrimPrefix(e.key, "extensions.") {
		case "objectformat":
			return e.value != "sha1"
		case "refstorage":
			return e.value != "files"
		case "noop", "noop-v1", "worktreeconfig", "partialclone", "preciousobjects", "relativeworktrees":
			return false
		}
		return true
	})
}

// configTexts keeps the files of the configuration that were read. Each command asks for many keys.
type configTexts struct {
	mu   sync.Mutex
	kept map[string]configText
}

// configText is a file as it was read.
type configText struct {
	info fs.FileInfo
	text []byte
}

// readText returns the text of a file, which is read again when the path names another file or one that
// changed.
func (c *configTexts) readText(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	k, ok := c.kept[path]
	if ok && local.IsUnchanged(k.info, info) {
		return k.text, nil
	}
	text, err := local.ReadFile(path, maxConfig)
	if err == nil {
		c.kept[path] = configText{info, text}
	}
	return text, err
}

// configFile is a file of the configuration and its scope, as git names it.
type configFile struct{ path, scope string }

// configFiles returns the files that git reads the configuration from, in its order, and whether these are
// all.
func (s Settings) configFiles() (files []configFile, ok bool) {
	system, ok := s.systemFile()
	if !ok {
		return nil, false
	}
	global, ok := s.globalFiles()
	for _, path := range system {
		files = append(files, configFile{path, "system"})
	}
	for _, path := range global {
		files = append(files, configFile{path, "global"})
	}
	return append(files, configFile{s.File(), "local"},
		configFile{filepath.Join(s.repo.GitDir, "config.worktree"), "worktree"}), ok
}

// systemFile returns the file of the machine. Where a git lies that was not installed with the system, only
// that git knows.
func (s Settings) systemFile() (files []string, ok bool) {
	skip, _ := s.repo.Env("GIT_CONFIG_NOSYSTEM")
	switch strings.ToLower(skip) {
	case "1", "true", "yes", "on":
		return nil, true
	case "", "0", "false", "no", "off":
	default:
		return nil, false
	}
	if file, ok := s.repo.Env("GIT_CONFIG_SYSTEM"); ok {
		return []string{file}, filepath.IsAbs(file)
	}
	program, err := filepath.EvalSymlinks(s.repo.run.git)
	return []string{"/etc/gitconfig"}, err == nil && program == "/usr/bin/git" && runtime.GOOS == "linux"
}

// UserFolder is the folder ltm of the configuration of the person; "" where the environment does not say
// where that lies.
func (r *Repo) UserFolder() string {
	if folder, _ := r.Env("XDG_CONFIG_HOME"); filepath.IsAbs(folder) {
		return filepath.Join(folder, "ltm")
	}
	if home, _ := r.Env("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".config", "ltm")
	}
	return ""
}

// globalFiles returns the files of the person.
func (s Settings) globalFiles() (files []string, ok bool) {
	if file, ok := s.repo.Env("GIT_CONFIG_GLOBAL"); ok {
		return []string{file}, filepath.IsAbs(file)
	}
	home, _ := s.repo.Env("HOME")
	if !filepath.IsAbs(home) {
		return nil, false
	}
	folder, _ := s.repo.Env("XDG_CONFIG_HOME")
	if folder == "" {
		folder = filepath.Join(home, ".config")
	}
	return []string{filepath.Join(folder, "git", "config"), filepath.Join(home, ".gitconfig")},
		filepath.IsAbs(folder)
}

// Scoped is a value of the configuration and where it stands.
type Scoped struct {
	Scope string // as git names it: system, global, local, worktree or command
	Value string

	origin string
}

// Own tells a value that a person gave for all that they do or for this one call. One of a repository may
// have come with it.
func (s Scoped) Own() bool { return isOwnScope(s.Scope) }

func isOwnScope(scope string) bool {
	return scope == "system" || scope == "global" || scope == "command"
}

// Scoped returns every value of a key, the one that git takes last. Where the files of the
// configuration show that there is none, no process is started. A value that stands in a file which a
// checkout can change is an [OriginError].
func (s Settings) Scoped(ctx context.Context, key string) ([]Scoped, error) {
	return s.readScoped(ctx, key, "--no-type")
}

// ScopedPaths returns what Scoped does, with "~" at the beginning of a value expanded as git does it.
func (s Settings) ScopedPaths(ctx context.Context, key string) ([]Scoped, error) {
	return s.readScoped(ctx, key, "--type=path")
}

func (s Settings) readScoped(ctx context.Context, key, form string) ([]Scoped, error) {
	if !s.maybeSet(key) {
		return nil, nil
	}
	all, err := s.repo.run.askScoped(ctx, key, form)
	for _, one := range all {
		if err == nil {
			err = s.checkOrigin(key, one.Scope, one.origin)
		}
	}
	return all, err
}

// askScoped asks git for every value of a key.
func (r runner) askScoped(ctx context.Context, key, form string) ([]Scoped, error) {
	if strings.HasPrefix(key, "-") {
		return nil, fmt.Errorf("read configuration %q: not a key", key)
	}
	out, err := r.readOutput(ctx, nil, "config", "-z", form, "--show-scope", "--show-origin", "--get-all",
		key)
	if exitCode(err) == notSet {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read configuration %q: %w", key, err)
	}
	parts := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	var all []Scoped
	for i := 0; i+2 < len(parts); i += 3 {
		all = append(all, Scoped{Scope: parts[i], origin: parts[i+1], Value: parts[i+2]})
	}
	return all, nil
}
