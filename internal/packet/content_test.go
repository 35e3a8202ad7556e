package packet_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// contentOf returns what a draft says.
func contentOf(tb testing.TB, json string) packet.Content {
	tb.Helper()
	return draft(tb, json).Content()
}

// SPEC.
func TestRecord_Content_packet(t *testing.T) {
	t.Parallel()
	got := contentOf(t, `{
		"goal": "g", "next_step": "n", "tags": ["export"], "impact": "high", "origin": "agent", "created_at": "2024-10-12T08:30:00Z",
		"decisions": [{"what": "d", "why": "because", "consequences": "so", "locked": true}, {"what": "", "why": "unsaid"}, {"what": "e", "why": ""}],
		"attempts": [{"tried": "t", "outcome": "builds, then crashes", "learned": "l", "confidence": "high"}, {"tried": "u", "outcome": "succeeded"}],
		"methods": [{"name": "m", "when_applicable": "often", "how": "so"}],
		"constraints": ["c", ""], "open_questions": ["q"], "success_criteria": ["", "s"],
		"provenance": {"confidence": "low"}, "expires_at": "2026-12-31T23:00:00Z"}`)
	want := packet.Content{
		Kind:       packet.KindPacket,
		CreatedAt:  time.Date(2024, 10, 12, 8, 30, 0, 0, time.UTC),
		ExpiresAt:  time.Date(2026, 12, 31, 23, 0, 0, 0, time.UTC),
		Tags:       []string{"export"},
		Impact:     "high",
		Confidence: "low",
		Origin:     "agent",
		Provenance: packet.Provenance{Confidence: "low"},
		Items: []packet.Item{
			{Kind: "goal", Place: "/goal", Text: "g"},
			{Kind: "decision", Place: "/decisions/0", Text: "d", Why: "because\nso", Locked: true},
			{Kind: "decision", Place: "/decisions/2", Text: "e"},
			{
				Kind: "attempt", Place: "/attempts/0", Text: "t", Why: "builds, then crashes\nl", Failed: true,
				Confidence: "high",
			},
			{Kind: "attempt", Place: "/attempts/1", Text: "u", Why: "succeeded"},
			{Kind: "method", Place: "/methods/0", Text: "m\noften", Why: "so"},
			{Kind: "constraint", Place: "/constraints/0", Text: "c"},
			{Kind: "question", Place: "/open_questions/0", Text: "q"},
			{Kind: "criterion", Place: "/success_criteria/1", Text: "s"},
			{Kind: "next_step", Place: "/next_step", Text: "n"},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Content (-want +got):\n%s", diff)
	}
}

// SPEC.
func TestRecord_Content_small(t *testing.T) {
	t.Parallel()
	end := time.Date(2025, 1, 31, 23, 59, 59, 0, time.UTC)
	made := time.Date(2024, 10, 13, 8, 30, 0, 0, time.UTC)
	for _, tt := range []struct {
		name, in string
		want     packet.Content
	}{
		{
			"note", note(`"kind":"pitfall","why":"w","topic":"a/b","tags":["t"],"impact":"low","confidence":"high","origin":"user","expires_at":"2025-01-31T23:59:59Z"`),
			packet.Content{
				Kind: packet.KindNote, CreatedAt: made, ExpiresAt: end, Tags: []string{"t"}, Topic: "a/b",
				Impact: "low", Confidence: "high", Origin: "user",
				Items: []packet.Item{{Kind: "pitfall", Place: "/text", Text: "t", Why: "w"}},
			},
		},
		{
			"task", note(`"kind":"task","why":"w","next_action":"n","status":"paused"`),
			packet.Content{
				Kind: packet.KindNote, CreatedAt: made,
				Items: []packet.Item{{Kind: "task", Place: "/text", Text: "t", Why: "w\nn"}},
			},
		},
		{
			"skip", skip(`"expires_at":"2025-01-31T23:59:59Z","match":{"path":"a/*","words":"w","command":"make x"},"tags":["t"],"anchor":{"branch":"b"}`),
			packet.Content{
				Kind: packet.KindSkip, CreatedAt: made, ExpiresAt: end, Tags: []string{"t"},
				Anchor: packet.Anchor{Branch: "b"}, Paths: []string{"a/*"},
				Items: []packet.Item{{Kind: "skip", Place: "/item", Text: "i\nmake x\nw\na/*", Why: "r"}},
			},
		},
		{
			"skip that repeats itself", skip(`"expires_at":"2025-01-31T23:59:59Z","match":{"words":"i"}`),
			packet.Content{
				Kind: packet.KindSkip, CreatedAt: made, ExpiresAt: end,
				Items: []packet.Item{{Kind: "skip", Place: "/item", Text: "i", Why: "r"}},
			},
		},
		{
			"event", `{"type":"event","event":"retract","targets":["0123456789"],"why":"w"}`,
			packet.Content{Kind: packet.KindEvent},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, contentOf(t, tt.in)); diff != "" {
				t.Errorf("Content (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRecord_Content_references(t *testing.T) {
	t.Parallel()
	const cites = `"cites":[{"path":"b"},{"path":"c","line":3},{"path":"b","line":9}]`
	for _, tt := range []struct {
		name, in string
		paths    []string
	}{
		{
			"packet", `{"goal":"g","next_step":"n","paths":["a","b","a"],"parent_id":"0123456789","parents":["0123456789","1234567890"],` +
				`"supersedes":["2345678901","1234567890"],` + cites + `}`,
			[]string{"a", "b", "c"},
		},
		{
			"note", note(`"kind":"fact","links":["1234567890","0123456789","1234567890"],` + cites),
			[]string{"b", "c"},
		},
		{
			"skip", skip(`"expires_at":"2025-01-31T23:59:59Z","match":{"path":"a/*"},` + cites),
			[]string{"b", "c", "a/*"},
		},
		{"neither", note(`"kind":"fact"`), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := contentOf(t, tt.in)
			if diff := cmp.Diff(tt.paths, got.Paths); diff != "" {
				t.Errorf("Paths (-want +got):\n%s", diff)
			}
		})
	}
}

// TestRecord_Content_leavesTheRecord holds that a content can be changed.
func TestRecord_Content_leavesTheRecord(t *testing.T) {
	t.Parallel()
	r := stored(t, "note-full")
	before := r.Content()
	c := r.Content()
	c.Tags[0], c.Paths[0], c.Cites[0].Path, c.Items[0].Text = "x", "x", "x", "x"
	if diff := cmp.Diff(before, r.Content()); diff != "" {
		t.Errorf("the record changed (-before +after):\n%s", diff)
	}
}

// TestRecord_Content_unchecked holds that a record that nobody validated yet can
// be asked, whatever stands at its members.
func TestRecord_Content_unchecked(t *testing.T) {
	t.Parallel()
	values := []any{
		nil, true, -1.5, "x",
		[]any{},
		[]any{nil, 1, "x", []any{"x"}, map[string]any{"path": 1, "what": []any{}}},
		map[string]any{"words": 1},
	}
	for _, name := range []string{
		"version-0.3-full", "published-0.2-full", "note-full", "skip-full",
		"event-full",
	} {
		var members map[string]any
		if err := json.Unmarshal(vector(t, "valid", name+".json"), &members); err != nil {
			t.Fatal(err)
		}
		for member := range members {
			if member == "type" {
				continue
			}
			for _, value := range values {
				r := stored(t, name)
				if err := r.Set(member, value); err != nil {
					t.Fatal(err)
				}
				for _, item := range r.Content().Items {
					if item.Text == "" || item.Place == "" {
						t.Errorf("%s, %s is %v: the item %+v says nothing", name, member, value, item)
					}
				}
			}
		}
	}
}

func TestRecord_Content_places(t *testing.T) {
	t.Parallel()
	items := 0
	for _, name := range vectorNames(t, "valid", 1) {
		items += checkPlaces(t, stored(t, name))
	}
	if items < 150 {
		t.Errorf("the vectors have %d items, want at least 150", items)
	}
}

// checkPlaces holds that every item says something, and what stands at its
// place in the encoding. It returns how many items there are.
func checkPlaces(tb testing.TB, r *packet.Record) int {
	tb.Helper()
	var root any
	if err := json.Unmarshal(r.Encode(), &root); err != nil {
		tb.Fatal(err)
	}
	seen := map[string]bool{}
	items := r.Content().Items
	for _, item := range items {
		if item.Text == "" || item.Kind == "" {
			tb.Errorf("the item %+v says nothing", item)
		}
		if seen[item.Place] {
			tb.Errorf("two items at %q", item.Place)
		}
		seen[item.Place] = true
		if at, ok := textAt(root, item.Place); !ok || !strings.HasPrefix(item.Text, at) {
			tb.Errorf("at %q stands %q, the item says %q", item.Place, at, item.Text)
		}
	}
	return len(items)
}

// textAt follows a JSON pointer to a text, or to an object and the text that
// names it.
func textAt(v any, pointer string) (string, bool) {
	for name := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		switch at := v.(type) {
		case map[string]any:
			v = at[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(at) {
				return "", false
			}
			v = at[i]
		default:
			return "", false
		}
	}
	if o, ok := v.(map[string]any); ok {
		for _, name := range []string{"what", "tried", "name"} {
			if text, ok := o[name].(string); ok {
				return text, true
			}
		}
	}
	text, ok := v.(string)
	return text, ok
}
