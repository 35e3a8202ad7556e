package command_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/command"
)

func TestParseCite(t *testing.T) {
	t.Parallel()
	for place, want := range map[string]command.Cite{
		"README":                 {Path: "README"},
		"Makefile:3":             {Path: "Makefile", Line: 3},
		"src/a.c:4-9":            {Path: "src/a.c", Line: 4, EndLine: 9},
		"src/a:b.c":              {Path: "src/a:b.c"},
		"src/a:b.c:1":            {Path: "src/a:b.c", Line: 1},
		"a:1-":                   {Path: "a:1-"},
		"a:-1":                   {Path: "a:-1"},
		"a:+1":                   {Path: "a:+1"},
		"a:0":                    {Path: "a:0"},
		"a:":                     {Path: "a:"},
		"a:1-b":                  {Path: "a:1-b"},
		"a:99999999999999999999": {Path: "a:99999999999999999999"},
	} {
		if got := command.ParseCite(place); got != want {
			t.Errorf("command.ParseCite(%q) is %+v, want %+v", place, got, want)
		}
	}
}

// TestCite_json: agents write a place as a text, programs as an object, and both are the same place.
func TestCite_json(t *testing.T) {
	t.Parallel()
	want := command.Cite{Path: "src/a.c", Line: 4, EndLine: 9}
	for _, text := range []string{`"src/a.c:4-9"`, `{"path":"src/a.c","line":4,"end_line":9}`} {
		var got command.Cite
		if err := json.Unmarshal([]byte(text), &got); err != nil || got != want {
			t.Errorf("%s is %+v, %v, want %+v", text, got, err, want)
		}
	}
}

// TestNote_Prepare: what a note leaves open is settled, and everything that is wrong is said with its member.
func TestNote_Prepare(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		note command.Note
		kind string
		ends string
		want []string
	}{
		"a fact": {command.Note{}, "fact", "", nil},
		"another word": {
			command.Note{Kind: "friction", Until: "3d"},
			"pitfall", "2026-11-27T12:00:00Z",
			nil,
		},
		"a task": {command.Note{Kind: "task"}, "task", "", nil},
		"of a session": {
			command.Note{Kind: "task", Category: "session_note"},
			"task",
			"2026-12-01T12:00:00Z", nil,
		},
		"a skip": {
			command.Note{Kind: "skip", Why: "w", Until: "3d"},
			"skip",
			"2026-11-27T12:00:00Z", nil,
		},
		"a skip of nothing": {command.Note{Kind: "skip"}, "skip", "", []string{"/why", "/until"}},
		"a skip for ever": {
			command.Note{Kind: "skip", Why: "w", Until: "9y"},
			"skip", "",
			[]string{"/until"},
		},
		"all at once": {
			command.Note{Kind: "rumour", Impact: "critical", Confidence: "sure", Until: "soon"},
			"", "",
			[]string{"/kind", "/impact", "/confidence", "/until"},
		},
	} {
		err := c.note.Prepare(now)
		var wrong []string
		if input, ok := errors.AsType[*command.InputError](err); ok {
			for _, p := range input.Problems {
				wrong = append(wrong, p.Path)
			}
		}
		ends := ""
		if !c.note.Ends.IsZero() && err == nil {
			ends = c.note.Ends.Format(time.RFC3339)
		}
		if c.note.Kind != c.kind || ends != c.ends || !slices.Equal(wrong, c.want) {
			t.Errorf("%s is a %q until %q with %v wrong, want %q until %q with %v", name, c.note.Kind, ends,
				wrong, c.kind, c.ends, c.want)
		}
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	names := []string{"save", "status", "recall", "resume"}
	for word, want := range map[string]string{
		"sav": "save", "staus": "status", "rceall": "recall", "resmue": "resume", "SAVE": "save", "list": "",
		"x": "",
	} {
		if got := strings.Join(command.Nearest(word, names), " "); got != want {
			t.Errorf("command.Nearest(%q) is %q, want %q", word, got, want)
		}
	}
}
