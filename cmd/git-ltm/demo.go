package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-ltm/git-ltm/internal/git"
)

// runDemo plays a story in a folder of its own: what a session leaves on one machine, the next one finds on
// another.
func runDemo(ctx context.Context, e *env, _ []string) (err error) {
	dir, err := os.MkdirTemp("", "git-ltm-demo-")
	if err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	demo := *e
	demo.vars = append(append([]string{}, e.vars...),
		"GIT_AUTHOR_NAME=Demo", "GIT_AUTHOR_EMAIL=demo@example.com", "GIT_COMMITTER_NAME=Demo",
		"GIT_COMMITTER_EMAIL=demo@example.com",
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	bare := filepath.Join(dir, "remote.git")
	clone := func(name string) func() error {
		return func() error { return git.Clone(ctx, bare, filepath.Join(dir, name), demo.vars) }
	}
	ltm := func(name string, args ...string) func() error {
		return func() error {
			there := demo
			there.dir = filepath.Join(dir, name)
			if code := run(ctx, &there, args); code != codeDone {
				return fmt.Errorf("demo: git ltm %s ended with %d", args[0], code)
			}
			return nil
		}
	}
	for _, step := range []struct {
		shown string // what is said, or the command that do stands for
		do    func() error
	}{
		{"A remote, and two machines that clone it.", nil},
		{"git init --bare remote.git", func() error { return git.Init(ctx, bare, git.WithoutWorkTree, demo.vars) }},
		{"git clone remote.git laptop", clone("laptop")},
		{"git clone remote.git desktop", clone("desktop")},
		{"cd laptop && git commit --allow-empty -m start && git push origin HEAD", func() error {
			r, err := git.Open(ctx, filepath.Join(dir, "laptop"), demo.vars)
			if err != nil {
				return err
			}
			return errors.Join(r.CommitEmpty(ctx, "start"), r.Push(ctx, "origin", "HEAD"))
		}},
		{"On the laptop a session ends. It leaves what it ran into.", nil},
		{
			`git ltm save --goal "Cut the build to 5 minutes" --next "Cache the module downloads" ...`,
			ltm("laptop", "save", "--goal", "Cut the build to 5 minutes", "--next", "Cache the module downloads",
				"--decision", "Keep one build job :: Two jobs doubled the queue", "--lock",
				"--attempt", "Split the tests over four runners :: failed :: start-up costs more than it saves"),
		},
		{"git ltm push", ltm("laptop", "push")},
		{"On the desktop the next session begins.", nil},
		{"git ltm pull", ltm("desktop", "pull")},
		{"git ltm ls", ltm("desktop", "ls")},
		{"git ltm resume --latest", ltm("desktop", "resume", "--latest")},
		{
			"Done: the packet travelled from laptop to desktop through a git remote that knows nothing of it.",
			nil,
		},
	} {
		if step.do == nil {
			e.printf("\n# %s\n", step.shown)
			continue
		}
		e.printf("$ %s\n", step.shown)
		if err := step.do(); err != nil {
			return err
		}
	}
	return nil
}
