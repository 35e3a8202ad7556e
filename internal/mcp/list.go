package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// listMost is how many records one call lists.
const listMost = 200

func listTool() tool {
	kinds := append([]string{string(packet.KindPacket), string(packet.KindNote), string(packet.KindSkip), reply.AllKinds}, packet.NoteKinds()...)
	return tool{
		name: "ls", title: "List records", does: reads, search: "list packets, notes, tasks, skips",
		about: "List records, newest first: packets, or what kinds asks for.",
		input: object(slices.Concat([]field{may("kinds", list("Default packet", 16, word("", kinds...)))}, filterFields(), []field{
			may("all", flag("Also what is retracted, superseded or expired")),
			may("limit", number("Default 20", 1, listMost)),
			repoField(),
		})...),
		output: recordsShape("records"),
		run:    listRecords,
	}
}

// recordsShape is what a list is in JSON.
func recordsShape(name string) schema {
	return schema{is: isObject, open: true, fields: []field{need("note", text("")), need(name, list("", 0, schema{is: isObject, open: true, fields: []field{
		need("id", text("")), need("type", text("")), need("created_at", text("")), need("standing", text("")), need("author", text("")),
	}}))}}
}

func listRecords(ctx context.Context, c *call) (answer, error) {
	var in struct {
		filters

		Kinds []string
		All   bool
		Limit int
	}
	if err := c.args.into(&in); err != nil {
		return answer{}, err
	}
	since, until, err := in.times(c.Now())
	if err != nil {
		return answer{}, err
	}
	q := replay.Query{Topic: in.Topic, Branch: in.Branch, Author: in.Author, Since: since, Until: until, Hidden: in.All}
	if in.Path != "" {
		q.Path = c.m.Repo().PathIn(in.Path)
	}
	for _, tag := range in.Tags {
		q.Tags = append(q.Tags, reply.Slug(tag))
	}
	queries, err := reply.Queries(in.Kinds, q)
	if err != nil {
		return answer{}, badArgument("/kinds", err)
	}
	if in.Limit == 0 {
		in.Limit = 20
	}
	found, err := reply.List(ctx, c.m, queries, replay.Asked, in.Limit)
	if err != nil {
		return answer{}, err
	}
	return c.listed("records", found)
}

// listed tells records, under the name that their list has in JSON.
func (c *call) listed(name string, found []replay.Shown) (answer, error) {
	all := []reply.Listed{}
	lines := make([]string, len(found))
	for i, entry := range found {
		all = append(all, reply.ListedOf(entry))
		g := reply.GistOf(entry)
		about := []string{briefing.Age(entry.CreatedAt(), c.Now()), string(entry.Verdict.Standing)}
		for _, more := range []string{string(entry.Store), reply.StateWord(entry)} {
			if more != "" {
				about = append(about, more)
			}
		}
		switch entry.Kind() {
		case packet.KindSkip:
			about = append(about, "until "+reply.Stamp(entry.ExpiresAt()))
		case packet.KindNote:
			if entry.Note().Kind == packet.NoteTask {
				about = append(about, reply.TaskStatus(entry), fmt.Sprintf("priority %d", entry.Task().Priority))
			}
		default:
		}
		lines[i] = fmt.Sprintf("%s (%s) %s: %s", entry.ID, strings.Join(about, ", "), g.Author(), g.Line())
	}
	nonce, err := briefing.Nonce(c.Entropy)
	if err != nil {
		return answer{}, err
	}
	out := answer{text: briefing.Quote("records", nonce, lines), value: map[string]any{"note": briefing.DataNote, name: all}}
	if len(found) == 0 {
		out.text = "There is no such record here.\n"
	}
	return out, nil
}

// badArgument refuses an argument that no schema could.
func badArgument(at string, err error) error {
	return &argumentError{packet.InvalidError{Problems: []packet.Problem{{Path: at, Text: err.Error()}}}}
}
