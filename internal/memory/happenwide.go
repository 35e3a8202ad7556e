package memory

import (
	"context"
	"errors"
	"strings"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// HappenWide stores an event about records of the repository, and where it has none of them, of the user-wide memory. What is
// changed lies in one memory, which is returned, or nothing is changed.
func (m *Memory) HappenWide(ctx context.Context, h gate.Happen) (gate.Change, *Memory, error) {
	c, err := m.Happen(ctx, h)
	if err == nil || !errors.Is(err, replay.ErrNotFound) || errors.Is(err, replay.ErrPurged) || isRelative(h) {
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

// isRelative tells whether a record is named by its place in the list of this branch, which the user-wide memory has not.
func isRelative(h gate.Happen) bool {
	for _, specs := range [][]string{h.Targets, h.By} {
		for _, spec := range specs {
			if strings.HasPrefix(spec, "@") {
				return true
			}
		}
	}
	return false
}
