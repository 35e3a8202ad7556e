package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/rank"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// The bounds of a note that stands in place of others.
const (
	roomForPlace = 512 // bytes that are kept free for what says where and when it was made
	mostCites    = 64
)

// merged is the JSON shape of what became of a group.
type merged struct {
	Group   string      `json:"group"`
	ID      packet.ID   `json:"id"`
	Event   packet.ID   `json:"event,omitempty"`
	Sources []packet.ID `json:"sources"`
	DryRun  bool        `json:"dry_run"`
}

// mergedNote is the JSON shape of a note that stands in place of others.
type mergedNote struct {
	Type       packet.Kind  `json:"type"`
	Kind       string       `json:"kind"`
	Text       string       `json:"text"`
	Why        string       `json:"why,omitempty"`
	Topic      string       `json:"topic,omitempty"`
	Tags       []string     `json:"tags,omitempty"`
	Impact     string       `json:"impact,omitempty"`
	Confidence string       `json:"confidence,omitempty"`
	ExpiresAt  string       `json:"expires_at,omitempty"`
	Links      []string     `json:"links,omitempty"`
	Cites      []mergedCite `json:"cites,omitempty"`
	Origin     string       `json:"origin"`
}

// mergedCite is the JSON shape of a place that one of the sources cites, as it was then.
type mergedCite struct {
	Path    string `json:"path"`
	Line    int    `json:"line,omitempty"`
	EndLine int    `json:"end_line,omitempty"`
	Commit  string `json:"commit,omitempty"`
	Blob    string `json:"blob,omitempty"`
	Note    string `json:"note,omitempty"`
}

// applyGroup stores the note that stands in place of a group, and then the event that says so: whoever dies
// in between leaves one note too many and none too few.
func (e *env) applyGroup(ctx context.Context, m *memory.Memory, bed recall.Bed, g group,
	o consolidateOptions,
) (merged, error) {
	sources := make([]replay.Shown, len(g.Cards))
	one := merged{Group: g.Key, DryRun: o.dryRun}
	for i, c := range g.Cards {
		sources[i] = bed.Entries[c.ID]
		one.Sources = append(one.Sources, sources[i].ID)
	}
	note := noteOf(g, sources, o)
	if before, ok := begun(bed, note); ok {
		one.ID = before
	} else {
		id, err := e.storeMerged(ctx, m, note, sources, o)
		if err != nil {
			return merged{}, err
		}
		one.ID = id
	}
	if o.dryRun {
		return one, nil
	}
	c, err := m.Happen(ctx,
		gate.Happen{Event: "consolidate", Targets: note.Links, By: []string{string(one.ID)}, Why: o.why})
	if err != nil {
		e.say("hint", fmt.Sprintf(
			"note %s is stored, and its sources still count; the same command goes on from there", one.ID))
		return merged{}, &smallError{err}
	}
	one.Event = c.Event
	recall.Inherit(m, one.ID, one.Sources)
	return one, nil
}

// storeMerged stores the note through the gate.
func (e *env) storeMerged(ctx context.Context, m *memory.Memory, note mergedNote, sources []replay.Shown,
	o consolidateOptions,
) (packet.ID, error) {
	if left := note.withCites(sources); left > 0 {
		e.say("hint", fmt.Sprintf("there is no room for so many of the places that the sources cite: %d",
			left))
	}
	data, err := json.Marshal(note)
	if err != nil {
		return "", err
	}
	req := gate.SmallRequest{Data: data, DryRun: o.dryRun}
	if sources[0].Store == replay.OfClone {
		req.Reach = replay.Private
	}
	receipt, err := m.SaveSmall(ctx, req)
	if err != nil {
		return "", &smallError{err}
	}
	e.explain(receipt)
	return receipt.ID, nil
}

// noteOf is the note that stands in place of others: as sure as the least sure of them, as important as the
// most important.
func noteOf(g group, sources []replay.Shown, o consolidateOptions) mergedNote {
	note := mergedNote{
		Origin: "tool", Type: packet.KindNote, Kind: g.Draft.Kind, Text: g.Draft.Text, Why: g.Draft.Why,
		Tags:  g.Draft.Tags,
		Topic: sources[0].Note().Topic, Impact: highestImpact(sources), Confidence: lowestConfidence(sources),
		ExpiresAt: reply.Stamp(sources[0].ExpiresAt()),
	}
	if o.replace {
		note.Text = o.text
	}
	for _, s := range sources {
		note.Links = append(note.Links, string(s.ID))
		if s.Note().Topic != note.Topic {
			note.Topic = ""
		}
		if end := reply.Stamp(s.ExpiresAt()); end < note.ExpiresAt { // They end on one day.
			note.ExpiresAt = end
		}
	}
	return note
}

// withCites adds the places that the sources cite, as far as there is room, and returns how many there is
// none for.
func (n *mergedNote) withCites(sources []replay.Shown) (left int) {
	for _, s := range sources {
		for _, c := range s.Note().Cites {
			cite := mergedCite(c)
			if slices.Contains(n.Cites, cite) {
				continue
			}
			n.Cites = append(n.Cites, cite)
			if data, err := json.Marshal(n); err != nil || len(data) > packet.MaxSmall-roomForPlace ||
				len(n.Cites) > mostCites {
				n.Cites = n.Cites[:len(n.Cites)-1]
				left++
			}
		}
	}
	return left
}

// lowestConfidence is the lowest confidence that one of the notes states; one that states none is of medium
// confidence. Where none does, neither does the note in their place.
func lowestConfidence(sources []replay.Shown) string {
	levels := []string{"low", "medium", "high"}
	lowest, stated := len(levels)-1, false
	for _, s := range sources {
		stated = stated || s.Note().Confidence != ""
		lowest = min(lowest, slices.Index(levels, cmp.Or(s.Note().Confidence, "medium")))
	}
	if !stated || lowest < 0 {
		return ""
	}
	return levels[lowest]
}

// highestImpact is the highest impact that one of the notes states or was given. Nothing is critical by its
// own word.
func highestImpact(sources []replay.Shown) string {
	levels := []string{"", "low", "medium", "high", rank.Critical}
	highest := 0
	for _, s := range sources {
		highest = max(highest, slices.Index(levels, cmp.Or(s.Life.Impact, s.Note().Impact)))
	}
	return levels[min(highest, len(levels)-2)]
}

// begun finds the note that somebody stored for the same sources in the same words, and then died, or took it
// back.
func begun(bed recall.Bed, note mergedNote) (packet.ID, bool) {
	for _, e := range bed.Merged {
		if e.Note().Text == note.Text && e.Note().Why == note.Why && e.Note().Kind == note.Kind &&
			sameTexts(e.Note().Links, note.Links) {
			return e.ID, true
		}
	}
	return "", false
}

// sameTexts tells whether two lists have the same texts in any order.
func sameTexts(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// printMerged prints the new notes, and how each is taken back.
func (e *env) printMerged(done []merged, o consolidateOptions) error {
	for _, one := range done {
		if !o.dryRun {
			e.say("hint", fmt.Sprintf(
				"'git ltm undo %s' brings the %d sources back; 'git ltm rm %s' then takes the new note out",
				one.Event, len(one.Sources), one.ID))
		}
	}
	if o.dryRun {
		e.say("hint", "this was a dry run, nothing was stored")
	}
	if o.json {
		return e.printJSON(done)
	}
	for _, one := range done {
		if _, err := fmt.Fprintln(e.stdout, one.ID); err != nil {
			return err
		}
	}
	return nil
}
