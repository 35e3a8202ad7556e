package reply

import (
	"fmt"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// Describe writes a record for a person.
func Describe(entry replay.Shown, now time.Time) string {
	var d Description
	kind := string(entry.Kind())
	d.Put(strings.ToUpper(kind[:1])+kind[1:], string(entry.ID))
	if own := entry.Record().OwnID(); own != string(entry.ID) {
		d.Put("Own id", own)
	}
	d.Put("Format", entry.Packet().Version)
	d.Put("Created", Created(entry)+" ("+briefing.Age(entry.CreatedAt(), now)+")")
	d.Put("Author", GistOf(entry).Author())
	v := entry.Verdict
	d.Put("Standing", string(v.Standing)+" ("+v.Why+")")
	if !v.Standing.Vouched() {
		d.Put("Unverified", "nobody whose key counts here vouches for it; 'git ltm verify "+string(entry.ID)+"' says what changes that")
	}
	d.Put("Signed by", v.By)
	d.Put("Key", v.Key)
	for _, later := range entry.Endorsers {
		d.Put("Later", string(later.Verdict.Standing)+" "+later.Verdict.By+" "+later.Verdict.Key)
	}
	if n := clean.Count(string(entry.Data())); n > 0 {
		d.Put("Cleaned", fmt.Sprintf("%d hidden or control characters are left out below", n))
	}
	d.Put("Memory", memoryName(entry.Store))
	d.Put("From", entry.Remote)
	if o := entry.Origin(); o.How == provenance.Delivered {
		d.Put("Delivered", "by "+Address(o.From)+", "+Stamp(o.At))
	}
	if entry.Conflict {
		d.Put("Contested", "a remote holds another record under this id")
	}
	d.life(entry, now)
	switch entry.Kind() {
	case packet.KindNote:
		d.note(entry, now)
	case packet.KindSkip:
		d.skip(entry, now)
	case packet.KindEvent:
		d.event(entry.Event())
	default:
		p := entry.Packet()
		d.Put("Continues", strings.Join(append([]string{p.ParentID}, p.Parents...), " "))
		d.Put("Supersedes", strings.Join(p.Supersedes, " "))
		d.anchor(p.Anchor)
		d.Put("Project", strings.TrimSpace(p.Project.Name+" "+p.Project.Ref))
		d.Put("Tags", strings.Join(p.Tags, " "))
		d.impact(entry)
		d.Put("Origin", p.Origin)
		d.ends(entry, now)
		d.Put("Goal", p.Goal)
		d.Put("Next step", p.Next())
		d.List("Done when", p.SuccessCriteria)
		d.List("Constraints", p.Constraints)
		d.decisions(p.Decisions)
		d.attempts(p.Attempts)
		d.methods(p.Methods)
		d.List("Open questions", p.OpenQuestions)
		d.cites(p.Cites)
		d.List("Paths", p.Paths)
		d.links(entry)
		d.List("Secrets that the author allowed", p.Scan.Overridden)
	}
	d.claims(entry)
	d.unknown(entry.Record().Unknown())
	return d.String()
}

// memoryName says for a person in which memory a record lies; nothing for that of the repository.
func memoryName(s replay.Store) string {
	switch s {
	case replay.OfUser:
		return "user: yours on this machine, beside those of repositories"
	case replay.OfClone:
		return "private: it never leaves this clone"
	default:
		return ""
	}
}

func (d *Description) anchor(a packet.Anchor) {
	place := a.Branch
	if a.Commit != "" {
		place += " at " + a.Commit
	}
	if a.Dirty {
		place += ", with changes that were not committed"
	}
	d.Put("Branch", place)
}

func (d *Description) decisions(all []packet.Decision) {
	if !d.Head("Decisions", len(all)) {
		return
	}
	for _, x := range all {
		what := x.What
		if x.Locked {
			what = "[locked] " + what
		}
		d.Item(what, "why", x.Why, "breaks otherwise", x.Consequences)
	}
}

func (d *Description) attempts(all []packet.Attempt) {
	if !d.Head("Attempts", len(all)) {
		return
	}
	for _, x := range all {
		d.Item(x.Tried, "outcome", x.Outcome, "learned", x.Learned, "confidence", x.Confidence)
	}
}

func (d *Description) methods(all []packet.Method) {
	if !d.Head("Methods", len(all)) {
		return
	}
	for _, x := range all {
		d.Item(x.Name, "when", x.WhenApplicable, "how", x.How)
	}
}

func (d *Description) cites(all []packet.Cite) {
	if !d.Head("Cites", len(all)) {
		return
	}
	for _, x := range all {
		d.Item(x.String(), "note", x.Note, "commit", x.Commit)
	}
}
