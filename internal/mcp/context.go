package mcp

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/recall"
)

func contextTool() tool {
	return tool{
		name: "context", title: "What counts now", does: reads, search: "what a session should know: skips, open tasks, locked decisions, pitfalls",
		about: "Read what counts here and now, out of all records: skips, open tasks, where the thread stands, locked decisions, failed " +
			"attempts, pitfalls, preferences.",
		input: object(budgetField(), trustedField(), repoField()),
		output: schema{is: isObject, open: true, fields: []field{
			may("branch", text("")), need("note", text("")), may("left_out", schema{is: isInteger}),
			need("items", list("", 0, schema{is: isObject, open: true})),
		}},
		run: known,
	}
}

func known(ctx context.Context, c *call) (answer, error) {
	return c.ask(ctx, func(r *recall.Recall) (answer, error) {
		found, err := r.Context(ctx, c.reading())
		if err != nil {
			return answer{}, err
		}
		if found.Nonce, err = briefing.Nonce(c.Entropy); err != nil {
			return answer{}, err
		}
		if found.Budget, err = c.budget(ctx); err != nil {
			return answer{}, err
		}
		value, err := found.JSON()
		if err != nil {
			return answer{}, err
		}
		out := answer{text: found.Markdown(), value: json.RawMessage(value)}
		switch {
		case len(found.Known) == 0:
			out.text = "Nothing is known here yet; note and save write something down.\n"
		case out.text == "":
			out.text = fmt.Sprintf("Nothing of what is known fits into %d characters; budget allows more.\n", found.Budget)
		}
		return out, nil
	})
}
