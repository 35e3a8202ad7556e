package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/draft"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// draftShape is the JSON shape of a draft.
type draftShape struct {
	ID      string            `json:"id,omitempty"`
	Kept    time.Time         `json:"kept_at,omitzero"`
	Host    string            `json:"host,omitempty"`
	Session string            `json:"session,omitempty"`
	Hooked  map[string]int    `json:"hooked,omitempty"` // how often hooks saw an attempt fail
	Masked  int               `json:"masked"`
	Lacks   []string          `json:"lacks"` // what a packet needs and the draft does not say
	Summary string            `json:"summary,omitempty"`
	Origins map[string]string `json:"origins"`
	Packet  json.RawMessage   `json:"packet"`
}

func draftJSON(d draft.Draft) draftShape {
	return draftShape{
		ID: string(d.ID), Kept: d.Kept, Host: d.Host, Session: d.Session, Masked: d.Masked, Hooked: d.Hooked,
		Lacks: lacks(d), Summary: d.Summary,
		Origins: d.Origins, Packet: json.RawMessage(d.Packet),
	}
}

// lacks names the members that a packet needs and a draft has not.
func lacks(d draft.Draft) []string {
	missing := []string{}
	rec, err := packet.Parse(d.Packet, packet.Sketch)
	if err != nil {
		return missing
	}
	for _, name := range []string{"goal", "next_step"} {
		if !rec.Has(name) {
			missing = append(missing, name)
		}
	}
	return missing
}

// draftsShape is the JSON shape of how many drafts wait.
type draftsShape struct {
	Count  int       `json:"count"`
	Newest string    `json:"newest,omitempty"` // its id
	Kept   time.Time `json:"newest_kept_at,omitzero"`
}

// waitingDrafts says how many drafts wait to be finished, and which is the newest that can be read.
func waitingDrafts(ctx context.Context, m *memory.Memory) (draftsShape, error) {
	count, err := m.Drafts().Count(ctx)
	if err != nil || count == 0 {
		return draftsShape{}, err
	}
	s := draftsShape{Count: count}
	all, err := m.Drafts().All(ctx)
	if err == nil && len(all) > 0 {
		s.Newest, s.Kept = string(all[0].ID), all[0].Kept
	}
	return s, err
}

// line is what status says of drafts; nothing where there is none.
func (s draftsShape) line(now time.Time) string {
	switch {
	case s.Count == 0:
		return ""
	case s.Newest == "":
		return strconv.Itoa(s.Count) + ", and none can be read: git ltm doctor"
	}
	return fmt.Sprintf("%d, newest %s: git ltm save --draft, or distill --list and --drop", s.Count,
		briefing.Age(s.Kept, now))
}

// refuseDrafts refuses ids of drafts: a tombstone would tell others of what never left this clone.
func refuseDrafts(ctx context.Context, m *memory.Memory, specs []string) error {
	for _, spec := range specs {
		id, err := m.Drafts().Named(ctx, spec)
		if err != nil {
			continue
		}
		if _, err := m.FindAny(ctx, spec); errors.Is(err, replay.ErrNotFound) {
			return usagef("%s is a draft, which never left this clone: git ltm distill --drop %s", id, id)
		}
	}
	return nil
}

// hintDrafts says that drafts are left, which may tell what a purged record told.
func (e *env) hintDrafts(ctx context.Context, m *memory.Memory) {
	if n, err := m.Drafts().Count(ctx); err == nil && n > 0 {
		e.say("hint", fmt.Sprintf(
			"%s of sessions here may say the same: 'git ltm distill --list', and --drop ID",
			counted(n, "draft")))
	}
}

// examineDrafts tells of drafts that cannot be read.
func examineDrafts(ctx context.Context, m *memory.Memory) ([]remote.Finding, error) {
	_, damaged, err := m.Drafts().Read(ctx)
	if err != nil {
		return nil, err
	}
	var found []remote.Finding
	for _, s := range damaged {
		found = append(found, remote.Finding{
			Level: remote.Advice, What: "the draft " + s.Ref + " cannot be read: " + s.Err.Error(),
			Mend: "git ltm distill --drop " + s.Ref[strings.LastIndexByte(s.Ref, '/')+1:],
		})
	}
	return found, nil
}

// draftLine is a draft on one line of a list.
func (e *env) draftLine(d draft.Draft) string {
	p := d.Record.Packet()
	parts := []string{
		string(d.ID), briefing.Age(d.Kept, e.now()), d.Host, p.Anchor.Branch,
		cmp.Or(p.Goal, d.Title()),
	}
	for i := range parts {
		parts[i] = clean.Line(parts[i])
	}
	return strings.Join(parts, "\t")
}

// showDraft prints a draft that was not kept.
func (e *env) showDraft(d draft.Draft, o distillOptions) error {
	if o.json {
		return e.printJSON(draftJSON(d))
	}
	rec, err := packet.Parse(d.Packet, packet.Sketch)
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(e.stdout, describeDraft(d, rec.Packet()))
	return err
}

// describeDraft tells a draft to a person, each part with where it comes from.
func describeDraft(d draft.Draft, p packet.Packet) string {
	var out reply.Description
	from := func(pointer string) string { return d.Origins[pointer] }
	put := func(label, text, pointer string) {
		if origin := from(pointer); text != "" && origin != "" {
			text += " (" + origin + ")"
		}
		out.Put(label, text)
	}
	out.Block("How it ended", d.Summary)
	put("Goal", p.Goal, "/goal")
	put("Next step", p.Next(), "/next_step")
	put("Branch", p.Anchor.Branch, "/anchor")
	put("Agent", strings.TrimSpace(p.Provenance.Agent+" "+p.Provenance.Model), "/provenance")
	if out.Head("Constraints", len(p.Constraints)) {
		for i, text := range p.Constraints {
			out.Item(text, "from", from(fmt.Sprintf("/constraints/%d", i)))
		}
	}
	if out.Head("Decisions", len(p.Decisions)) {
		for i, made := range p.Decisions {
			out.Item(made.What, "why", made.Why, "consequences", made.Consequences, "from",
				from(fmt.Sprintf("/decisions/%d", i)))
		}
	}
	if out.Head("Attempts", len(p.Attempts)) {
		for i, a := range p.Attempts {
			out.Item(a.Tried, "outcome", a.Outcome, "learned", a.Learned, "confidence that this is final",
				a.Confidence, "from", from(fmt.Sprintf("/attempts/%d", i)))
		}
	}
	out.List("Open questions", p.OpenQuestions)
	if out.Head("Cites", len(p.Cites)) {
		for _, c := range p.Cites {
			out.Item(c.String())
		}
	}
	return strings.TrimPrefix(out.String(), "\n")
}

// draftHelp stands above a draft in the editor.
func (e *env) draftHelp(d draft.Draft) string {
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

// draftMembers are the parts of a draft that a packet is made of.
func draftMembers(d draft.Draft) (members map[string]json.RawMessage, err error) {
	return members, json.Unmarshal(d.Record.Encode(), &members)
}
