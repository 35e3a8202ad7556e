package packet_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// draft parses the JSON of an incomplete record.
func draft(tb testing.TB, json string) *packet.Record {
	tb.Helper()
	r, err := packet.Parse([]byte(json), packet.Draft)
	if err != nil {
		tb.Fatalf("Parse(%s): %v", json, err)
	}
	return r
}

// note returns the JSON of a note with members more, of which one is its kind.
func note(more string) string {
	return `{"type":"note","id":"01J9ZQ4M8T3V5X7Y9A1C3E5G7N","created_at":"2024-10-13T08:30:00Z","text":"t",` + more + "}"
}

// skip returns the JSON of a skip with members more, of which one is its end.
func skip(more string) string {
	return `{"type":"skip","id":"01J9ZQ4M8T3V5X7Y9A1C3E5G7S","created_at":"2024-10-13T08:30:00Z","item":"i","reason":"r",` + more + "}"
}

func TestParse_modes(t *testing.T) {
	t.Parallel()
	const text = `{"goal": "g", "next_step": "n"}`
	if _, err := packet.Parse([]byte(text), packet.Draft); err != nil {
		t.Errorf("as a draft: %v, want it accepted", err)
	}
	_, err := packet.Parse([]byte(text), packet.Stored)
	if want := "/ltm_version\n/id\n/created_at\n"; problemLines(t, err) != want {
		t.Errorf("as stored: %v, want problems at %q", err, want)
	}
}

func TestParse_messages(t *testing.T) {
	t.Parallel()
	whole := `{"ltm_version":"0.2","id":"0123456789","created_at":"2024-10-12T08:30:00Z","goal":"g","next_step":"n"`
	for _, tt := range []struct{ name, in, want string }{
		{"one problem", whole + `,"tags":"x"}`, "/tags: must be an array, not a string"},
		{
			"two problems", whole + `,"tags":"x","impact":1}`,
			"/tags: must be an array, not a string (and 1 more)",
		},
		{"length", whole + `,"parent_id":"x"}`, "/parent_id: must be at least 10 characters long, not 1"},
		{"empty", whole + `,"parent_id":""}`, "/parent_id: must not be empty"},
		{
			"too long", whole + `,"parent_id":"` + strings.Repeat("x", 65) + `"}`,
			"/parent_id: must be at most 64 characters long, not 65",
		},
		{
			"too many", whole + `,"parents":` + "[" + strings.Repeat(`"0123456789",`, 16) + `"0123456789"]}`,
			"/parents: must have at most 16 items, not 17",
		},
		{
			"form", whole + `,"anchor":{"commit":"x"}}`,
			"/anchor/commit: must be 40 or 64 lower-case hexadecimal digits",
		},
		{"missing", strings.Replace(whole, `"goal":"g",`, "", 1) + "}", "/goal: is missing"},
		{"word", whole + `,"impact":"x"}`, "/impact: must be one of low, medium, high, critical"},
		{
			"version", strings.Replace(whole, "0.2", "0.9", 1) + "}",
			"/ltm_version: must be one of 0.1, 0.2, 0.3",
		},
		{"twin", whole + `,"Tags":[]}`, `/Tags: differs only in case from "tags"`},
		{"control", whole + `,"x":"\u001b"}`, "/x: has the control character U+001B"},
		{"type", whole + `,"type":"hunter2"}`, "/type: records of this type are not known to this version"},
		{
			"place", "{\n  \"é\": x}",
			"line 2, column 8: not JSON: invalid character 'x' looking for beginning of value",
		},
		{"place of a broken character", "{\n\"a\xff\"}", "line 2, column 3: not UTF-8"},
		{
			"size", whole + `,"x":"` + strings.Repeat("x", 39865) + `"}`,
			"the packet is 40000 bytes, at most 32768 are allowed",
		},
		{"array", "[]", "must be an object"},
		{
			"kind of a note", note(`"kind":"insight"`),
			"/kind: must be one of decision, learning, procedure, pitfall, preference, reference, " +
				"achievement, fact, task, identity",
		},
		{
			"topic", note(`"kind":"fact","topic":"A"`),
			"/topic: must be lower-case words with slashes between them, like warehouse/snowflake",
		},
		{"priority", note(`"kind":"task","priority":11`), "/priority: must be a whole number from 0 to 10"},
		{
			"size of a note", note(`"kind":"fact","x":"` + strings.Repeat("x", 5000) + `"`),
			"the note is 5143 bytes, at most 4096 are allowed",
		},
		{
			"skip too long", skip(`"expires_at":"2025-10-14T08:30:01Z"`),
			`/expires_at: must be at most 366 days after "created_at", and not before it`,
		},
		{
			"skip over", skip(`"expires_at":"2024-10-13T08:29:59Z"`),
			`/expires_at: must be at most 366 days after "created_at", and not before it`,
		},
		{"skip without an end", skip(`"tags":[]`), "/expires_at: is missing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := packet.Parse([]byte(tt.in), packet.Stored)
			if err == nil || err.Error() != tt.want {
				t.Errorf("Parse:\n got %v\nwant %s", err, tt.want)
			}
		})
	}
}

// TestParse_quiet holds that no value of a refused record is in the error.
// SPEC.
func TestParse_quiet(t *testing.T) {
	t.Parallel()
	secret := "hunter2" + strings.Repeat("!", 3)
	for member, value := range map[string]string{
		"goal": "", "id": "", "created_at": "", "ltm_version": "", "impact": "", "type": "", "tags": "[]",
		"paths": "[]", "project": "", "expires_at": "",
	} {
		text, err := json.Marshal(secret)
		if err != nil {
			t.Fatal(err)
		}
		if value == "[]" {
			text = []byte("[" + string(text) + "]")
		}
		_, err = packet.Parse([]byte(`{"`+member+`":`+string(text)+`}`), packet.Stored)
		invalid, ok := errors.AsType[*packet.InvalidError](err)
		if !ok {
			t.Fatalf("%s: error is %v, want *InvalidError", member, err)
		}
		for _, p := range invalid.Problems {
			if strings.Contains(p.String(), secret) {
				t.Errorf("the problem %q tells the value of %s", p, member)
			}
		}
	}
}

func TestRecord_accessors(t *testing.T) {
	t.Parallel()
	var zero packet.Record
	if zero.Kind() != packet.KindPacket || zero.Version() != "" || zero.OwnID() != "" || zero.Has("goal") {
		t.Errorf("the zero record is not an empty packet")
	}
	if got := string(zero.Encode()); got != "{}\n" {
		t.Errorf("the zero record encodes to %q", got)
	}
	r := draft(t, `{"type":"event","event":"undo","id":"01JDMB4W1YNJZQR7K8F3A2H5P9","targets":["0123456789"]}`)
	if r.Kind() != packet.KindEvent || r.OwnID() != "01JDMB4W1YNJZQR7K8F3A2H5P9" || !r.Has("event") ||
		r.Has("goal") {
		t.Errorf("kind %q, id %q", r.Kind(), r.OwnID())
	}
}

func TestRecord_Set(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		value any
		want  string
	}{
		{"text", "a \"<b>\" é", `"a \"<b>\" é"`},
		{"boolean", true, "true"},
		{"number", 7, "7"},
		{"texts", []string{"a", "b"}, "[\n    \"a\",\n    \"b\"\n  ]"},
		{"map", map[string]any{"b": 1, "a": nil}, "{\n    \"a\": null,\n    \"b\": 1\n  }"},
		{"raw", json.RawMessage(`[1.50]`), "[\n    1.50\n  ]"},
		{"nothing", nil, "null"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var r packet.Record
			for range 2 {
				if err := r.Set("x", tt.value); err != nil {
					t.Fatal(err)
				}
			}
			want := "{\n  \"x\": " + tt.want + "\n}\n"
			if diff := cmp.Diff(want, string(r.Encode())); diff != "" {
				t.Errorf("Encode (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRecord_Set_errors(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]any{
		"text":  "a\xff",
		"texts": []string{"a", "\xff"},
		"raw":   json.RawMessage("\"\xff\""),
		"chan":  make(chan int),
		"nan":   math.NaN(),
	} {
		r := draft(t, `{"goal":"g","next_step":"n"}`)
		before := string(r.Encode())
		if err := r.Set("goal", value); err == nil {
			t.Errorf("Set of %s: no error", name)
		}
		if got := string(r.Encode()); got != before {
			t.Errorf("Set of %s changed the record to %s", name, got)
		}
	}
	var r packet.Record
	if err := r.Set("a\xff", 1); err == nil {
		t.Error("Set of a name that is not UTF-8: no error")
	}
}

func TestRecord_changes(t *testing.T) {
	t.Parallel()
	src := draft(t, `{"goal":"g","next_step":"n","tags":["a"]}`)
	r := draft(t, `{"goal":"other","next_step":"n"}`)
	clone := r.Clone()
	r.CopyFrom(src, "tags")
	r.CopyFrom(src, "goal")
	r.CopyFrom(src, "paths")
	r.Remove("next_step")
	r.Remove("paths")
	want := "{\n  \"goal\": \"g\",\n  \"tags\": [\n    \"a\"\n  ]\n}\n"
	if diff := cmp.Diff(want, string(r.Encode())); diff != "" {
		t.Errorf("changed (-want +got):\n%s", diff)
	}
	want = "{\n  \"goal\": \"other\",\n  \"next_step\": \"n\"\n}\n"
	if diff := cmp.Diff(want, string(clone.Encode())); diff != "" {
		t.Errorf("its clone (-want +got):\n%s", diff)
	}
}

func TestRecord_Validate(t *testing.T) {
	t.Parallel()
	r := draft(t, `{"goal":"g","next_step":"n"}`)
	for name, value := range map[string]any{
		"goal":   nil,
		"tags":   []string{"Upper"},
		"x":      json.RawMessage(`{"a":1,"a":2,"b":"\ud800","c":"\u001b","d":1e999}`),
		"impact": "huge",
	} {
		if err := r.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	err := r.Validate(packet.Draft)
	for _, at := range []string{"/goal", "/tags/0", "/x/a", "/x/b", "/x/c", "/x/d", "/impact"} {
		if !strings.Contains(problemLines(t, err), at+"\n") {
			t.Errorf("no problem at %s in %v", at, err)
		}
	}
}

// SPEC.
func TestRecord_Unknown(t *testing.T) {
	t.Parallel()
	r := draft(t, `{"next_step":"n","z":{"b":[],"a":[1,{}]},"goal":"g","a/b~":"x\n","decisions":[{"what":"w","why":"y"},{"what":"w","why":"y","new":null}]}`)
	want := []packet.Member{
		{Path: "/a~1b~0", JSON: `"x\n"`},
		{Path: "/decisions/1/new", JSON: `null`},
		{Path: "/z", JSON: `{"a":[1,{}],"b":[]}`},
	}
	if diff := cmp.Diff(want, r.Unknown()); diff != "" {
		t.Errorf("Unknown (-want +got):\n%s", diff)
	}
}
