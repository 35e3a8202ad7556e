package main

import (
	"context"
	"errors"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

type listOptions struct {
	command.Question

	Format                 string
	Untrusted, Unconfirmed bool
}

func runList(ctx context.Context, e *env, m *memory.Memory, o listOptions, _ []string) error {
	if err := usage(o.problems(e)); err != nil {
		return err
	}
	found, left, err := listRecords(ctx, e, m, o)
	if err != nil {
		return err
	}
	switch {
	case len(found) == 0 && left.Text() != "":
		e.hintf("nothing but %s: git ltm ls --all", left.Text())
	case left.Hidden > 0:
		defer e.hintf("%s; --all lists that, too", left.Text())
	case len(found) > 0 || o.Format != "" || e.asJSON:
	case o.Path != "" && !o.Narrows():
		e.hintf("no record names %[1]s; 'git ltm recall %[1]s' finds what speaks of it, or was written down "+
			"when it changed", reply.Word(o.Path))
	case o.Narrows() || o.Path != "" || o.Untrusted || o.Unconfirmed:
		e.hint("nothing here fits; 'git ltm ls' without filters lists everything, 'git ltm recall WORDS' " +
			"searches the texts, and 'git ltm sync' brings what is new at the remote")
	default:
		e.hint("nothing is here yet; 'git ltm note' and 'git ltm save' store something, and 'git ltm sync' " +
			"brings what the remote holds")
	}
	err = printList(ctx, e, m, found, o)
	if o.Limit > 0 && len(found) == o.Limit && !e.isGiven("limit") {
		e.hintf("no more than %d are listed; --limit 0 lists all", o.Limit)
	}
	return err
}

// listRecords lists what the flags ask for, and counts what is left out of it.
func listRecords(ctx context.Context, e *env, m *memory.Memory,
	o listOptions,
) (found []replay.Shown, left command.LeftOut, err error) {
	queries, err := o.Queries(e.now())
	for i := range queries {
		q := &queries[i]
		q.Untrusted, q.Unconfirmed = o.Untrusted, o.Unconfirmed
		if q.Path != "" {
			q.Path = m.Repo().PathIn(q.Path)
		}
	}
	if err != nil {
		return nil, left, err
	}
	return o.Current(ctx, m, queries, replay.Inspected)
}

// problems are everything that is wrong with the flags.
func (o listOptions) problems(e *env) []error {
	_, err := o.Queries(e.now())
	problems := wrongInput(e, err)
	if o.Limit < 0 {
		problems = append(problems, errors.New("--limit takes a number, 0 for no bound"))
	}
	if e.asJSON && o.Format != "" {
		problems = append(problems, errors.New("--json and --format exclude each other"))
	}
	if err := command.CheckFormat(o.Format); err != nil {
		problems = append(problems, err)
	}
	return problems
}

func printList(ctx context.Context, e *env, m *memory.Memory, found []replay.Shown, o listOptions) error {
	if o.Format == "" && e.isTerminal(e.stdout) && !e.asJSON {
		p := e.newPage(ctx, m)
		r := rowsOf(e, found, p.Columns)
		for _, entry := range found {
			putRow(e, p, r, entry)
		}
		return e.showPage(ctx, p)
	}
	for _, entry := range found {
		text := command.PlainRow(entry, e.now())
		if o.Format != "" {
			text = command.FormatEntry(o.Format, entry, e.now())
		}
		e.println(text)
	}
	return e.printResult(listedOf(found), nil)
}

// listedOf are records as a list has them.
func listedOf(found []replay.Shown) (list []reply.Listed) {
	for _, entry := range found {
		list = append(list, reply.ListedOf(entry))
	}
	return list
}

type logOptions struct {
	Limit         int
	Since, Author string
}

func runLog(ctx context.Context, e *env, m *memory.Memory, o logOptions, _ []string) error {
	if o.Limit < 0 {
		return usagef("--limit takes a number, 0 for no bound")
	}
	since, _, err := command.Question{Since: o.Since}.Span(e.now())
	if wrong := wrongInput(e, err); wrong != nil {
		return usage(wrong)
	}
	all, err := command.Tale(ctx, m, command.TaleQuery{Limit: o.Limit, Author: o.Author, Since: since})
	columns, terminal := e.width(e.stdout)
	for _, h := range all {
		switch {
		case e.asJSON:
			err = errors.Join(err, e.printLine(command.HappeningJSON(h)))
		case terminal:
			title := ""
			if len(h.Targets) > 0 && h.Targets[0] != string(h.ID) {
				title = titleOf(ctx, m, h.Targets[0])
			}
			e.println(clean.TruncateWith(command.HappeningRow(h, title, e.now()), columns, e.ellipsis()))
		default:
			e.println(command.HappeningLine(h, command.Subject(h)))
		}
	}
	return err
}

type showOptions struct {
	Raw, Events bool
	As          string
}

func runShow(ctx context.Context, e *env, m *memory.Memory, o showOptions, args []string) error {
	if o.As != "" && o.As != "0.2" {
		return usagef("--as takes 0.2")
	}
	found, of, err := m.FindAnyWide(ctx, args[0])
	if err != nil {
		return err
	}
	e.fromUser(m, of, found)
	entry, err := found.MustOpen(replay.Inspected)
	if err != nil {
		return err
	}
	if of == m && entry.Kind() != packet.KindEvent {
		recall.Used(m, e.now(), entry.ID)
	}
	switch {
	case o.Events && !e.asJSON:
		about, err := of.History(ctx, entry.ID)
		if err != nil {
			return err
		}
		made := replay.Happening{
			At: entry.CreatedAt(), What: string(entry.Kind()), Why: entry.Text(""),
			Standing: entry.Verdict.Standing,
		}
		if entry.Kind() == packet.KindPacket {
			made.What = "save"
		}
		e.println(command.HappeningLine(made, string(entry.ID)))
		for _, event := range about {
			e.println(command.HappeningLine(event.Happening(), string(event.ID)))
		}
		return nil
	case o.As != "": // The published form cannot hold all.
		if entry.Kind() != packet.KindPacket {
			return usagef("--as is for packets; record %s is of another kind", entry.ID)
		}
		older, changed := entry.Record().Downgrade()
		if len(changed) > 0 {
			e.warnf("left out or changed for format 0.2: %s", strings.Join(changed, " "))
		}
		_, err = e.stdout.Write(older.Encode())
		return err
	case o.Raw:
		_, err = e.stdout.Write(entry.Data())
		return err
	case e.asJSON:
		whole, err := command.WholeOf(ctx, of, entry)
		return e.printResult(whole, err)
	}
	undone, err := of.Undone(ctx, entry.ID)
	if err != nil {
		return err
	}
	e.print(reply.Describe(entry, e.now()).String())
	if undone {
		e.println("Life:       undone by a later event, so that it does not count")
	}
	return nil
}

// usage joins what is wrong with a command line into one error.
func usage(problems []error) error {
	if err := errors.Join(problems...); err != nil {
		return &usageError{err: err}
	}
	return nil
}
