package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/memory"
)

type listOptions struct {
	branch, since, author, format string
	tags                          []string
	all, json                     bool
	limit                         int
}

func newList(e *env) *cobra.Command {
	var o listOptions
	cmd := &cobra.Command{
		Use:   "ls",
		Short: "List packets, newest first",
		Long: "Ls lists the packets of this clone and those that a fetch brought from remotes, newest first by id. A pipe gets\n" +
			"full ids and tabs between the fields: id, time, branch, standing, goal.\n\n" +
			"Behind them stand those of your user-wide memory, if there is one, with (user) before the goal. A private record has\n" +
			"(private) there. %(store) and --json tell them apart too.\n\n" +
			"The names in --format are id, short, age, created, branch, standing, state, goal, next, author, tags,\n" +
			"remote, parent, store.\n\n" + exitCodes,
		Example: "  git ltm ls --branch main --since 2w\n  git ltm ls --format '%(short) %(goal)'",
		Args:    arguments(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return e.list(cmd.Context(), o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.branch, "branch", "", "saved on this `BRANCH`")
	f.StringArrayVar(&o.tags, "tag", nil, "with this `TAG`; with all of them, if given again")
	f.StringVar(&o.since, "since", "", "created since `WHEN`: a date, a time, or an age such as 3d or 2w")
	f.StringVar(&o.author, "author", "", "whose author's name holds `NAME`")
	f.BoolVarP(&o.all, "all", "a", false, "also what is retracted or expired")
	f.IntVarP(&o.limit, "limit", "n", 50, "at most `N`; 0 is no bound")
	f.BoolVar(&o.json, "json", false, "print a JSON array")
	f.StringVar(&o.format, "format", "", "print each packet as `FORMAT`")
	return cmd
}

func (e *env) list(ctx context.Context, o listOptions) error {
	q, err := o.query(e.now())
	if err != nil {
		return err
	}
	return e.use(ctx, func(m *memory.Memory) error {
		var found []memory.Entry
		for entry, err := range m.List(ctx, q) {
			if err != nil {
				return err
			}
			found = append(found, entry)
			if len(found) == o.limit {
				break
			}
		}
		return e.printList(e.listWide(ctx, m, q, found, o.limit), o)
	})
}

func (o listOptions) query(now time.Time) (memory.Query, error) {
	q := memory.Query{Branch: o.branch, Tags: o.tags, Author: o.author, Hidden: o.all}
	var problems []error
	if o.limit < 0 {
		problems = append(problems, errors.New("--limit takes a number, 0 for no bound"))
	}
	if o.json && o.format != "" {
		problems = append(problems, errors.New("--json and --format exclude each other"))
	}
	if o.since != "" {
		at, err := parseWhen(o.since, now)
		if err != nil {
			problems = append(problems, fmt.Errorf("--since: %w", err))
		}
		q.Since = at
	}
	if err := checkFormat(o.format); err != nil {
		problems = append(problems, err)
	}
	return q, usage(problems)
}

func (e *env) printList(found []memory.Entry, o listOptions) error {
	if o.json {
		list := []listed{}
		for _, entry := range found {
			list = append(list, listedJSON(entry))
		}
		return e.printJSON(list)
	}
	columns, terminal := e.width(e.stdout)
	if terminal && len(found) == 0 && o.format == "" {
		e.say("hint", "there is no packet here yet; 'git ltm save' stores one, and 'git ltm pull' brings those of a remote")
	}
	for _, entry := range found {
		var text string
		switch {
		case o.format != "":
			text = formatEntry(o.format, entry, e.now())
		case terminal:
			text = clean.Truncate(row(entry, e.now()), columns)
		default:
			text = marked(formatEntry("%(goal)", entry, e.now()), string(entry.Store))
			text = formatEntry("%(id)\t%(created)\t%(branch)\t%(standing)\t", entry, e.now()) + text
		}
		if _, err := fmt.Fprintln(e.stdout, text); err != nil {
			return err
		}
	}
	return nil
}

// row is a packet on a terminal. The end of an id tells packets apart; its
// start is the time.
func row(entry memory.Entry, now time.Time) string {
	goal := marked(clean.Line(entry.Packet.Goal), string(entry.Store), stateWord(entry))
	return fmt.Sprintf("%s  %s  %s  %s  %s", short(entry), pad(briefing.Age(entry.Packet.CreatedAt, now), 14),
		pad(clean.Line(entry.Packet.Anchor.Branch), 16), pad(string(entry.Verdict.Standing), 8), goal)
}

// marked puts words in brackets before a text.
func marked(text string, words ...string) string {
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	if len(words) == 0 {
		return text
	}
	return "(" + strings.Join(words, ", ") + ") " + text
}

// pad brings text to a number of columns.
func pad(text string, columns int) string {
	text = clean.Truncate(text, columns)
	return text + strings.Repeat(" ", max(0, columns-clean.Width(text)))
}

// short is the part of an id that a person types: its last characters.
func short(entry memory.Entry) string {
	const length = 8
	return string(entry.ID[len(entry.ID)-length:])
}

// listed is the JSON shape of a packet in a list.
type listed struct {
	ID        string   `json:"id"`
	OwnID     string   `json:"own_id,omitempty"`
	CreatedAt string   `json:"created_at"`
	Branch    string   `json:"branch,omitempty"`
	Commit    string   `json:"commit,omitempty"`
	Store     string   `json:"store,omitempty"` // user or private; nothing for a record of this repository
	Standing  string   `json:"standing"`
	Author    string   `json:"author"`
	Goal      string   `json:"goal"`
	NextStep  string   `json:"next_step"`
	Tags      []string `json:"tags,omitempty"`
	Parent    string   `json:"parent_id,omitempty"`
	Remote    string   `json:"remote,omitempty"`
	Retracted bool     `json:"retracted,omitempty"`
	Expired   bool     `json:"expired,omitempty"`
	Contested bool     `json:"contested,omitempty"`
}

func listedJSON(entry memory.Entry) listed {
	p := entry.Packet
	l := listed{
		ID: string(entry.ID), CreatedAt: p.CreatedAt.UTC().Format(time.RFC3339), Branch: clean.Line(p.Anchor.Branch),
		Commit: p.Anchor.Commit, Store: string(entry.Store), Standing: string(entry.Verdict.Standing), Author: briefing.Author(p),
		Goal: clean.Line(p.Goal), NextStep: clean.Line(p.NextStep), Parent: clean.Line(p.ParentID), Remote: entry.Remote,
		Retracted: entry.Life.Retracted, Expired: entry.Life.Expired, Contested: entry.Conflict,
	}
	if own := entry.Record.OwnID(); own != l.ID && !entry.Verdict.Standing.Withheld() {
		l.OwnID = clean.Line(own)
	}
	for _, t := range p.Tags {
		l.Tags = append(l.Tags, clean.Line(t))
	}
	return l
}
