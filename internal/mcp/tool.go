package mcp

import (
	"context"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// tool is a verb as a model calls it.
type tool struct {
	name, title, about string // required
	search             string // words by which a client that holds tools back finds it
	always             bool   // it is worth its place in each prompt
	does               effect
	input, output      schema      // required: objects
	own                []string    // arguments that are no members of a record
	record             packet.Kind // what the other arguments are a record of; "" for none
	apart              bool        // it needs no repository
	run                runner      // required
}

// runner does what a tool is for.
type runner func(ctx context.Context, c *call) (answer, error)

// effect is what a tool does to the memory.
type effect int

const (
	reads    effect = iota // it changes nothing
	adds                   // it adds a record each time
	settles                // it says something that said twice changes nothing more, and that can be taken back
	displace               // it takes something out of sight
)

// tools are all tools.
func tools() []tool {
	return []tool{
		resumeTool(), saveTool(), recallTool(), contextTool(), listTool(), showTool(), noteTool(), skipAddTool(), skipCheckTool(),
		taskTool(), supersedeTool(), removeTool(), whyTool(), statusTool(), exampleTool(),
	}
}

// describe is the tool as a client sees it.
func (t *tool) describe() body {
	out := body{
		"name": t.name, "title": t.title, "description": t.about, "inputSchema": &t.input,
		"annotations": body{
			"title": t.title, "readOnlyHint": t.does == reads, "idempotentHint": t.does != adds, "destructiveHint": t.does == displace,
			"openWorldHint": false,
		},
	}
	if t.output.is != "" {
		out["outputSchema"] = &t.output
	}
	meta := body{}
	if t.always {
		meta["anthropic/alwaysLoad"] = true
	}
	if t.search != "" {
		meta["anthropic/searchHint"] = t.search
	}
	if len(meta) > 0 {
		out["_meta"] = meta
	}
	return out
}

// repoField names the repository, and is an argument of every tool that needs one.
func repoField() field {
	return may("repo", bounded("Absolute path in a repository of the project; default: the project at hand", 4096))
}

// idField names a record.
func idField(about string) schema {
	return schema{is: isString, about: about, least: 1, most: 64}
}
