package main

import (
	"context"
	"fmt"
	"time"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// patience says once which remote is waited for, and once more where a person at the terminal may
// end that. Without a terminal the exchange ends there.
func (e *env) patience(ctx context.Context, m *memory.Memory, name string,
	shown *progress,
) (remote.Patience, error) {
	config, err := m.Config(ctx)
	if err != nil {
		return remote.Patience{}, err
	}
	limit, err := remote.SilenceLimit(config)
	if err != nil {
		return remote.Patience{}, err
	}
	address, _ := config.Get("remote." + name + ".url")
	type wait struct {
		since time.Duration
		of    remote.Awaited
	}
	said := map[wait]bool{}
	attended := e.terminal(e.stdin) || e.terminal(e.stderr)
	return remote.Patience{
		Limit: limit, Endless: attended,
		Say: func(since time.Duration, of remote.Awaited) {
			if said[wait{since, of}] {
				return
			}
			said[wait{since, of}] = true
			what := fmt.Sprintf("waiting for %s (%s)", name, reply.Address(address))
			if of == remote.AnotherOne {
				what = fmt.Sprintf("waiting for another exchange of this clone with %s (%s)", name,
					reply.Address(address))
			}
			line := what
			if since == limit {
				line = fmt.Sprintf("still %s: nothing came for %d s; Ctrl-C gives up", what,
					int(since.Seconds()))
			}
			shown.end()
			_, _ = fmt.Fprintln(e.stderr, "git-ltm: "+e.printable(line)) // Nobody decides by it.
		},
	}, nil
}
