package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/foreign"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

type exportOptions struct {
	Bundle, Format, Output, Since string
	Kinds                         []string
	All, Private, Force, JSON     bool
}

// The formats of an export, beside a bundle.
const (
	linesFormat    = "jsonl"
	markdownFormat = "markdown"
)

func runExport(ctx context.Context, e *env, m *memory.Memory, o exportOptions, ids []string) error {
	if err := o.check(); err != nil {
		return err
	}
	o.Format = cmp.Or(o.Format, linesFormat)
	if err := checkVacant(e, o, cmp.Or(o.Bundle, o.Output)); err != nil {
		return err
	}
	if o.Bundle != "" {
		return exportBundle(ctx, e, m, o.Bundle, ids)
	}
	return exportRecords(ctx, e, m, o, ids)
}

// check says everything that is wrong with the flags.
func (o exportOptions) check() error {
	var wrong refusals
	known, folder := []string{"", linesFormat, markdownFormat, bundleFormat}, o.Format == markdownFormat
	wrong.when(o.Bundle != "" &&
		(o.Format+o.Output+o.Since != "" || o.JSON || len(o.Kinds) > 0 || o.All || o.Private),
		"a bundle holds what a push would send: --bundle goes with ids and --force alone")
	wrong.when(o.JSON && o.Format != "" && o.Format != linesFormat, "--json is --format jsonl, and goes with no other")
	wrong.when(o.Bundle == standardInput, "a bundle goes into a file, and not to standard output")
	wrong.when(o.Format == bundleFormat, "name the file with --bundle FILE")
	wrong.when(!slices.Contains(known, o.Format), "--format takes jsonl or markdown")
	wrong.when(folder && (o.Output == "" || o.Output == standardInput), "name the folder with --output DIR")
	wrong.when(folder && o.Private, "a file of Markdown does not say that it is private: take --format jsonl")
	return usage(wrong)
}

// checkVacant makes sure that nothing is written over unasked.
func checkVacant(e *env, o exportOptions, output string) error {
	if output == "" || output == standardInput {
		return nil
	}
	info, err := os.Lstat(e.resolvePath(output))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("write export: %w", err)
	case o.Format != markdownFormat && !o.Force:
		return usagef("there is a file %q already; --force replaces it", reply.Word(output))
	case o.Format != markdownFormat:
		return nil
	case !info.IsDir():
		return usagef("there is something else than a folder at %q", reply.Word(output))
	}
	inside, err := os.ReadDir(e.resolvePath(output))
	if err == nil && len(inside) > 0 {
		err = usagef("the folder %q is not empty; name a new one", reply.Word(output))
	}
	return err
}

func exportBundle(ctx context.Context, e *env, m *memory.Memory, file string, ids []string) error {
	path, err := filepath.Abs(e.resolvePath(file))
	if err != nil {
		return fmt.Errorf("write bundle: %w", err)
	}
	if err := m.Heal(ctx); err != nil {
		return err
	}
	offers, err := m.Outgoing(ctx, ids)
	if err != nil {
		return err
	}
	err = judgeOffers(ctx, e, m, offers)
	if found, ok := errors.AsType[*foundError](err); ok {
		found.kept = noBundle
	}
	if err != nil {
		return err
	}
	names := make([]string, 0, len(offers))
	judged := make(map[string]string, len(offers))
	for _, o := range offers {
		names = append(names, o.Ref)
		judged[o.Ref] = o.OID
	}
	// The file appears whole or not at all, and nothing that has come under the names since is in it.
	if err := local.Beside(path, func(made string) error {
		if err := m.Repo().CreateBundle(ctx, made, names); err != nil {
			return err
		}
		listed, err := m.Repo().LsRemote(ctx, made, "*")
		if err != nil {
			return err
		}
		for _, ref := range listed {
			if judged[ref.Name] != ref.Object {
				return fmt.Errorf("write bundle: ref %q: %w", ref.Name, git.ErrConflict)
			}
		}
		return nil
	}); err != nil {
		return err
	}
	e.printf("%s: %s\n", e.printable(file), command.Counted(len(offers), "ref"))
	return nil
}

// noBundle begins to say why no bundle was written: it would not pass the gate.
const noBundle = "no bundle was written: "

// exporting is records on their way out.
type exporting struct {
	env    *env
	memory *memory.Memory
	opts   exportOptions
	named  map[packet.ID]bool // the records that were named; nil asks for all
	given  map[packet.ID]bool // what went out, of which the events are
	count  int
	over   int // that --all adds

	found foundError // what was left out
}

// exportRecords writes records in a form of their own, as a whole or not at all.
func exportRecords(ctx context.Context, e *env, m *memory.Memory, o exportOptions, ids []string) error {
	list := command.Question{Kinds: o.Kinds, Since: o.Since, All: true}
	switch {
	case len(o.Kinds) > 0:
	case o.Format == markdownFormat:
		list.Kinds = []string{string(packet.KindNote), string(packet.KindSkip)}
	default:
		list.Kinds = []string{reply.AllKinds}
	}
	queries, err := list.Queries(e.now())
	if wrong := wrongInput(e, err); wrong != nil {
		return usage(wrong)
	}
	if e.rules, err = m.Rules(ctx); err != nil {
		return err
	}
	x := &exporting{env: e, memory: m, opts: o, given: map[packet.ID]bool{}, found: foundError{kept: leftOut}}
	if len(ids) > 0 {
		x.named = map[packet.ID]bool{}
	}
	var problems []error
	for _, spec := range ids {
		entry, err := m.FindAny(ctx, spec)
		if err != nil && strings.ContainsAny(spec, "./") {
			err = usagef("%q is no id of a record; --output %[1]s writes into a file", reply.Word(spec))
		}
		if err == nil && entry.Store == replay.OfClone && !o.Private {
			err = usagef("record %s is private to this clone; --private lets it out", entry.ID)
		}
		problems, x.named[entry.ID] = append(problems, err), true
	}
	if err := errors.Join(problems...); err != nil {
		return err
	}
	records := x.yieldRecords(ctx, queries)
	write := func(w io.Writer) error { return foreign.WriteJSONL(w, records) }
	toFile := o.Output != "" && o.Output != standardInput
	switch {
	case o.Format == markdownFormat:
		err = x.writeFolder(records)
	case !toFile:
		err = write(e.stdout)
	default:
		if err = replaceFile(e.resolvePath(o.Output), write); err != nil {
			err = fmt.Errorf("write export: %w", err)
		}
	}
	if err != nil {
		return err
	}
	switch text := fmt.Sprintf("%s: %s", e.printable(o.Output), command.Counted(x.count, "record")); {
	case toFile && o.JSON:
		e.hint(text)
	case toFile: // Standard output shows how much it is.
		e.println(text)
	}
	if x.over > 0 {
		was, them := "was", "it"
		if x.over > 1 {
			was, them = "were", "them"
		}
		e.hintf("%s %s left out that %[2]s hidden, retracted, superseded or expired; --all adds %[3]s",
			command.Counted(x.over, "record"), was, them)
	}
	if x.found != (foundError{kept: leftOut}) {
		return &x.found
	}
	return nil
}

// yieldRecords yields what goes out: records by kind, oldest first, and then the events.
func (x *exporting) yieldRecords(ctx context.Context,
	queries []replay.Query,
) iter.Seq2[foreign.Record, error] {
	if x.opts.Format == linesFormat {
		queries = append(slices.Clone(queries), replay.Query{Kind: packet.KindEvent, Hidden: true})
	}
	reach := replay.Shared
	if x.opts.Private {
		reach = replay.Private
	}
	return func(yield func(foreign.Record, error) bool) {
		for _, q := range queries {
			for g, err := range x.memory.Give(ctx, q, reach) {
				if err != nil {
					yield(foreign.Record{}, err)
					return
				}
				if !x.letsOut(g) {
					continue
				}
				x.count, x.given[g.ID] = x.count+1, true
				if !yield(foreign.Record{Ref: g.Ref, Data: g.Data(), Tag: g.Tag}, nil) {
					return
				}
			}
		}
	}
}

// letsOut tells whether a record goes out, and tells people of one that must not.
func (x *exporting) letsOut(g replay.Given) bool {
	if g.Kind() == packet.KindEvent && !x.letsEventOut(g.Event()) ||
		g.Kind() != packet.KindEvent && x.named != nil && !x.named[g.ID] {
		return false
	}
	if g.Kind() != packet.KindEvent && !x.opts.All && (g.Life.Hidden() || g.Life.Archived && !x.named[g.ID]) {
		x.over++
		return false
	}
	switch {
	case g.Kept != "":
		x.found.unsigned++
		x.env.warnf("left out: %s %s: %s", g.Kind(), g.ID, g.Kept)
		return false
	case len(g.Findings) > 0:
		x.found.secrets++
		for _, f := range g.Findings {
			x.env.warnf("left out: %s %s: %s", g.Kind(), g.ID, f)
		}
		return false
	}
	return true
}

// letsEventOut says whether an event is about what goes out, so that nothing speaks of what is not there: it is
// not where it puts a record that stays back, because that was undone, in the place of one that goes out. With
// all that is here every event goes out, and a purge always does.
func (x *exporting) letsEventOut(event packet.Event) bool {
	goes := func(id string) bool { return x.given[packet.ID(id)] || x.named[packet.ID(id)] }
	everything := x.named == nil && len(x.opts.Kinds) == 0 && x.opts.Since == ""
	if everything && (x.opts.All || event.Event == replay.PurgeEvent) {
		return true
	}
	return slices.ContainsFunc(event.Targets, goes) && (len(event.By) == 0 || slices.ContainsFunc(event.By, goes))
}

// writeFolder writes a file for each record into a folder that is new or empty. It appears whole or not at
// all.
func (x *exporting) writeFolder(records iter.Seq2[foreign.Record, error]) (err error) {
	out, err := filepath.Abs(x.env.resolvePath(x.opts.Output))
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
		x.found.others++
		x.env.warnf("left out: %s", p)
	}
	x.count -= len(left)
	return nil
}

// leftOut begins to say why records are not in an export.
const leftOut = "records were left out: "
