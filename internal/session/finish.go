package session

import (
	"context"
	"fmt"

	"github.com/git-ltm/git-ltm/internal/draft"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// Finish drops a draft that became a packet, if it is still the one that was read, and notes how far it told:
// the same end of the session leaves no second draft. It fails as [draft.Box.Finish] does.
func Finish(ctx context.Context, m *memory.Memory, d draft.Draft) error {
	if err := m.Drafts().Finish(ctx, d); err != nil {
		return err
	}
	return stateOf(m, d).appendLines(fmt.Sprintf("saved - %d\n", d.Ended.UnixMilli()))
}

// CloseFinished closes the thread of a packet that a draft became where it says that nothing is left to do.
func CloseFinished(ctx context.Context, m *memory.Memory, r gate.Receipt) error {
	rec, err := packet.Parse(r.Data, packet.Stored)
	if err != nil {
		return fmt.Errorf("close finished packet: %w", err)
	}
	if r.Known || rec.Packet().Next() != "" {
		return nil
	}
	_, err = m.Happen(ctx,
		gate.Happen{Event: "close", Targets: []string{string(r.ID)}, Why: "nothing was left to do"})
	return err
}

// isOwn tells whether a draft is that of this very session.
func (s *Session) isOwn(id packet.ID) bool {
	return s.moment.Session != "" && id.Suffix() == draft.OfSession(string(s.moment.Host), s.moment.Session)
}

func stateOf(m *memory.Memory, d draft.Draft) *state {
	return openState(m.Repo().Local(), Of(d))
}
