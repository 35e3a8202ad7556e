package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/garden"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// lintPackets is how many packets are looked at for the newest of each branch.
const lintPackets = 200

type lintOptions struct{ json, exitCode bool }

func newLint(e *env) *cobra.Command {
	var o lintOptions
	cmd := &cobra.Command{
		Use:   "lint [ID | FILE | -]...",
		Short: "Say what a record lacks that another session will need",
		Long: "Lint gives advice: a note that tells what happened and not what to do, a reason that is missing, a day such as\n" +
			"tomorrow that means another day to whoever reads it, a place on one machine, a text that was pasted from a talk or a\n" +
			"program, a failed attempt from which nothing was learned. It looks at words alone and asks no model.\n\n" +
			"Without an argument it looks at the current notes and skips, and at the newest packet of each branch. An argument\n" +
			"that names a file is a draft in the form that 'git ltm save' or 'git ltm note --batch' takes, and - is standard input;\n" +
			"any other names a record.\n\n" +
			"Each line has the record or the file, the place in it, the rule, and what to write instead. --json prints an array of\n" +
			"objects with id or file, place, rule and text.\n\n" +
			"It is advice: it keeps nothing from being stored, and the exit code is 0. With --exit-code it is 1 where there is any.\n" +
			"Of what is stored, saving warns of lines of a log alone, because nobody reads what is said each time; 'save --dry-run'\n" +
			"and 'note --dry-run' give all of it.\n\n" + exitCodes,
		Example: "  git ltm lint\n  git ltm lint draft.json --exit-code\n  git ltm lint 3A2H5P9",
		RunE:    func(cmd *cobra.Command, args []string) error { return e.lint(cmd.Context(), o, args) },
	}
	cmd.Flags().BoolVar(&o.exitCode, "exit-code", false, "exit with 1 where there is any advice")
	cmd.Flags().BoolVar(&o.json, "json", false, "print a JSON array")
	return cmd
}

// advice is the JSON shape of one piece of advice.
type advice struct {
	ID    string `json:"id,omitempty"`
	File  string `json:"file,omitempty"`
	Place string `json:"place"`
	Rule  string `json:"rule"`
	Text  string `json:"text"`
}

// errAdvice says that there is advice, to whoever asked for an exit code.
var errAdvice = errors.New("there is advice")

func (e *env) lint(ctx context.Context, o lintOptions, args []string) error {
	l := linted{advice: []advice{}}
	if err := e.lintAll(ctx, &l, args); err != nil {
		return err
	}
	switch {
	case o.json:
		if err := e.printJSON(l.advice); err != nil {
			return err
		}
	default:
		for _, a := range l.advice {
			if _, err := fmt.Fprintln(e.stdout,
				e.printable(fmt.Sprintf("%s %s: %s: %s", cmp.Or(a.ID, a.File), a.Place, a.Rule,
					a.Text))); err != nil {
				return err
			}
		}
		e.say("hint", fmt.Sprintf("records looked at: %d, pieces of advice: %d", l.records, len(l.advice)))
	}
	if o.exitCode && len(l.advice) > 0 {
		return errAdvice
	}
	return nil
}

// linted is what was looked at, and what could be better.
type linted struct {
	records int
	advice  []advice
}

// add looks at a record, which has an id or stands in a file.
func (l *linted) add(id, file string, c packet.Content) {
	l.records++
	for _, a := range garden.Lint(c) {
		l.advice = append(l.advice, advice{id, file, a.Place, a.Rule, a.Text})
	}
}

// lintAll looks at what the arguments name. Files need no repository.
func (e *env) lintAll(ctx context.Context, l *linted, args []string) error {
	var specs []string
	for _, arg := range args {
		if !e.isFile(arg) {
			specs = append(specs, arg)
			continue
		}
		data, err := e.document(ctx, arg)
		if err == nil {
			err = l.draft(arg, data, e)
		}
		if err != nil {
			return err
		}
	}
	switch {
	case len(args) == 0:
		return e.use(ctx, func(m *memory.Memory) error {
			for _, kind := range []packet.Kind{packet.KindPacket, packet.KindNote, packet.KindSkip} {
				if err := l.kind(ctx, m, kind); err != nil {
					return err
				}
			}
			return nil
		})
	case len(specs) > 0:
		return e.use(ctx, func(m *memory.Memory) error { return l.named(ctx, m, specs) })
	default:
		return nil
	}
}

// isFile tells an argument that names a file, or is written as if it did, from one that names a record.
func (e *env) isFile(arg string) bool {
	_, err := os.Stat(e.path(arg))
	return err == nil || arg == standardInput || strings.ContainsAny(arg, `/\`) ||
		strings.Contains(filepath.Ext(arg), "json")
}

// draft looks at one record that is not stored yet, or at many as JSON Lines.
func (l *linted) draft(name string, data []byte, e *env) error {
	rec, err := packet.Parse(data, packet.Draft)
	if err == nil {
		l.add("", name, rec.Content())
		return nil
	}
	if !isLines(data) {
		return fmt.Errorf("read draft %q: %w", name, err)
	}
	for _, line := range batchLines(data, e.now()) {
		rec, err := packet.Parse(line.data, packet.Draft)
		if err = errors.Join(line.err, err); err != nil {
			return fmt.Errorf("read line %d of %q: %w", line.number, name, err)
		}
		l.add("", name+":"+strconv.Itoa(line.number), rec.Content())
	}
	return nil
}

// isLines tells whether each line is a JSON value of its own.
func isLines(data []byte) bool {
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); len(line) > 0 && !json.Valid(line) {
			return false
		}
	}
	return true
}

// named looks at some records.
func (l *linted) named(ctx context.Context, m *memory.Memory, specs []string) error {
	var missing []error
	for _, spec := range specs {
		entry, _, err := m.FindAnyWide(ctx, spec)
		if err != nil {
			missing = append(missing, err)
			continue
		}
		shown, _ := entry.Open(replay.Inspected)
		l.add(string(entry.ID), "", shown.Content())
	}
	return errors.Join(missing...)
}

// kind looks at the records of one kind.
func (l *linted) kind(ctx context.Context, m *memory.Memory, kind packet.Kind) error {
	branches := map[string]bool{}
	seen := 0
	for entry, err := range m.List(ctx, replay.Query{Kind: kind}) {
		if err != nil {
			return err
		}
		shown, _ := entry.Open(replay.Inspected)
		c := shown.Content()
		if seen++; kind == packet.KindPacket && seen > lintPackets {
			return nil
		}
		if entry.Life.Resting() || kind == packet.KindPacket && branches[c.Anchor.Branch] {
			continue
		}
		branches[c.Anchor.Branch] = true
		l.add(string(entry.ID), "", c)
	}
	return nil
}

// adviseStored says what of a record that was stored is a line of a log.
func (e *env) adviseStored(r gate.Receipt) {
	for _, line := range reply.LogLines(r) {
		e.warnf("%s", line)
	}
}

// adviseDraft gives advice on what a dry run did not store.
func (e *env) adviseDraft(r gate.Receipt) {
	rec, err := packet.Parse(r.Data, packet.Stored)
	if err != nil {
		return // The gate encoded it.
	}
	for _, a := range garden.Lint(rec.Content()) {
		e.say("hint", fmt.Sprintf("%s: %s", a.Place, a.Text))
	}
}
