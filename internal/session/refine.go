package session

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/distill"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/model"
)

// The keys of the configuration that say which model works on drafts.
const (
	DistillCommandKey = "ltm.distillCommand"
	distillModelKey   = "ltm.distillModel"
	distillKeyEnvKey  = "ltm.distillKeyEnv"
	distillRemoteKey  = "ltm.distillRemote"
	distillTimeoutKey = "ltm.distillTimeout"
)

// How long a model may take.
const (
	usualTimeout   = 2 * time.Minute
	longestTimeout = 10 * time.Minute
)

// ErrForeign says that a setting stands in the configuration of a repository, which may have come with it: a
// repository names no program that runs, and nobody whom a session is told to.
var ErrForeign = errors.New("it counts in your own configuration alone: git config --global")

// Refiner returns what lets the model of the configuration work on a draft, or nil where none is named. It
// runs a program or asks a server, and may take minutes: nobody who waits for a hook calls it.
func Refiner(ctx context.Context, m *memory.Memory,
	env []string,
) (func(context.Context, distill.Draft) (distill.Draft, error), error) {
	settings, err := modelSettings(ctx, m.Repo(), env)
	if err != nil || settings.Command == "" {
		return nil, err
	}
	asker, err := model.Open(settings)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", DistillCommandKey, err)
	}
	return func(ctx context.Context, d distill.Draft) (distill.Draft, error) {
		// It was masked as a session; what leaves is masked as it leaves.
		facts, _, err := m.Drafts().Mask(ctx, d.Facts)
		if err != nil {
			return distill.Draft{}, err
		}
		said, err := asker.Ask(ctx,
			model.Question{Task: distill.Task, Facts: facts, Schema: []byte(distill.Schema)})
		if err != nil {
			return distill.Draft{}, err
		}
		return distill.Refined(d, said)
	}, nil
}

// modelSettings reads who is asked. A command of "" is nobody.
func modelSettings(ctx context.Context, repo *git.Repo, env []string) (model.Settings, error) {
	s := model.Settings{Env: env, Timeout: usualTimeout}
	var err error
	if s.Command, err = ownSetting(ctx, repo, DistillCommandKey); err != nil || s.Command == "" {
		return s, err
	}
	texts := map[string]string{}
	for _, key := range []string{distillModelKey, distillKeyEnvKey, distillRemoteKey, distillTimeoutKey} {
		if texts[key], err = ownSetting(ctx, repo, key); err != nil {
			return s, err
		}
	}
	s.Model = texts[distillModelKey]
	if name := texts[distillKeyEnvKey]; name != "" {
		s.Key, _ = git.LookupEnv(env, name)
		if s.Key == "" {
			return s, fmt.Errorf("%s: the variable that it names is not set", distillKeyEnvKey)
		}
	}
	switch strings.ToLower(texts[distillRemoteKey]) {
	case "true", "yes", "on", "1":
		s.Remote = true
	}
	if text := texts[distillTimeoutKey]; text != "" {
		seconds, err := strconv.Atoi(text)
		if err != nil || seconds < 1 || time.Duration(seconds)*time.Second > longestTimeout {
			return s, fmt.Errorf("%s: it is a number of seconds, at most %d", distillTimeoutKey,
				int(longestTimeout/time.Second))
		}
		s.Timeout = time.Duration(seconds) * time.Second
	}
	return s, nil
}

// ownSetting returns the value that the person gave to a key. A repository may turn it off with an empty
// value; any other value of its own is refused.
func ownSetting(ctx context.Context, repo *git.Repo, key string) (string, error) {
	all, err := repo.Settings().Scoped(ctx, key)
	if err != nil {
		return "", err
	}
	last := ""
	for _, s := range all {
		if !s.Own() && s.Value != "" {
			return "", fmt.Errorf("%s: %w", key, ErrForeign)
		}
		last = s.Value
	}
	return last, nil
}
