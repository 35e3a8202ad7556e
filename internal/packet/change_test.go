package packet_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/packet"
)

func TestParseChange(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in   string
		want packet.Change
	}{
		{"{}", packet.Change{}},
		{`{"status":"completed"}`, packet.Change{Status: "completed"}},
		{` {"priority": 0} `, packet.Change{Priority: new(0)}},
		{
			`{"category":"session_note","next_action":"a\n\"b\"","priority":10,"status":"paused"}`,
			packet.Change{
				Status: "paused", Priority: new(10), NextAction: "a\n\"b\"",
				Category: "session_note",
			},
		},
	} {
		got, err := packet.ParseChange(tt.in)
		if err != nil {
			t.Errorf("ParseChange(%s): %v", tt.in, err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("ParseChange(%s) (-want +got):\n%s", tt.in, diff)
		}
	}
}

// SPEC.
func TestParseChange_refused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, in, at string }{
		{"nothing", "", ""},
		{"a word", "completed", ""},
		{"a list", `[{"status":"paused"}]`, ""},
		{"null", "null", ""},
		{"something behind", `{"status":"paused"}]`, ""},
		{"two objects", `{"status":"paused"}{}`, ""},
		{"not UTF-8", "{\"next_action\":\"\xff\"}", ""},
		{"twice", `{"status":"paused","status":"active"}`, "/status"},
		{"a case twin", `{"Status":"paused"}`, "/Status /Status"},
		{"another member", `{"status":"paused","text":"x"}`, "/text"},
		{"a word that is none", `{"status":"done"}`, "/status"},
		{"an empty word", `{"category":""}`, "/category"},
		{"no value", `{"priority":null}`, "/priority"},
		{"a fraction", `{"priority":1.0}`, "/priority"},
		{"above all", `{"priority":11}`, "/priority"},
		{"below all", `{"priority":-1}`, "/priority"},
		{"a control character", `{"next_action":"\u001b[2J"}`, "/next_action"},
		{"half a surrogate pair", `{"next_action":"\ud800"}`, "/next_action"},
		{"too long", `{"next_action":"` + strings.Repeat("x", 1025) + `"}`, "/next_action"},
		{
			"everything", `{"status":"x","priority":"x","next_action":[],"category":"x"}`,
			"/status /priority /next_action /category",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := packet.ParseChange(tt.in)
			if !errors.Is(err, packet.ErrChange) || got != (packet.Change{}) {
				t.Fatalf("ParseChange = %+v, %v, want ErrChange", got, err)
			}
			if at := strings.Join(strings.Fields(problemLines(t, err)), " "); at != tt.at {
				t.Errorf("problems at %q, want %q", at, tt.at)
			}
		})
	}
}

func TestChange_Value(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		change packet.Change
		want   string
	}{
		{packet.Change{}, "{}"},
		{packet.Change{Priority: new(0)}, `{"priority":0}`},
		{
			packet.Change{
				Category: "active_work", NextAction: "<a>\t\"é\"", Priority: new(3),
				Status: "active",
			},
			`{"status":"active","priority":3,"next_action":"<a>\t\"é\"","category":"active_work"}`,
		},
	} {
		got, err := tt.change.Value()
		if err != nil || got != tt.want {
			t.Errorf("Value of %+v = %s, %v, want %s", tt.change, got, err, tt.want)
		}
		back, err := packet.ParseChange(got)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.change, back); diff != "" {
			t.Errorf("read back (-want +got):\n%s", diff)
		}
	}
}

func TestChange_Check(t *testing.T) {
	t.Parallel()
	wrong := packet.Change{Status: "done", Priority: new(-1), NextAction: "\x1b", Category: "someday"}
	err := wrong.Check()
	if want := "/status\n/priority\n/next_action\n/category\n"; !errors.Is(err, packet.ErrChange) ||
		problemLines(t, err) != want {
		t.Errorf("Check: %v, want ErrChange and problems at %q", err, want)
	}
	if value, err := wrong.Value(); err == nil || value != "" {
		t.Errorf("Value of what is wrong = %q, %v", value, err)
	}
	if err := (packet.Change{NextAction: "a\xff"}).Check(); !errors.Is(err, packet.ErrChange) {
		t.Errorf("Check of what is not UTF-8: %v, want ErrChange", err)
	}
	if err := (packet.Change{Priority: new(10)}).Check(); err != nil {
		t.Errorf("Check: %v", err)
	}
}

// TestChange_Then holds that the last writer of a field decides about it.
// SPEC.
func TestChange_Then(t *testing.T) {
	t.Parallel()
	first := packet.Change{Status: "paused", Priority: new(7), NextAction: "a"}
	later := packet.Change{Priority: new(0), Category: "waiting_for", NextAction: "b"}
	want := packet.Change{Status: "paused", Priority: new(0), NextAction: "b", Category: "waiting_for"}
	got := first.Then(later)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Then (-want +got):\n%s", diff)
	}
	for name, c := range map[string]packet.Change{
		"nothing before": (packet.Change{}).Then(got),
		"nothing later":  got.Then(packet.Change{}),
	} {
		if diff := cmp.Diff(want, c); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestNote_After(t *testing.T) {
	t.Parallel()
	task := packet.Note{Kind: packet.NoteTask, Text: "t", Status: "active", Priority: 3, NextAction: "n"}
	if diff := cmp.Diff(task, task.After(packet.Change{})); diff != "" {
		t.Errorf("after no change (-want +got):\n%s", diff)
	}
	want := packet.Note{
		Kind: packet.NoteTask, Text: "t", Status: "completed", NextAction: "n",
		Category: "active_work",
	}
	got := task.After(packet.Change{Status: "completed", Priority: new(0), Category: "active_work"})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("After (-want +got):\n%s", diff)
	}
}

func TestIsImpact(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]bool{
		"low": true, "medium": true, "high": true, "critical": true, "": false, "Critical": false,
		"mustard": false, "critically": false,
	} {
		if got := packet.IsImpact(word); got != want {
			t.Errorf("IsImpact(%q) = %v, want %v", word, got, want)
		}
	}
}
