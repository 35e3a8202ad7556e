package mcp

import (
	"bytes"
	"context"
	_ "embed" // for the list
	_ "embed" // for the prompts
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/packet"
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
		if err := json.Unmarshal(c.args, &in); err != nil {
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

// schema says what a JSON value must be, in the words of JSON Schema that the list of tools uses.
// An object takes no member that it does not name. Bounds are those of the records, which the gate
// knows.
type schema struct {
	Type       string
	Enum       []string
	Items      *schema
	Properties map[string]*schema
	Required   []string
}

// readArguments reads what a tool was called with. A member that is null says nothing, as models
// often have it.
func readArguments(raw json.RawMessage, tool string) (json.RawMessage, error) {
	if said := bytes.TrimSpace(raw); len(said) == 0 || string(said) == "null" {
		raw = []byte("{}")
	}
	var args fields
	if json.Unmarshal(raw, &args) != nil || args == nil {
		return nil, command.Refuse("", errNoObject)
	}
	maps.DeleteFunc(args, func(_ string, value json.RawMessage) bool { return string(value) == "null" })
	if tool == "note" {
		args = oneNote(args)
	}
	data, err := json.Marshal(args)
	if err != nil {
		return nil, err
	}
	var whole any
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(&whole); err != nil {
		return nil, err
	}
	c := checker{}
	if c.checkValue("", whole, schemas()[tool]); len(c.problems) > 0 {
		return nil, &command.InputError{InvalidError: packet.InvalidError{Problems: c.problems}}
	}
	return data, nil
}

// checker collects what is wrong with values, in the words of package packet.
type checker struct{ problems []packet.Problem }

func (c *checker) refuseValue(at, format string, args ...any) {
	c.problems = append(c.problems, packet.Problem{Path: at, Text: fmt.Sprintf(format, args...)})
}

// checkValue holds a value against a schema.
func (c *checker) checkValue(at string, value any, s *schema) {
	is, wanted := "", map[string]string{
		"array": "an array", "object": "an object", "integer": "a whole number", "boolean": "true or false",
		"string": "a string",
	}[s.Type]
	switch v := value.(type) {
	case map[string]any:
		if is = "object"; s.Type == is {
			c.checkObject(at, v, s)
		}
	case []any:
		if is = "array"; s.Type == is {
			for i, item := range v {
				c.checkValue(at+"/"+strconv.Itoa(i), item, s.Items)
			}
		}
	case string:
		if is = "string"; s.Enum != nil && !slices.Contains(s.Enum, v) {
			c.refuseValue(at, "must be one of %s", strings.Join(s.Enum, ", "))
		}
	case bool:
		is = "boolean"
	case json.Number:
		if _, err := strconv.Atoi(v.String()); err == nil {
			is = "integer"
		}
	}
	if is != s.Type {
		c.refuseValue(at, "must be %s", wanted)
	}
}

// checkObject checks the members of an object. One that is not known may be a slip of one that is.
func (c *checker) checkObject(at string, v map[string]any, s *schema) {
	for _, name := range s.Required {
		if _, ok := v[name]; !ok {
			c.refuseValue(at+"/"+name, "is missing")
		}
	}
	known := slices.Sorted(maps.Keys(s.Properties))
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if of := s.Properties[name]; of != nil {
			c.checkValue(at+"/"+name, v[name], of)
			continue
		}
		// Somebody made up the name, so that it is made safe to show.
		shown := at + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(
			clean.Truncate(clean.Line(name), 64))
		if near := command.Nearest(name, known); len(near) > 0 {
			c.refuseValue(shown, "is not known here; did you mean %s?", strings.Join(near, " or "))
		} else {
			c.refuseValue(shown, "is not known here; known are %s", strings.Join(known, ", "))
		}
	}
}

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
			return nil, &fault{Code: codeInternal, Message: strings.TrimSpace(explainError(c.rules, err))}
		}
		return body{"messages": []body{{"role": "user", "content": textPart(a.text)}}}, nil
	}
	return nil, &fault{Code: codeParams, Message: "there is no prompt of that name; prompts/list names them"}
}
