package reply

import (
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// Listed is the JSON shape of a record in a list.
type Listed struct {
	ID        string   `json:"id"`
	OwnID     string   `json:"own_id,omitempty"`
	Type      string   `json:"type"` // packet, note or skip
	CreatedAt string   `json:"created_at"`
	Branch    string   `json:"branch,omitempty"`
	Commit    string   `json:"commit,omitempty"`
	Store     string   `json:"store,omitempty"` // user or private; nothing for a record of this repository
	Standing  string   `json:"standing"`
	Author    string   `json:"author"`
	Goal      *string  `json:"goal,omitempty"`      // of a packet
	NextStep  *string  `json:"next_step,omitempty"` // of a packet
	Kind      string   `json:"kind,omitempty"`      // of a note, as are the following
	Text      string   `json:"text,omitempty"`
	Why       string   `json:"why,omitempty"`
	Match     *Match   `json:"match,omitempty"` // of a skip, too
	Topic     string   `json:"topic,omitempty"`
	Category  string   `json:"category,omitempty"` // of a task, as are the following, all as the events left them
	Status    string   `json:"status,omitempty"`
	Priority  *int     `json:"priority,omitempty"`
	Next      string   `json:"next_action,omitempty"`
	NextBy    string   `json:"next_action_by,omitempty"` // who set it, where that is not the author
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
		ID: string(entry.ID), Type: string(entry.Kind()), CreatedAt: Stamp(entry.CreatedAt()), Branch: clean.Line(g.Anchor.Branch),
		Commit: g.Anchor.Commit, Store: string(entry.Store), Standing: string(entry.Verdict.Standing), Author: g.Author(),
		Topic: g.Topic, Impact: ImpactOf(entry), ExpiresAt: Stamp(entry.ExpiresAt()), Remote: entry.Remote,
		Retracted: life.Retracted, Expired: life.Expired, Contested: entry.Conflict, Superseded: string(life.Superseded),
		Consolidated: string(life.Consolidated), Archived: life.Archived, Closed: life.Closed, Contradicted: life.Contradicted,
	}
	if text, by := said(life.Digest, entry); text != "" {
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
		l.Match = matchOf(s.Match)
	default:
		goal, next := clean.Line(entry.Packet().Goal), clean.Line(entry.Packet().NextStep)
		l.Goal, l.NextStep, l.Parent = &goal, &next, clean.Line(entry.Packet().ParentID)
	}
	return l
}

func (l *Listed) ofNote(entry replay.Shown) {
	n := entry.Note()
	l.Kind, l.Text, l.Why, l.Match = n.Kind, clean.Text(n.Text), clean.Text(n.Why), matchOf(n.Match)
	if n.Kind != packet.NoteTask {
		return
	}
	task := entry.Task()
	l.Category, l.Status, l.Priority = task.Category, TaskStatus(entry), &task.Priority
	if next, by := said(entry.NextAction(), entry); next != "" {
		l.Next, l.NextBy = clean.Text(next), by
	}
}

// Match is the JSON shape of what a skip, an attempt or a note is met by.
type Match struct {
	Words   string `json:"words,omitempty"`
	Path    string `json:"path,omitempty"`
	Command string `json:"command,omitempty"`
	Adds    string `json:"adds,omitempty"`
}

func matchOf(m packet.Match) *Match {
	if m == (packet.Match{}) {
		return nil
	}
	return &Match{clean.Line(m.Words), clean.Line(m.Path), clean.Line(m.Command), clean.Line(m.Adds)}
}
