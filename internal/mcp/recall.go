package mcp

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/reply"
)

func recallTool() tool {
	return tool{
		name: "recall", title: "Search memory", does: reads, search: "search project memory: decisions, failed attempts, pitfalls, conventions",
		about: "Find what is known about something: decisions, failed attempts, pitfalls, methods, notes. Ask before you choose a way.",
		input: object(
			need("query", schema{is: isString, about: `Words, "phrases", -without, kind: tag: topic: path:`, least: 1, most: 1000}),
			may("kinds", list("", 16, word("", packet.AskedKinds()...))),
			may("tags", list("All of these", 16, bounded("", 64))),
			may("topic", bounded("Or below it", 256)),
			may("branch", bounded("", 255)),
			may("author", bounded("Part of a name", 128)),
			may("path", bounded("A file or folder that the record names", 4096)),
			may("since", bounded("A date, a time, or an age such as 3d or 2w", 40)),
			may("limit", number("Default 10", 1, 50)),
			budgetField(),
			may("explain", flag("What each score is made of")),
			trustedField(), repoField(),
		),
		output: answersShape(),
		run:    search,
	}
}

// answersShape is what answers are in JSON.
func answersShape() schema {
	return schema{is: isObject, open: true, fields: []field{
		need("note", text("")), may("left_out", schema{is: isInteger}),
		need("answers", list("The best first", 0, schema{is: isObject, open: true})),
	}}
}

func search(ctx context.Context, c *call) (answer, error) {
	var in struct {
		Query, Topic, Branch, Author, Path, Since string
		Kinds, Tags                               []string
		Limit                                     int
	}
	if err := c.args.into(&in); err != nil {
		return answer{}, err
	}
	q := recall.Query{
		Text: in.Query, Kinds: in.Kinds, Tags: in.Tags, Topic: in.Topic, Branch: in.Branch, Author: in.Author, Limit: in.Limit, Reading: c.reading(),
	}
	if in.Since != "" {
		at, err := reply.ParseWhen(in.Since, c.Now())
		if err != nil {
			return answer{}, badArgument("/since", err)
		}
		q.Since = at
	}
	if in.Path != "" {
		q.Path = c.m.Repo().PathIn(in.Path)
	}
	return c.ask(ctx, func(r *recall.Recall) (answer, error) {
		found, err := r.Find(ctx, q)
		if err != nil {
			return answer{}, err
		}
		if len(found.Found) == 0 {
			c.nearly(found, "meets the words")
		}
		return c.answers(ctx, r, found)
	})
}

// answers writes what was found.
func (c *call) answers(ctx context.Context, r *recall.Recall, found recall.Answer) (answer, error) {
	told := r.Tell(found, c.reading())
	var err error
	if told.Nonce, err = briefing.Nonce(c.Entropy); err != nil {
		return answer{}, err
	}
	if told.Budget, err = c.budget(ctx); err != nil {
		return answer{}, err
	}
	told.Explain = c.args.flag("explain")
	value, err := told.JSON()
	if err != nil {
		return answer{}, err
	}
	out := answer{text: told.Markdown(), value: json.RawMessage(value)}
	switch {
	case len(told.Known) == 0:
		out.text = "Nothing is known about that.\n"
	case out.text == "":
		out.text = fmt.Sprintf("Nothing of the %d answers fits into %d characters; budget allows more.\n", len(told.Known), told.Budget)
	}
	return out, nil
}

// nearly tells of what a gate kept from being an answer.
func (c *call) nearly(found recall.Answer, what string) {
	const most = 3
	for _, out := range found.Out[:min(len(found.Out), most)] {
		c.notef("%s %s and is no answer: %s", out.Hit.ID, what, out.Why)
	}
}
