package command_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/command"
)

func TestBatchLines(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct{ name, line, want string }{
		{"a note is the default", `{"kind": "fact"}`, `{"kind":"fact","type":"note"}`},
		{"nothing at all", `{}`, `{"type":"note"}`},
		{
			"an alias", `{"type": "note", "kind":"Friction" ,"text":"a"}`,
			`{"kind":"pitfall","text":"a","type":"note"}`,
		},
		{
			"an unknown kind is left to the gate", `{"type":"note","kind":"poem"}`,
			`{"kind":"poem","type":"note"}`,
		},
		{"tags", `{"type":"note","tags":["A_b","a:b","c"]}`, `{"tags":["a-b","c"],"type":"note"}`},
		{"tags that are none", `{"type":"note","tags":["A", 1]}`, `{"tags":["A",1],"type":"note"}`},
		{
			"an end", `{"type":"skip","expires_at":"3d"}`,
			`{"expires_at":"2026-11-25T12:00:00Z","type":"skip"}`,
		},
		{
			"an end that is a time", `{"type":"skip","expires_at":"2026-11-25T12:00:00+01:00"}`,
			`{"expires_at":"2026-11-25T12:00:00+01:00","type":"skip"}`,
		},
		{
			"doubled members stay", `{"type":"note","kind":"rule","kind":"insight"}`,
			`{"type":"note","kind":"rule","kind":"insight"}`,
		},
		{"half a character stays", `{"type":"note","text":"\ud800"}`, `{"text":"\ud800","type":"note"}`},
		{"half a character in a name stays", `{"\ud800":1}`, `{"\ud800":1}`},
		{"no object", `["kind"]`, `["kind"]`},
		{"no JSON", `{"kind": "rule"`, `{"kind": "rule"`},
		{"more than one", `{"kind": "rule"} {}`, `{"kind": "rule"} {}`},
	} {
		got := command.BatchLines([]byte(c.line), now)[0]
		if diff := cmp.Diff(c.want, string(got.Data)); diff != "" || got.Err != nil {
			t.Errorf("%s (-want +got): %v\n%s", c.name, got.Err, diff)
		}
	}
}

// FuzzBatchLines states that a line which is one JSON object stays one, with the members that are not mended as
// they were.
func FuzzBatchLines(f *testing.F) {
	f.Add([]byte(`{"kind": "Friction", "tags": ["A b"], "expires_at": "3d", "x": [1e3, {"kind": "rule"}]}`))
	f.Add([]byte(` { "type" : "skip" , "expires_at":"tomorrow"}`))
	f.Add([]byte(`{"\u006bind":"insight","a":-0.0}`))
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, line []byte) {
		var before, after map[string]json.RawMessage
		if json.Unmarshal(line, &before) != nil || before == nil || bytes.ContainsRune(line, '\n') {
			return
		}
		got := command.BatchLines(line, now)[0]
		if err := json.Unmarshal(got.Data, &after); err != nil {
			t.Fatalf("%q became %q: %v", line, got.Data, err)
		}
		for _, name := range []string{"type", "kind", "tags", "expires_at"} {
			delete(before, name)
			delete(after, name)
		}
		for _, members := range []map[string]json.RawMessage{before, after} {
			for name, value := range members {
				var compact bytes.Buffer
				if err := json.Compact(&compact, value); err != nil {
					t.Fatalf("%q became %q: %v", line, got.Data, err)
				}
				members[name] = compact.Bytes()
			}
		}
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("%q became %q (-before +after):\n%s", line, got.Data, diff)
		}
	})
}
