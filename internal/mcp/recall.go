package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
)

func recallTool() tool {
	return tool{
		name: "recall", title: "Search memory", does: reads, search: "search project memory: decisions, failed attempts, pitfalls, conventions",
		about: "Find what is known about something: decisions, failed attempts, pitfalls, methods, notes. Ask before you choose a way.",
		input: object(slices.Concat([]field{
			need("query", schema{is: isString, about: "Words", least: 1, most: 1000}),
			may("also", list("Always give some: other words for the same thing that the writer may have used", 16, bounded("", 256))),
			may("kinds", list("", 16, word("", packet.AskedKinds()...))),
		}, filterFields(), []field{
			may("limit", number("Default 10", 1, 50)),
			budgetField(),
			may("explain", flag("What each score is made of")),
			trustedField(), repoField(),
		})...),
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
		filters

		Query       string
		Also, Kinds []string
		Limit       int
	}
	if err := c.args.into(&in); err != nil {
		return answer{}, err
	}
	since, until, err := in.times(c.Now())
	if err != nil {
		return answer{}, err
	}
	q := recall.Query{
		Text: in.Query, Also: in.Also, Since: since, Until: until, Kinds: in.Kinds, Tags: in.Tags, Topic: in.Topic, Branch: in.Branch, Author: in.Author, Limit: in.Limit, Reading: c.reading(),
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
