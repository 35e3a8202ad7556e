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

// written says who writes a record here: the person, and the agent that the person uses.
func (m *Memory) written(author string) map[string]string {
	by := map[string]string{"author_human": author}
	if m.opts.Agent != "" {
		by["agent"] = m.opts.Agent
	}
	return by
}

// Undone tells whether an event was taken back.
func (m *Memory) Undone(ctx context.Context, event packet.ID) (bool, error) {
	s, err := m.fold(ctx)
	if err != nil {
		return false, err
	}
	return s.undone[event], nil
}
