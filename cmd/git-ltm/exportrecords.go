package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/foreign"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// exporting is records on their way out.
type exporting struct {
	env    *env
	memory *memory.Memory
	opts   exportOptions
	named  map[packet.ID]bool // the records that were named; nil asks for all
	given  map[packet.ID]bool // what went out, of which the events are
	count  int

	secrets, withheld, shapeless int
}

// exportRecords writes records in a form of their own.
func (e *env) exportRecords(ctx context.Context, o exportOptions, ids []string) error {
	queries, err := o.queries(e)
	if err != nil {
		return err
	}
	return e.use(ctx, func(m *memory.Memory) error {
		if e.rules, err = m.Rules(ctx); err != nil {
			return err
		}
		x := &exporting{env: e, memory: m, opts: o, given: map[packet.ID]bool{}}
		if err := x.name(ctx, ids); err != nil {
			return err
		}
		if err := x.write(ctx, queries); err != nil {
			return err
		}
		return x.end()
	})
}

// queries returns one query for each kind of record that is asked for.
func (o exportOptions) queries(e *env) ([]replay.Query, error) {
	list := listOptions{
		filterFlags: filterFlags{command.Question{Kinds: o.kinds, Since: o.since}},
		all:         o.all,
	}
	switch {
	case len(o.kinds) > 0:
	case o.format == markdownFormat:
		list.Kinds = []string{string(packet.KindNote), string(packet.KindSkip)}
	default:
		list.Kinds = []string{reply.AllKinds}
	}
	return list.check(e.now())
}

// name finds the records that were named.
func (x *exporting) name(ctx context.Context, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	x.named = map[packet.ID]bool{}
	var problems []error
	for _, spec := range ids {
		entry, err := x.memory.FindAny(ctx, spec)
		if err == nil && entry.Store == replay.OfClone && !x.opts.private {
			err = usagef("record %s is private to this clone; --private lets it out", entry.ID)
		}
		if err != nil {
			problems = append(problems, err)
			continue
		}
		x.named[entry.ID] = true
	}
	return errors.Join(problems...)
}

// write writes the records to where they belong, as a whole or not at all.
func (x *exporting) write(ctx context.Context, queries []replay.Query) error {
	records := x.records(ctx, queries)
	if x.opts.format == markdownFormat {
		return x.writeFolder(records)
	}
	write := func(w io.Writer) error {
		if x.opts.format == memoryFormat {
			return foreign.WriteMemory(w, records)
		}
		return foreign.WriteJSONL(w, records)
	}
	if x.opts.out == "" || x.opts.out == standardInput {
		return write(x.env.stdout)
	}
	if err := replaceFile(x.env.path(x.opts.out), write); err != nil {
		return fmt.Errorf("write export: %w", err)
	}
	return nil
}

// records yields what goes out: records by kind, oldest first, and then the events.
func (x *exporting) records(ctx context.Context, queries []replay.Query) iter.Seq2[foreign.Record, error] {
	if x.opts.format == linesFormat {
		queries = append(slices.Clone(queries), replay.Query{Kind: packet.KindEvent, Hidden: true})
	}
	reach := replay.Shared
	if x.opts.private {
		reach = replay.Private
	}
	return func(yield func(foreign.Record, error) bool) {
		for _, q := range queries {
			for g, err := range x.memory.Give(ctx, q, reach) {
				if err != nil {
					yield(foreign.Record{}, err)
					return
				}
				if x.lets(g) && !yield(x.record(g), nil) {
					return
				}
			}
		}
	}
}

// record counts what goes out.
func (x *exporting) record(g replay.Given) foreign.Record {
	x.count++
	x.given[g.ID] = true
	return foreign.Record{Ref: g.Ref, Data: g.Data(), Tag: g.Tag, Content: g.SealedContent()}
}

// lets tells whether a record goes out, and tells people of one that must not.
func (x *exporting) lets(g replay.Given) bool {
	if g.Kind() == packet.KindEvent && !x.tells(g.Event()) ||
		g.Kind() != packet.KindEvent && x.named != nil && !x.named[g.ID] {
		return false
	}
	if g.Life.Archived && !x.opts.all && !x.named[g.ID] {
		return false
	}
	switch {
	case g.Kept != "":
		x.withheld++
		x.env.warnf("left out: %s %s: %s", g.Kind(), g.ID, g.Kept)
		return false
	case len(g.Findings) > 0:
		x.secrets++
		for _, f := range g.Findings {
			x.env.warnf("left out: %s %s: %s", g.Kind(), g.ID, f)
		}
		return false
	}
	return true
}

// tells says whether an event is about what goes out. Where everything was asked for, every event is.
func (x *exporting) tells(event packet.Event) bool {
	if x.named == nil && len(x.opts.kinds) == 0 && x.opts.since == "" {
		return true
	}
	return slices.ContainsFunc(event.Targets, func(id string) bool {
		return x.given[packet.ID(id)] || x.named[packet.ID(id)]
	})
}

// writeFolder writes a file for each record into a folder that is new or empty. It appears whole or not at
// all.
func (x *exporting) writeFolder(records iter.Seq2[foreign.Record, error]) (err error) {
	out, err := filepath.Abs(x.env.path(x.opts.out))
	if err != nil {
		return fmt.Errorf("write folder: %w", err)
	}
	var left []foreign.Problem
	err = local.Beside(out, func(made string) error {
		if err := os.Mkdir(made, 0o700); err != nil {
			return err
		}
		root, err := os.OpenRoot(made)
		if err != nil {
			return err
		}
		left, err = foreign.WriteMarkdown(records, func(name string, data []byte) error {
			return root.WriteFile(name, data, ownOnly)
		})
		if err := errors.Join(err, root.Close()); err != nil {
			return err
		}
		if err := os.Remove(out); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err // It holds something.
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("write folder: %w", err)
	}
	for _, p := range left {
		x.shapeless++
		x.env.warnf("left out: %s", p)
	}
	x.count -= len(left)
	return nil
}

// end tells how much was written, where that is not what standard output shows, and what stayed behind.
func (x *exporting) end() error {
	if x.opts.out != "" && x.opts.out != standardInput {
		if _, err := fmt.Fprintf(x.env.stdout, "%s: %s\n", x.env.printable(x.opts.out),
			counted(x.count, "record")); err != nil {
			return err
		}
	}
	if x.secrets+x.withheld+x.shapeless > 0 {
		return &leftOutError{x.secrets, x.withheld, x.shapeless}
	}
	return nil
}

// leftOutError is an export from which records were left out.
type leftOutError struct{ secrets, withheld, shapeless int }

func (e *leftOutError) Error() string {
	var texts []string
	for _, part := range []struct {
		n    int
		text string
	}{
		{e.secrets, "of what must not travel"},
		{e.withheld, "of their signatures"},
		{e.shapeless, "of their form"},
	} {
		if part.n > 0 {
			texts = append(texts, fmt.Sprintf("%d because %s", part.n, part.text))
		}
	}
	return "records were left out: " + strings.Join(texts, ", ")
}

// exportOutcomes says what the errors of an export mean to the user.
func exportOutcomes() []rule {
	of := func(n func(*leftOutError) int) func(error) bool {
		return func(err error) bool {
			left, ok := errors.AsType[*leftOutError](err)
			return ok && n(left) > 0
		}
	}
	return []rule{
		{
			of(func(e *leftOutError) int { return e.secrets }),
			outcome{codeSecret, "change a secret that leaked and purge the record; a false positive can " +
				"be allowed with 'git ltm allow'"},
		},
		{
			of(func(e *leftOutError) int { return e.withheld }),
			outcome{codeSignature, "'git ltm verify' says why and which command changes that"},
		},
		{isA[*leftOutError], outcome{codeInvalid, "--format jsonl has room for every record"}},
	}
}
