package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// arrivalLines say what others did to records, a line for each of them and each sort of event, with the
// command that reverses it; and how many events wait.
func (e *env) arrivalLines(all []replay.Arrival) (lines []string) {
	type sort struct {
		by, word string
		yours    bool
	}
	var order []sort
	ids, events := map[sort][]packet.ID{}, map[sort][]packet.ID{}
	waits := map[packet.ID]bool{} // which are yours
	authors, waiting := map[sort]string{}, []string{}
	for _, a := range all {
		if a.Waits {
			for _, id := range a.Records {
				waits[id] = a.Yours
			}
			waiting = append(waiting, a.Author())
			continue
		}
		key := sort{a.By, a.Word, a.Yours}
		if _, known := ids[key]; !known {
			order, authors[key] = append(order, key), a.Author()
		}
		ids[key], events[key] = append(ids[key], a.Records...), append(events[key], a.Event)
	}
	for _, key := range order {
		some := slices.Compact(slices.Sorted(slices.Values(ids[key])))
		whose := counted(len(some), "record") + " of others"
		if key.yours {
			whose = counted(len(some), "record") + " of yours"
		}
		if key.word == replay.PurgeEvent {
			lines = append(lines, fmt.Sprintf("%s, removed %s for good", e.printable(key.by), whose))
			continue
		}
		did, back := undoing(key.word)
		if back == "undo" {
			some = events[key]
		}
		if len(some) > replay.MostADay {
			back = "trust refuse " + e.quotedName(authors[key])
		} else {
			for _, id := range some {
				back += " " + string(id)
			}
		}
		lines = append(lines, fmt.Sprintf("%s, %s %s: git ltm %s", e.printable(key.by), did, whose, back))
	}
	if len(waits) > 0 {
		yours := 0
		for _, is := range waits {
			if is {
				yours++
			}
		}
		var whose []string
		if yours > 0 {
			whose = append(whose, counted(yours, "record")+" of yours")
		}
		if n := len(waits) - yours; n > 0 {
			whose = append(whose, counted(n, "record")+" of others")
		}
		lines = append(lines,
			fmt.Sprintf("%s would be hidden, ended or brought back by unsigned events in the name of %s, "+
				"which are too many for a day and "+
				"wait: git ltm trust accept --waiting; to drop them: git ltm trust refuse --waiting",
				strings.Join(whose, " and "), e.named(waiting)))
	}
	return lines
}

// undoing is what an event did, and the command that takes it back.
func undoing(word string) (did, back string) {
	switch word {
	case "retract":
		return "retracted", "restore"
	case "archive":
		return "hid", "restore"
	case "supersede":
		return "replaced", "restore"
	case "consolidate":
		return "summed up", "restore"
	case "close":
		return "closed", "reopen"
	case "restore", "reopen":
		return "brought back", "undo"
	case replay.UndoEvent:
		return "took back what was done to", "undo"
	default:
		return "ended", "undo"
	}
}

// noteArrived ends an exchange: it learns who committed to the default branch of the upstream, notes what the
// events did that came, and returns what there is to say of it.
func (e *env) noteArrived(ctx context.Context, m *memory.Memory, out remote.Outcome,
	name string,
) ([]string, error) {
	removed := slices.DeleteFunc(slices.Clone(out.Removed), func(ref string) bool {
		return slices.Contains(out.Hidden, ref)
	})
	if err := errors.Join(m.Judge().LearnAuthors(ctx), m.Arrived(ctx, out.Pulled, removed, name)); err !=
		nil || len(out.Pulled) == 0 {
		return nil, err
	}
	all, err := m.Arrivals(ctx)
	all = slices.DeleteFunc(all, func(a replay.Arrival) bool {
		return !slices.ContainsFunc(out.Pulled, func(full string) bool {
			return strings.HasSuffix(full, "/"+string(a.Event))
		})
	})
	return e.arrivalLines(all), err
}

// newArrivals is what a person is told once at the start of a session: what others did to records of this
// clone, and whose unsigned records are shown from now on.
func (e *env) newArrivals(ctx context.Context, m *memory.Memory, r *recall.Recall) (string, error) {
	if r == nil {
		return "", nil
	}
	all, err := m.Arrivals(ctx)
	if err != nil {
		return "", err
	}
	lines := e.arrivalLines(m.Untold(all))
	authors, err := e.newAuthorLine(ctx, m, r)
	if authors != "" {
		lines = append(lines, authors)
	}
	for i := range lines {
		lines[i] = "git ltm: " + lines[i]
	}
	return strings.Join(lines, "\n"), err
}

// newAuthorLine says once whose unsigned records are shown from now on, or nothing. Many names at once are
// one line.
func (e *env) newAuthorLine(ctx context.Context, m *memory.Memory, r *recall.Recall) (string, error) {
	names, err := r.NewAuthors(ctx)
	if err != nil || len(names) == 0 {
		return "", err
	}
	me, err := m.Author(ctx)
	if names = slices.DeleteFunc(names, func(name string) bool { return name == me }); err != nil ||
		len(names) == 0 {
		return "", err
	}
	mute := "git ltm trust mute"
	for _, name := range names[:min(len(names), mostNamed)] {
		mute += " " + e.quotedName(name)
	}
	return fmt.Sprintf("agents are shown what %s wrote, unsigned, from the remote; to stop that: %s",
		e.named(names), mute), nil
}

// mostNamed is how many names stand on one line.
const mostNamed = 3

// named are names for a line, each once.
func (e *env) named(names []string) string {
	names = slices.Compact(slices.Sorted(slices.Values(e.listed(names))))
	text := strings.Join(names[:min(len(names), mostNamed)], ", ")
	if n := len(names) - mostNamed; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// quotedName is a name as a shell takes it.
func (e *env) quotedName(name string) string {
	return "'" + strings.ReplaceAll(e.printable(name), "'", `'\''`) + "'"
}
