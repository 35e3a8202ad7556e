package reply

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// AllKinds asks for records of every kind that says something.
const AllKinds = "all"

// Queries returns one query for each kind of record that is asked for: packet, note, skip, all, or a kind of
// note. Without any it asks for the notes of a topic.
func Queries(kinds []string, q replay.Query) ([]replay.Query, error) {
	switch {
	case len(kinds) == 0:
		kinds = []string{string(packet.KindNote)}
	case slices.Contains(kinds, AllKinds):
		kinds = []string{string(packet.KindPacket), string(packet.KindNote), string(packet.KindSkip)}
	}
	var asked []packet.Kind
	var notes []string
	for _, word := range kinds {
		kind := packet.Kind(word)
		switch note, known := packet.NoteKind(word); {
		case kind == packet.KindPacket, kind == packet.KindSkip, kind == packet.KindNote:
		case known:
			kind, notes = packet.KindNote, append(notes, note)
		default:
			return nil, errors.New("takes packet, note, skip, all, " + strings.Join(packet.NoteKinds(), ", "))
		}
		if !slices.Contains(asked, kind) {
			asked = append(asked, kind)
		}
	}
	if slices.Contains(kinds, string(packet.KindNote)) {
		notes = nil
	}
	all := make([]replay.Query, len(asked))
	for i, kind := range asked {
		all[i] = q
		all[i].Kind = kind
		if kind == packet.KindNote {
			all[i].Notes = notes
		}
	}
	return all, nil
}

// List returns what several queries find, newest first, with the records of the user-wide memory behind those
// of the repository, opened for those who read them; limit bounds how many, and zero does not.
func List(ctx context.Context, m *memory.Memory, queries []replay.Query, r replay.Reading,
	limit int,
) ([]replay.Shown, error) {
	found, err := Newest(ctx, m, queries, r, limit)
	if err != nil {
		return nil, err
	}
	return Wide(ctx, m, queries, r, found, limit), nil
}

// Newest returns what several queries find in one memory, newest first. It reads no more than it returns, and
// one beside for each query.
func Newest(ctx context.Context, m *memory.Memory, queries []replay.Query, r replay.Reading,
	limit int,
) ([]replay.Shown, error) {
	type head struct {
		entry replay.Entry
		next  func() (replay.Entry, error, bool)
	}
	var heads []*head
	advance := func(h *head) (bool, error) {
		entry, err, more := h.next()
		h.entry = entry
		return more, err
	}
	for _, q := range queries {
		next, stop := iter.Pull2(m.List(ctx, q))
		defer stop()
		h := &head{next: next}
		if more, err := advance(h); err != nil {
			return nil, err
		} else if more {
			heads = append(heads, h)
		}
	}
	var found []replay.Shown
	for len(heads) > 0 && (limit == 0 || len(found) < limit) {
		newest := slices.MaxFunc(heads, func(a, b *head) int {
			return strings.Compare(string(a.entry.ID), string(b.entry.ID))
		})
		shown, _ := newest.entry.Open(r)
		found = append(found, shown)
		if limit > 0 && len(found) == limit {
			break
		}
		if more, err := advance(newest); err != nil {
			return nil, err
		} else if !more {
			heads = slices.DeleteFunc(heads, func(h *head) bool { return h == newest })
		}
	}
	return found, nil
}

// Wide appends the records of the user-wide memory to those of the repository, as far as there is room.
func Wide(ctx context.Context, m *memory.Memory, queries []replay.Query, r replay.Reading,
	found []replay.Shown, limit int,
) []replay.Shown {
	if limit > 0 && len(found) >= limit {
		return found
	}
	user := m.User(ctx)
	if user == nil {
		return found
	}
	theirs, err := Newest(ctx, user, queries, r, max(0, limit-len(found)))
	if err != nil {
		m.ForgetUser(err)
		return found
	}
	return append(found, theirs...)
}

// Listed is the JSON shape of a record in a list.
type Listed struct {
	ID        string       `json:"id"`
	OwnID     string       `json:"own_id,omitempty"`
	Type      string       `json:"type"` // packet, note or skip
	CreatedAt string       `json:"created_at"`
	Branch    string       `json:"branch,omitempty"`
	Commit    string       `json:"commit,omitempty"`
	Store     string       `json:"store,omitempty"` // user or private; nothing for a record of this repository
	Standing  string       `json:"standing"`
	Author    string       `json:"author"`
	Goal      *string      `json:"goal,omitempty"`      // of a packet
	NextStep  *string      `json:"next_step,omitempty"` // of a packet
	Kind      string       `json:"kind,omitempty"`      // of a note, as are the following
	Text      string       `json:"text,omitempty"`
	Why       string       `json:"why,omitempty"`
	Match     packet.Match `json:"match,omitzero"` // of a skip, too
	Topic     string       `json:"topic,omitempty"`
	// of a task, as are the following, all as the events left them
	Category  string   `json:"category,omitempty"`
	Status    string   `json:"status,omitempty"`
	Priority  *int     `json:"priority,omitempty"`
	Next      string   `json:"next_action,omitempty"`
	NextBy    string   `json:"next_action_by,omitempty"` // who set it, where that is not the author
	TakenBy   string   `json:"taken_by,omitempty"`       // who works on it
	Item      string   `json:"item,omitempty"`           // of a skip, as are the following
	Reason    string   `json:"reason,omitempty"`
	Impact    string   `json:"impact,omitempty"` // as an event says, or else its author
	Digest    string   `json:"digest,omitempty"` // a short text that an event put beside it
	DigestBy  string   `json:"digest_by,omitempty"`
	ExpiresAt string   `json:"expires_at,omitempty"`
	Tags      []string `json:"tags,omitempty"`
	Parent    string   `json:"parent_id,omitempty"`
	Remote    string   `json:"remote,omitempty"`

	Retracted    bool   `json:"retracted,omitempty"`
	Expired      bool   `json:"expired,omitempty"`
	Contested    bool   `json:"contested,omitempty"`
	Superseded   string `json:"superseded_by,omitempty"`
	Consolidated string `json:"consolidated_by,omitempty"`
	Archived     bool   `json:"archived,omitempty"`
	Closed       bool   `json:"closed,omitempty"`
	Contradicted bool   `json:"contradicted,omitempty"`
}

// ListedOf is the shape of a record.
func ListedOf(entry replay.Shown) Listed {
	g, life := GistOf(entry), entry.Life
	l := Listed{
		ID: string(entry.ID), Type: string(entry.Kind()), CreatedAt: Stamp(entry.CreatedAt()),
		Branch: clean.Line(g.Anchor.Branch),
		Commit: g.Anchor.Commit, Store: string(entry.Store), Standing: string(entry.Verdict.Standing),
		Author: g.Author(),
		Topic:  g.Topic, Impact: ImpactOf(entry), ExpiresAt: Stamp(entry.ExpiresAt()), Remote: entry.Remote,
		Retracted: life.Retracted, Expired: life.Expired, Contested: entry.Conflict,
		Superseded:   string(life.Superseded),
		Consolidated: string(life.Consolidated), Archived: life.Archived, Closed: life.Closed,
		Contradicted: life.Contradicted,
	}
	if text, by := readText(life.Digest, entry); text != "" {
		l.Digest, l.DigestBy = clean.Line(text), by
	}
	if own := entry.Record().OwnID(); own != l.ID {
		l.OwnID = clean.Line(own)
	}
	for _, t := range g.Tags {
		l.Tags = append(l.Tags, clean.Line(t))
	}
	switch entry.Kind() {
	case packet.KindNote:
		l.ofNote(entry)
	case packet.KindSkip:
		s := entry.Skip()
		l.Item, l.Reason = clean.Text(s.Item), clean.Text(s.Reason)
		l.Match = mendTexts(s.Match, clean.Line)
	default:
		goal, next := clean.Line(entry.Packet().Goal), clean.Line(entry.Packet().NextStep)
		l.Goal, l.NextStep, l.Parent = &goal, &next, clean.Line(entry.Packet().ParentID)
	}
	return l
}

func (l *Listed) ofNote(entry replay.Shown) {
	n := entry.Note()
	l.Kind, l.Text, l.Why, l.Match = n.Kind, clean.Text(n.Text), clean.Text(n.Why), mendTexts(n.Match, clean.Line)
	if n.Kind != packet.NoteTask {
		return
	}
	task := entry.Task()
	l.Category, l.Status, l.Priority = task.Category, TaskStatus(entry), &task.Priority
	if next, by := readText(entry.NextAction(), entry); next != "" {
		l.Next, l.NextBy = clean.Text(next), by
	}
	l.TakenBy = strings.TrimPrefix(entry.TakenBy(), "taken by ")
}

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
		return Gist{
			Kind: n.Kind, Text: n.Text, Topic: n.Topic, Impact: n.Impact, Tags: n.Tags,
			Anchor: n.Anchor, By: n.Provenance,
		}
	case packet.KindSkip:
		s := entry.Skip()
		return Gist{
			Kind: string(packet.KindSkip), Text: s.Item, Tags: s.Tags, Anchor: s.Anchor,
			By: s.Provenance,
		}
	case packet.KindEvent:
		ev := entry.Event()
		text := ev.Event + " " + strings.Join(ev.Targets, " ")
		return Gist{Kind: string(packet.KindEvent), Text: text, By: ev.Provenance}
	default:
		p := entry.Packet()
		return Gist{
			Kind: string(packet.KindPacket), Text: p.Goal, Impact: p.Impact, Tags: p.Tags,
			Anchor: p.Anchor, By: p.Provenance,
		}
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
		{"wrong", l.Contradicted},
		{"consolidated", l.Consolidated != ""},
		{"done", l.Closed && entry.Note().Kind == packet.NoteTask},
		{"closed", l.Closed},
		{"hidden", l.Archived},
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
	return cmp.Or(cmp.Compare(far(a), far(b)), cmp.Compare(b.Task().Priority, a.Task().Priority),
		cmp.Compare(b.ID, a.ID))
}

// Created is when a record was made, in UTC.
func Created(entry replay.Shown) string { return entry.CreatedAt().UTC().Format(time.RFC3339) }

// Whole is the JSON shape of a record with what is known about it.
type Whole struct {
	ID       string          `json:"id"`
	Standing string          `json:"standing"`
	Reason   string          `json:"standing_reason,omitempty"`
	Verified bool            `json:"verified"`        // it is trusted
	State    string          `json:"state,omitempty"` // what became of it
	Note     string          `json:"note"`
	Store    string          `json:"store,omitempty"`
	Record   json.RawMessage `json:"record"` // as it is stored, and cleaned
	Events   []Happening     `json:"events"`
}

// Happening is the JSON shape of something that was done to the memory, or to one record.
type Happening struct {
	ID       string   `json:"id"`
	At       string   `json:"at"`
	What     string   `json:"what"`
	Targets  []string `json:"targets"`
	Author   string   `json:"author"`
	Why      string   `json:"why,omitempty"`
	Standing string   `json:"standing"`
}

// DeadEnd is a known dead end as JSON has it. The names are stable.
type DeadEnd struct {
	ID     string   `json:"id"`
	Place  string   `json:"place"`
	Kind   string   `json:"kind"` // skip or attempt
	Text   string   `json:"text"`
	Reason string   `json:"reason"`
	By     string   `json:"by"` // command, path or words
	On     []string `json:"on"` // what of the action it was met by
	Sure   string   `json:"sure"`
	// an agent that is about to do it is held back once, or its person is asked
	Certain  bool   `json:"certain,omitempty"`
	Until    string `json:"until,omitempty"`
	Author   string `json:"author"`
	Standing string `json:"standing"`
	Verified bool   `json:"verified"`        // it is trusted
	Claim    string `json:"claim,omitempty"` // "says Bob, unsigned, from origin"
	Draft    bool   `json:"draft,omitempty"` // from a transcript, not reviewed
	Store    string `json:"store,omitempty"` // user or private
}

// DeadEndOf is the shape of a dead end, as far as a reader may read it.
func DeadEndOf(end recall.DeadEnd, to replay.Reading) DeadEnd {
	k, o := end.Known, end.Known.Text.Origin()
	text, _ := k.Text.For(to)
	why, _ := k.Why.For(to)
	d := DeadEnd{
		ID: k.ID(), Place: k.Place, Kind: k.Kind, Text: onOneLine(text), Reason: onOneLine(why),
		By: string(end.Match.By), On: []string{},
		Sure: string(end.Match.Sure), Certain: end.Holds != "", Standing: string(o.Verdict.Standing),
		Author: o.By(), Verified: o.Trusted,
		Draft: o.How == provenance.Transcript, Store: k.Store,
	}
	if o.IsClaimed() {
		d.Claim = o.Claim()
	}
	if !k.Until.IsZero() {
		d.Until = k.Until.UTC().Format(time.RFC3339)
	}
	for _, on := range end.Match.On {
		d.On = append(d.On, clean.Line(on))
	}
	return d
}

// onOneLine puts the lines of a text on one, and lets them be told apart.
func onOneLine(text string) string { return clean.Line(strings.ReplaceAll(text, "\n", "; ")) }
