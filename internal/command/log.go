package command

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// WhyOf is why something was done, or that it is kept from everybody.
func WhyOf(h replay.Happening) string {
	text, ok := h.Why.For(replay.Inspected)
	if !ok {
		return "(withheld)"
	}
	return clean.Line(text)
}

// ValueOf is what an event set, for a person.
func ValueOf(h replay.Happening) string {
	value, _ := h.Value.For(replay.Inspected)
	switch {
	case h.What == replay.AllowEvent || h.What == replay.DisallowEvent: // A fingerprint, which 'allow' lists.
		return ""
	case !h.Until.IsZero():
		return "until " + reply.Stamp(h.Until)
	}
	return reply.EventText(value)
}

// takenTask tells that a task was taken, and what else was changed of it.
func takenTask(h replay.Happening) (rest packet.Change, ok bool) {
	value, _ := h.Value.For(replay.Inspected)
	change, err := packet.ParseChange(value)
	ok = h.What == "set" && err == nil && change.TakesTask()
	change.Status = ""
	return change, ok
}

// DidWord is the word for what was done.
func DidWord(h replay.Happening) string {
	if _, taken := takenTask(h); taken {
		return "taken"
	}
	if h.Made && h.What == "supersede" && strings.HasPrefix(WhyOf(h), undone) {
		return replay.UndoEvent // Of an edit.
	}
	return reply.EventWord(clean.Line(h.What))
}

// HappeningLine is what was done, to what, by whom and why.
func HappeningLine(h replay.Happening, subject string) string {
	by, said := saidOf(h)
	return fmt.Sprintf("%s  %-8s %s  %s%s", h.At.UTC().Format(time.RFC3339), DidWord(h), clean.Line(subject), by,
		said)
}

// HappeningRow is the same on a terminal, with the id by which undo and show find what was done, and its age:
// what was done and by whom, and behind that what is said of it. Title is what the record says that it was done to.
func HappeningRow(h replay.Happening, title string, now time.Time) (done, said string) {
	by, said := saidOf(h)
	if h.Why.Origin().Trusted { // As in lists.
		by = h.Why.Origin().By()
	}
	var words []string
	if !isSave(h) && len(h.Targets) > 0 {
		words = append(words, briefing.ShortID(packet.ID(clean.Line(h.Targets[0]))), title)
		if n := len(h.Targets) - 1; n > 0 {
			words = append(words, fmt.Sprintf("and %d more", n))
		}
	}
	if DidWord(h) == replay.UndoEvent && h.What == "supersede" {
		words = append(words, "(the edit)")
	}
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	if len(words) > 0 {
		said = ": " + strings.Join(words, " ") + said
	}
	return fmt.Sprintf("%s  %-14s  %-10s %s", briefing.ShortID(h.ID), briefing.Age(h.At, now), DidWord(h), by), said
}

// saidOf is who did it, and what was said of it.
func saidOf(h replay.Happening) (by, said string) {
	value := ValueOf(h)
	if rest, taken := takenTask(h); taken { // The word says it.
		value = reply.ChangeText(rest)
	}
	all := slices.DeleteFunc([]string{value, WhyOf(h)}, func(text string) bool {
		return text == "" || h.What == replay.PurgeEvent && text == replay.ReasonOther // It says nothing.
	})
	if said = strings.Join(all, "; "); said != "" {
		said = ": " + said
	}
	return fmt.Sprintf("%s [%s]", h.Why.Origin().By(), h.Standing), said
}

// TaleQuery narrows what is told.
type TaleQuery struct {
	Limit  int       // of the newest; 0 is no bound
	Since  time.Time // of these, what was done since
	Author string    // part of the name of who did it
}

// Tale returns what was done to the memory, newest first: records that were stored, and what events did.
func Tale(ctx context.Context, m *memory.Memory, q TaleQuery) ([]replay.Happening, error) {
	limit := q.Limit
	if q.Author != "" {
		limit = 0
	}
	all, err := m.Log(ctx, limit)
	if err != nil {
		return nil, err
	}
	stored, err := reply.Newest(ctx, m, []replay.Query{
		{Hidden: true}, {Kind: packet.KindNote, Hidden: true}, {Kind: packet.KindSkip, Hidden: true},
	}, replay.Inspected, limit)
	if err != nil {
		return nil, err
	}
	for _, entry := range stored {
		all = append(all, StoredAs(entry))
	}
	slices.SortStableFunc(all, func(a, b replay.Happening) int {
		return strings.Compare(string(b.ID), string(a.ID))
	})
	author := strings.ToLower(q.Author)
	all = slices.DeleteFunc(all, func(h replay.Happening) bool {
		return !strings.Contains(strings.ToLower(h.Why.Origin().By()), author)
	})
	if q.Limit > 0 && len(all) > q.Limit {
		all = all[:q.Limit]
	}
	return slices.DeleteFunc(all, func(h replay.Happening) bool {
		return !q.Since.IsZero() && h.At.Before(q.Since)
	}), nil
}

// StoredAs is that a record was stored.
func StoredAs(entry replay.Shown) replay.Happening {
	first, _, _ := strings.Cut(reply.GistOf(entry).Text, "\n")
	h := replay.Happening{
		ID: entry.ID, At: entry.CreatedAt(), What: string(entry.Kind()), Targets: []string{string(entry.ID)},
		Why: entry.Text(first), Standing: entry.Verdict.Standing, Made: entry.Made,
	}
	if entry.Kind() == packet.KindPacket {
		h.What = "save"
	}
	return h
}

// Subject is what a happening is about.
func Subject(h replay.Happening) string {
	if len(h.Targets) == 0 {
		return string(h.ID)
	}
	if len(h.Targets) > 1 {
		return fmt.Sprintf("%s and %d more", h.Targets[0], len(h.Targets)-1)
	}
	return h.Targets[0]
}

// HappeningJSON is the shape of what was done.
func HappeningJSON(h replay.Happening) reply.Happening {
	j := reply.Happening{
		ID: string(h.ID), At: h.At.UTC().Format(time.RFC3339Nano), What: h.What, Targets: []string{},
		Author: h.Why.Origin().By(), Why: WhyOf(h), Standing: string(h.Standing),
	}
	for _, t := range h.Targets {
		j.Targets = append(j.Targets, clean.Line(t))
	}
	return j
}

// undone begins the reason of an event by which undo took back what was saved.
const undone = "undone"

// UndoneWhy is the reason of such an event, beside that of whoever undoes it.
func UndoneWhy(why string) string { return strings.TrimSuffix(undone+": "+why, ": ") }

// NewestChange returns the newest change that this clone made and that nothing took back, with what takes it
// back: the zero value where there is none. Where undo was asked for twice it goes one further back. What a clock
// made that was far ahead is never the newest.
func NewestChange(ctx context.Context, m *memory.Memory, now time.Time) (replay.Happening, gate.Happen, error) {
	for _, limit := range []int{50, 0} {
		all, err := Tale(ctx, m, TaleQuery{Limit: limit})
		if err != nil {
			return replay.Happening{}, gate.Happen{}, err
		}
		all = slices.DeleteFunc(all, func(h replay.Happening) bool { return !h.Made || h.ID.IsAhead(now) })
		reverted := map[string]bool{} // what was saved and taken back
		for i, h := range all {
			if isSave(h) && !reverted[h.Targets[0]] {
				saved, ends := savedWith(all[i:], reverted)
				if !ends && limit > 0 {
					break // There may be more of it.
				}
				h.Targets = saved
				return h, gate.Happen{Event: "retract", Targets: saved}, nil
			}
			gone, err := m.Undone(ctx, h.ID)
			switch {
			case err != nil:
				return h, gate.Happen{}, err
			case isSave(h) || gone || h.What == replay.UndoEvent || IsKeptByEdit(WhyOf(h)),
				len(h.By) > 0 && reverted[h.By[0]]:
				continue
			case strings.HasPrefix(WhyOf(h), undone) && (h.What == "retract" || h.What == "supersede"):
				for _, id := range h.Targets {
					reverted[id] = true
				}
				continue
			case h.What == "supersede" && len(h.By) == 1 && wasSavedBefore(all[i+1:], h.By[0]):
				// It was saved to take the place of the other.
				return h, gate.Happen{Event: "supersede", Targets: h.By, By: h.Targets[:1]}, nil
			}
			return h, gate.Happen{Event: replay.UndoEvent, Targets: []string{string(h.ID)}}, nil
		}
	}
	return replay.Happening{}, gate.Happen{}, nil
}

// savedWith are the records that one command saved, the first of some changes among them: the ids of a batch are of
// one millisecond. Ends tells that a change of another moment comes behind them.
func savedWith(all []replay.Happening, reverted map[string]bool) (saved []string, ends bool) {
	at := all[0].ID.Time()
	for _, h := range all {
		if !h.ID.Time().Equal(at) {
			return saved, true
		}
		if isSave(h) && !reverted[h.Targets[0]] {
			saved = append(saved, h.Targets[0])
		}
	}
	return saved, false
}

// wasSavedBefore tells whether the change before some, the newest first, saved a record.
func wasSavedBefore(all []replay.Happening, id string) bool {
	i := slices.IndexFunc(all, func(h replay.Happening) bool { return !IsKeptByEdit(WhyOf(h)) })
	return i >= 0 && isSave(all[i]) && string(all[i].ID) == id
}

// isSave tells a record that was stored from what became of one.
func isSave(h replay.Happening) bool { return len(h.Targets) == 1 && h.Targets[0] == string(h.ID) }
