package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/draft"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/session"
	"github.com/git-ltm/git-ltm/internal/transcript"
)

// distillOptions are the flags of distill.
type distillOptions struct {
	Format     string
	Show, List bool
	Plain      bool
	Drop       []string
}

func runDistill(ctx context.Context, e *env, m *memory.Memory, o distillOptions, args []string) error {
	var problems []error
	if (o.List || len(o.Drop) > 0) && len(args) > 0 {
		problems = append(problems, errors.New("--list and --drop read no TRANSCRIPT"))
	}
	if o.Format != "" && !slices.Contains(transcript.Formats(), transcript.Format(o.Format)) {
		problems = append(problems, fmt.Errorf("--format: there is no client %q here", reply.Word(o.Format)))
	}
	if err := usage(problems); err != nil {
		return err
	}
	if e.userStore != "" {
		return usagef("a session works in a repository, and so drafts are kept there: leave --user out")
	}
	if len(o.Drop) > 0 {
		var problems []error
		var ids []packet.ID
		for _, spec := range o.Drop {
			id, err := m.Drafts().Named(ctx, spec)
			problems, ids = append(problems, err), append(ids, id)
		}
		if err := errors.Join(problems...); err != nil {
			return err
		}
		slices.Sort(ids)
		var dropped []command.Draft
		for _, id := range slices.Compact(ids) {
			if err := m.Drafts().Drop(ctx, id); err != nil {
				return err
			}
			dropped = append(dropped, command.Draft{ID: string(id)})
			e.printf("dropped %s\n", id)
		}
		return e.printResult(dropped, nil)
	}
	if !o.List {
		return distillSession(ctx, e, m, o, args)
	}
	all, err := m.Drafts().All(ctx)
	var list []command.Draft
	for _, d := range all {
		list = append(list, command.DraftJSON(d))
		p := d.Record.Packet()
		e.println(strings.Join([]string{
			string(d.ID), briefing.Age(d.Kept, e.now()), clean.Line(d.Host), clean.Line(p.Anchor.Branch),
			clean.Line(cmp.Or(p.Goal, d.Title())),
		}, "\t"))
	}
	return e.printResult(list, err)
}

// distillSession makes the draft of one session.
func distillSession(ctx context.Context, e *env, m *memory.Memory, o distillOptions, args []string) error {
	req, err := findTranscript(e, m, o, args)
	if err != nil {
		return err
	}
	if !o.Plain {
		if req.Refine, err = session.Refiner(ctx, m, e.vars); err != nil {
			e.warnf("%v", &session.RefineError{Err: err})
		}
	}
	made, err := session.Distill(ctx, m, req)
	if err != nil {
		return err
	}
	if made.Refused != nil {
		e.rules, _ = m.Rules(ctx) // What went wrong is told in words that may hold a secret of the house.
		e.warnf("%v", &session.RefineError{Err: made.Refused})
	}
	if o.Show { // It is not kept.
		rec, err := packet.Parse(made.Draft.Packet, packet.Sketch)
		if err == nil {
			e.print(command.DescribeDraft(made.Draft, rec.Packet()))
		}
		return e.printResult([]command.Draft{command.DraftJSON(made.Draft)}, err)
	}
	id, err := m.Drafts().Keep(ctx, made.Draft)
	if err != nil {
		return err
	}
	kept, err := m.Drafts().Find(ctx, string(id))
	if err != nil {
		return err
	}
	if kept.Masked > 0 {
		e.warnf("masked in it, as secrets or places of this machine: %s", command.Counted(kept.Masked,
			"text"))
	}
	text := "finish it with 'git ltm save --draft " + string(kept.ID) + "'"
	if missing := command.Lacks(kept); len(missing) > 0 {
		text += "; it lacks " + strings.Join(missing, " and ")
	}
	e.hint(text)
	e.println(id)
	return e.printResult([]command.Draft{command.DraftJSON(kept)}, nil)
}

// findTranscript finds the transcript that is meant.
func findTranscript(e *env, m *memory.Memory, o distillOptions, args []string) (session.KeepRequest, error) {
	req := session.KeepRequest{Host: transcript.Format(o.Format), Now: e.now(), Talk: true}
	switch {
	case len(args) > 0 && args[0] == standardInput:
		req.Source = e.stdin
		return req, nil
	case len(args) > 0:
		req.Transcript = e.resolvePath(args[0])
		return req, nil
	}
	top := cmp.Or(m.Repo().WorkTree, m.Repo().GitDir)
	for _, dir := range slices.Compact(
		[]string{filepath.Join(top, filepath.FromSlash(m.Repo().Prefix)), top}) {
		for _, p := range transcript.Places(e.homeDir(), e.getenv, dir) {
			if o.Format == "" || string(p.Format) == o.Format {
				req.Transcript, req.Host = p.Path, p.Format
				e.hint("the newest transcript here is " + p.Path)
				return req, nil
			}
		}
	}
	return req, fmt.Errorf("find a transcript of this directory: %w", errNoTranscript)
}

// errNoTranscript says that no client left one.
var errNoTranscript = errors.New("no client left one")

// draftHelp stands above a draft in the editor.
func draftHelp(e *env, d draft.Draft) string {
	var out strings.Builder
	line := func(text string) { fmt.Fprintf(&out, "%s\n", strings.TrimRight("# "+clean.Line(text), " ")) }
	quote := func(text string) { line("| " + text) }
	line("This is left of a session of " + d.Host + ", " + briefing.Age(d.Kept, e.now()) +
		". Rules made it: read it, mend it, and say what they cannot.")
	line("Goal and next step are needed, or the word none. Write instructions, not a log, and what was " +
		"learned, not only what was printed.")
	line("Lines that begin with # are left out. Take everything out to store nothing.")
	if d.Summary != "" {
		line("")
		line("How it ended:")
		for text := range strings.SplitSeq(clean.Text(d.Summary), "\n") {
			quote(text)
		}
	}
	line("")
	line("Where it comes from:")
	for _, pointer := range slices.Sorted(maps.Keys(d.Origins)) {
		quote(pointer + ": " + d.Origins[pointer])
	}
	return out.String() + "\n"
}
