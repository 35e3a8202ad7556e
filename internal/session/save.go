package session

import (
	"context"
	"fmt"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/draft"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
)

// Of names the session that a draft is of.
func Of(d draft.Draft) agent.Moment {
	return agent.Moment{Host: agent.Host(d.Host), Session: d.Session}
}

// Save stores a packet as the memory does. One that is saved in a session continues the last one of that
// session, and is noted as the last; a moment without a session is of none. What cannot be noted costs the
// next packet its thread, and nothing else.
func Save(ctx context.Context, m *memory.Memory, in agent.Moment,
	req gate.SaveRequest,
) (gate.Receipt, error) {
	if in.Session == "" || req.Form == gate.AsIs {
		return m.Save(ctx, req)
	}
	s := openState(m.Repo().Local(), in)
	s.loadFile()
	req.Session = s.thread
	r, err := m.Save(ctx, req)
	if err == nil && !req.DryRun {
		_ = s.appendLines(fmt.Sprintf("thread - %s\n", r.ID))
	}
	return r, err
}
