package memory

import (
	"context"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// Author is the name under which records are made here, in the form that they hold it.
func (m *Memory) Author(ctx context.Context) (string, error) {
	name, err := m.me(ctx)
	if err != nil {
		return "", err
	}
	return m.fit(ctx, name)
}

// Undone tells whether an event was taken back.
func (m *Memory) Undone(ctx context.Context, event packet.ID) (bool, error) {
	s, err := m.fold(ctx)
	if err != nil {
		return false, err
	}
	return s.undone[event], nil
}
