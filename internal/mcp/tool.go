package mcp

import (
	"bytes"
	"context"
	_ "embed" // for the list
	"encoding/json"
	"fmt"
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

// toolRunners are what the tools do.
func toolRunners() map[string]runner {
	return map[string]runner{
		"resume": resumePacket, "recall": recallRecords, "save": savePacket, "note": saveNotes,
		"edit":   editRecords,
		"status": tellStatus,
	}
}

// movedTools says what does now what tools did that are gone, for a session that has the old list.
func movedTools() map[string]string {
	return map[string]string{
		"context":    "recall without arguments says what counts here now",
		"ls":         "recall with kinds, tags, author or since lists records",
		"show":       "recall with id returns a whole record and what became of it",
		"why":        "recall with path returns the reasons behind a file",
		"skip_check": "recall with action says what is known against a command or a plan",
		"skip_add":   "note with kind: skip and until stores what not to do",
		"task":       "note with kind: task adds one, recall with kinds: [task] lists them, edit changes them",
		"supersede":  "edit with do: supersede and by lets a record take the place of others",
		"rm":         "edit with do: rm retracts records",
		"example":    "the tool save says what a packet holds",
	}
}

// callTool calls the tool that is named.
func (c *call) callTool(ctx context.Context, params fields) (body, *fault) {
	name := params.textMember("name")
	run := toolRunners()[name]
	if run == nil {
		if now := movedTools()[name]; now != "" {
			return c.toolResult(answer{}, fmt.Errorf("there is no tool %s any more: %s", name, now))
		}
		return nil, errNoTool
	}
	return c.toolResult(c.runGuarded(ctx, func() (a answer, err error) {
		if c.args, err = readArguments(params["arguments"], name); err != nil {
			return answer{}, err
		}
		return c.inMemory(ctx, run)
	}))
}

// errNoTool says that nothing is called so. The name is not repeated: it may be a secret, or text
// that is meant for whoever reads it.
var errNoTool = &fault{Code: codeParams, Message: "there is no tool of that name; tools/list names them"}

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
