package reply

import (
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
)

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
