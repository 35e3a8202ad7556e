package main

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/git-ltm/git-ltm/internal/mcp"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/version"
	"github.com/git-ltm/git-ltm/internal/web"
)

type webOptions struct{ Port int }

func runWeb(ctx context.Context, e *env, o webOptions, _ []string) error {
	if o.Port < 0 || o.Port > 65535 {
		return usagef("--port takes a number up to 65535")
	}
	pages := web.Options{Now: e.now, Open: func(ctx context.Context) (*memory.Memory, error) {
		return memory.Open(ctx,
			memory.Options{
				Dir: e.dir, Env: e.vars, Now: e.now, Entropy: e.entropy, UserStore: e.userStore,
				View: recall.Views(e.now),
			})
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
