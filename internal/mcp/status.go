package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// state is the JSON shape of where the memory stands.
type state struct {
	Repository string `json:"repository"` // the top of the work tree, or the git directory
	command.State

	Drafts int `json:"drafts"` // what sessions left, and nobody finished
}

func tellStatus(ctx context.Context, c *call) (answer, error) {
	rules, _ := c.m.Rules(ctx) // Where they cannot be read, names are judged by the built-in ones.
	var local command.State
	_, err := c.withIndex(ctx, func(r *recall.Recall) (a answer, err error) {
		local, err = command.StateOf(ctx, c.m, r, rules)
		return a, err
	})
	if err != nil {
		return answer{}, err
	}
	top := cmp.Or(c.m.Repo().WorkTree, c.m.Repo().GitDir)
	s := state{State: local, Repository: reply.Printable(rules, top)}
	if s.Drafts, err = c.m.Drafts().Count(ctx); err != nil {
		return answer{}, err
	}
	x, err := remote.Look(ctx, c.m)
	if err == nil {
		x.URL = reply.Address(x.URL)
		x = reply.Printables(nil, x)
		s.Remote = &x
	} else if !errors.Is(err, remote.ErrNone) {
		return answer{}, err
	}
	var out strings.Builder
	fmt.Fprintf(&out, "repository: %s\nbranch: %s\nthread head: %s\n", s.Repository,
		cmp.Or(s.Branch, "(detached)"), cmp.Or(s.Head, "none yet"))
	small := s.Small
	fmt.Fprintf(&out, "packets: %d, notes: %d, open tasks: %d, skips: %d\n", s.Packets.All, small.Notes,
		small.Tasks, small.Skips)
	if r := s.Remote; r != nil {
		fmt.Fprintf(&out, "remote: %s, unpushed: %d, only there: %d\n", r.Remote, r.Unpushed, r.NotHere)
	} else {
		out.WriteString("remote: none, memory stays in this clone\n")
	}
	if s.Drafts > 0 {
		fmt.Fprintf(&out, "drafts: %d; save with draft: newest finishes the last of this branch\n", s.Drafts)
	}
	if n := len(s.Broken); n > 0 {
		fmt.Fprintf(&out, "broken refs: %d\n", n)
	}
	return answer{text: out.String(), value: s}, nil
}
