package web

import (
	"time"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// The columns of a text in a list.
const (
	titleColumns  = 240
	secondColumns = 320
	nameColumns   = 60
)

// A card is a record in a list.
type card struct {
	ID, Short  string
	Href       string // nothing where the record has no page
	Kind       string // packet, skip, or the kind of a note
	Title      string
	SecondName string // what the second text is
	Second     string
	Author     string
	Branch     string
	BranchHref string
	Topic      string
	Time       moment
	Until      string // when it ends, where that is not over
	Marks      []mark
	Past       bool // lists leave it out unless they are asked

	branch string // as the record says it
}

// A moment is a time for people and for programs.
type moment struct{ ISO, Text, Full string }

// moment tells a time: while pages are served how long ago it was, in an export the day.
func (s *shelf) moment(at time.Time) moment {
	if at.IsZero() {
		return moment{Text: "at an unknown time"}
	}
	at = at.In(s.now.Location())
	m := moment{ISO: at.Format(time.RFC3339), Text: briefing.Age(at, s.now), Full: at.Format("Mon 2 Jan 2006, 15:04 MST")}
	if s.export != nil {
		m.Text = at.Format("2 Jan 2006")
	}
	return m
}

// noText stands for what a withheld record says.
const noText = "(withheld)"

// card is a record as lists show it.
func (s *shelf) card(x exhibit) card {
	c := card{
		ID: string(x.ID), Short: short(x.ID), Href: s.href(x.ID), Kind: string(x.Kind()), Time: s.moment(x.CreatedAt()),
		Marks: s.marks(x), Past: x.Life.Hidden(), Title: noText,
	}
	if x.Kind() == packet.KindNote {
		c.Kind = x.Note().Kind
	}
	if x.withheld != "" {
		return c
	}
	c.Title, c.SecondName, c.Second = s.said(x)
	c.Title, c.Second = cut(c.Title, titleColumns), cut(c.Second, secondColumns)
	c.Author = cut(x.Origin().By(), nameColumns)
	c.Branch, c.Topic = cut(x.content.Anchor.Branch, nameColumns), cut(x.content.Topic, nameColumns)
	c.branch = x.content.Anchor.Branch
	if c.Branch != "" && s.export == nil {
		c.BranchHref = s.root + listHref(timelineName, "branch", x.content.Anchor.Branch)
	}
	if at := x.ExpiresAt(); !at.IsZero() && !x.Life.Expired {
		c.Until = at.In(s.now.Location()).Format("2 Jan 2006")
	}
	return c
}

// said is what a record says first, and what belongs to it.
func (s *shelf) said(x exhibit) (first, name, second string) {
	switch x.Kind() {
	case packet.KindNote:
		if x.Note().Kind == packet.NoteTask {
			return x.Note().Text, "Next", s.says(x.NextAction(), x)
		}
		return x.Note().Text, "Why", x.Note().Why
	case packet.KindSkip:
		return x.Skip().Item, "Why", x.Skip().Reason
	case packet.KindEvent:
		return x.Event().Event, "Why", x.Event().Why
	default:
		return x.Packet().Goal, "Next", x.Packet().Next()
	}
}

// cut brings hostile text to one line of so many columns.
func cut(text string, columns int) string { return clean.Truncate(clean.Line(text), columns) }

// short is the part of an id that a person types: its last characters.
func short(id packet.ID) string {
	const length = 8
	return string(id[max(0, len(id)-length):])
}
