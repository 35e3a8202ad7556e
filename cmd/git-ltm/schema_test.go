package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/briefing"
)

// schemas makes JSON Schemas of Go types: one definition for each command that prints JSON, and one for each type
// with a name.
type schemas map[string]any

// outputSchemas are those of all commands, or of those with a name: scripts start thousands of programs, and each
// needs one.
func outputSchemas(names ...string) []byte {
	defs := schemas{}
	for _, d := range descriptions() {
		prints := d.prints
		if _, none := prints.(noJSON); none || names != nil && !slices.Contains(names, d.name) {
			continue
		}
		if line, ok := prints.(jsonPerLine); ok {
			prints = line.of
		}
		of := reflect.TypeOf(prints)
		members := map[string]any{"version": map[string]any{"const": briefing.FormatVersion}}
		shape := map[string]any{"properties": members, "required": []string{"version"}}
		switch {
		case of.Kind() == reflect.Slice:
			members["items"] = defs.of(of)
			shape["required"] = []string{"items", "version"}
		default:
			shape["allOf"] = []any{defs.of(of)}
		}
		defs[d.name] = shape
	}
	all := map[string]any{
		"$schema":     "https://json-schema.org/draft/2020-12/schema",
		"$id":         "https://github.com/git-ltm/git-ltm/schema/output.json",
		"title":       "What the commands print with --json",
		"description": "Made from the Go types. Each command has a definition of its name. Members may be added.",
		"$defs":       defs,
	}
	data, _ := json.MarshalIndent(all, "", " ") //nolint:errchkjson // Texts.
	return append(data, '\n')
}

// of is the schema of a type.
func (s schemas) of(t reflect.Type) map[string]any {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return map[string]any{"type": "string", "format": "date-time"}
	case t == reflect.TypeFor[json.RawMessage](), t.Kind() == reflect.Interface:
		return map[string]any{}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return map[string]any{"anyOf": []any{s.of(t.Elem()), map[string]any{"type": "null"}}}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": s.of(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": s.of(t.Elem())}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int:
		return map[string]any{"type": "integer"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Struct:
		name := path.Base(t.PkgPath()) + "." + t.Name()
		if s[name] == nil {
			s[name] = true // It may hold itself.
			members, required := s.members(t)
			s[name] = map[string]any{"type": "object", "required": required, "properties": members}
		}
		return map[string]any{"$ref": "#/$defs/" + name}
	}
	panic("no schema for " + t.String())
}

// members are those that JSON has of a struct, and the names of those that are always there.
func (s schemas) members(t reflect.Type) (members map[string]any, required []string) {
	members, required = map[string]any{}, []string{}
	for _, f := range reflect.VisibleFields(t) {
		name, options, tagged := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-", f.PkgPath != "" && !f.Anonymous, f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct:
			continue
		case name == "":
			name = f.Name
		}
		members[name] = s.of(f.Type)
		if !tagged || !strings.Contains(options, "omit") {
			required = append(required, name)
		}
	}
	slices.Sort(required)
	return members, required
}

// mainChecked is the program that scripts start.
func mainChecked() {
	if !slices.Contains(os.Args, "--json") {
		main()
	}
	os.Exit(runChecked(&env{
		vars: os.Environ(), stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
		now: time.Now, entropy: rand.Reader, width: width, self: os.Executable,
	}, os.Args[1:]))
}

// runChecked runs a command line: what it prints with --json fits its schema.
func runChecked(e *env, args []string) int {
	ctx := context.Background()
	if !slices.Contains(args, "--json") || strings.HasPrefix(args[0], "__complete") {
		return run(ctx, e, args)
	}
	cmd, _, err := newRoot(e, withPart(args)...).Find(args)
	if err != nil {
		return run(ctx, e, args)
	}
	printed, out := e.stdout, new(bytes.Buffer)
	e.stdout = out
	code := run(ctx, e, args)
	if err := checkOutput(strings.TrimPrefix(typedName(cmd), "git ltm "), out.Bytes()); err != nil {
		_, _ = fmt.Fprintf(e.stderr, "git-ltm: %q does not fit its schema: %v\n%s", args, err, out)
		code = 99
	}
	if _, err := out.WriteTo(printed); err != nil {
		code = codeFailed
	}
	return code
}

// checkOutput holds each JSON value that a command printed against its schema.
func checkOutput(name string, printed []byte) error {
	var schema struct {
		Defs map[string]map[string]any `json:"$defs"`
	}
	if err := json.Unmarshal(outputSchemas(name), &schema); err != nil {
		return err
	}
	for dec := json.NewDecoder(bytes.NewReader(printed)); ; {
		var value any
		if err := dec.Decode(&value); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if err := fits(schema.Defs, schema.Defs[name], value, map[string]bool{}); err != nil {
			return err
		}
	}
}

// fits holds a value against a schema, which knows all of its members, and notes them.
func fits(defs map[string]map[string]any, schema map[string]any, value any, known map[string]bool) error {
	part := func(of any, value any, at string) error {
		if err := fits(defs, of.(map[string]any), value, map[string]bool{}); err != nil {
			return fmt.Errorf("/%s%w", at, err)
		}
		return nil
	}
	if ref, ok := schema["$ref"].(string); ok {
		return fits(defs, defs[strings.TrimPrefix(ref, "#/$defs/")], value, known)
	}
	if either, ok := schema["anyOf"].([]any); ok {
		if value == nil {
			return nil
		}
		return fits(defs, either[0].(map[string]any), value, known)
	}
	if all, ok := schema["allOf"].([]any); ok {
		inner := defs[strings.TrimPrefix(all[0].(map[string]any)["$ref"].(string), "#/$defs/")]
		for name := range schema["properties"].(map[string]any) {
			known[name] = true
		}
		if err := fits(defs, inner, value, known); err != nil {
			return err
		}
	}
	is := map[string]string{
		"map[string]interface {}": "object", "[]interface {}": "array", "bool": "boolean", "float64": "number", "string": "string",
	}[fmt.Sprintf("%T", value)]
	if want, ok := schema["type"].(string); ok && want != is && (want != "integer" || is != "number") {
		return fmt.Errorf(" is %v, want a value of the type %s", value, want)
	}
	if want, ok := schema["const"]; ok && want != value {
		return fmt.Errorf(" is %v, want %v", value, want)
	}
	if list, ok := value.([]any); ok && schema["items"] != nil {
		for i, item := range list {
			if err := part(schema["items"], item, strconv.Itoa(i)); err != nil {
				return err
			}
		}
	}
	object, _ := value.(map[string]any)
	required, _ := schema["required"].([]any)
	for _, name := range required {
		if _, there := object[name.(string)]; !there {
			return fmt.Errorf("/%s is missing", name)
		}
	}
	members, _ := schema["properties"].(map[string]any)
	for name, of := range members {
		known[name] = true
		if member, there := object[name]; there {
			if err := part(of, member, name); err != nil {
				return err
			}
		}
	}
	for name := range object {
		if members != nil && schema["allOf"] == nil && !known[name] {
			return fmt.Errorf("/%s is not in the schema", name)
		}
	}
	return nil
}
