package web

import (
	"context"
	"strings"

	"github.com/git-ltm/git-ltm/internal/citation"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
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
	return s.recordOf(ctx, of, e)
}

// recordOf makes the page of a record of one memory.
func (s *shelf) recordOf(ctx context.Context, m *memory.Memory, e replay.Entry) (view, error) {
	one := []exhibit{exhibitOf(e)}
	var err error
	if err := s.cite(ctx, m, one); err != nil {
		return view{}, err
	}
	x := one[0]
	r := s.told(x)
	if x.Kind() == packet.KindPacket && m == s.memory {
		if r.Before, r.After, err = s.thread(ctx, x); err != nil {
			return view{}, err
		}
	}
	if r.Events, err = s.events(ctx, m, x); err != nil {
		return view{}, err
	}
	return view{template: "record", title: cut(r.Title, nameColumns), tab: tabOf(x), body: r}, nil
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

// told is what a record says, and who says so.
func (s *shelf) told(x exhibit) record {
	r := record{card: s.card(x), Vouch: s.vouch(x)}
	if x.withheld != "" {
		r.Withheld = "It is kept from readers."
		if s.export == nil {
			r.Withheld = s.public(x.withheld)
		}
		return r
	}
	r.Stored, r.Cleaned = clean.Text(string(x.Data())), clean.Count(string(x.Data()))
	r.Digest = clean.Text(s.says(x.Life.Digest, x))
	switch x.Kind() {
	case packet.KindNote:
		next := s.says(x.NextAction(), x)
		r.Title = cut(x.Note().Text, titleColumns)
		if full := clean.Text(x.Note().Text); full != r.Title {
			r.lead("Text", full)
		}
		if x.Note().Kind == packet.NoteTask {
			r.lead("Next action", next)
			r.Status, _ = statusOf(x.Task())
		}
		r.lead("Why", x.Note().Why)
	case packet.KindSkip:
		r.ofSkip(x)
	case packet.KindEvent:
		r.Title = cut(x.Event().Event, titleColumns)
		r.lead("Value", x.Event().Value)
		r.lead("Why", x.Event().Why)
	default:
		r.ofPacket(x)
	}
	r.Facts = s.facts(x)
	r.Parts = append(r.Parts, s.relations(x)...)
	r.Cites = cites(x.cites)
	return r
}

// cites tells the places that a record cites, and how they are now.
func cites(all []citation.Cited) []cite {
	var told []cite
	for _, c := range all {
		told = append(told, cite{
			Place: clean.Line(c.Cite.String()), Note: clean.Line(c.Cite.Note), Commit: abbreviated(c.Cite.Commit), Mark: citeMark(c),
		})
	}
	return told
}

// lead adds a text that stands at the top.
func (r *record) lead(name, text string) {
	if text = clean.Text(text); strings.TrimSpace(text) != "" {
		r.Lead = append(r.Lead, field{name, text})
	}
}

func (r *record) ofSkip(x exhibit) {
	r.Title = cut(x.Skip().Item, titleColumns)
	if full := clean.Text(x.Skip().Item); full != r.Title {
		r.lead("Not to be done", full)
	}
	r.lead("Why", x.Skip().Reason)
	for _, m := range matches(x.Skip().Match) {
		r.lead(m.Name, m.Text)
	}
}
