package memory

import (
	"context"
	"slices"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// SetTasks changes fields of tasks, in the memory that they lie in, which is returned. A task that was done and gets another
// status is reopened by that.
func (m *Memory) SetTasks(ctx context.Context, tasks []replay.Entry, change packet.Change, why string) (gate.Change, *Memory, error) {
	if change.Status != "" && change.Status != "completed" {
		closed := slices.DeleteFunc(slices.Clone(tasks), func(t replay.Entry) bool { return !t.Life.Closed })
		if len(closed) > 0 {
			if _, of, err := m.HappenWide(ctx, gate.Happen{Event: "reopen", Targets: namesOf(closed), Why: why}); err != nil {
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
func (m *Memory) ReopenTasks(ctx context.Context, tasks []replay.Entry, why string) (gate.Change, *Memory, error) {
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
