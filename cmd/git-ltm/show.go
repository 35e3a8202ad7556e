package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

type showOptions struct {
	json, events bool
	as           string
}

func newShow(e *env) *cobra.Command {
	var o showOptions
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show one record in full",
		Long: "Show prints a packet, a note, a skip or an event for a person, with what became of it and with the members that this\n" +
			"version does not know. --json prints the very bytes that are stored.\n\n" + exitCodes,
		Example: "  git ltm show @\n  git ltm show 01JDMB4W --json | git ltm save -",
		Args:    arguments(cobra.ExactArgs(1)),
		RunE:    func(cmd *cobra.Command, args []string) error { return e.show(cmd.Context(), o, args[0]) },
	}
	f := cmd.Flags()
	f.BoolVar(&o.json, "json", false, "print the stored bytes")
	f.BoolVar(&o.events, "events", false, "print what became of the record")
	f.StringVar(&o.as, "as", "", "print what a reader of format `VERSION` accepts: 0.2")
	return cmd
}

func (e *env) show(ctx context.Context, o showOptions, spec string) error {
	if o.as != "" && o.as != "0.2" {
		return usagef("--as takes 0.2")
	}
	return e.use(ctx, func(m *memory.Memory) error {
		found, of, err := m.FindAnyWide(ctx, spec)
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
		case o.events:
			return e.showEvents(ctx, of, entry)
		case o.as != "":
			return e.showAs(entry)
		case o.json:
			_, err = e.stdout.Write(entry.Data())
			return err
		}
		return e.describe(ctx, of, entry)
	})
}

// describe prints a record for a person; of an event, also that it was taken back.
func (e *env) describe(ctx context.Context, m *memory.Memory, entry replay.Shown) error {
	text := reply.Describe(entry, e.now())
	undone, err := m.Undone(ctx, entry.ID)
	if err != nil {
		return err
	}
	if undone {
		text += "Life:       undone by a later event, so that it does not count\n"
	}
	_, err = fmt.Fprint(e.stdout, text)
	return err
}

// showAs prints the packet in the published form, and says what that form
// cannot hold.
func (e *env) showAs(entry replay.Shown) error {
	if entry.Kind() != packet.KindPacket {
		return usagef("--as is for packets; record %s is of another kind", entry.ID)
	}
	older, changed := entry.Record().Downgrade()
	if len(changed) > 0 {
		e.warnf("left out or changed for format 0.2: %s", strings.Join(changed, " "))
	}
	_, err := e.stdout.Write(older.Encode())
	return err
}

func (e *env) showEvents(ctx context.Context, m *memory.Memory, entry replay.Shown) error {
	about, err := m.History(ctx, entry.ID)
	if err != nil {
		return err
	}
	made := string(entry.Kind())
	if entry.Kind() == packet.KindPacket {
		made = "save"
	}
	lines := []string{fmt.Sprintf("%s  %-8s %s  %s", reply.Created(entry), made, entry.ID,
		reply.GistOf(entry).Author()+" ["+string(entry.Verdict.Standing)+"]")}
	for _, ev := range about {
		line := fmt.Sprintf("%s  %-8s %s  %s", ev.Event().CreatedAt.UTC().Format(time.RFC3339),
			ev.Event().Event, ev.ID,
			ev.Origin().By()+" ["+string(ev.Verdict.Standing)+"]")
		if why := clean.Line(ev.Event().Why); why != "" {
			line += ": " + why
		}
		lines = append(lines, line)
	}
	_, err = fmt.Fprintln(e.stdout, strings.Join(lines, "\n"))
	return err
}
