package git

import (
	"context"
	"fmt"
	"strings"
)

// Scoped is a value of the configuration and where it stands.
type Scoped struct {
	Scope string // as git names it: system, global, local, worktree or command
	Value string
}

// Own tells a value that a person gave for all that they do or for this one call. One of a repository may have come with it.
func (s Scoped) Own() bool { return s.Scope == "system" || s.Scope == "global" || s.Scope == "command" }

// ScopedSettings returns every value of a key, the one that git takes last. Where the files of the configuration show that there
// is none, no process is started.
func (r *Repo) ScopedSettings(ctx context.Context, key string) ([]Scoped, error) {
	if strings.HasPrefix(key, "-") {
		return nil, fmt.Errorf("read configuration %q: not a key", key)
	}
	if !r.maybeSet(key) {
		return nil, nil
	}
	out, err := r.run.output(ctx, nil, "config", "-z", "--show-scope", "--get-all", key)
	if exitCode(err) == notSet {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read configuration %q: %w", key, err)
	}
	parts := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	var all []Scoped
	for i := 0; i+1 < len(parts); i += 2 {
		all = append(all, Scoped{parts[i], parts[i+1]})
	}
	return all, nil
}
