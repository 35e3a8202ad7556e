package main

import (
	"cmp"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// gist is what lists and headings tell of a record of any kind, as the record says it.
type gist struct {
	kind   string // packet, skip, event, or the kind of a note
	text   string // what it says first
	topic  string
	impact string // in its own words
	tags   []string
	anchor packet.Anchor
	by     packet.Provenance
}

func gistOf(entry memory.Entry) gist {
	switch entry.Kind() {
	case packet.KindNote:
		n := entry.Note
		return gist{kind: n.Kind, text: n.Text, topic: n.Topic, impact: n.Impact, tags: n.Tags, anchor: n.Anchor, by: n.Provenance}
	case packet.KindSkip:
		s := entry.Skip
		return gist{kind: string(packet.KindSkip), text: s.Item, tags: s.Tags, anchor: s.Anchor, by: s.Provenance}
	case packet.KindEvent:
		ev := entry.Event
		text := ev.Event + " " + strings.Join(ev.Targets, " ")
		return gist{kind: string(packet.KindEvent), text: text, by: ev.Provenance}
	default:
		p := entry.Packet
		return gist{kind: string(packet.KindPacket), text: p.Goal, impact: p.Impact, tags: p.Tags, anchor: p.Anchor, by: p.Provenance}
	}
}

// author is who wrote the record, in its own words.
func (g gist) author() string { return authorOf(g.by) }

func authorOf(by packet.Provenance) string { return briefing.Author(packet.Packet{Provenance: by}) }

// impactOf is how much depends on a record, as an event says or else its author.
func impactOf(entry memory.Entry) string { return cmp.Or(entry.Life.Impact, gistOf(entry).impact) }

// line is what the record says first, on one line. Of what is no packet the kind stands before it.
func (g gist) line() string {
	text := clean.Line(g.text)
	if g.kind == string(packet.KindPacket) {
		return text
	}
	return g.kind + ": " + text
}

// stateWord is what became of a record; nothing for one that stands.
func stateWord(entry memory.Entry) string {
	l := entry.Life
	for _, state := range []struct {
		word string
		is   bool
	}{
		{"retracted", l.Retracted},
		{"superseded", l.Superseded != ""},
		{"expired", l.Expired},
		{"contested", entry.Conflict},
		{"contradicted", l.Contradicted},
		{"consolidated", l.Consolidated != ""},
		{"closed", l.Closed},
		{"archived", l.Archived},
	} {
		if state.is {
			return state.word
		}
	}
	return ""
}

// ending says until when a record holds, for a list; nothing where it does not say.
func ending(entry memory.Entry, now time.Time) string {
	at := entry.ExpiresAt()
	if at.IsZero() || entry.Life.Expired {
		return ""
	}
	return "until " + at.In(now.Location()).Format("2006-01-02 15:04")
}
