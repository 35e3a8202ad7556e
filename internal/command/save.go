package command

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/draft"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/session"
)

// Saved says what became of a packet and of the draft that it finishes.
type Saved struct {
	gate.Receipt

	WentOn bool // the session of the draft went on meanwhile, and its new draft stays
}

// Save stores a packet of a session. A draft that it finishes is dropped then; nil is none.
func Save(
	ctx context.Context, m *memory.Memory, in agent.Moment, from *draft.Draft, req gate.SaveRequest,
) (s Saved, err error) {
	if from != nil {
		in = session.Of(*from)
	}
	if s.Receipt, err = session.Save(ctx, m, in, req); err != nil || from == nil || req.DryRun {
		return s, err
	}
	if err := session.CloseFinished(ctx, m, s.Receipt); err != nil {
		return s, err
	}
	err = session.Finish(ctx, m, *from)
	if s.WentOn = errors.Is(err, git.ErrConflict); s.WentOn {
		err = nil
	}
	return s, err
}

// FindDraft returns a draft by its id, or the last one of this branch, as it is to be finished.
func FindDraft(ctx context.Context, m *memory.Memory, spec string) (*draft.Draft, error) {
	d, err := m.Drafts().Find(ctx, spec)
	if err != nil {
		return nil, err
	}
	d = reply.Anchored(d, m.Repo().Head.Branch)
	return &d, nil
}

// Encode is the packet as the gate takes it, behind what a draft holds already. The model is that
// of its author, where one says it.
func (p Packet) Encode(
	ctx context.Context, m *memory.Memory, from *draft.Draft, agentName, model string,
) ([]byte, error) {
	p.Tags = Slugs(p.Tags)
	data, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	if from != nil { // It says who wrote it.
		return reply.Over(*from, data)
	}
	if model == "" {
		return data, nil
	}
	author, err := m.Author(ctx)
	if err != nil {
		return nil, err
	}
	by := map[string]string{"author_human": author, "agent": agentName, "model": model}
	for name, text := range by {
		if text == "" {
			delete(by, name)
		}
	}
	return json.Marshal(struct {
		Packet

		Provenance map[string]string `json:"provenance"`
	}{p, by})
}
