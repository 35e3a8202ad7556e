package packet_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// beyondSchema are the vectors that only the parser refuses, by the start of
// their name. The rules behind them are those that schema/README.md lists.
var beyondSchema = []string{
	"doubled-", "case-twin", "control-", "surrogate", "number-infinite", "nested-", "size-over", "input-over",
	"event-over",
	"byte-order-mark", "utf-8-", "skip-span-",
}

// TestSchema_vectors asks the schemas about every vector.
func TestSchema_vectors(t *testing.T) {
	t.Parallel()
	judge := newJudge(t)
	for _, name := range vectorNames(t, "valid", 1) {
		if !judge.accepts(t, vector(t, "valid", name+".json")) {
			t.Errorf("the schema refuses valid/%s", name)
		}
	}
	for _, name := range vectorNames(t, "invalid", 1) {
		beyond := slices.ContainsFunc(beyondSchema, func(p string) bool { return strings.HasPrefix(name, p) })
		if !beyond && name != "cite-lines" && judge.accepts(t, vector(t, "invalid", name+".json")) {
			t.Errorf("the schema accepts invalid/%s", name)
		}
	}
}

// TestSchema_mutations changes every value of the valid vectors in many ways,
// one at a time, and compares what the schema and the parser say.
// SPEC.
func TestSchema_mutations(t *testing.T) {
	t.Parallel()
	judge := newJudge(t)
	accepted, refused := 0, 0
	for _, name := range []string{
		"version-0.3-full", "published-0.2-full", "interop-announcement-example", "event-full", "event-allow",
		"note-full", "note-task", "skip-full",
	} {
		var root map[string]any
		if err := json.Unmarshal(vector(t, "valid", name+".json"), &root); err != nil {
			t.Fatal(err)
		}
		mutate(root, func(change string) {
			data, err := json.Marshal(root)
			if err != nil {
				t.Fatal(err)
			}
			_, err = packet.Parse(data, packet.Stored)
			if beyond(err) {
				return
			}
			if got, want := err == nil, judge.accepts(t, data); got != want {
				t.Errorf("%s, %s: Parse accepts is %v (%v), the schema says %v", name, change, got, err, want)
			}
			if err == nil {
				accepted++
			} else {
				refused++
			}
		})
	}
	if accepted < 200 || refused < 1000 {
		t.Errorf("%d changes were accepted and %d refused, want at least 200 and 1000", accepted, refused)
	}
}

// beyond tells whether a mutation met nothing but rules that a schema cannot
// express.
func beyond(err error) bool {
	if err == nil {
		return false
	}
	for _, words := range []string{
		"must not be below", "bytes, at most", "control character",
		"must be at most 366 days after",
	} {
		if strings.Contains(err.Error(), words) && !strings.Contains(err.Error(), "more)") {
			return true
		}
	}
	return false
}

// mutate calls try after each change to a value at or below root, and takes the
// change back.
func mutate(root map[string]any, try func(change string)) {
	for _, name := range slices.Sorted(maps.Keys(root)) {
		old := root[name]
		delete(root, name)
		try("without " + name)
		for label, value := range replacements(old) {
			root[name] = value
			try(name + " is " + label)
		}
		root[name] = old
		mutateInside(old, name, try)
	}
	root["unheard_of"] = nil
	try("with an unknown member")
	delete(root, "unheard_of")
}

func mutateInside(v any, name string, try func(change string)) {
	switch v := v.(type) {
	case map[string]any:
		mutate(v, func(change string) { try(name + ": " + change) })
	case []any:
		if len(v) == 0 {
			return
		}
		old := v[0]
		for label, value := range replacements(old) {
			v[0] = value
			try(name + "/0 is " + label)
		}
		v[0] = old
		mutateInside(old, name+"/0", try)
	}
}

// replacements returns values of every type and about every limit.
func replacements(old any) map[string]any {
	all := map[string]any{
		"null": nil, "true": true, "false": false, "zero": 0, "one": 1, "a fraction": 1.5, "negative": -1,
		"large":          1 << 31,
		"an empty array": []any{}, "an empty object": map[string]any{}, "an array of null": []any{nil},
		"an object": map[string]any{"a": 1},
		"a time":    "2024-10-12T08:30:00.5+02:00", "a day": "2024-10-12",
		"a ULID":     "01J9ZQ4M8T3V5X7Y9A1C3E5G7H",
		"no version": "0.4", "an old version": "0.1", "a path up": "a/../b", "a path": "a/..b/c",
		"an absolute path": "/a", "a drive": "C:a",
		"a home": "~a", "backslashes": `a\b`, "two lines": "0123456789\n0123456789",
		"digits": strings.Repeat("a", 40), "capitals": strings.Repeat("A", 64),
		"a digest":       "sha256:" + strings.Repeat("0", 64),
		"a short digest": "sha256:" + strings.Repeat("0", 63), "a hyphen": "-a", "critical": "critical",
		"medium": "medium", "succeeded": "succeeded", "tool": "tool", "purge": "purge", "digest": "digest",
		"packet": "packet", "event": "event", "note": "note", "skip": "skip",
		"fact": "fact", "insight": "insight", "waiting_for": "waiting_for", "paused": "paused", "ten": 10,
		"eleven":  11,
		"a topic": "a/b_c-d/0", "an empty segment": "a//b", "a slash at the end": "a/", "a low line": "a_",
		"a segment with a hyphen": "a/-b",
	}
	for _, n := range []int{
		0, 1, 9, 10, 32, 33, 39, 41, 63, 64, 65, 128, 129, 255, 256, 257, 1024, 1025,
		2048, 2049,
	} {
		all[fmt.Sprintf("%d letters", n)] = strings.Repeat("a", n)
		all[fmt.Sprintf("%d letters beyond ASCII", n)] = strings.Repeat("é", n)
	}
	items, ok := old.([]any)
	if !ok || len(items) == 0 {
		return all
	}
	for _, n := range []int{1, 16, 17, 32, 33, 64, 65, 128, 129} {
		all[fmt.Sprintf("%d items", n)] = slices.Repeat(items[:1], n)
	}
	return all
}

// schemaFiles are the schemas, by the type that a record states.
var schemaFiles = map[string]string{
	"packet": "core-memory.v0.3.json", "note": "note.json", "skip": "skip.json", "event": "event.json",
}

// A judge asks the schemas in the directory schema, by the type of a record.
type judge map[string]*jsonschema.Schema

func newJudge(tb testing.TB) judge {
	tb.Helper()
	const home = "https://github.com/git-ltm/git-ltm/schema/"
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	for _, name := range schemaFiles {
		data, err := os.ReadFile(filepath.Join("../../schema", name))
		if err != nil {
			tb.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			tb.Fatal(err)
		}
		if err := c.AddResource(home+name, doc); err != nil {
			tb.Fatal(err)
		}
	}
	j := judge{}
	for kind, name := range schemaFiles {
		j[kind] = c.MustCompile(home + name)
	}
	return j
}

func (j judge) accepts(tb testing.TB, data []byte) bool {
	tb.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return false
	}
	schema := j["packet"]
	if root, ok := doc.(map[string]any); ok {
		if stated, ok := root["type"].(string); ok && j[stated] != nil {
			schema = j[stated]
		}
	}
	return schema.Validate(doc) == nil
}
