package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/recall"
)

type contextOptions struct {
	budget  int
	format  string
	trusted onlyTrusted
}

func newContext(e *env) *cobra.Command {
	var o contextOptions
	cmd := &cobra.Command{
		Use:   "context",
		Short: "Print what a session should know now",
		Long: "Context prints what counts here and now, out of all records: skips that have not expired, open tasks, where the\n" +
			"thread of this branch stands, locked decisions, failed attempts, pitfalls, preferences and the rest. It takes what is\n" +
			"worth most for each character until the budget is spent, and counts its own marks and headings. Nothing is cut in\n" +
			"the middle, nothing is said twice.\n\n" +
			"What was retracted, archived, superseded, consolidated or closed, and what has expired, is left out. A place in the\n" +
			"code that has changed since is marked, and what cites it counts less.\n\n" + exitCodes,
		Example: "  git ltm context\n  git ltm context --budget 3000 --format dsl\n  git ltm context --trusted",
		Args:    arguments(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return e.context(cmd.Context(), o) },
	}
	f := cmd.Flags()
	f.IntVar(&o.budget, "budget", -1, "at most `N` characters; 0 is no bound (default: ltm.budget, or 8000)")
	f.StringVar(&o.format, "format", "md", "`FORMAT`: md, json or dsl")
	f.BoolVar((*bool)(&o.trusted), "trusted", false,
		"only what this clone made or a trusted key signed, for hooks that nobody asked")
	e.agentFlag(f)
	return cmd
}

func (e *env) context(ctx context.Context, o contextOptions) error {
	if err := (resumeOptions{budget: o.budget, format: o.format}).check(); err != nil {
		return err
	}
	return e.ask(ctx, func(m *memory.Memory, r *recall.Recall) error {
		c, err := r.Context(ctx, o.trusted.reading())
		if err != nil {
			return err
		}
		if c.Nonce, err = briefing.Nonce(e.entropy); err != nil {
			return err
		}
		if c.Budget, err = e.budget(ctx, m, resumeOptions{budget: o.budget}); err != nil {
			return err
		}
		if o.format == "md" && e.forPerson() && len(c.Known) > 0 {
			p := e.sheet(ctx, m)
			c.Person(p)
			return e.showPage(ctx, p)
		}
		text, err := contextAs(c, o.format)
		if err != nil {
			return err
		}
		switch {
		case text != "":
		case len(c.Known) > 0:
			e.say("hint", fmt.Sprintf(
				"nothing of what is known fits into %d characters; --budget allows more", c.Budget))
		default:
			if bool(o.trusted) && e.tellUntrusted(ctx, r) {
				break
			}
			e.say("hint", "nothing is known here yet; 'git ltm note' and 'git ltm save' write something down")
		}
		_, err = io.WriteString(e.stdout, text)
		return err
	})
}

func contextAs(c briefing.Context, format string) (string, error) {
	switch format {
	case "json":
		data, err := c.JSON()
		return string(data), err
	case "dsl":
		return c.DSL(), nil
	default:
		return c.Markdown(), nil
	}
}
