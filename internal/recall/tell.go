package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/citation"
	"github.com/git-ltm/git-ltm/internal/garden"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/rank"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// tellItem reads an item for a context, and says whether it belongs there after all.
func (r *Recall) tellItem(ctx context.Context, g *replay.Glance, w *weighed,
	reading replay.Reading,
) (k briefing.Known, ok bool) {
	if r.readFound(ctx, g, &w.Found, reading) != "" {
		return k, false
	}
	k = knownOf(w.Found)
	if citation.Outdated(w.Cites) {
		k.Value *= rank.Outdated(1)
	}
	if k.Section = w.section; w.near < rank.LocalityAncestor ||
		k.Section == briefing.Thread && w.near < rank.LocalityHere {
		k.Branch = w.Hit.Record.Anchor.Branch
	}
	if w.beside {
		k.Marks = append(k.Marks, "another open thread")
	}
	if w.Entry.Origin().IsClaimed() {
		if k.Section == briefing.Locked {
			k.Section = briefing.Decisions
		}
		if reading == replay.Unasked { // It is never the first thing to do.
			k.Next = provenance.Text{}
			if w.Hit.Kind == packet.ItemNext {
				return k, false
			}
		}
	}
	switch w.Hit.Kind {
	case packet.NoteTask:
		task := w.Entry.Task()
		k.Value *= 1 + float64(task.Priority)/10 // It counts as much more as it is urgent.
		k.Urgent = task.Priority >= urgentPriority
		if task.Priority > 0 {
			k.Marks = append(k.Marks, fmt.Sprintf("priority %d of 10", task.Priority))
		}
		if task.Status != "" && task.Status != "active" {
			k.Marks = append(k.Marks, task.Status)
		}
		if task.Category != "" && task.Category != "active_work" {
			k.Marks = append(k.Marks, strings.ReplaceAll(task.Category, "_", " "))
		}
		return k, isOpen(task)
	case packet.NoteIdentity:
		me, err := r.memory.Author(ctx)
		return k, !r.noteFault(err) && w.Entry.Trusted() && w.Entry.Note().Provenance.AuthorHuman == me
	default:
		return k, true
	}
}

// urgentPriority is the priority, of 10, from which a small budget leaves a task in.
const urgentPriority = 8

// isOpen tells whether there is something to do for a task.
func isOpen(task packet.Note) bool {
	return task.Status == "" || task.Status == "active" || task.Status == "paused"
}

// knownOf is an answer as it is written.
func knownOf(f Found) briefing.Known {
	e := f.Entry
	k := briefing.Known{
		Place: f.Item.Place, Kind: f.Item.Kind, Text: e.Text(f.Item.Text), Why: e.Text(f.Item.Why),
		Wrong:   e.Life.Wrong,
		Created: e.CreatedAt(), Until: e.ExpiresAt(), Store: string(e.Store), Value: f.Score.Value,
		Marks: marksOf(f),
	}
	if f.Item.Kind == packet.NoteTask { // As it is now, and not as it was noted.
		task := e.Task()
		k.Text, k.Why, k.Next = e.Text(task.Text), e.Text(task.Why), e.NextAction()
	}
	if e.Kind() != packet.KindPacket { // A digest of a packet is none of one of its items.
		k.Digest = e.Life.Digest
	}
	return k
}

// Tell returns answers as they are written.
func (r *Recall) Tell(a Answer, to replay.Reading) briefing.Answer {
	out := briefing.Answer{More: a.More, To: to, Now: r.now(), Unknown: a.Unknown, Instead: a.Instead}
	for _, f := range a.Found {
		out.Known = append(out.Known, briefing.Ranked{
			Known: knownOf(f), Met: f.Hit.Matched, Score: f.Score.Value, Weak: f.Weak, Factors: f.Score.Factors,
		})
	}
	return out
}

// marksOf says what a reader has to know of an answer: what speaks against it, and how the places are that it
// cites.
func marksOf(f Found) []string {
	var all []string
	if f.Entry.Life.Contradicted {
		all = append(all, "wrong")
	}
	if f.Entry.Life.Archived {
		all = append(all, "hidden")
	}
	if taken := f.Entry.TakenBy(); taken != "" {
		all = append(all, taken)
	}
	if f.Entry.Life.Closed {
		all = append(all, "closed")
	}
	if f.Entry.Life.Consolidated != "" {
		all = append(all, "consolidated into "+string(f.Entry.Life.Consolidated))
	}
	for _, c := range f.Cites {
		if mark := c.Mark(); mark != "" {
			all = append(all, mark)
		}
	}
	return all
}

// telling is what is told, each thing once.
type telling struct {
	to    replay.Reading
	known []briefing.Known
	at    map[string]int // where something stands, by what it says
}

// addKnown tells something, unless it was told already in the same words but for case, blanks and the marks
// around them. Of two that say the same, the one that somebody vouches for is told, and a skip before an
// attempt: it says what was decided.
func (t *telling) addKnown(k briefing.Known) {
	key := gistOf(k, t.to)
	if at, told := t.at[key]; told {
		again := t.known[at].Alike
		if k.Text.Origin().Trusted {
			again += 1 + k.Alike
		}
		first, trusted := t.known[at], k.Text.Origin().Trusted
		if trusted && !first.Text.Origin().Trusted || trusted == first.Text.Origin().Trusted &&
			k.Section == briefing.Skips && first.Section != briefing.Skips {
			t.known[at] = k
		}
		t.known[at].Alike = again
		return
	}
	if t.at == nil {
		t.at = map[string]int{}
	}
	t.at[key] = len(t.known)
	t.known = append(t.known, k)
}

// gistOf is what something says. What is not to be done, or did not work, says the opposite of the same words
// elsewhere.
func gistOf(k briefing.Known, to replay.Reading) string {
	text, _ := k.Text.For(to)
	text = cmp.Or(garden.Fold(text), text)
	if k.Section == briefing.Skips || k.Section == briefing.Failed || k.Kind == packet.ItemAttempt {
		return "not " + text
	}
	return text
}

// currentIdentity leaves out what somebody said of himself before the last time. What was said in this
// repository goes before what holds for all.
func currentIdentity(all []briefing.Known) []briefing.Known {
	var newest briefing.Known
	for _, k := range all {
		wide, before := k.Store == string(replay.OfUser), newest.Store == string(replay.OfUser)
		if k.Section == briefing.People && (newest.ID() == "" || before && !wide ||
			before == wide && k.ID() > newest.ID()) {
			newest = k
		}
	}
	return slices.DeleteFunc(all, func(k briefing.Known) bool {
		return k.Section == briefing.People && (k.ID() != newest.ID() || k.Place != newest.Place)
	})
}
