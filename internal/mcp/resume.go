package mcp

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// resumeArguments is what resume takes.
type resumeArguments struct {
	ID      string `json:"id"`
	Budget  int    `json:"budget"`
	Trusted bool   `json:"trusted"`
}

func (o resumeArguments) howRead() replay.Reading {
	return command.Question{Trusted: o.Trusted}.Reading()
}

// resumePacket returns the packet that is asked for, or the best. Where none was saved yet, it says what
// counts here all the same.
func resumePacket(ctx context.Context, c *call, o resumeArguments) (answer, error) {
	if err := checkBudget(o.Budget); err != nil {
		return answer{}, err
	}
	if o.ID != "" {
		entry, of, err := c.m.FindWide(ctx, o.ID)
		if err != nil {
			return answer{}, err
		}
		return c.briefPacket(ctx, of, entry, o)
	}
	chosen, of, err := c.m.ChooseWide(ctx, o.howRead())
	if errors.Is(err, replay.ErrNotFound) {
		return c.tellContext(ctx, o.howRead(), o.Budget)
	}
	if err != nil {
		return answer{}, err
	}
	if who := reply.Whose(ctx, c.m, replay.Choice{Entry: chosen.Newer}, c.Now()); who != "" {
		c.notef("this is the user's own thread; there is a newer one of this branch %s: resume with id "+
			"%s", who, chosen.Newer.ID)
	}
	if n := chosen.PassedOver; n > 0 && !o.Trusted {
		c.notef("%d that are withheld were passed over: 'git ltm verify' says why", n)
	}
	return c.briefPacket(ctx, of, chosen.Entry, o)
}

// briefPacket writes the briefing of a packet, unless its signature or policy forbids.
func (c *call) briefPacket(
	ctx context.Context, of *memory.Memory, entry replay.Entry, o resumeArguments) (answer, error,
) {
	b, err := recall.Brief(ctx, of, entry, recall.BriefOptions{Reading: o.howRead(), Now: c.Now()})
	if err != nil {
		return answer{}, err
	}
	if of != c.m {
		c.notef("packet %s is of the user-wide memory, not of this repository", entry.ID)
	}
	if entry.Life.Retracted {
		c.notef("packet %s was retracted; recall with its id says why", entry.ID)
	}
	if entry.Conflict {
		c.notef("a remote holds another record under the id %s; this is the one of this clone", entry.ID)
	}
	if b.Nonce, b.Budget, err = c.wrapAnswer(ctx, o.Budget); err != nil {
		return answer{}, err
	}
	recall.Used(of, c.Now(), entry.ID)
	value, err := b.JSON()
	return answer{text: b.Markdown(), value: json.RawMessage(value)}, err
}
