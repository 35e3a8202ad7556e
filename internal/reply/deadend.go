package reply

import (
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/recall"
)

// DeadEnd is a known dead end as JSON has it. The names are stable.
type DeadEnd struct {
	ID       string   `json:"id"`
	Place    string   `json:"place"`
	Kind     string   `json:"kind"` // skip or attempt
	Text     string   `json:"text"`
	Reason   string   `json:"reason"`
	By       string   `json:"by"` // command, path or words
	On       []string `json:"on"` // what of the action it was met by
	Sure     string   `json:"sure"`
	Certain  bool     `json:"certain,omitempty"` // it is the very command or file
	Until    string   `json:"until,omitempty"`
	Author   string   `json:"author"`
	Standing string   `json:"standing"`
	Verified bool     `json:"verified"`        // somebody who counts here vouches for it
	Store    string   `json:"store,omitempty"` // user or private
}

// DeadEndOf is the shape of a dead end.
func DeadEndOf(end recall.DeadEnd) DeadEnd {
	d := DeadEnd{
		ID: string(end.Entry.ID), Place: end.Item.Place, Kind: end.Item.Kind, Text: onOneLine(end.Item.Text), Reason: onOneLine(end.Item.Why),
		By: string(end.Match.By), On: []string{}, Sure: string(end.Match.Sure), Certain: end.Match.Certain, Standing: string(end.Entry.Verdict.Standing),
		Author: end.Entry.Origin().By(), Verified: end.Entry.Trusted(), Store: string(end.Entry.Store),
	}
	if until := end.Entry.ExpiresAt(); !until.IsZero() {
		d.Until = until.UTC().Format(time.RFC3339)
	}
	for _, on := range end.Match.On {
		d.On = append(d.On, clean.Line(on))
	}
	return d
}

// onOneLine puts the lines of a text on one, and lets them be told apart.
func onOneLine(text string) string { return clean.Line(strings.ReplaceAll(text, "\n", "; ")) }
