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

	origin string
}

// Own tells a value that a person gave for all that they do or for this one call. One of a repository may have come with it.
func (s Scoped) Own() bool { return isOwnScope(s.Scope) }

func isOwnScope(scope string) bool {
	return scope == "system" || scope == "global" || scope == "command"
}

// ScopedSettings returns every value of a key, the one that git takes last. Where the files of the configuration show that there
// is none, no process is started. A value that stands in a file which a checkout can change is an [OriginError].
func (r *Repo) ScopedSettings(ctx context.Context, key string) ([]Scoped, error) {
	return r.scoped(ctx, key, "--no-type")
}

// ScopedPaths returns what ScopedSettings does, with "~" at the beginning of a value expanded as git does it.
func (r *Repo) ScopedPaths(ctx context.Context, key string) ([]Scoped, error) {
	return r.scoped(ctx, key, "--type=path")
}

func (r *Repo) scoped(ctx context.Context, key, form string) ([]Scoped, error) {
	if !r.maybeSet(key) {
		return nil, nil
	}
	all, err := r.run.scoped(ctx, key, form)
	for _, s := range all {
		if err == nil {
			err = r.own(key, s.Scope, s.origin)
		}
	}
	return all, err
}

// scoped asks git for every value of a key.
func (r runner) scoped(ctx context.Context, key, form string) ([]Scoped, error) {
	if strings.HasPrefix(key, "-") {
		return nil, fmt.Errorf("read configuration %q: not a key", key)
	}
	out, err := r.output(ctx, nil, "config", "-z", form, "--show-scope", "--show-origin", "--get-all", key)
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
