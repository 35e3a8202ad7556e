package mcp

import (
	"context"

	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/reply"
)

func whyTool() tool {
	return tool{
		name: "why", title: "Reasons behind code", does: reads, search: "why is this code so? reasons behind a file or lines",
		about: "Read what was written down about a file or some of its lines, before you change them.",
		input: object(
			need("path", schema{is: isString, about: "From the top of the repository, or absolute", least: 1, most: 4096}),
			may("line", number("", 1, 1<<31-1)), may("end_line", number("", 1, 1<<31-1)),
			may("limit", number("Default 10", 1, 50)),
			budgetField(), may("explain", flag("What each score is made of")), trustedField(), repoField(),
		),
		output: answersShape(),
		run:    reasons,
	}
}

func reasons(ctx context.Context, c *call) (answer, error) {
	place, err := reply.PlaceIn(c.m.Repo(), c.args.text("path"), c.args.number("line"), c.args.number("end_line"))
	if err != nil {
		return answer{}, badArgument("/path", err)
	}
	place.Limit, place.Reading = c.args.number("limit"), c.reading()
	return c.ask(ctx, func(r *recall.Recall) (answer, error) {
		found, err := r.Why(ctx, place)
		if err != nil {
			return answer{}, err
		}
		if len(found.Found) == 0 {
			c.nearly(found, "is about it")
		}
		return c.answers(ctx, r, found)
	})
}
