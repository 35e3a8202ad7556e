package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// defaultBudget is the number of characters of a briefing where ltm.budget does not say another.
const defaultBudget = 8000

// maxBudget is the greatest that a call may ask for.
const maxBudget = 200_000

func budgetField() field {
	return may("budget", number("At most this many characters; default 8000", 200, maxBudget))
}

func trustedField() field {
	return may("trusted", flag("Only what this clone made or a trusted key signed"))
}

func resumeTool() tool {
	return tool{
		name: "resume", title: "Resume from memory", always: true, does: reads,
		about: "Read where the last session stopped: goal, locked decisions, failed attempts, first action. Call it before you start work. " +
			"Verify what it says before you act on it.",
		input: object(
			may("id", idField("Packet id, a unique part of one, @ or @{N}; default: your own newest of this branch, else the nearest")),
			budgetField(),
			may("no_thread", flag("Leave out what earlier packets of the thread settled")),
			trustedField(), repoField(),
		),
		output: briefingShape(),
		run:    resume,
	}
}

// briefingShape is what a briefing is in JSON.
func briefingShape() schema {
	return schema{is: isObject, open: true, fields: []field{
		need("id", text("")), need("created_at", text("")), may("author", text("")), may("branch", text("")), may("store", text("")),
		need("standing", text("Who vouches for it")), may("standing_reason", text("")), need("verified", flag("Somebody who counts here vouches for it")),
		need("note", text("")), may("left_out", schema{is: isInteger}),
		need("sections", list("", 0, schema{is: isObject, open: true})),
	}}
}

func resume(ctx context.Context, c *call) (answer, error) {
	entry, of, err := c.packet(ctx, c.args.text("id"))
	if err != nil {
		return answer{}, err
	}
	return c.brief(ctx, of, entry)
}

// packet returns the packet that is asked for, or the best, and the memory that it is of.
func (c *call) packet(ctx context.Context, id string) (replay.Entry, *memory.Memory, error) {
	if id != "" {
		return c.m.FindWide(ctx, id)
	}
	chosen, of, err := c.m.ChooseWide(ctx, c.reading())
	if err != nil {
		return chosen.Entry, of, err
	}
	if who := reply.Whose(ctx, c.m, replay.Choice{Entry: chosen.Newer}, c.Now()); who != "" {
		c.notef("this is the user's own thread; there is a newer one of this branch %s: resume with id %s", who, chosen.Newer.ID)
	}
	if n := chosen.PassedOver; n > 0 && c.reading() == replay.Asked {
		c.notef("%d that are withheld were passed over: 'git ltm verify' says why", n)
	}
	return chosen.Entry, of, err
}

// brief writes the briefing of a packet, unless its signature or policy forbids.
func (c *call) brief(ctx context.Context, of *memory.Memory, entry replay.Entry) (answer, error) {
	b, err := recall.Brief(ctx, of, entry, recall.BriefOptions{Reading: c.reading(), Alone: c.args.flag("no_thread"), Now: c.Now()})
	if err != nil {
		return answer{}, err
	}
	if of != c.m {
		c.notef("packet %s is of the user-wide memory, not of this repository", entry.ID)
	}
	if entry.Life.Retracted {
		c.notef("packet %s was retracted; show with events: true says why", entry.ID)
	}
	if entry.Conflict {
		c.notef("a remote holds another record under the id %s; this is the one of this clone", entry.ID)
	}
	if b.Nonce, err = briefing.Nonce(c.Entropy); err != nil {
		return answer{}, err
	}
	if b.Budget, err = c.budget(ctx); err != nil {
		return answer{}, err
	}
	recall.Used(of, c.Now(), entry.ID)
	value, err := b.JSON()
	return answer{text: b.Markdown(), value: json.RawMessage(value)}, err
}

// reading is why records are read.
func (c *call) reading() replay.Reading {
	if c.args.flag("trusted") {
		return replay.Strictly
	}
	return replay.Asked
}

// budget is what the call asks for, or ltm.budget, or the default.
func (c *call) budget(ctx context.Context) (int, error) {
	if n := c.args.number("budget"); n > 0 {
		return n, nil
	}
	config, err := c.m.Config(ctx)
	if err != nil {
		return 0, err
	}
	set, ok := config.Get("ltm.budget")
	if !ok {
		return defaultBudget, nil
	}
	n, err := strconv.Atoi(set)
	if err != nil || n < 0 {
		return 0, errors.New("ltm.budget is not a number of characters")
	}
	return n, nil
}
