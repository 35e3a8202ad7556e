package git

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-ltm/git-ltm/internal/local"
)

// Config is the whole configuration that git uses in a repository, in the order git reads it.
type Config struct {
	repo    *Repo
	entries []configEntry
}

// configEntry is one line of configuration.
type configEntry struct {
	key    string
	value  string
	set    bool   // set is false for a key that stands alone, which means true.
	scope  string // scope is as git names it: system, global, local, worktree or command.
	origin string // origin is "file:" and a path, or what else git read it from.
}

// Config reads the configuration, with includes and all levels. Where every line of every file stands there as it is, no
// process is started.
func (r *Repo) Config(ctx context.Context) (Config, error) {
	if c, sure := r.Settings().plainEntries("", func(string) bool { return true }); sure {
		return c, nil
	}
	out, err := r.run.readOutput(ctx, nil, "config", "--list", "-z", "--show-scope", "--show-origin")
	if err != nil {
		return Config{}, fmt.Errorf("read configuration: %w", err)
	}
	config := Config{repo: r}
	for entry := range slices.Chunk(strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"), 3) {
		if len(entry) == 3 {
			key, value, set := strings.Cut(entry[2], "\n")
			config.entries = append(config.entries,
				configEntry{key: key, value: value, set: set, scope: entry[0], origin: entry[1]})
		}
	}
	return config, nil
}

// Own refuses the configuration where it takes a value of one of several keys from a file that a checkout can
// change. The error is an [OriginError].
func (c Config) Own(keys ...string) error {
	for _, key := range keys {
		name := canonicalKey(key)
		for _, entry := range c.entries {
			if entry.key != name {
				continue
			}
			if err := c.repo.Settings().checkOrigin(key, entry.scope, entry.origin); err != nil {
				return err
			}
		}
	}
	return nil
}

// Get returns the last value of key and whether there is one. A key that stands alone has the value "true".
func (c Config) Get(key string) (string, bool) {
	entry, ok := c.findLast(key)
	if ok && !entry.set {
		return "true", true
	}
	return entry.value, ok
}

// All returns every value of key, oldest first.
func (c Config) All(key string) []string {
	key = canonicalKey(key)
	var values []string
	for _, entry := range c.entries {
		if entry.key == key {
			values = append(values, entry.value)
		}
	}
	return values
}

// Bool reads the last value of key as git reads a boolean, and returns def where there is none.
func (c Config) Bool(key string, def bool) (bool, error) {
	entry, ok := c.findLast(key)
	if !ok {
		return def, nil
	}
	if !entry.set {
		return true, nil
	}
	switch strings.ToLower(entry.value) {
	case "true", "yes", "on":
		return true, nil
	case "false", "no", "off", "":
		return false, nil
	}
	number, err := strconv.ParseInt(entry.value, 10, 32)
	if err != nil {
		return def, fmt.Errorf("configuration %q: %q is not a boolean", key, entry.value)
	}
	return number != 0, nil
}

// findLast returns the entry that wins.
func (c Config) findLast(key string) (configEntry, bool) {
	key = canonicalKey(key)
	for _, entry := range slices.Backward(c.entries) {
		if entry.key == key {
			return entry, true
		}
	}
	return configEntry{}, false
}

// Remotes returns the names of the remotes that have an address in the configuration, in the order of the
// first. What git reads of older forms, in .git/remotes and .git/branches, is no remote here.
func (c Config) Remotes() []string {
	var names []string
	for _, entry := range c.entries {
		name, isRemote := strings.CutPrefix(entry.key, "remote.")
		name, hasURL := strings.CutSuffix(name, ".url")
		if isRemote && hasURL && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// canonicalKey lowers the case of section and name; what stands between them keeps its case.
func canonicalKey(key string) string {
	first, last := strings.IndexByte(key, '.'), strings.LastIndexByte(key, '.')
	if first < 0 {
		return strings.ToLower(key)
	}
	return strings.ToLower(key[:first]) + key[first:last] + strings.ToLower(key[last:])
}

// Scope is which file of the configuration is written.
type Scope string

// The files that are written.
const (
	Local  Scope = "--local"  // of the repository
	Global Scope = "--global" // of the user
)

// Set gives a key one value, in the place of all that it has in that file.
func (s Settings) Set(ctx context.Context, scope Scope, key, value string) error {
	return s.changeFile(ctx, "set", key, string(scope), "--replace-all", key, value)
}

// Add adds one value to key in the configuration of the repository.
func (s Settings) Add(ctx context.Context, key, value string) error {
	return s.changeFile(ctx, "add", key, string(Local), "--add", key, value)
}

// Unset removes exactly this value of key from one file of the configuration. It succeeds when there is
// no such value.
func (s Settings) Unset(ctx context.Context, scope Scope, key, value string) error {
	err := s.changeFile(ctx, "unset", key, string(scope), "--fixed-value", "--unset-all", key, value)
	if exitCode(err) == nothingToUnset {
		return nil
	}
	return err
}

// Exit codes of git config: for a value that is not there, and for a file that another process is writing.
const (
	nothingToUnset = 5
	configLocked   = 255
)

// configTries is the patience with another process that writes the configuration, for which git does not wait.
const configTries = 40

// changeFile changes a file of the configuration.
func (s Settings) changeFile(ctx context.Context, verb, key string, args ...string) error {
	step := fmt.Sprintf("%s configuration %q", verb, key)
	if strings.HasPrefix(key, "-") {
		return fmt.Errorf("%s: not a key", step)
	}
	for try := 0; ; try++ {
		err := s.repo.run.runStep(ctx, nil, step, append([]string{"config"}, args...)...)
		if exitCode(err) != configLocked || try == configTries ||
			try >= blindRetries && !isThere(s.File()+local.LockSuffix) {
			return err
		}
		if pauseBetween(ctx, try) != nil {
			return err
		}
	}
}

// File is the file that git config --local writes. All linked work trees share it.
func (s Settings) File() string { return filepath.Join(s.repo.CommonDir, "config") }

// Entries reads a text as git reads one file of configuration: each entry is a key and, after a line
// break, its value. Includes are not followed.
func (s Settings) Entries(ctx context.Context, text []byte) ([]string, error) {
	out, err := s.repo.run.readOutput(ctx, bytes.NewReader(text), "config", "--file", "-", "--no-includes",
		"--list",
		"-z")
	if err != nil {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	entries := strings.Split(string(out), "\x00")
	return entries[:len(entries)-1], nil
}

// Keys returns the names of all keys that begin with a prefix, once each, in the order git reads them.
func (c Config) Keys(prefix string) []string {
	var keys []string
	for _, entry := range c.entries {
		if strings.HasPrefix(entry.key, prefix) && !slices.Contains(keys, entry.key) {
			keys = append(keys, entry.key)
		}
	}
	return keys
}

// A Line is one line of the configuration.
type Line struct{ Key, Value string }

// OfRepository returns what the repository itself configures, in the order git reads it: by its own
// file, by the one of a work tree, and by what these include. Such lines may have come with the
// repository.
func (c Config) OfRepository() []Line {
	var lines []Line
	for _, entry := range c.entries {
		if !isOwnScope(entry.scope) {
			lines = append(lines, Line{entry.key, entry.value})
		}
	}
	return lines
}

// MaybePartial reports whether git may fetch objects of the repository when they are needed. It
// starts no process, and says no only where the configuration of the repository shows that.
func (r *Repo) MaybePartial() bool {
	for _, file := range []string{r.Settings().File(), filepath.Join(r.GitDir, "config.worktree")} {
		if r.Settings().fileMentions(file, "promisor") || r.Settings().fileMentions(file, "partialclone") {
			return true
		}
	}
	return false
}

// HooksDir returns the directory in which git looks for the hooks of the repository, absolute. It need not
// exist.
func (r *Repo) HooksDir(ctx context.Context) (string, error) {
	// A relative core.hooksPath counts from where hooks run, not from here.
	top := r.WorkTree
	if top == "" {
		top = r.GitDir
	}
	out, err := r.run.readOutput(ctx, nil, "-C", top, "--git-dir="+r.GitDir, "rev-parse",
		"--path-format=absolute", "--git-path", "hooks")
	if err != nil {
		return "", fmt.Errorf("find the hooks of %q: %w", r.GitDir, err)
	}
	return filepath.FromSlash(strings.TrimSuffix(string(out), "\n")), nil
}

// MakesRefsAlike reports whether git would make a new ref by writing its file and nothing else: refs are
// files, no hook looks at them, and nothing waits in a quarantine of a push. It starts no process, and says
// no where it is not sure.
func (r *Repo) MakesRefsAlike() bool {
	if _, quarantine := r.Env("GIT_QUARANTINE_PATH"); r.RefFormat != "files" || quarantine ||
		r.Settings().MaybeSet("core.hooksPath") {
		return false
	}
	hooks, _ := filepath.Glob(filepath.Join(r.CommonDir, "hooks", "reference-transaction*"))
	return !slices.ContainsFunc(hooks, func(hook string) bool { return !strings.HasSuffix(hook, ".sample") })
}

// Addresses returns where git goes by the name of a remote, as the configuration rewrites it: the address
// that a fetch would use, and those that a push would go to. There are none where the configuration gives it
// no address.
func (c Config) Addresses(remote string) (fetch string, push []string) {
	urls, pushes := c.listValues("remote."+remote+".url"), c.listValues("remote."+remote+".pushurl")
	if len(urls) == 0 {
		return "", nil
	}
	for i, url := range pushes {
		pushes[i], _ = c.rewriteAddress(url, ".insteadof")
	}
	given := len(pushes) > 0
	for i, url := range urls {
		if other, ok := c.rewriteAddress(url, ".pushinsteadof"); ok && !given {
			pushes = append(pushes, other)
		}
		urls[i], _ = c.rewriteAddress(url, ".insteadof")
	}
	if len(pushes) == 0 {
		pushes = urls
	}
	return urls[0], pushes
}

// listValues returns the values of a key that git takes as a list. An empty one begins it anew.
func (c Config) listValues(key string) []string {
	all := c.All(key)
	for i, value := range slices.Backward(all) {
		if value == "" {
			return all[i+1:]
		}
	}
	return all
}

// rewriteAddress replaces the longest beginning of an address for which the configuration has another, and
// the first of equal ones.
func (c Config) rewriteAddress(address, by string) (string, bool) {
	longest, found := configEntry{}, false
	for _, entry := range c.entries {
		ok := strings.HasPrefix(entry.key, "url.") && strings.HasSuffix(entry.key, by) &&
			len(entry.key) >= len("url."+by)
		if ok && strings.HasPrefix(address, entry.value) &&
			(!found || len(entry.value) > len(longest.value)) {
			longest, found = entry, true
		}
	}
	if !found {
		return address, false
	}
	return longest.key[len("url."):len(longest.key)-len(by)] + address[len(longest.value):], true
}

// PlainAddresses returns the lines of the configuration that [Config.Addresses] reads, without a process. It
// is sure only where these stand there as they are.
func (s Settings) PlainAddresses() (c Config, sure bool) {
	return s.plainEntries("url", func(key string) bool {
		section, rest, _ := strings.Cut(key, ".")
		name := rest[strings.LastIndexByte(rest, '.')+1:]
		return section == "remote" && (name == "url" || name == "pushurl") ||
			section == "url" && (name == "insteadof" || name == "pushinsteadof")
	})
}
