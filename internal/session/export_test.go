package session

import (
	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/deadend"
	"github.com/git-ltm/git-ltm/internal/memory"
)

// ActionOf is what a moment is about to do.
func ActionOf(m *memory.Memory, moment agent.Moment) deadend.Action {
	return New(Options{Memory: m, Moment: moment}).action()
}
