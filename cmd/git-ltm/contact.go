package main

import (
	"context"
	"fmt"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/remote"
)

// waiting is how many records wait on a remote that this clone never looked at. What goes wrong is no concern of a command
// that was about something else.
func (e *env) waiting(ctx context.Context, repo *git.Repo, config git.Config, name string) int {
	held, err := remote.Contact(ctx, repo, config, name)
	if err != nil {
		return 0
	}
	return held
}

// tellWaiting tells, where nothing was found, that a remote holds what this clone has never looked at.
func (e *env) tellWaiting(ctx context.Context, m *memory.Memory) {
	if name, n := e.awaiting(ctx, m); n > 0 {
		e.say("hint", fmt.Sprintf("%s holds %d record(s), and this clone none: 'git ltm pull' brings them", name, n))
	}
}

// awaiting is the remote of memory, and how many records wait there for a clone that never looked.
func (e *env) awaiting(ctx context.Context, m *memory.Memory) (name string, records int) {
	config, err := m.Config(ctx)
	if err != nil {
		return "", 0
	}
	if name, err = remote.Default(ctx, m.Repo(), config); err != nil {
		return "", 0
	}
	return name, e.waiting(ctx, m.Repo(), config, name)
}
