package mcp

import (
	"context"
	_ "embed" // for the prompts
	"encoding/json"
	"maps"
	"strings"
	"sync"
)

// afterResume is what the prompt resume says behind the packet.
const afterResume = "\n" +
	"That is where an earlier session stopped. Check what it says against the code as it is now, tell me " +
	"in a few lines what you are going to do first, and then do it."

// saidPrompts are what a person says with one word, as a client gets it, each with its text: what is said, with the
// argument behind it, and nothing for the packet to resume from. Hosts offer them as slash commands.
//
//go:embed prompts.json
var saidPrompts []byte

var allPrompts = sync.OnceValue(func() (all []fields) {
	_ = json.Unmarshal(saidPrompts, &all) // A test reads it.
	return all
})

// listPrompts are the prompts as a client sees them.
func listPrompts() (all []fields) {
	for _, p := range allPrompts() {
		p = maps.Clone(p)
		delete(p, "text")
		all = append(all, p)
	}
	return all
}

// getPrompt answers with the text of a prompt.
func (c *call) getPrompt(ctx context.Context, params fields) (body, *fault) {
	for _, p := range allPrompts() {
		if p.textMember("name") != params.textMember("name") {
			continue
		}
		var takes []struct{ Name string }
		_ = json.Unmarshal(p["arguments"], &takes) // A test reads it.
		given, text := "", p.textMember("text")
		for _, argument := range takes {
			given = params.objectMember("arguments").textMember(argument.Name)
		}
		a, err := c.runGuarded(ctx, func() (answer, error) {
			if text != "" {
				return answer{text: text + given}, nil
			}
			a, err := c.inMemory(ctx, func(ctx context.Context, c *call) (answer, error) {
				return resumePacket(ctx, c, resumeArguments{ID: given})
			})
			a.text += afterResume
			return a, err
		})
		if err != nil {
			return nil, &fault{Code: codeInternal, Message: strings.TrimSpace(explainError(err))}
		}
		return body{"messages": []body{{"role": "user", "content": textPart(a.text)}}}, nil
	}
	return nil, &fault{Code: codeParams, Message: "there is no prompt of that name; prompts/list names them"}
}
