package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// describe writes a record for a person.
func describe(entry memory.Entry, now time.Time) string {
	var d description
	d.heading(entry, now)
	switch entry.Kind() {
	case packet.KindNote:
		d.note(entry, now)
	case packet.KindSkip:
		d.skip(entry, now)
	case packet.KindEvent:
		d.event(entry.Event)
	default:
		d.packet(entry, now)
	}
	d.unknown(entry.Record.Unknown())
	return d.String()
}

// heading says what holds for records of every kind.
func (d *description) heading(entry memory.Entry, now time.Time) {
	kind := string(entry.Kind())
	d.put(strings.ToUpper(kind[:1])+kind[1:], string(entry.ID))
	if own := entry.Record.OwnID(); own != string(entry.ID) {
		d.put("Own id", own)
	}
	d.put("Format", entry.Packet.Version)
	d.put("Created", created(entry)+" ("+briefing.Age(entry.CreatedAt(), now)+")")
	d.put("Author", reply.GistOf(entry).Author())
	d.standing(entry)
	d.put("Memory", memoryName(entry.Store))
	d.put("From", entry.Remote)
	if entry.Conflict {
		d.put("Contested", "a remote holds another record under this id")
	}
	d.life(entry, now)
}

func (d *description) packet(entry memory.Entry, now time.Time) {
	p := entry.Packet
	d.put("Continues", strings.Join(append([]string{p.ParentID}, p.Parents...), " "))
	d.put("Supersedes", strings.Join(p.Supersedes, " "))
	d.anchor(p.Anchor)
	d.put("Project", strings.TrimSpace(p.Project.Name+" "+p.Project.Ref))
	d.put("Tags", strings.Join(p.Tags, " "))
	d.impact(entry)
	d.put("Origin", p.Origin)
	d.ends(entry, now)
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
	d.links(entry.Life.Links)
	d.list("Secrets that the author allowed", p.Scan.Overridden)
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
