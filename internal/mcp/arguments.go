package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// arguments are what a tool was called with, each as it was sent. They fit the schema of the tool.
type arguments map[string]json.RawMessage

// argumentError says everything that is wrong with the arguments of a call.
type argumentError struct{ packet.InvalidError }

func (e *argumentError) Unwrap() error { return &e.InvalidError }

// arguments reads what a tool was called with. A member that is null says nothing, as models often have it.
func (t *tool) arguments(raw json.RawMessage) (arguments, error) {
	if said := bytes.TrimSpace(raw); len(said) == 0 || string(said) == "null" {
		raw = []byte("{}")
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var whole map[string]any
	var args arguments
	if err := errors.Join(dec.Decode(&whole), json.Unmarshal(raw, &args)); err != nil || args == nil {
		return nil, &argumentError{packet.InvalidError{Problems: []packet.Problem{{Text: "the arguments must be an object"}}}}
	}
	for name, value := range whole {
		if value == nil {
			delete(whole, name)
			delete(args, name)
		}
	}
	c := checker{}
	c.value("", whole, &t.input)
	if t.record != "" && len(c.problems) > 0 {
		c.add(t.record, args.without(t.own))
	}
	if len(c.problems) > 0 {
		return nil, &argumentError{packet.InvalidError{Problems: c.problems}}
	}
	return args, nil
}

// text is the value of a string; "" where it is not there.
func (a arguments) text(name string) string {
	var s string
	_ = json.Unmarshal(a[name], &s) // What is there fits the schema.
	return s
}

// flag is the value of a boolean.
func (a arguments) flag(name string) bool { return string(a[name]) == "true" }

// number is the value of a number; 0 where it is not there.
func (a arguments) number(name string) int {
	var n int
	_ = json.Unmarshal(a[name], &n) // What is there fits the schema.
	return n
}

// texts are the values of a list of strings.
func (a arguments) texts(name string) []string {
	var all []string
	_ = json.Unmarshal(a[name], &all) // What is there fits the schema.
	return all
}

// into decodes the arguments.
func (a arguments) into(v any) error {
	data, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, v)
}

// without leaves out some arguments.
func (a arguments) without(names []string) arguments {
	rest := arguments{}
	for name, value := range a {
		if !slices.Contains(names, name) {
			rest[name] = value
		}
	}
	return rest
}
