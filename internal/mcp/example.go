package mcp

import (
	"context"
	"encoding/json"
)

func exampleTool() tool {
	return tool{
		name: "example", title: "A packet to learn from", does: reads, apart: true, search: "what a good packet reads like",
		about:  "Read a complete packet, to see how a good one is written.",
		input:  object(),
		output: schema{is: isObject, open: true, fields: []field{need("goal", text("")), need("next_step", text(""))}},
		run: func(_ context.Context, c *call) (answer, error) {
			return answer{text: string(c.Example), value: json.RawMessage(c.Example)}, nil
		},
	}
}
