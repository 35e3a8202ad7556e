package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/packet"
)

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
func readArguments(raw json.RawMessage, tool string) (arguments, error) {
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
