package mcp

import (
	"context"
	"fmt"

	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// editRecords is the tool edit.
func editRecords(ctx context.Context, c *call, e command.Edit) (answer, error) {
	done, err := e.Apply(ctx, c.m, c.Now())
	if err != nil {
		return answer{}, err
	}
	if done.Of != c.m {
		c.notef("this repository has no such record; the user-wide memory has")
	}
	shape, text := reply.Changed{Change: done.Change}, ""
	for _, id := range shape.Changed {
		text += fmt.Sprintf("%s %s\n", done.Did, id)
	}
	for _, id := range shape.Already {
		text += fmt.Sprintf("%s was so already, nothing changed\n", id)
	}
	if id := done.Receipt.ID; id != "" {
		line, _ := c.tellStored(ctx, false, done.Receipt)
		text, shape.ID = line+text, id
	}
	return answer{text: text, value: shape}, nil
}
