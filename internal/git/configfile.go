package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ErrConfigBusy says that other processes kept changing the configuration of the repository.
var ErrConfigBusy = errors.New("another process keeps changing it")

// configTries is the patience with another process that writes the configuration, of which git waits for none.
const configTries = 40

// ConfigFile is the file that git config --local writes. All linked work trees share it.
func (r *Repo) ConfigFile() string { return filepath.Join(r.CommonDir, "config") }

// ConfigEntries reads a text as git reads one file of configuration: each entry is a key and, after a line break, its value.
// Includes are not followed.
func (r *Repo) ConfigEntries(ctx context.Context, text []byte) ([]string, error) {
	out, err := r.run.output(ctx, bytes.NewReader(text), "config", "--file", "-", "--no-includes", "--list", "-z")
	if err != nil {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	entries := strings.Split(string(out), "\x00")
	return entries[:len(entries)-1], nil
}

// WithConfig returns a text of configuration with one more value of a key, put where git puts it.
func (r *Repo) WithConfig(ctx context.Context, text []byte, key, value string) (with []byte, err error) {
	if strings.HasPrefix(key, "-") {
		return nil, fmt.Errorf("add configuration %q: not a key", key)
	}
	dir, err := os.MkdirTemp("", "git-ltm-")
	if err != nil {
		return nil, fmt.Errorf("add configuration %q: %w", key, err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	file := filepath.Join(dir, "config")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return nil, fmt.Errorf("add configuration %q: %w", key, err)
	}
	if _, err := r.run.output(ctx, nil, "config", "--file", file, "--add", key, value); err != nil {
		return nil, fmt.Errorf("add configuration %q: %w", key, err)
	}
	return os.ReadFile(file)
}

// RewriteConfig changes the configuration file of the repository to what change makes of its bytes. It takes the lock that
// git takes, and where the file became another one meanwhile, change is asked again: what another process writes is never
// lost. Change may be called several times. Where it returns the bytes that it was given, nothing is written.
func (r *Repo) RewriteConfig(ctx context.Context, change func(text []byte) ([]byte, error)) error {
	file, err := filepath.EvalSymlinks(r.ConfigFile())
	if err != nil {
		return fmt.Errorf("change the configuration: %w", err)
	}
	for try := range configTries {
		before, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("change the configuration: %w", err)
		}
		after, err := change(before)
		if err != nil || bytes.Equal(before, after) {
			return err
		}
		err = swapConfig(file, before, after)
		if !errors.Is(err, ErrConfigBusy) {
			return err
		}
		if err := pause(ctx, try); err != nil {
			return err
		}
	}
	return fmt.Errorf("change the configuration: %w", ErrConfigBusy)
}

// swapConfig writes a file under its lock, if it still holds what it held before.
func swapConfig(file string, before, after []byte) error {
	info, err := os.Stat(file)
	if err != nil {
		return fmt.Errorf("change the configuration: %w", err)
	}
	lock, err := os.OpenFile(file+".lock", os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm())
	if errors.Is(err, fs.ErrExist) {
		return ErrConfigBusy
	}
	if err != nil {
		return fmt.Errorf("lock the configuration: %w", err)
	}
	now, err := os.ReadFile(file)
	if err == nil && !bytes.Equal(now, before) {
		err = ErrConfigBusy
	}
	if err == nil {
		_, err = lock.Write(after)
		err = errors.Join(err, lock.Chmod(info.Mode().Perm()), lock.Sync())
	}
	if err = errors.Join(err, lock.Close()); err == nil {
		err = os.Rename(lock.Name(), file)
	}
	if err != nil {
		return fmt.Errorf("change the configuration: %w", errors.Join(err, os.Remove(lock.Name())))
	}
	return nil
}

// IsEntry reports whether an entry of [Repo.ConfigEntries] is this value of a key.
func IsEntry(entry, key, value string) bool {
	return entry == canonicalKey(key)+"\n"+value
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
