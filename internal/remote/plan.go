package remote

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// Untracked returns the tracking refspec of a remote, "" being the default one, where the configuration has none
// yet.
func Untracked(ctx context.Context, repo *git.Repo, name string) (remote string, missing []Setting, err error) {
	config, err := repo.Config(ctx)
	if err != nil {
		return "", nil, err
	}
	if name == "" {
		name, err = Default(repo, config)
	} else {
		err = Exists(config, name)
	}
	if err == nil && !refs.SafeRemote(name) {
		err = fmt.Errorf("remote %q: %w", name, ErrName)
	}
	if s := Tracking(name); err == nil && !s.isIn(config) {
		missing = []Setting{s}
	}
	return name, missing, err
}

// Tracked returns the tracking refspecs that the configuration has of some remotes, or of all.
func Tracked(ctx context.Context, repo *git.Repo, names []string) ([]Setting, error) {
	config, err := repo.Config(ctx)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		names = config.Remotes()
	}
	var all []Setting
	for _, name := range names {
		if s := Tracking(name); s.isIn(config) {
			all = append(all, s)
		}
	}
	return all, nil
}

// isIn reports whether the configuration has the line.
func (s Setting) isIn(config git.Config) bool { return slices.Contains(config.All(s.Key), s.Value) }

// Command takes the line out.
func (s Setting) Command() string {
	return "git config --local --fixed-value --unset " + clean.ShellWord(s.Key) + " " + clean.ShellWord(s.Value)
}
