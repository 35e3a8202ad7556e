package reply

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// Gist is what lists and headings tell of a record of any kind, as the record says it.
type Gist struct {
	Kind   string // packet, skip, event, or the kind of a note
	Text   string // what it says first
	Topic  string
	Impact string // in its own words
	Tags   []string
	Anchor packet.Anchor
	By     packet.Provenance
}

// GistOf returns the gist of a record.
func GistOf(entry replay.Shown) Gist {
	switch entry.Kind() {
	case packet.KindNote:
		n := entry.Note()
		return Gist{Kind: n.Kind, Text: n.Text, Topic: n.Topic, Impact: n.Impact, Tags: n.Tags, Anchor: n.Anchor, By: n.Provenance}
	case packet.KindSkip:
		s := entry.Skip()
		return Gist{Kind: string(packet.KindSkip), Text: s.Item, Tags: s.Tags, Anchor: s.Anchor, By: s.Provenance}
	case packet.KindEvent:
		ev := entry.Event()
		text := ev.Event + " " + strings.Join(ev.Targets, " ")
		return Gist{Kind: string(packet.KindEvent), Text: text, By: ev.Provenance}
	default:
		p := entry.Packet()
		return Gist{Kind: string(packet.KindPacket), Text: p.Goal, Impact: p.Impact, Tags: p.Tags, Anchor: p.Anchor, By: p.Provenance}
	}
}

// Author is who wrote the record, in its own words.
func (g Gist) Author() string { return AuthorOf(g.By) }

// AuthorOf is who wrote a record that says this of its author.
func AuthorOf(by packet.Provenance) string { return provenance.By(by) }

// ImpactOf is how much depends on a record, as an event says or else its author.
func ImpactOf(entry replay.Shown) string { return cmp.Or(entry.Life.Impact, GistOf(entry).Impact) }

// Line is what the record says first, on one line. Of what is no packet the kind stands before it.
func (g Gist) Line() string {
	text := clean.Line(g.Text)
	if g.Kind == string(packet.KindPacket) {
		return text
	}
	return g.Kind + ": " + text
}

// StateWord is what became of a record; nothing for one that stands.
func StateWord(entry replay.Shown) string {
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

// TaskStatus is how far a task is; one that does not say is active.
func TaskStatus(entry replay.Shown) string { return cmp.Or(entry.Task().Status, "active") }

// ByUrgency is the order in which tasks are listed.
func ByUrgency(a, b replay.Shown) int {
	far := func(e replay.Shown) int { return slices.Index(packet.TaskStatuses(), TaskStatus(e)) }
	return cmp.Or(cmp.Compare(far(a), far(b)), cmp.Compare(b.Task().Priority, a.Task().Priority), cmp.Compare(b.ID, a.ID))
}

// Created is when a record was made, in UTC.
func Created(entry replay.Shown) string { return entry.CreatedAt().UTC().Format(time.RFC3339) }
