package memory

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// SetTasks changes fields of tasks, in the memory that they lie in, which is returned. A task that was done
// and gets another status is reopened by that.
func (m *Memory) SetTasks(ctx context.Context, tasks []replay.Entry, change packet.Change,
	why string,
) (gate.Change, *Memory, error) {
	if change.Status != "" && change.Status != "completed" {
		closed := slices.DeleteFunc(slices.Clone(tasks), func(t replay.Entry) bool { return !t.Life.Closed })
		if len(closed) > 0 {
			if _, of, err := m.HappenWide(ctx,
				gate.Happen{Event: "reopen", Targets: namesOf(closed), Why: why}); err != nil {
				return gate.Change{}, of, err
			}
		}
	}
	value, err := change.Value()
	if err != nil {
		return gate.Change{}, m, err
	}
	return m.HappenWide(ctx, gate.Happen{Event: "set", Targets: namesOf(tasks), Value: value, Why: why})
}

// ReopenTasks makes tasks active: those that were closed, and those whose status was set aside.
func (m *Memory) ReopenTasks(ctx context.Context, tasks []replay.Entry,
	why string,
) (gate.Change, *Memory, error) {
	var closed, aside []replay.Entry
	for _, t := range tasks {
		switch t.Status() {
		case "completed", "archived":
			aside = append(aside, t)
		default:
			closed = append(closed, t)
		}
	}
	done, of := gate.Change{}, m
	var err error
	if len(closed) > 0 {
		done, of, err = m.HappenWide(ctx, gate.Happen{Event: "reopen", Targets: namesOf(closed), Why: why})
	}
	if len(aside) == 0 || err != nil {
		return done, of, err
	}
	c, of, err := m.SetTasks(ctx, aside, packet.Change{Status: "active"}, why)
	done.Event, done.Changed = c.Event, append(done.Changed, c.Changed...)
	done.Unheeded = append(done.Unheeded, c.Unheeded...)
	return done, of, err
}

// namesOf names records by their whole ids.
func namesOf(entries []replay.Entry) []string {
	ids := make([]string, len(entries))
	for i, entry := range entries {
		ids[i] = string(entry.ID)
	}
	return ids
}

// HappenWide stores an event about records of the repository, and where it has none of them, of the user-wide
// memory. What is changed lies in one memory, which is returned, or nothing is changed.
func (m *Memory) HappenWide(ctx context.Context, h gate.Happen) (gate.Change, *Memory, error) {
	c, err := m.Happen(ctx, h)
	if err == nil || !errors.Is(err, replay.ErrNotFound) || errors.Is(err, replay.ErrPurged) ||
		slices.ContainsFunc(slices.Concat(h.Targets, h.By), func(spec string) bool {
			return strings.HasPrefix(spec, "@") // A place in the list of this branch is of here alone.
		}) {
		return c, m, err
	}
	user := m.User(ctx)
	if user == nil {
		return c, m, err
	}
	theirs, failure := user.Happen(ctx, h)
	if errors.Is(failure, replay.ErrNotFound) {
		return c, m, err
	}
	return theirs, user, failure
}
