package mcp

import (
	"context"
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
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

// addPrompts offers what a person starts and ends a session with.
func (s *server) addPrompts(out *sdk.Server) {
	out.AddPrompt(&sdk.Prompt{
		Name: "resume", Title: "Resume from memory", Description: "Go on where the last session stopped",
		Arguments: []*sdk.PromptArgument{{Name: "id", Description: "Packet; default: the newest of this branch, else the nearest"}},
	}, s.prompt(func(ctx context.Context, c *call) (answer, error) {
		return c.inMemory(ctx, func(ctx context.Context, c *call) (answer, error) {
			a, err := resume(ctx, c)
			a.text += afterResume
			return a, err
		})
	}))
	out.AddPrompt(&sdk.Prompt{
		Name: "handoff", Title: "Hand off to memory", Description: "Write down where this session stops",
	}, s.prompt(func(context.Context, *call) (answer, error) { return answer{text: handoff}, nil }))
}

// prompt makes the handler of a prompt.
func (s *server) prompt(run runner) sdk.PromptHandler {
	return func(ctx context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		c := &call{server: s, session: req.Session, offers: req.ClientCapabilities(), info: req.ClientInfo(), args: arguments{}}
		if id := req.Params.Arguments["id"]; id != "" {
			data, err := json.Marshal(id)
			if err != nil {
				return nil, err
			}
			c.args["id"] = data
		}
		a, err := c.guarded(ctx, func() (answer, error) { return run(ctx, c) })
		if err != nil {
			return nil, protocolError(err, "")
		}
		return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: a.text}}}}, nil
	}
}
