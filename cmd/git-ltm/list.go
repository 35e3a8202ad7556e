package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

type listOptions struct {
	filterFlags

	format    string
	all, json bool
	limit     int
}

func newList(e *env) *cobra.Command {
	var o listOptions
	cmd := &cobra.Command{
		Use:   "ls",
		Short: "List records, newest first",
		Long: "Ls lists packets, notes, tasks and skips: those of this clone and those that a fetch brought from remotes. The newest\n" +
			"by id comes first. --kind lists one kind alone. A pipe gets full ids and tabs between the fields: id, time, branch,\n" +
			"trust, and what the record says first, with its kind before it unless it is a packet.\n\n" +
			"Behind them stand those of your user-wide memory, if there is one, with (user) before the text. A private record has\n" +
			"(private) there. What became of a record stands there too: contested, contradicted, consolidated, closed or hidden.\n" +
			"With --all, ls also lists what is retracted, superseded or expired.\n\n" +
			"The names in --format are id, short, age, created, branch, trust, state, kind, text, goal, next, author, tags,\n" +
			"topic, impact, expires, remote, parent, store.\n\n" +
			"The members of --json are those of the record as far as a list needs them, with id, type, its trust, store, remote, and\n" +
			"what became of it: retracted, expired, contested, superseded_by, consolidated_by, archived, closed, contradicted.\n\n" + exitCodes,
		Example: "  git ltm ls --branch main --since 2w\n  git ltm ls --kind packet\n  git ltm ls --kind " +
			"pitfall --topic build\n  git ltm ls --format '%(short) %(goal)'",
		Args: arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return e.list(cmd.Context(), o) },
	}
	f := cmd.Flags()
	o.register(f, "records of this `KIND` alone: packet, note, skip, or a kind of note such as task; can "+
		"be given again")
	f.BoolVarP(&o.all, "all", "a", false, "also what is retracted, superseded or expired")
	f.IntVarP(&o.limit, "limit", "n", 50, "at most `N`; 0 is no bound")
	f.BoolVar(&o.json, "json", false, "print a JSON array")
	f.StringVar(&o.format, "format", "", "print each record as `FORMAT`")
	return cmd
}

func (e *env) list(ctx context.Context, o listOptions) error {
	queries, err := o.check(e.now())
	if err != nil {
		return err
	}
	return e.use(ctx, func(m *memory.Memory) error {
		for i, q := range queries {
			if q.Path != "" {
				queries[i].Path = m.Repo().PathIn(q.Path)
			}
		}
		found, err := reply.List(ctx, m, queries, replay.Inspected, o.limit)
		if err != nil {
			return err
		}
		return e.printList(ctx, m, found, o)
	})
}

// check says everything that is wrong with the flags, and what to ask for.
func (o listOptions) check(now time.Time) ([]replay.Query, error) {
	o.All = o.all
	queries, err := o.Queries(now)
	var every filterFlags
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	every.register(flags, "")
	problems := wrongInput(flags, err)
	if o.limit < 0 {
		problems = append(problems, errors.New("--limit takes a number, 0 for no bound"))
	}
	if o.json && o.format != "" {
		problems = append(problems, errors.New("--json and --format exclude each other"))
	}
	if err := checkFormat(o.format); err != nil {
		problems = append(problems, err)
	}
	return queries, usage(problems)
}

func (e *env) printList(ctx context.Context, m *memory.Memory, found []replay.Shown, o listOptions) error {
	switch {
	case o.json:
		return e.printListed(found)
	case o.format == "" && e.terminal(e.stdout):
		if len(found) == 0 {
			e.say("hint", o.nothing())
		}
		p := e.sheet(ctx, m)
		r := e.rowsOf(found, p.Columns)
		for _, entry := range found {
			e.put(p, r, entry)
		}
		return e.showPage(ctx, p)
	}
	for _, entry := range found {
		text := plainRow(entry, e.now())
		if o.format != "" {
			text = formatEntry(o.format, entry, e.now())
		}
		if _, err := fmt.Fprintln(e.stdout, text); err != nil {
			return err
		}
	}
	return nil
}

// nothing says how what was asked for comes to be here.
func (o listOptions) nothing() string {
	if o.Narrows() || o.Path != "" {
		return "nothing here fits; 'git ltm ls' without filters lists everything, and 'git ltm sync' " +
			"brings what is new at the remote"
	}
	return "nothing is here yet; 'git ltm note' and 'git ltm save' store something, and 'git ltm sync' " +
		"brings what the remote holds"
}

// printListed prints records as one JSON array.
func (e *env) printListed(found []replay.Shown) error {
	list := []reply.Listed{}
	for _, entry := range found {
		list = append(list, reply.ListedOf(entry))
	}
	return e.printJSON(list)
}
