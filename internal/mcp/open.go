package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/session"
)

// inMemory opens the memory of the repository that the call means, runs a tool, and tells what was
// skipped and mended.
func (c *call) inMemory(ctx context.Context, run runner) (a answer, err error) {
	dir, env := c.Dir, c.Env
	if c.UserStore == "" {
		given := false
		if dir, given, err = c.findDirectory(ctx); err != nil {
			return answer{}, err
		}
		if given {
			env = git.Nowhere(c.Env)
		}
	}
	c.m, err = memory.Open(ctx, memory.Options{
		Dir: dir, Env: env, Now: c.Now, Entropy: c.Entropy, Agent: c.clientName(), UserStore: c.UserStore,
		View: recall.Views(c.Now), Unattended: true,
		Shown: session.Shown(memory.Options{Env: c.Env, Now: c.Now, Entropy: c.Entropy}, c.Dir),
	})
	if err != nil {
		return answer{}, err
	}
	defer func() {
		if closing := c.m.Close(); err == nil {
			err = closing
		}
	}()
	if a, err = run(ctx, c); err != nil {
		// Where they cannot be read, that is what went wrong, or nothing was scanned.
		c.rules, _ = c.m.Rules(ctx)
		return answer{}, &told{err, c.rules}
	}
	c.noteMended(c.m)
	if user := c.m.UserOpened(); user != nil {
		c.noteMended(user)
	}
	if err := c.m.UserError(); err != nil {
		c.notef("the user-wide memory is left out: %v", err)
	}
	a.notices = append(a.notices, c.notes...)
	return a, nil
}

// noteMended tells what was not signed, skipped and mended in one memory.
func (c *call) noteMended(m *memory.Memory) {
	for _, u := range m.Signer().Unsigned() {
		c.notef("STORED UNSIGNED: %s: %v; the user signs it later with 'git ltm sign %s'", u.ID, u.Err, u.ID)
	}
	if id := m.Signer().NewStore(); id != "" {
		c.notef("this clone made the store id %s (git config ltm.store)", id)
	}
	for _, line := range command.Mended(m) {
		c.notef("%s", line)
	}
}

func (c *call) notef(format string, args ...any) {
	c.notes = append(c.notes, printable(c.rules, fmt.Sprintf(format, args...)))
}

// withIndex makes the memory ready for questions.
func (c *call) withIndex(ctx context.Context, do func(*recall.Recall) (answer, error)) (a answer, err error) {
	c.index.Lock()
	defer c.index.Unlock()
	r := recall.Open(ctx, c.m, recall.Options{Now: c.Now})
	defer func() {
		if closing := r.Close(); err == nil {
			err = closing
		}
	}()
	if a, err = do(r); r.Slow() != "" {
		c.notef("there is no index to keep, so that every record was read: %s", r.Slow())
	}
	return a, err
}

// clientName is the name that the client has for itself, as far as a record takes it.
func (c *call) clientName() string {
	if c.from.name == "" {
		return ""
	}
	return clean.Truncate(clean.Line(strings.TrimSpace(c.from.name+" "+c.from.version)), 100)
}
