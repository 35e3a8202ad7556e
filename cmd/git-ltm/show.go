package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
)

type showOptions struct {
	json, events bool
	as           string
}

func newShow(e *env) *cobra.Command {
	var o showOptions
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show everything in a packet",
		Long: "Show prints a packet for a person, with the members that this version does not know. --json prints the very bytes\n" +
			"that are stored.\n\n" + exitCodes,
		Example: "  git ltm show @\n  git ltm show 01JDMB4W --json | git ltm save -",
		Args:    arguments(cobra.ExactArgs(1)),
		RunE:    func(cmd *cobra.Command, args []string) error { return e.show(cmd.Context(), o, args[0]) },
	}
	f := cmd.Flags()
	f.BoolVar(&o.json, "json", false, "print the stored bytes")
	f.BoolVar(&o.events, "events", false, "print what became of the packet")
	f.StringVar(&o.as, "as", "", "print what a reader of format `VERSION` accepts: 0.2")
	return cmd
}

func (e *env) show(ctx context.Context, o showOptions, spec string) error {
	if o.as != "" && o.as != "0.2" {
		return usagef("--as takes 0.2")
	}
	return e.use(ctx, func(m *memory.Memory) error {
		entry, of, err := m.FindWide(ctx, spec)
		if err != nil {
			return err
		}
		e.fromUser(m, of, entry)
		if entry.Verdict.Standing.Withheld() {
			return &memory.StandingError{ID: entry.ID, Verdict: entry.Verdict}
		}
		switch {
		case o.events:
			return e.showEvents(ctx, of, entry)
		case o.as != "":
			return e.showAs(entry)
		case o.json:
			_, err = e.stdout.Write(entry.Data)
			return err
		}
		_, err = fmt.Fprint(e.stdout, describe(entry, e.now()))
		return err
	})
}

// showAs prints the packet in the published form, and says what that form
// cannot hold.
func (e *env) showAs(entry memory.Entry) error {
	older, changed := entry.Record.Downgrade()
	if len(changed) > 0 {
		e.warnf("left out or changed for format 0.2: %s", strings.Join(changed, " "))
	}
	_, err := e.stdout.Write(older.Encode())
	return err
}

func (e *env) showEvents(ctx context.Context, m *memory.Memory, entry memory.Entry) error {
	about, err := m.History(ctx, entry.ID)
	if err != nil {
		return err
	}
	lines := []string{fmt.Sprintf("%s  save     %s  %s", entry.Packet.CreatedAt.UTC().Format(time.RFC3339), entry.ID, briefing.Author(entry.Packet)+" ["+string(entry.Verdict.Standing)+"]")}
	for _, ev := range about {
		line := fmt.Sprintf("%s  %-8s %s  %s", ev.Event.CreatedAt.UTC().Format(time.RFC3339), ev.Event.Event, ev.ID,
			clean.Line(ev.Event.Provenance.AuthorHuman)+" ["+string(ev.Verdict.Standing)+"]")
		if why := clean.Line(ev.Event.Why); why != "" {
			line += ": " + why
		}
		lines = append(lines, line)
	}
	_, err = fmt.Fprintln(e.stdout, strings.Join(lines, "\n"))
	return err
}

// describe writes a packet for a person.
func describe(entry memory.Entry, now time.Time) string {
	var d description
	p := entry.Packet
	d.put("Packet", string(entry.ID))
	if own := entry.Record.OwnID(); own != string(entry.ID) {
		d.put("Own id", own)
	}
	d.put("Format", p.Version)
	d.put("Created", p.CreatedAt.UTC().Format(time.RFC3339)+" ("+briefing.Age(p.CreatedAt, now)+")")
	d.put("Author", briefing.Author(p))
	d.standing(entry)
	d.put("Memory", memoryName(entry.Store))
	d.put("From", entry.Remote)
	if entry.Conflict {
		d.put("Contested", "a remote holds another record under this id")
	}
	d.life(entry.Life)
	d.put("Continues", strings.Join(append([]string{p.ParentID}, p.Parents...), " "))
	d.put("Supersedes", strings.Join(p.Supersedes, " "))
	d.anchor(p.Anchor)
	d.put("Project", strings.TrimSpace(p.Project.Name+" "+p.Project.Ref))
	d.put("Tags", strings.Join(p.Tags, " "))
	d.put("Impact", p.Impact)
	d.put("Origin", p.Origin)
	d.put("Goal", p.Goal)
	d.put("Next step", p.NextStep)
	d.list("Done when", p.SuccessCriteria)
	d.list("Constraints", p.Constraints)
	d.decisions(p.Decisions)
	d.attempts(p.Attempts)
	d.methods(p.Methods)
	d.list("Open questions", p.OpenQuestions)
	d.cites(p.Cites)
	d.list("Paths", p.Paths)
	d.list("Secrets that the author allowed", p.Scan.Overridden)
	d.unknown(entry.Record.Unknown())
	return d.String()
}

// memoryName says for a person in which memory a record lies; nothing for that of the repository.
func memoryName(s memory.Store) string {
	switch s {
	case memory.OfUser:
		return "user: yours on this machine, beside those of repositories"
	case memory.OfClone:
		return "private: it never leaves this clone"
	default:
		return ""
	}
}

// standing says who vouches for a packet.
func (d *description) standing(entry memory.Entry) {
	v := entry.Verdict
	d.put("Standing", string(v.Standing)+" ("+v.Why+")")
	if !v.Standing.Vouched() {
		d.put("Unverified", "nobody whose key counts here vouches for it; 'git ltm verify "+string(entry.ID)+"' says what changes that")
	}
	d.put("Signed by", v.By)
	d.put("Key", v.Key)
	for _, later := range entry.Endorsers {
		d.put("Later", string(later.Verdict.Standing)+" "+later.Verdict.By+" "+later.Verdict.Key)
	}
	if n := clean.Count(string(entry.Data)); n > 0 {
		d.put("Cleaned", fmt.Sprintf("%d hidden or control characters are left out below", n))
	}
}

// description is text in labelled lines. All that it is given is cleaned.
type description struct{ strings.Builder }

func (d *description) printf(format string, args ...any) {
	_, _ = fmt.Fprintf(&d.Builder, format, args...) // A Builder does not fail.
}

func (d *description) put(label, text string) {
	if text = clean.Line(text); text != "" {
		d.printf("%-11s %s\n", label+":", text)
	}
}

func (d *description) head(title string, n int) bool {
	if n > 0 {
		d.printf("\n%s:\n", title)
	}
	return n > 0
}

func (d *description) item(text string, notes ...string) {
	d.printf("  - %s\n", clean.Line(text))
	for i := 0; i+1 < len(notes); i += 2 {
		if n := clean.Line(notes[i+1]); n != "" {
			d.printf("    %s: %s\n", notes[i], n)
		}
	}
}

func (d *description) list(title string, texts []string) {
	if d.head(title, len(texts)) {
		for _, t := range texts {
			d.item(t)
		}
	}
}

func (d *description) life(l memory.Life) {
	if l.Retracted {
		d.put("Life", "retracted by event "+string(l.By))
	}
	if l.Expired {
		d.put("Life", "expired")
	}
}

func (d *description) anchor(a packet.Anchor) {
	place := a.Branch
	if a.Commit != "" {
		place += " at " + a.Commit
	}
	if a.Dirty {
		place += ", with changes that were not committed"
	}
	d.put("Branch", place)
}

func (d *description) decisions(all []packet.Decision) {
	if !d.head("Decisions", len(all)) {
		return
	}
	for _, x := range all {
		what := x.What
		if x.Locked {
			what = "[locked] " + what
		}
		d.item(what, "why", x.Why, "breaks otherwise", x.Consequences)
	}
}

func (d *description) attempts(all []packet.Attempt) {
	if !d.head("Attempts", len(all)) {
		return
	}
	for _, x := range all {
		d.item(x.Tried, "outcome", x.Outcome, "learned", x.Learned, "confidence", x.Confidence)
	}
}

func (d *description) methods(all []packet.Method) {
	if !d.head("Methods", len(all)) {
		return
	}
	for _, x := range all {
		d.item(x.Name, "when", x.WhenApplicable, "how", x.How)
	}
}

func (d *description) cites(all []packet.Cite) {
	if !d.head("Cites", len(all)) {
		return
	}
	for _, x := range all {
		d.item(x.String(), "note", x.Note, "commit", x.Commit)
	}
}

func (d *description) unknown(all []packet.Member) {
	if !d.head("Members that this version does not know", len(all)) {
		return
	}
	for _, x := range all {
		d.item(x.Path + " = " + x.JSON)
	}
}
