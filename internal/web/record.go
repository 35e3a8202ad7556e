package web

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// record is everything that is known of one record.
type record struct {
	card
	Withheld string // why its text is not shown
	Status   string // of a task
	Lead     []field
	Facts    []fact
	Vouch    []fact
	Parts    []part
	Before   []card // what it continues, nearest first
	After    []card // what continues it
	Threaded bool   // there are some of them
	Events   part
	Stored   string // the bytes that are stored, cleaned
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
	Tag    string // such as locked, failed or changed since
	Class  string
	Fields []field
	Href   string
}

// The bounds of what a page tells of other records.
const (
	mostBefore  = 12
	mostWalked  = 64 // packets that are looked at for it
	afterLooked = 500
	mostEvents  = 200
	mostVouch   = 40 // lines of who signed it
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
			r.Threaded = len(r.Before)+len(r.After) > 0
		}
		if err == nil { // Of a withheld one that would tell of its text.
			r.Events, err = s.eventsOf(ctx, of, x.ID)
		}
	}
	return view{template: "record", title: cutLine(r.Title, nameColumns), tab: tabOf(x), body: r}, err
}

// tabOf is the list that a record stands on.
func tabOf(x exhibit) string {
	for _, l := range lists() {
		if l.holds(x) {
			return l.name
		}
	}
	return ""
}

// describeRecord is what a record says, and who says so: as 'git ltm show' describes it. Of a withheld one it is
// only who vouches for it.
func (s *shelf) describeRecord(x exhibit) record {
	r := record{card: s.cardOf(x), Withheld: s.publicText(x.withheld)}
	if r.Withheld == "" {
		r.Stored = clean.Text(string(x.Data()))
		if x.Kind() == packet.KindNote && x.Note().Kind == packet.NoteTask {
			r.Status, _ = statusOf(x.Task())
		}
	}
	lead := []string{"Goal", "Next step", "Next action", "Digest", "Value", "Why", "Words", "Files", "Command", "Adding"}
	for _, p := range reply.Describe(x.Shown, s.now).Parts[1:] { // The first is its id.
		_, whole := s.linkOf(p.Text)
		switch {
		case slices.Contains([]string{"Trust", "Unverified", "Signed by", "Key", "Later"}, p.Label):
			if len(r.Vouch) < mostVouch {
				r.Vouch = append(r.Vouch, fact{p.Label, s.publicText(p.Text), ""})
			}
		case r.Withheld != "", p.Text == r.Title, p.Label == "Continues" && whole: // Told elsewhere.
		case p.Label == "Cites":
			r.Parts = append(r.Parts, citesOf(x))
		case p.Lines || slices.Contains(lead, p.Label):
			r.Lead = append(r.Lead, field{p.Label, p.Text})
		case len(p.Items) == 0 && !whole:
			href, _ := s.linkOf(p.Text[strings.LastIndexByte(p.Text, ' ')+1:])
			r.Facts = append(r.Facts, fact{p.Label, p.Text, href})
		default:
			for word := range strings.FieldsSeq(p.Text) {
				p.Items = append(p.Items, reply.DescribedItem{Text: word})
			}
			r.Parts = append(r.Parts, s.partOf(p))
		}
	}
	return r
}

// linkOf leads to the record that a word names, as far as its page is known to be there; it reports whether all
// words of a text name one.
func (s *shelf) linkOf(text string) (href string, all bool) {
	for word := range strings.FieldsSeq(text) {
		id, err := packet.ParseID(word)
		if here := err == nil; !here {
			if id, here = s.packetOf(word); !here {
				return "", false
			}
		}
		href, all = s.href(id), true
	}
	return href, all
}

// partOf is a list of a description.
func (s *shelf) partOf(p reply.DescribedPart) part {
	made := part{Title: p.Label}
	for _, of := range p.Items {
		i := item{Text: of.Text}
		i.Href, _ = s.linkOf(of.Text)
		if text, locked := strings.CutPrefix(i.Text, "[locked] "); locked {
			i.Text, i.Tag, i.Class = text, "locked", plain
		}
		for _, note := range of.Notes {
			if note[0] != "outcome" || len(note[1]) > 16 {
				i.Fields = append(i.Fields, field{note[0], note[1]})
				continue
			}
			if i.Tag, i.Class = note[1], good; (packet.Attempt{Outcome: note[1]}).Failed() {
				i.Class = bad
			}
		}
		made.Items = append(made.Items, i)
	}
	return made
}

// citesOf are the places that a record cites, as they are now.
func citesOf(x exhibit) part {
	made := part{Title: "Cited places"}
	for _, c := range x.cites {
		i := item{Text: clean.Line(c.Cite.String())}
		i.Class, i.Tag = citeState(c)
		for _, about := range []field{{"note", clean.Line(c.Cite.Note)}, {"cited at", shortHash(c.Cite.Commit)}} {
			if about.Text != "" {
				i.Fields = append(i.Fields, about)
			}
		}
		made.Items = append(made.Items, i)
	}
	return made
}

// shortHash is a hash as people read it.
func shortHash(hash string) string {
	const length = 12
	hash = clean.Line(hash)
	return hash[:min(len(hash), length)]
}

// packetsBefore returns the nearest packets that another one continues. It goes no farther back than is
// shown: threads grow long.
func (s *shelf) packetsBefore(ctx context.Context, e replay.Shown) (found []card, err error) {
	queue := parentsOf(e)
	seen := map[packet.ID]bool{e.ID: true}
	for len(queue) > 0 && len(found) < mostBefore && len(seen) < mostWalked {
		id, here := s.packetOf(queue[0])
		queue = queue[1:]
		if !here || seen[id] {
			continue
		}
		seen[id] = true
		entry, err := s.memory.FindAny(ctx, string(id))
		if errors.Is(err, replay.ErrNotFound) || replay.IsUnreadable(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		p := exhibitOf(entry)
		queue = append(queue, parentsOf(p.Shown)...)
		if !p.Life.Hidden() {
			found = append(found, s.cardOf(p))
		}
	}
	return found, nil
}

// packetsAfter returns the packets that continue another one, newest first. Of a large memory only the newest
// are asked.
func (s *shelf) packetsAfter(ctx context.Context, id packet.ID) (found []card, err error) {
	looked := 0
	for e, err := range s.memory.List(ctx, replay.Query{}) {
		if err != nil {
			return nil, err
		}
		if looked++; e.ID <= id || looked > afterLooked || len(found) == mostBefore {
			break
		}
		x := exhibitOf(e)
		if slices.Contains(s.parentsHere(x.Shown), id) {
			found = append(found, s.cardOf(x))
		}
	}
	return found, nil
}

// eventsOf tells what became of a record, oldest first.
func (s *shelf) eventsOf(ctx context.Context, m *memory.Memory, id packet.ID) (part, error) {
	told := part{Title: "What became of it"}
	all, err := m.History(ctx, id)
	if err != nil {
		return told, err
	}
	for _, e := range all[max(0, len(all)-mostEvents):] {
		undone, err := m.Undone(ctx, e.ID)
		if err != nil {
			return told, err
		}
		i := item{
			Text: clean.Line(e.Event().Event), Tag: "unverified: " + string(e.Verdict.Standing), Class: warn,
			Fields: []field{{"by", cutLine(e.Origin().By(), nameColumns) + ", " + s.momentOf(e.Event().CreatedAt).Text}},
		}
		if e.Verdict.Standing.Vouched() {
			i.Tag, i.Class = string(e.Verdict.Standing), plain
		}
		if value := clean.Line(e.Event().Value); value != "" && !strings.HasPrefix(value, "{") {
			i.Text += " " + cutLine(value, nameColumns)
		}
		if undone {
			i.Text += ", undone"
		}
		if why := clean.Text(e.Event().Why); why != "" {
			i.Fields = append(i.Fields, field{"why", why})
		}
		told.Items = append(told.Items, i)
	}
	return told, nil
}
