package main

import (
	"context"
	"fmt"
	"os"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/program"
	"github.com/git-ltm/git-ltm/internal/remote"
)

// firstLook is what a clone without memory knows of a remote. Where that is old, a process of its
// own asks the remote, for the next one who wants to know. What goes wrong is no concern of a
// command that was about something else.
func (e *env) firstLook(ctx context.Context, repo *git.Repo, config git.Config, name string) remote.FirstLook {
	look, err := remote.LookFirst(ctx, repo, config, name, e.now())
	if err == nil && look.Due && remote.ClaimLook(repo, name, e.now()) {
		_ = startBeside(repo, config, nil, "sync", "--count", "--", name)
	}
	return look
}

// startBeside lets git ltm do something in a process of its own, for which nobody waits and whom it
// asks for nothing.
func startBeside(repo *git.Repo, config git.Config, vars []string, args ...string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	dir := repo.WorkTree
	if dir == "" {
		dir = repo.GitDir
	}
	return program.Detached{
		Program: self, Args: append([]string{"git-ltm"}, args...), Dir: dir, Env: append(repo.EnvOutside(config), vars...),
	}.Start()
}

// count asks a remote how many records it holds, and prints nothing.
func (e *env) count(ctx context.Context, name string) error {
	repo, err := git.Open(ctx, e.dir, e.vars)
	if err != nil {
		return err
	}
	defer program.EndSession() // A program that git started may outlive it, and wait for a server.
	config, err := repo.Config(ctx)
	if err != nil {
		return err
	}
	return remote.Ask(ctx, repo, config, name, e.now)
}

// tellWaiting tells, where nothing was found, that a remote holds what this clone has never looked
// at.
func (e *env) tellWaiting(ctx context.Context, m *memory.Memory) {
	if name, n := e.awaiting(ctx, m); n > 0 {
		e.say("hint", fmt.Sprintf("%s holds %s, and this clone none: 'git ltm pull' brings them", name, counted(n, "record")))
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
	return name, e.firstLook(ctx, m.Repo(), config, name).Held
}
