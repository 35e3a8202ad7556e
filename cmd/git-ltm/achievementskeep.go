package main

import (
	"context"
	"errors"
	"fmt"
	"path"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// What became of an achievement.
const (
	achievedNew     = "new"     // it would be stored
	achievedStored  = "stored"  // it was stored now
	achievedKnown   = "known"   // it was stored before, and maybe taken back since
	achievedRefused = "refused" // it does not pass the gate
)

// keepAchievements stores what is not there yet, or only finds out what would be.
func (e *env) keepAchievements(ctx context.Context, m *memory.Memory, all []*achieved,
	o achievementOptions,
) error {
	listed, err := m.Source().Listing(ctx)
	if err != nil {
		return err
	}
	known := map[packet.ID]bool{}
	for _, l := range listed {
		known[packet.ID(path.Base(l.Name))] = true
	}
	for _, a := range all {
		if known[a.ID] {
			a.State = achievedKnown
		}
	}
	fresh := inState(all, achievedNew)
	reqs := make([]gate.SmallRequest, len(fresh))
	for i, a := range fresh {
		reqs[i] = gate.SmallRequest{Data: a.note, DryRun: !o.apply}
	}
	_, err = m.SaveBatch(ctx, reqs)
	batch, failed := errors.AsType[*gate.BatchError](err)
	if failed {
		e.markFailed(fresh, batch)
	} else if err != nil {
		return err
	}
	for _, a := range fresh {
		if a.State == achievedNew && o.apply {
			a.State = achievedStored
		}
	}
	return nil
}

// markFailed marks those that cannot be stored, and tells why.
func (e *env) markFailed(fresh []*achieved, batch *gate.BatchError) {
	for _, f := range batch.Failed {
		a := fresh[f.Index]
		if errors.Is(f.Err, replay.ErrPurged) {
			a.State = achievedKnown
			continue
		}
		a.State, a.Text = achievedRefused, "(withheld)"
		for _, text := range parts(f.Err) {
			e.warnf("what commit %s says is left out: %s", a.Commit, text)
		}
	}
}

func inState(all []*achieved, state string) []*achieved {
	var some []*achieved
	for _, a := range all {
		if a.State == state {
			some = append(some, a)
		}
	}
	return some
}

func (e *env) printAchievements(all []*achieved, o achievementOptions) error {
	shown := make([]achieved, len(all))
	for i, a := range all {
		shown[i] = *a
		shown[i].Text, shown[i].Tag = e.printable(a.Text), e.printable(a.Tag)
	}
	fresh := len(inState(all, achievedNew))
	switch {
	case len(all) == 0:
		e.say("hint", "nothing was found: no commit of yours says that it is a feature or a fix, and no "+
			"tag of yours names a version")
	case fresh > 0:
		e.say("hint", fmt.Sprintf("nothing was stored; --apply stores those that are new: %d", fresh))
	}
	if o.json {
		return e.printJSON(shown)
	}
	for _, a := range shown {
		if _, err := fmt.Fprintf(e.stdout, "%s  %s  %s  %s\n", pad(a.State, 7), a.ID, pad(a.Impact, 6),
			a.Text); err != nil {
			return err
		}
	}
	return nil
}
