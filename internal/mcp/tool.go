package mcp

import (
	"bytes"
	"context"
	_ "embed" // for the list
	"encoding/json"
	"slices"
	"sync"
)

// listed is the list of the tools as a client gets it, by their names. Every session of a model
// pays for each byte of it.
//
//go:embed tools.json
var listed []byte

// toolList is the list in few bytes.
var toolList = sync.OnceValue(func() json.RawMessage {
	var out bytes.Buffer
	_ = json.Compact(&out, listed) // A test reads it.
	return out.Bytes()
})

// schemas are what each tool takes.
var schemas = sync.OnceValue(func() map[string]*schema {
	var tools []struct {
		Name        string
		InputSchema *schema
	}
	_ = json.Unmarshal(listed, &tools) // A test reads it.
	all := map[string]*schema{}
	for _, t := range tools {
		all[t.Name] = t.InputSchema
	}
	return all
})

// runner does what a tool is for.
type runner func(ctx context.Context, c *call) (answer, error)

// withArguments runs a tool with what it was called with.
func withArguments[T any](run func(context.Context, *call, T) (answer, error)) runner {
	return func(ctx context.Context, c *call) (answer, error) {
		var in T
		if err := c.args.readInto(&in); err != nil {
			return answer{}, err
		}
		return run(ctx, c, in)
	}
}

// callTool calls the tool that is named.
func (c *call) callTool(ctx context.Context, params fields) (body, *fault) {
	name := params.textMember("name")
	run := map[string]runner{
		"resume": withArguments(resumePacket), "recall": withArguments(recallRecords), "save": withArguments(savePacket),
		"note": withArguments(saveNotes), "edit": withArguments(editRecords), "status": tellStatus,
	}[name]
	if run == nil { // The name is not repeated: it may be a secret, or text for whoever reads it.
		return nil, &fault{Code: codeParams, Message: "there is no tool of that name; tools/list names them"}
	}
	return c.toolResult(c.runGuarded(ctx, func() (a answer, err error) {
		if c.args, err = readArguments(params["arguments"], name); err != nil {
			return answer{}, err
		}
		return c.inMemory(ctx, run)
	}))
}

// arguments are what a tool was called with. They fit its schema.
type arguments json.RawMessage

// readInto reads the arguments.
func (a arguments) readInto(into any) error {
	if len(a) == 0 {
		return nil
	}
	return json.Unmarshal(a, into)
}

// ofCall are the arguments of a call of note that are not of one note.
var ofCall = []string{"private", "redact", "dry_run", "repo"}

// oneNote lets a call of note leave out the list where it has one note alone.
func oneNote(args fields) fields {
	if args["notes"] != nil || args["text"] == nil {
		return args
	}
	note, rest := fields{}, fields{}
	for name, value := range args {
		if slices.Contains(ofCall, name) {
			rest[name] = value
		} else {
			note[name] = value
		}
	}
	rest["notes"], _ = json.Marshal([]fields{note}) //nolint:errchkjson // It was read from JSON.
	return rest
}
