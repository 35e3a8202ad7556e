package mcp

import (
	"context"
	"encoding/json"
)

// What the prompts say beside what records say.
const (
	afterResume = "\nThat is where an earlier session stopped. Check what it says against the code as it is now, tell me in a few lines what you " +
		"are going to do first, and then do it."
	handoff = "Write down where this session stops, so that another one can go on from there: call the tool save of ltm once.\n\n" +
		"- goal: what the work is after, and how one sees that it is reached.\n" +
		"- next_step: the first action, concrete enough to start without asking.\n" +
		"- attempts: what was tried and did not work, with why; that is what the next session would repeat.\n" +
		"- decisions: what was settled, with why; locked where it must not be reopened.\n" +
		"- constraints, open_questions and cites: only what the next session cannot see in the code.\n\n" +
		"Write instructions with their reasons, not a log. No secrets, and no paths of this machine. Then tell me the id."
)

// prompts are what a person starts and ends a session with.
func prompts() []body {
	return []body{
		{"name": "handoff", "title": "Hand off to memory", "description": "Write down where this session stops"},
		{
			"name": "resume", "title": "Resume from memory", "description": "Go on where the last session stopped",
			"arguments": []body{{"name": "id", "description": "Packet; default: the newest of this branch, else the nearest"}},
		},
	}
}

// prompt answers with the text of a prompt.
func (c *call) prompt(ctx context.Context, params fields) (body, *fault) {
	var run runner
	switch params.text("name") {
	case "handoff":
		run = func(context.Context, *call) (answer, error) { return answer{text: handoff}, nil }
	case "resume":
		run = func(ctx context.Context, c *call) (answer, error) {
			a, err := c.inMemory(ctx, resume)
			a.text += afterResume
			return a, err
		}
	default:
		return nil, &fault{Code: codeParams, Message: "there is no prompt of that name; prompts/list names them"}
	}
	if id := params.object("arguments")["id"]; id != nil {
		c.args, _ = json.Marshal(fields{"id": id}) //nolint:errchkjson // It was read from JSON.
	}
	a, err := c.guarded(ctx, func() (answer, error) { return run(ctx, c) })
	if err != nil {
		return nil, faultOf(err, "")
	}
	return body{"messages": []body{{"role": "user", "content": textPart(a.text)}}}, nil
}
