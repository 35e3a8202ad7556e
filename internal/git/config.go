package git

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
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

// Config reads the configuration, with includes and all levels.
func (r *Repo) Config(ctx context.Context) (Config, error) {
	out, err := r.run.output(ctx, nil, "config", "--list", "-z", "--show-scope", "--show-origin")
	if err != nil {
		return Config{}, fmt.Errorf("read configuration: %w", err)
	}
	config := Config{repo: r}
	for entry := range slices.Chunk(strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"), 3) {
		if len(entry) == 3 {
			key, value, set := strings.Cut(entry[2], "\n")
			config.entries = append(config.entries, configEntry{key: key, value: value, set: set, scope: entry[0], origin: entry[1]})
		}
	}
	return config, nil
}

// Own refuses the configuration where it takes a value of one of several keys from a file that a checkout can change. The error
// is an [OriginError].
func (c Config) Own(keys ...string) error {
	for _, key := range keys {
		name := canonicalKey(key)
		for _, entry := range c.entries {
			if entry.key != name {
				continue
			}
			if err := c.repo.own(key, entry.scope, entry.origin); err != nil {
				return err
			}
		}
	}
	return nil
}

// Get returns the last value of key and whether there is one. A key that stands alone has the value "true".
func (c Config) Get(key string) (string, bool) {
	entry, ok := c.last(key)
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
	entry, ok := c.last(key)
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

// last returns the entry that wins.
func (c Config) last(key string) (configEntry, bool) {
	key = canonicalKey(key)
	for _, entry := range slices.Backward(c.entries) {
		if entry.key == key {
			return entry, true
		}
	}
	return configEntry{}, false
}

// Remotes returns the names of the remotes that have an address in the configuration, in the order of the first. Git knows
// older forms too: [Repo.Remotes] asks it.
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

// SetConfig gives a key one value, in the place of all that it has in that file.
func (r *Repo) SetConfig(ctx context.Context, scope Scope, key, value string) error {
	if strings.HasPrefix(key, "-") {
		return fmt.Errorf("set configuration %q: not a key", key)
	}
	if _, err := r.run.output(ctx, nil, "config", string(scope), "--replace-all", key, value); err != nil {
		return fmt.Errorf("set configuration %q: %w", key, err)
	}
	return nil
}

// AddConfig adds one value to key in the configuration of the repository.
func (r *Repo) AddConfig(ctx context.Context, key, value string) error {
	if strings.HasPrefix(key, "-") {
		return fmt.Errorf("add configuration %q: not a key", key)
	}
	_, err := r.run.output(ctx, nil, "config", "--local", "--add", key, value)
	if err != nil {
		return fmt.Errorf("add configuration %q: %w", key, err)
	}
	return nil
}

// nothingToUnset is the exit code of git config for a value that is not there.
const nothingToUnset = 5

// UnsetConfig removes exactly this value of key from one file of the configuration. It succeeds when there is no such value.
func (r *Repo) UnsetConfig(ctx context.Context, scope Scope, key, value string) error {
	if strings.HasPrefix(key, "-") {
		return fmt.Errorf("unset configuration %q: not a key", key)
	}
	_, err := r.run.output(ctx, nil, "config", string(scope), "--fixed-value", "--unset-all", key, value)
	if err != nil && exitCode(err) != nothingToUnset {
		return fmt.Errorf("unset configuration %q: %w", key, err)
	}
	return nil
}
