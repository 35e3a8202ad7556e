// Package remote knows what this clone exchanges with a git remote.
//
// The exchange itself is `git push` and `git fetch`. This package says which remote is meant, sets up the tracking refs
// through which a plain fetch brings records, and counts what one side lacks. It never installs a refspec that could
// overwrite or prune a record of this clone.
package remote

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// ErrNone says that the repository has no such remote.
var ErrNone = errors.New("no such remote")

// ErrName says that a remote has a name that no tracking ref can bear.
var ErrName = errors.New("its name does not fit into a ref; git remote rename gives it another")

// NoDefaultError says that no remote stands out. It is an [ErrNone].
type NoDefaultError struct{ Remotes []string }

func (e *NoDefaultError) Error() string {
	if len(e.Remotes) == 0 {
		return "there is no remote"
	}
	return "none of the remotes " + strings.Join(e.Remotes, ", ") + " is the default one"
}

// Unwrap makes it an ErrNone.
func (e *NoDefaultError) Unwrap() error { return ErrNone }

// PushSpec is the argument with which git push sends every record.
const PushSpec = "refs/ltm/*"

// Setting is one line of the configuration.
type Setting struct{ Key, Value string }

// Tracking is the refspec that brings a remote's records to where a fetch may
// force and prune them.
func Tracking(remote string) Setting {
	return Setting{
		Key:   "remote." + remote + ".fetch",
		Value: "+refs/ltm/*:refs/ltm-remotes/" + remote + "/*",
	}
}

// Default is the remote that memory goes to: ltm.remote, else where this branch
// pushes, else origin, else the only one.
func Default(ctx context.Context, repo *git.Repo, config git.Config) (string, error) {
	names := config.Remotes()
	if name, ok := config.Get("ltm.remote"); ok {
		if slices.Contains(names, name) {
			return name, nil
		}
		return name, Exists(ctx, repo, name)
	}
	if len(names) == 0 {
		var err error
		if names, err = repo.Remotes(ctx); err != nil {
			return "", err
		}
	}
	branch := repo.Head.Branch
	for _, key := range []string{"branch." + branch + ".pushRemote", "remote.pushDefault", "branch." + branch + ".remote"} {
		if name, ok := config.Get(key); ok && slices.Contains(names, name) {
			return name, nil
		}
	}
	if slices.Contains(names, "origin") {
		return "origin", nil
	}
	if len(names) == 1 {
		return names[0], nil
	}
	return "", &NoDefaultError{Remotes: names}
}

// Exists returns an [ErrNone] where the repository has no remote of that name.
func Exists(ctx context.Context, repo *git.Repo, name string) error {
	names, err := repo.Remotes(ctx)
	if err != nil {
		return err
	}
	if !slices.Contains(names, name) {
		return fmt.Errorf("remote %q: %w", name, ErrNone)
	}
	return nil
}

// Exchange is what this clone and a remote hold, as far as the last fetch knows.
type Exchange struct {
	Remote   string
	URL      string
	Tracked  bool // a plain fetch brings records
	Unpushed int  // records that the remote lacks
	NotHere  int  // records of the remote that are read from its tracking refs
}

// Look compares this clone with what it last saw of a remote.
func Look(ctx context.Context, repo *git.Repo, config git.Config, name string) (Exchange, error) {
	x := Exchange{Remote: name}
	x.URL, _ = config.Get("remote." + name + ".url")
	s := Tracking(name)
	x.Tracked = slices.Contains(config.All(s.Key), s.Value)
	local, err := repo.Refs(ctx, []string{"refs/ltm/"}, git.ListOptions{NamesOnly: true})
	if err != nil {
		return Exchange{}, err
	}
	prefix := "refs/ltm-remotes/" + name + "/"
	theirs, err := repo.Refs(ctx, []string{prefix}, git.ListOptions{NamesOnly: true})
	if err != nil {
		return Exchange{}, err
	}
	held := map[string]bool{}
	for _, r := range theirs {
		held["refs/ltm/"+r.Name[len(prefix):]] = true
	}
	for _, r := range local {
		if !travels(r.Name) {
			continue
		}
		if !held[r.Name] {
			x.Unpushed++
		}
		delete(held, r.Name)
	}
	x.NotHere = len(held)
	return x, nil
}

// travels tells the names of records and of later signatures.
func travels(ref string) bool {
	_, record := refs.ParseName(ref)
	_, later := refs.ParseEndorsement(ref)
	return record || later
}
