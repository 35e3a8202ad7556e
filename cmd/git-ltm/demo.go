package main

import (
	"context"
	_ "embed" // for the example
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/mcp"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/version"
	"github.com/git-ltm/git-ltm/internal/web"
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
		{"git init --bare remote.git", func() error { return git.InitBare(ctx, bare, demo.vars) }},
		{"git clone remote.git laptop", clone("laptop")},
		{"git clone remote.git desktop", clone("desktop")},
		{"cd laptop && git commit --allow-empty -m start && git push origin HEAD", func() error {
			r, err := git.Find(ctx, filepath.Join(dir, "laptop"), demo.vars)
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

//go:embed example.json
var examplePacket []byte

func runExample(_ context.Context, e *env, _ []string) error {
	return e.writeOut(examplePacket, nil)
}

type webOptions struct{ Port int }

func runWeb(ctx context.Context, e *env, o webOptions, _ []string) error {
	if o.Port < 0 || o.Port > 65535 {
		return usagef("--port takes a number up to 65535")
	}
	pages := web.Options{Now: e.now, Open: func(ctx context.Context) (*memory.Memory, error) {
		return memory.Open(ctx, e.memoryOptions())
	}}
	return web.Serve(ctx, pages,
		web.Listen{Port: o.Port, Entropy: e.entropy, Ready: func(url string) error {
			e.println(url)
			return nil
		}})
}

func runMCP(ctx context.Context, e *env, _ []string) error {
	if e.isTerminal(e.stdin) {
		e.hint("an agent talks here: 'git ltm setup AGENT' tells yours to start it; ctrl-d ends it")
	}
	leaveTerminal()
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, syscall.SIGPIPE) // An agent that is gone must not end a save under way.
	defer signal.Stop(broken)
	// GnuPG would ask for a passphrase on the terminal on which the agent draws.
	vars := slices.DeleteFunc(slices.Clone(e.vars), func(entry string) bool {
		return strings.HasPrefix(entry, "GPG_TTY=")
	})
	return mcp.Serve(ctx, mcp.Options{
		Version: version.Release(), Dir: e.dir, Env: vars, Now: e.now,
		Entropy: e.entropy, Stderr: e.stderr,
		UserStore: e.userStore, Silenced: e.isDisabled(),
	}, e.stdin, e.stdout)
}
