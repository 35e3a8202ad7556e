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
		{"a note is the default", `{"kind": "fact"}`, `{"type":"note","kind": "fact"}`},
		{"nothing at all", `{}`, `{"type":"note"}`},
		{
			"an alias", `{"type": "note", "kind":"Friction" ,"text":"a"}`,
			`{"type": "note", "kind":"pitfall" ,"text":"a"}`,
		},
		{
			"an unknown kind is left to the gate", `{"type":"note","kind":"poem"}`,
			`{"type":"note","kind":"poem"}`,
		},
		{"tags", `{"type":"note","tags":["A_b","a:b","c"]}`, `{"type":"note","tags":["a-b","c"]}`},
		{"tags that are none", `{"type":"note","tags":["A", 1]}`, `{"type":"note","tags":["A", 1]}`},
		{
			"an end", `{"type":"skip","expires_at":"3d"}`,
			`{"type":"skip","expires_at":"2026-11-25T12:00:00Z"}`,
		},
		{
			"an end that is a time", `{"type":"skip","expires_at":"2026-11-25T12:00:00+01:00"}`,
			`{"type":"skip","expires_at":"2026-11-25T12:00:00+01:00"}`,
		},
		{
			"doubled members stay", `{"type":"note","kind":"rule","kind":"insight"}`,
			`{"type":"note","kind":"preference","kind":"learning"}`,
		},
		{"half a character stays", `{"type":"note","text":"\ud800"}`, `{"type":"note","text":"\ud800"}`},
		{"no object", `["kind"]`, `["kind"]`},
		{"no JSON", `{"kind": "rule"`, `{"kind": "rule"`},
		{"more than one", `{"kind": "rule"} {}`, `{"type":"note","kind": "preference"} {}`},
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
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("%q became %q (-before +after):\n%s", line, got.Data, diff)
		}
	})
}
