package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// Plan is what init adds to the configuration of a repository.
type Plan struct {
	Remote string
	Add    []Setting // what is not there yet
	Have   []Setting // what is
}

// PlanFor says what init would add for a remote; "" is the default one.
func PlanFor(ctx context.Context, repo *git.Repo, name string) (Plan, error) {
	config, err := repo.Config(ctx)
	if err != nil {
		return Plan{}, err
	}
	if name == "" {
		name, err = Default(ctx, repo, config)
	} else {
		err = Exists(ctx, repo, config, name)
	}
	if err != nil {
		return Plan{}, err
	}
	if !refs.SafeRemote(name) {
		return Plan{}, fmt.Errorf("remote %q: %w", name, ErrName)
	}
	p := Plan{Remote: name}
	s := Tracking(name)
	if slices.Contains(config.All(s.Key), s.Value) {
		p.Have = append(p.Have, s)
	} else {
		p.Add = append(p.Add, s)
	}
	return p, nil
}

// Apply adds what is missing. Before each line is written, this clone keeps which bytes they are, so that Undo can take out
// those and no others.
func (p Plan) Apply(ctx context.Context, repo *git.Repo) error {
	return withLedger(ctx, repo, func(l *ledger) error {
		for _, s := range p.Add {
			// Adds one line where git would, and keeps its bytes.
			if err := repo.RewriteConfig(ctx, func(before []byte) ([]byte, error) {
				after, err := repo.WithConfig(ctx, before, s.Key, s.Value)
				if err != nil {
					return nil, err
				}
				at, text, ok := inserted(before, after)
				if !ok {
					return nil, errMoreThanAdded
				}
				l.Added = slices.DeleteFunc(l.Added, func(a addition) bool { return a.Setting == s })
				l.Added = append(l.Added, addition{Remote: p.Remote, Setting: s, At: at, Text: text})
				return after, l.write(repo)
			}); err != nil {
				return fmt.Errorf("add %s to the configuration: %w", s.Key, err)
			}
		}
		return nil
	})
}

// errMoreThanAdded says that a line cannot be taken out again by its bytes alone.
var errMoreThanAdded = errors.New("git would change other lines too")

// inserted finds the bytes that after has and before has not, where these are all in one piece. Where the same text would
// come of several places, the last one that begins a line is meant.
func inserted(before, after []byte) (at int, text []byte, ok bool) {
	n := len(after) - len(before)
	if n <= 0 {
		return 0, nil, false
	}
	same := 0
	for same < len(before) && before[same] == after[same] {
		same++
	}
	at = -1
	for i := same; i >= 0 && bytes.Equal(after[i+n:], before[i:]); i-- {
		if at < 0 {
			at = i
		}
		if i == 0 || after[i-1] == '\n' {
			at = i
			break
		}
	}
	if at < 0 {
		return 0, nil, false
	}
	return at, bytes.Clone(after[at : at+n]), true
}
