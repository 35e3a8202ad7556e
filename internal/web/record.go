package web

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/sign"
)

// record is everything that is known of one record.
type record struct {
	card
	Withheld string // why its text is not shown
	Status   string // of a task
	Lead     []field
	Facts    []fact
	Vouch    []fact
	Digest   string
	Parts    []part
	Cites    []cite
	Before   []card // what it continues, nearest first
	After    []card // what continues it
	Events   []happening
	Stored   string // the bytes that are stored, cleaned
	Cleaned  int    // characters that are left out because they act on a reader or hide from one
}

// A fact is a short text about a record, which may lead to another one.
type fact struct{ Name, Text, Href string }

// A part is a list of things of one sort that a record says.
type part struct {
	Title string
	Items []item
}

// An item is one thing that a record says.
type item struct {
	Text   string
	Tag    string // locked, failed or partial
	Class  string
	Fields []field
	Href   string
}

// A cite is a place that a record cites.
type cite struct {
	Place, Note, Commit string
	Mark                mark
}

// A happening is an event about a record.
type happening struct {
	Time     moment
	What     string
	Who      string
	Why      string
	Standing string
	Class    string
	Undone   bool
}

// The bounds of what a page tells of other records.
const (
	mostBefore   = 12
	mostWalked   = 64 // packets that are looked at for it
	afterLooked  = 500
	mostEvents   = 200
	mostEndorser = 32
)

func (s *shelf) recordView(ctx context.Context, id string) (view, error) {
	full, err := packet.ParseID(id)
	if err != nil {
		return view{}, errNoPage
	}
	e, of, err := s.memory.FindAnyWide(ctx, string(full))
	if err != nil {
		return view{}, err
	}
	one := []exhibit{exhibitOf(e)}
	if err := s.checkCites(ctx, of, one); err != nil {
		return view{}, err
	}
	x := one[0]
	r := s.describeRecord(x)
	if x.withheld == "" {
		if x.Kind() == packet.KindPacket && of == s.memory {
			if r.Before, err = s.packetsBefore(ctx, x.Shown); err == nil {
				r.After, err = s.packetsAfter(ctx, x.ID)
			}
		}
		if err == nil { // Of a withheld one that would tell of its text.
			r.Events, err = s.eventsOf(ctx, of, x.ID)
		}
	}
	return view{template: "record", title: cutLine(r.Title, nameColumns), tab: tabOf(x), body: r}, err
}

// tabOf is the list that a record stands on.
func tabOf(x exhibit) string {
	switch {
	case x.Kind() == packet.KindPacket:
		return timelineName
	case x.Kind() == packet.KindSkip:
		return skipsName
	case x.Note().Kind == packet.NoteTask:
		return tasksName
	case x.Kind() == packet.KindNote:
		return notesName
	default:
		return ""
	}
}

// describeRecord is what a record says, and who says so.
func (s *shelf) describeRecord(x exhibit) record {
	r := record{card: s.cardOf(x), Vouch: s.trustFacts(x)}
	if x.withheld != "" {
		r.Withheld = s.publicText(x.withheld)
		return r
	}
	r.Stored, r.Cleaned = clean.Text(string(x.Data())), clean.Count(string(x.Data()))
	r.Digest = clean.Text(textFor(x.Life.Digest, x))
	first, _, _ := headlineOf(x)
	if full := clean.Text(first); full != r.Title {
		r.addLead(map[packet.Kind]string{
			packet.KindNote: "Text", packet.KindSkip: "Not to be done", packet.KindPacket: "Goal",
			packet.KindEvent: "Event",
		}[x.Kind()], full)
	}
	switch x.Kind() {
	case packet.KindNote:
		if x.Note().Kind == packet.NoteTask {
			r.addLead("Next action", textFor(x.NextAction(), x))
			r.Status, _ = statusOf(x.Task())
		}
		r.addLead("Why", x.Note().Why)
	case packet.KindSkip:
		r.addLead("Why", x.Skip().Reason)
		for _, m := range matchFields(x.Skip().Match) {
			r.addLead(m.Name, m.Text)
		}
	case packet.KindEvent:
		r.addLead("Value", x.Event().Value)
		r.addLead("Why", x.Event().Why)
	default:
		r.ofPacket(x)
	}
	r.Facts = s.factsOf(x)
	r.Parts = append(r.Parts, s.relatedParts(x)...)
	for _, c := range x.cites {
		r.Cites = append(r.Cites, cite{
			Place: clean.Line(c.Cite.String()), Note: clean.Line(c.Cite.Note),
			Commit: shortHash(c.Cite.Commit), Mark: citeMark(c),
		})
	}
	return r
}

// addLead adds a text that stands at the top.
func (r *record) addLead(name, text string) {
	if text = clean.Text(text); strings.TrimSpace(text) != "" {
		r.Lead = append(r.Lead, field{name, text})
	}
}

// ofPacket tells a packet: the next step first, then what was settled, what failed, and what goes.
func (r *record) ofPacket(x exhibit) {
	p := x.Packet()
	r.addLead("Next step", p.Next())
	r.addLead("How it ended", clean.Text(p.Outcome))
	r.addTexts("Done when", p.SuccessCriteria)
	r.addTexts("Constraints", p.Constraints)
	var decisions, attempts, methods []item
	for _, d := range p.Decisions {
		i := item{Text: d.What, Fields: []field{{"Why", d.Why}, {"Breaks otherwise", d.Consequences}}}
		if d.Locked {
			i.Tag, i.Class = "locked", plain
		}
		decisions = append(decisions, i)
	}
	for _, a := range p.Attempts {
		i := item{Text: a.Tried, Fields: []field{{"Learned", a.Learned}, {"Confidence", a.Confidence}}}
		switch outcome := clean.Line(a.Outcome); {
		case !a.Failed():
			i.Tag, i.Class = outcome, good
		case len(outcome) > 0 && len(outcome) <= 16:
			i.Tag, i.Class = outcome, bad
		default:
			i.Tag, i.Class = "failed", bad
			i.Fields = append([]field{{"Outcome", a.Outcome}}, i.Fields...)
		}
		attempts = append(attempts, i)
	}
	for _, m := range p.Methods {
		methods = append(methods,
			item{Text: m.Name, Fields: []field{{"When", m.WhenApplicable}, {"How", m.How}}})
	}
	r.addPart("Decisions", decisions)
	r.addPart("Attempts", attempts)
	r.addPart("Methods", methods)
	r.addTexts("Open questions", p.OpenQuestions)
	r.addTexts("Paths", p.Paths)
	r.addTexts("Secrets that the author allowed", p.Scan.Overridden)
}

// addTexts adds a part of plain texts.
func (r *record) addTexts(title string, texts []string) {
	var items []item
	for _, t := range texts {
		items = append(items, item{Text: t})
	}
	r.addPart(title, items)
}

// addPart adds a part where it says something. All that it says is cleaned.
func (r *record) addPart(title string, items []item) {
	var kept []item
	for _, i := range items {
		if i.Text = clean.Text(i.Text); i.Text == "" {
			continue
		}
		var fields []field
		for _, f := range i.Fields {
			if f.Text = clean.Text(f.Text); strings.TrimSpace(f.Text) != "" {
				fields = append(fields, f)
			}
		}
		i.Fields = fields
		kept = append(kept, i)
	}
	if len(kept) > 0 {
		r.Parts = append(r.Parts, part{title, kept})
	}
}

// factsOf are the short texts beside what a record says.
func (s *shelf) factsOf(x exhibit) []fact {
	var f facts
	c := x.content
	f.addFact("Created", s.momentOf(x.CreatedAt()).Full)
	f.addFact("Author", s.cardOf(x).Author)
	f.addFact("Branch", c.Anchor.Branch)
	f.addFact("Commit", shortHash(c.Anchor.Commit))
	if c.Anchor.Dirty {
		f.addFact("Work tree", "with changes that were not committed")
	}
	f.addFact("Topic", c.Topic)
	f.addFact("Tags", strings.Join(c.Tags, ", "))
	f.addFact("Impact", cmp.Or(x.Life.Impact, c.Impact))
	f.addFact("Confidence", reply.ConfidenceText(x.Shown))
	if x.Kind() == packet.KindNote && x.Note().Kind == packet.NoteTask {
		task := x.Task()
		f.addFact("Category", strings.ReplaceAll(task.Category, "_", " "))
		f.addFact("Priority", strconv.Itoa(task.Priority)+" of 10")
	}
	f.addFact("Project", x.Packet().Project.Name+" "+x.Packet().Project.Ref)
	f.addFact("Origin", c.Origin)
	if at := x.ExpiresAt(); !at.IsZero() {
		f.addFact("Ends", s.momentOf(at).Full)
	}
	if own := x.Record().OwnID(); own != string(x.ID) {
		f.addFact("Own id", own)
	}
	f.addFact("Held by", x.Remote)
	f.addFact("Format", x.Packet().Version)
	return f
}

// facts are gathered one by one; what says nothing is left out.
type facts []fact

func (f *facts) addFact(name, text string) {
	if text = clean.Line(text); text != "" {
		*f = append(*f, fact{Name: name, Text: text})
	}
}

// shortHash is a hash as people read it.
func shortHash(hash string) string {
	const length = 12
	hash = clean.Line(hash)
	return hash[:min(len(hash), length)]
}

// trustFacts says who vouches for a record.
func (s *shelf) trustFacts(x exhibit) []fact {
	var f facts
	v := x.Verdict
	f.addFact("Trust", string(v.Standing))
	f.addFact("Because", s.publicText(v.Why))
	f.addFact("Signed by", v.By)
	f.addFact("Key", v.Key)
	for i, later := range x.Endorsers {
		if i == mostEndorser {
			break
		}
		f.addFact("Signed later",
			strings.Join([]string{string(later.Verdict.Standing), later.Verdict.By, later.Verdict.Key}, " "))
	}
	if !x.Signed && v.Standing != sign.Unsigned {
		f.addFact("Signature", "none of its own")
	}
	return f
}

// relatedParts are the records that a record names, or that events set in relation to it.
func (s *shelf) relatedParts(x exhibit) []part {
	var parts []part
	l := x.Life
	for _, of := range []struct {
		title string
		ids   []string
	}{
		{"Superseded by", []string{string(l.Superseded)}},
		{"Said together with others by", []string{string(l.Consolidated)}},
		{"Takes the place of", x.Packet().Supersedes},
		{"Speaks of", x.Note().Links},
		{"About", append(append([]string{}, x.Event().Targets...), x.Event().By...)},
	} {
		if items := s.linkItems(of.ids); len(items) > 0 {
			parts = append(parts, part{of.title, items})
		}
	}
	var linked []item
	for _, l := range l.Links {
		i := item{Text: string(l.ID), Href: s.href(l.ID)}
		if label := clean.Line(textFor(l.Label, x)); label != "" {
			i.Fields = []field{{"As", label}}
		}
		linked = append(linked, i)
	}
	if len(linked) > 0 {
		parts = append(parts, part{"Linked with", linked})
	}
	return parts
}

// linkItems lead to records, as far as their pages are known to be there.
func (s *shelf) linkItems(names []string) []item {
	var items []item
	for _, name := range names {
		if name = clean.Line(name); name == "" {
			continue
		}
		i := item{Text: name}
		if id, err := packet.ParseID(name); err == nil {
			i.Href = s.href(id)
		} else if id, ok := s.packetOf(name); ok {
			i.Href = s.href(id)
		}
		items = append(items, i)
	}
	return items
}
