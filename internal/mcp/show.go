package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

func showTool() tool {
	return tool{
		name: "show", title: "Show a record", does: reads, search: "show everything in a packet, note or skip",
		about: "Read everything in one record, and with events what became of it.",
		input: object(need("id", idField("Id or a unique part of one, @ or @{N}")), may("events", flag("What became of the record")), repoField()),
		output: schema{is: isObject, open: true, fields: []field{
			need("id", text("")), need("standing", text("Who vouches for it")), need("note", text("")), need("verified", flag("Somebody who counts here vouches for it")), may("state", text("What became of it")), may("record", schema{is: isObject, open: true}),
			may("events", list("", 0, schema{is: isObject, open: true})),
		}},
		run: show,
	}
}

// shown is the JSON shape of a record with what is known about it.
type shown struct {
	ID       string          `json:"id"`
	Standing string          `json:"standing"`
	Reason   string          `json:"standing_reason,omitempty"`
	Verified bool            `json:"verified"`        // somebody who counts here vouches for it
	State    string          `json:"state,omitempty"` // what became of it
	Note     string          `json:"note"`
	Store    string          `json:"store,omitempty"`
	Record   json.RawMessage `json:"record,omitempty"` // as it is stored, and cleaned
	Events   []happened      `json:"events,omitempty"`
}

// happened is the JSON shape of an event about a record.
type happened struct {
	ID        string `json:"id"`
	CreatedAt string `json:"created_at"`
	Event     string `json:"event"`
	Author    string `json:"author"`
	Standing  string `json:"standing"`
	Why       string `json:"why,omitempty"`
}

func show(ctx context.Context, c *call) (answer, error) {
	entry, of, err := c.m.FindAnyWide(ctx, c.args.text("id"))
	if err != nil {
		return answer{}, err
	}
	return c.shown(ctx, of, entry)
}

// shown tells all of a record, or what became of it.
func (c *call) shown(ctx context.Context, of *memory.Memory, found replay.Entry) (answer, error) {
	entry, err := found.MustOpen(replay.Asked)
	if err != nil {
		return answer{}, err
	}
	if of != c.m {
		c.notef("%s %s is of the user-wide memory, not of this repository", entry.Kind(), entry.ID)
	}
	if of == c.m && entry.Kind() != packet.KindEvent {
		recall.Used(c.m, c.Now(), entry.ID)
	}
	nonce, err := briefing.Nonce(c.Entropy)
	if err != nil {
		return answer{}, err
	}
	value := shown{
		ID: string(entry.ID), Note: briefing.DataNote, Standing: string(entry.Verdict.Standing), Reason: clean.Line(entry.Verdict.Why),
		State: reply.StateWord(entry), Store: string(entry.Store),
	}
	value.Verified = entry.Trusted()
	var lines []string
	if c.args.flag("events") {
		if value.Events, err = c.events(ctx, of, entry); err != nil {
			return answer{}, err
		}
		lines = append(lines, fmt.Sprintf("%s %s %s", reply.Created(entry), entry.Kind(), entry.ID))
		for _, ev := range value.Events {
			lines = append(lines, fmt.Sprintf("%s %s %s %s [%s]: %s", ev.CreatedAt, ev.Event, ev.ID, ev.Author, ev.Standing, ev.Why))
		}
	} else {
		if value.Record, err = cleaned(entry.Data()); err != nil {
			return answer{}, fmt.Errorf("read record %s: %w", entry.ID, err)
		}
		lines = strings.Split(strings.TrimRight(reply.Describe(entry, c.Now()), "\n"), "\n")
	}
	return answer{text: briefing.Quote("record", nonce, lines), value: value}, nil
}

func (c *call) events(ctx context.Context, of *memory.Memory, entry replay.Shown) ([]happened, error) {
	about, err := of.History(ctx, entry.ID)
	if err != nil {
		return nil, err
	}
	all := []happened{}
	for _, ev := range about {
		all = append(all, happened{
			ID: string(ev.ID), CreatedAt: reply.Stamp(ev.Event().CreatedAt), Event: ev.Event().Event, Author: ev.Origin().By(),
			Standing: string(ev.Verdict.Standing), Why: clean.Line(ev.Event().Why),
		})
	}
	return all, nil
}
