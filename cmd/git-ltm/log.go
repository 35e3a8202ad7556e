package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

type logOptions struct {
	limit       int
	graph, json bool
}

func newLog(e *env) *cobra.Command {
	var o logOptions
	cmd := &cobra.Command{
		Use:   "log",
		Short: "Show who saved and changed what, newest first",
		Long: "Log prints what was done to the memory, newest first: what was saved, noted and skipped, and every event. --graph\n" +
			"draws the threads: which packet continues which. --json prints one JSON object a line.\n\n" +
			exitCodes,
		Example: "  git ltm log --limit 10\n  git ltm log --graph",
		Args:    arguments(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return e.log(cmd.Context(), o) },
	}
	f := cmd.Flags()
	f.IntVarP(&o.limit, "limit", "n", 50, "at most `N`; 0 is no bound")
	f.BoolVar(&o.graph, "graph", false, "draw the threads")
	f.BoolVar(&o.json, "json", false, "print JSON Lines")
	return cmd
}

func (e *env) log(ctx context.Context, o logOptions) error {
	if o.limit < 0 {
		return usagef("--limit takes a number, 0 for no bound")
	}
	if o.graph && o.json {
		return usagef("--graph and --json exclude each other")
	}
	return e.use(ctx, func(m *memory.Memory) error {
		all, err := tale(ctx, m, o.limit)
		if err != nil {
			return err
		}
		var g graph
		for _, h := range all {
			if err := e.printHappening(h, &g, o); err != nil {
				return err
			}
		}
		return nil
	})
}

func (e *env) printHappening(h replay.Happening, g *graph, o logOptions) error {
	if o.json {
		return json.NewEncoder(e.stdout).Encode(happeningJSON(h))
	}
	text := fmt.Sprintf("%s  %-8s %s  %s", h.At.UTC().Format(time.RFC3339), clean.Line(h.What),
		clean.Line(subject(h)),
		h.Why.Origin().By()+" ["+string(h.Standing)+"]")
	if why := whyOf(h); why != "" {
		text += ": " + why
	}
	if o.graph {
		if h.What != "save" {
			return nil
		}
		above, before, below := g.draw(string(h.ID), h.Parents)
		text = strings.Join(slices.Concat(above, []string{before + text}, below), "\n")
	}
	_, err := fmt.Fprintln(e.stdout, text)
	return err
}

// whyOf is why something was done, or that it is kept from everybody.
func whyOf(h replay.Happening) string {
	text, ok := h.Why.For(replay.Inspected)
	if !ok {
		return "(withheld)"
	}
	return clean.Line(text)
}

// tale returns what was done to the memory, newest first: what Log tells of packets and events, and the notes
// and skips.
func tale(ctx context.Context, m *memory.Memory, limit int) ([]replay.Happening, error) {
	all, err := m.Log(ctx, limit)
	if err != nil {
		return nil, err
	}
	small, err := reply.Newest(ctx, m,
		[]replay.Query{{Kind: packet.KindNote, Hidden: true}, {Kind: packet.KindSkip, Hidden: true}},
		replay.Inspected, limit)
	if err != nil {
		return nil, err
	}
	for _, entry := range small {
		g := reply.GistOf(entry)
		first, _, _ := strings.Cut(g.Text, "\n")
		all = append(all, replay.Happening{
			ID: entry.ID, At: entry.CreatedAt(), What: string(entry.Kind()),
			Targets: []string{string(entry.ID)},
			Why:     entry.Text(first), Standing: entry.Verdict.Standing, Made: entry.Made,
		})
	}
	slices.SortStableFunc(all, func(a, b replay.Happening) int {
		return strings.Compare(string(b.ID), string(a.ID))
	})
	if limit > 0 && len(all) > limit {
		all = all[:limit]
	}
	return all, nil
}

// subject is what a happening is about.
func subject(h replay.Happening) string {
	if len(h.Targets) == 0 {
		return string(h.ID)
	}
	if len(h.Targets) > 1 {
		return fmt.Sprintf("%s and %d more", h.Targets[0], len(h.Targets)-1)
	}
	return h.Targets[0]
}

// happening is the JSON shape of a line of the log.
type happening struct {
	ID       string   `json:"id"`
	At       string   `json:"at"`
	What     string   `json:"what"`
	Targets  []string `json:"targets"`
	Author   string   `json:"author"`
	Why      string   `json:"why,omitempty"`
	Standing string   `json:"standing"`
}

func happeningJSON(h replay.Happening) happening {
	j := happening{
		ID: string(h.ID), At: h.At.UTC().Format(time.RFC3339Nano), What: h.What, Targets: []string{},
		Author: h.Why.Origin().By(), Why: whyOf(h), Standing: string(h.Standing),
	}
	for _, t := range h.Targets {
		j.Targets = append(j.Targets, clean.Line(t))
	}
	return j
}
