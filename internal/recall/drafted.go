package recall

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/deadend"
	"github.com/git-ltm/git-ltm/internal/distill"
	"github.com/git-ltm/git-ltm/internal/draft"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/view"
)

// The bounds of what is shown of drafts, in characters.
const (
	mostOutput  = 120 // of what a tool printed
	mostEnded   = 200 // of how the last session ended
	mostBefore  = 150 // of how one before it ended
	mostOpen    = 200 // of a question, a demand, and of what comes next
	lastDrafts  = 3
	draftsShown = 14 * 24 * time.Hour // after that their sessions are not the last ones
)

// draftItems is what the last sessions of this user in this clone ran into: how the last one ended and what
// comes next there, what did not work, how those before it ended, what the person demanded for good, and what
// was left open; of each session the last first. It was read from transcripts, and says so.
func (r *Recall) draftItems(ctx context.Context) []briefing.Known {
	all, err := r.memory.Drafts().Own(ctx, lastDrafts, func(view.Drafted) bool { return true })
	if err != nil {
		return nil
	}
	var last, failed, demanded, ended, open []briefing.Known
	for n, d := range all {
		if r.now().Sub(d.Kept) > draftsShown {
			continue
		}
		for _, i := range slices.Backward(d.Record.Content().Items) {
			switch k := r.ofDraft(d, i); {
			case strings.HasPrefix(i.Text, distill.SeeEnd): // How it ended says the same.
			case i.Kind == packet.ItemAttempt && i.Failed:
				failed = append(failed, k)
			case i.Kind == packet.ItemConstraint:
				k.Text = shortenText(k.Text, mostOpen)
				demanded = append(demanded, k)
			case i.Kind == packet.ItemOutcome:
				most, list := mostEnded, &last
				if n > 0 {
					most, list = mostBefore, &ended
				}
				if text := distill.Ended(i.Text, most); text != "" {
					k.Text = d.Text(text)
					*list = append(*list, k)
				}
			case i.Kind == packet.ItemQuestion || i.Kind == packet.ItemNext:
				k.Text = shortenText(k.Text, mostOpen)
				if n == 0 && i.Kind == packet.ItemNext {
					last = append(last, k)
				} else {
					open = append(open, k)
				}
			}
		}
	}
	some := slices.Concat(last, failed, ended, demanded, open)
	for i := range some {
		some[i].Value = float64(len(some) - i) // In this order.
	}
	return some
}

// ofDraft is an item of a draft as it is shown: what a tool printed is one short line.
func (r *Recall) ofDraft(d draft.Draft, i packet.Item) briefing.Known {
	k := briefing.Known{
		Section: briefing.Drafted, Place: i.Place, Kind: i.Kind, Text: d.Text(i.Text), Why: d.Text(i.Why),
		Created: d.Kept,
	}
	if i.Kind == packet.ItemAttempt {
		_, why, _ := strings.Cut(i.Why, "\n") // After the outcome, which is that it failed.
		k.Why = shortenText(d.Text(why), mostOutput)
	}
	if on := d.Branch(); on != "" && on != r.branch() {
		k.Marks = append(k.Marks, "on branch "+on)
	}
	return k
}

func shortenText(t provenance.Text, most int) provenance.Text {
	return provenance.Then(t, func(text string) string { return clean.Truncate(clean.Line(text), most) })
}

// draftEnds are those of the drafts that this user keeps here, the newest first. No draft is read that the
// action surely does not meet.
func (r *Recall) draftEnds(ctx context.Context, deed deadend.Deed, traits deadend.Traits) []DeadEnd {
	all, err := r.memory.Drafts().Own(ctx, mostDeadEnds, func(d view.Drafted) bool {
		return d.MayMeet(traits)
	})
	if err != nil { // A scan that cannot run lets none of them pass.
		return nil
	}
	var ends []DeadEnd
	for _, d := range all {
		for _, rule := range d.Rules() {
			matches := deadend.New([]deadend.Rule{rule.Rule}).Meet(deed)
			i, ok := itemAt(d.Record.Content(), rule.Place)
			if len(matches) == 0 || !ok {
				continue
			}
			end := DeadEnd{Known: r.ofDraft(d, i), Match: matches[0]}
			end.Known.Section = briefing.Failed
			ends = append(ends, end)
		}
	}
	return ends
}

// HasDrafts tells whether this user keeps drafts in the repository of a memory.
func HasDrafts(m *memory.Memory) bool { return len(m.Drafts().Listed()) > 0 }
