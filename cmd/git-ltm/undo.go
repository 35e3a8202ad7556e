package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
)

func newUndo(e *env) *cobra.Command {
	var o eventOptions
	var yes bool
	cmd := &cobra.Command{
		Use:   "undo [ID]...",
		Short: "Revert the newest change, or the one you name",
		Long: "Undo reverts the newest change that was made in this clone, by you or by an agent: it says which and by whom, and\n" +
			"asks on a terminal. What was saved is retracted, what was edited, hidden or closed is as before. An undo is a change\n" +
			"itself, so that undo twice leaves all as it was. A purge cannot be undone.\n\n" +
			"With the ID of an event, of 'git ltm log --json' or 'git ltm show ID --events', it reverts that one, whoever made it;\n" +
			"with the ID of a record the last change of it that was made in this clone, and where nobody made one, it retracts the\n" +
			"record.\n\n" + exitCodes,
		Example: "  git ltm undo\n  git ltm undo F3A2H5P9",
		Args:    arguments(cobra.ArbitraryArgs),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := readable(append(args, o.why)...); err != nil {
				return &usageError{err: err}
			}
			return e.use(cmd.Context(), func(m *memory.Memory) error {
				if len(args) > 0 {
					return e.undoNamed(cmd.Context(), m, o, args)
				}
				return e.undoNewest(cmd.Context(), m, o, yes)
			})
		},
	}
	o.common(cmd.Flags())
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	return cmd
}

// undoNamed takes back events, and of records what this clone did to them last. It says what that was, and
// whose.
func (e *env) undoNamed(ctx context.Context, m *memory.Memory, o eventOptions, specs []string) error {
	var events, saved []string
	for _, spec := range specs {
		found, of, err := m.FindAnyWide(ctx, spec)
		if err != nil {
			events = append(events, spec) // Whatever is wrong with it is said when it is taken back.
			continue
		}
		if found.Kind() == packet.KindEvent {
			if event, why := found.Open(replay.Asked); why == "" {
				e.say("hint", "the change that you name: "+e.toldEvent(event))
			}
			events = append(events, spec)
			continue
		}
		about, err := of.History(ctx, found.ID)
		if err != nil {
			return err
		}
		own, others, err := lastStanding(ctx, of, about)
		switch {
		case err != nil:
			return err
		case own != nil:
			e.say("hint", "the last change of it here: "+e.toldEvent(*own))
			events = append(events, string(own.ID))
		case others != nil && (found.Life.Closed || found.Life.Resting()):
			return fmt.Errorf("a change of %s that was made in this clone: %w; others made: %s; 'git ltm "+
				"undo %s' reverts that",
				found.ID, replay.ErrNotFound, e.toldEvent(*others), others.ID)
		default:
			saved = append(saved, string(found.ID))
		}
	}
	return e.revert(ctx, m, o, gate.Happen{Event: replay.UndoEvent, Targets: events},
		gate.Happen{Event: "retract", Targets: saved})
}

// lastStanding are the last of some events that nothing took back: of those that this clone made, and of what
// others made that hides or ends a record.
func lastStanding(ctx context.Context, m *memory.Memory,
	about []replay.Shown,
) (own, others *replay.Shown, err error) {
	for _, event := range slices.Backward(about) {
		if !event.Made && (others != nil || !replay.Hides(event.EventKind())) {
			continue
		}
		undone, err := m.Undone(ctx, event.ID)
		switch {
		case err != nil:
			return nil, nil, err
		case undone:
		case event.Made:
			return &event, nil, nil
		default:
			others = &event
		}
	}
	return nil, others, nil
}

// toldEvent says what an event did, to what, by whom and when.
func (e *env) toldEvent(s replay.Shown) string {
	event := s.Event()
	told := e.toldChange(
		replay.Happening{
			ID: s.ID, At: event.CreatedAt, What: event.Event, Targets: event.Targets,
			Why: s.Text(event.Why),
		})
	if s.Made {
		return told
	}
	return told + " (" + string(s.Verdict.Standing) + ", not made in this clone)"
}

// errUnchanged says that the person did not agree.
var errUnchanged = errors.New("nothing was changed")

// undoNewest takes back the newest change that this clone made.
func (e *env) undoNewest(ctx context.Context, m *memory.Memory, o eventOptions, yes bool) error {
	made, err := newestMade(ctx, m)
	if err != nil {
		return err
	}
	if len(made) == 0 {
		return fmt.Errorf("a change that was made in this clone: %w", replay.ErrNotFound)
	}
	last := made[0]
	undo := gate.Happen{Event: replay.UndoEvent, Targets: []string{string(last.ID)}}
	switch {
	case last.What == replay.PurgeEvent:
		return usagef("the newest change is a purge of %s, which cannot be undone; 'git ltm undo ID' "+
			"reverts an older one", clean.Line(subject(last)))
	case last.What == replay.AllowEvent, last.What == replay.DisallowEvent:
		return fmt.Errorf("the newest change of %s: %w", clean.Line(subject(last)), gate.ErrAllowance)
	case isSave(last):
		undo.Event = "retract"
	case last.What == "supersede" && len(made) > 1 && isSave(made[1]) &&
		slices.Equal(last.By, []string{string(made[1].ID)}):
		// It was saved to take the place of the other, which takes it back.
		undo = gate.Happen{Event: "supersede", Targets: last.By, By: last.Targets[:1]}
	}
	e.say("hint", "the newest change here: "+e.toldChange(last))
	if e.interactive() && !yes && e.askPerson("Revert it? [y/N] ") != 'y' {
		return errUnchanged
	}
	return e.revert(ctx, m, o, undo)
}

// newestMade returns the newest changes that this clone made, two where there are.
func newestMade(ctx context.Context, m *memory.Memory) ([]replay.Happening, error) {
	for _, limit := range []int{50, 0} {
		all, err := tale(ctx, m, limit)
		if err != nil {
			return nil, err
		}
		all = slices.DeleteFunc(all, func(h replay.Happening) bool { return !h.Made })
		if len(all) > 1 || limit == 0 {
			return all[:min(2, len(all))], nil
		}
	}
	return nil, nil
}

// isSave tells a record that was stored from what became of one.
func isSave(h replay.Happening) bool { return len(h.Targets) == 1 && h.Targets[0] == string(h.ID) }

// toldChange says what was done, to what, by whom and when.
func (e *env) toldChange(h replay.Happening) string {
	text := clean.Line(h.What)
	var of []string
	for _, target := range h.Targets {
		of = append(of, briefing.ShortID(packet.ID(clean.Line(target))))
	}
	text += " " + strings.Join(of[:min(3, len(of))], " ") + " by " + clean.Line(h.Why.Origin().By()) + ", " +
		briefing.Age(h.At, e.now())
	if why := whyOf(h); why != "" {
		text += ": " + why
	}
	return text
}

// revert stores what takes changes back, as far as there is something to.
func (e *env) revert(ctx context.Context, m *memory.Memory, o eventOptions, undo ...gate.Happen) error {
	var all gate.Change
	var stored []packet.ID
	for _, h := range undo {
		if h.Why = o.why; len(h.Targets) == 0 {
			continue
		}
		c, err := e.happen(ctx, m, h)
		if err != nil {
			return err
		}
		all.Changed, all.Already = append(all.Changed, c.Changed...), append(all.Already, c.Already...)
		if c.Event != "" {
			stored, all.Event = append(stored, c.Event), c.Event
		}
	}
	return e.tellChange(o, all, nil, "undone", "undone already", stored...)
}
