package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

func noteTool() tool {
	own := []field{expiresField(), privateField(), redactField(), dryRunField(), repoField()}
	fields := described(packet.Fields(packet.KindNote), []said{
		{name: "text", about: "One fact as an instruction, not a log"},
		{name: "kind", about: "Default fact"},
		{name: "why", about: "Its reason"},
		{name: "topic", about: "Such as warehouse/snowflake"},
		{name: "tags", about: "Lower-case words with hyphens"},
		{name: "impact", about: "How much depends on it"},
		{name: "confidence", about: "How sure it is"},
		{name: "cites", about: "Places in the code", of: citeFields()},
		{name: "links", about: "Records that it speaks of"},
	})
	for i := range fields {
		switch fields[i].name {
		case "kind":
			fields[i].needed = false
			fields[i].words = without(fields[i].words, packet.NoteTask)
		case "impact": // Nothing is critical by its own word.
			fields[i].words = without(fields[i].words, "critical")
		}
	}
	return tool{
		name: "note", title: "Keep one fact", does: adds, record: packet.KindNote, own: names(own),
		search: "remember a fact, pitfall, preference, decision, learning",
		about:  "Store one small thing that later sessions should know: a pitfall, a preference, a decision, how something is done here.",
		input:  object(append(fields, own...)...),
		output: savedShape(),
		run: func(ctx context.Context, c *call) (answer, error) {
			kind := c.args.text("kind")
			if kind == "" {
				kind = "fact"
			}
			if _, said := c.args["private"]; !said && kind == packet.NoteIdentity && c.UserStore == "" {
				c.args["private"] = json.RawMessage("true")
			}
			return c.small(ctx, packet.KindNote, map[string]any{"kind": kind})
		},
	}
}

// without returns words but one.
func without(words []string, word string) []string {
	var rest []string
	for _, w := range words {
		if w != word {
			rest = append(rest, w)
		}
	}
	return rest
}

func expiresField() field {
	return may("expires", bounded("When it ends: 3d, 2w, a date, or a time", 40))
}

// small stores a note or a skip with what the call says of it, and with more members.
func (c *call) small(ctx context.Context, kind packet.Kind, more map[string]any) (answer, error) {
	data, err := c.record(ctx)
	if err != nil {
		return answer{}, err
	}
	var said arguments
	if err := json.Unmarshal(data, &said); err != nil {
		return answer{}, err
	}
	draft := map[string]any{}
	for name, value := range said {
		draft[name] = value
	}
	maps.Copy(draft, more)
	draft["type"] = kind
	links, err := c.links(ctx)
	if err != nil {
		return answer{}, err
	}
	if len(links) > 0 {
		draft["links"] = links
	}
	if text := c.args.text("expires"); text != "" {
		end, err := reply.ParseFuture(text, c.Now())
		if err != nil {
			return answer{}, badArgument("/expires", err)
		}
		draft["expires_at"] = reply.Stamp(end)
		c.notef("it ends at %s", end.In(c.Now().Location()).Format(time.RFC3339))
	}
	if data, err = json.Marshal(draft); err != nil {
		return answer{}, err
	}
	r, err := c.m.SaveSmall(ctx, gate.SmallRequest{Data: data, Answer: gate.Answer{Secrets: c.secrets()}, Reach: c.reach(), DryRun: c.args.flag("dry_run")})
	if err != nil {
		return answer{}, err
	}
	return c.stored(ctx, r)
}

// links are the full ids of the records that the call names. What travels names no record that is private.
func (c *call) links(ctx context.Context) ([]string, error) {
	var all []string
	var problems []error
	for _, spec := range c.args.texts("links") {
		entry, err := c.m.FindAny(ctx, spec)
		if err == nil && entry.Store == replay.OfClone && c.reach() == replay.Shared {
			err = fmt.Errorf("record %s: %w", entry.ID, gate.ErrPrivate)
		}
		if err != nil {
			problems = append(problems, err)
			continue
		}
		all = append(all, string(entry.ID))
	}
	return all, errors.Join(problems...)
}
