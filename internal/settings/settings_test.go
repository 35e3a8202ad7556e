package settings_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/settings"
)

// element appends a small element to hooks.Stop.
func element() settings.Addition {
	return settings.Addition{Path: []string{"hooks", "Stop"}, Value: json.RawMessage(`{"command":"ours"}`)}
}

func TestInsert_layout(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, want string }{
		"a file that is not there": {
			"",
			"{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"command\": \"ours\"\n      }\n    ]\n  }\n}\n",
		},
		"an object on one line": {
			"{}\n",
			"{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"command\": \"ours\"\n      }\n    ]\n  }\n}\n",
		},
		"tabs": {
			"{\n\t\"a\": 1\n}\n",
			"{\n\t\"a\": 1,\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{\n\t\t\t\t\"command\": \"ours\"\n\t\t\t}\n\t\t]\n\t}\n}\n",
		},
		"three spaces, CRLF, no end": {
			"{\r\n   \"a\": 1\r\n}",
			"{\r\n   \"a\": 1,\r\n   \"hooks\": {\r\n      \"Stop\": [\r\n         {\r\n            " +
				"\"command\": \"ours\"\r\n         }\r\n      ]\r\n   }\r\n}",
		},
		"a comment behind the last": {
			"{\n  \"hooks\": {\n    \"Stop\": [\n      1 // one\n    ]\n  }\n}\n",
			"{\n  \"hooks\": {\n    \"Stop\": [\n      1, // one\n      {\n        \"command\": \"ours\"\n      }\n    ]\n  }\n}\n",
		},
		"a trailing comma": {
			"{\n  \"hooks\": {\n    \"Stop\": [\n      1,\n    ],\n  },\n}\n",
			"{\n  \"hooks\": {\n    \"Stop\": [\n      1,\n      {\n        \"command\": \"ours\"\n      },\n    ],\n  },\n}\n",
		},
		"one line without spaces": {
			"{\"hooks\":{\"Stop\":[1,2]}}",
			"{\"hooks\":{\"Stop\":[1,2,{\"command\":\"ours\"}]}}",
		},
		"one line with spaces": {
			"{ \"hooks\": { \"Stop\": [ 1 ] } }",
			"{ \"hooks\": { \"Stop\": [ 1,{\"command\":\"ours\"} ] } }",
		},
		"an empty array among many": {
			"{\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n",
			"{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"command\": \"ours\"\n      }\n    ]\n  }\n}\n",
		},
		"the mark of UTF-8 stays ahead": {
			"\ufeff{}",
			"\ufeff{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"command\": \"ours\"\n      }\n  " +
				"  ]\n  }\n}",
		},
		"a comment and nothing else yet": {
			"// mine\n",
			"// mine\n{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"command\": \"ours\"\n      }\n    ]\n  }\n}\n",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, added, err := settings.Insert([]byte(tt.text), element())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Errorf("Insert(%q) (-want +got):\n%s", tt.text, diff)
			}
			back, err := settings.Remove(got, added, nil)
			if err != nil || string(back) != tt.text {
				t.Errorf("Remove(%q) = %q, %v, want %q", got, back, err, tt.text)
			}
		})
	}
}

func TestInsert_refused(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, want string }{
		"a comma is missing": {
			"{\n  \"a\": 1\n  \"b\": 2\n}",
			"line 3, column 3: invalid character '\"' after object key:value pair",
		},
		"a member twice": {
			"{\"a\": 1,\n \"a\": 2}",
			"line 2, column 2: this member stands here twice",
		},
		"one that differs by escapes": {
			"{\"a\": 1, \"\\u0061\": 2}",
			"line 1, column 10: this member stands here twice",
		},
		"it does not end": {
			"{\"a\": [1",
			"line 1, column 8: unexpected end of JSON input",
		},
		"more behind the end":    {"{} {}", "line 1, column 4: invalid character '{' after top-level value"},
		"a comment does not end": {"{ /* a }", "line 1, column 3: this comment does not end"},
		"no value":               {"{\"ö\": nope}", "line 1, column 8: invalid character 'o' in literal null (expecting 'u')"},
		"a name without quotes":  {"{a: 1}", "line 1, column 2: invalid character 'a' looking for beginning of object key string"},
		"not UTF-8":              {"{\"a\": \"\xff\"}", "line 1, column 8: this is not UTF-8"},
		"a line break in a text": {
			"{\"a\": \"x\ny\"}",
			"line 1, column 9: invalid character '\\n' in string literal",
		},
		"the hooks are a list": {"{\"hooks\": []}", `"hooks" is not an object`},
		"an event is no list":  {"{\"hooks\": {\"Stop\": {}}}", `"hooks.Stop" is not an array`},
		"the file is a list":   {"[]", "the whole file is not an object"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, _, err := settings.Insert([]byte(tt.text), element())
			if err == nil || err.Error() != tt.want {
				t.Errorf("Insert(%q) = %q, %v, want the error %q", tt.text, got, err, tt.want)
			}
		})
	}
}

func TestInsert_taken(t *testing.T) {
	t.Parallel()
	a := settings.Addition{Path: []string{"mcpServers"}, Name: "ltm", Value: json.RawMessage(`{}`)}
	_, _, err := settings.Insert([]byte(`{"mcpServers": {"ltm": {"command": "x"}}}`), a)
	taken, ok := errors.AsType[*settings.TakenError](err)
	if !ok || cmp.Diff([]string{"mcpServers", "ltm"}, taken.Path) != "" {
		t.Errorf("Insert = %v, want a *TakenError for mcpServers.ltm", err)
	}
}

// TestRemove_edited shows what is left when somebody else wrote in the file meanwhile.
func TestRemove_edited(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ was, edited, want string }{
		"a member behind ours": {
			"{}", "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"command\": \"ours\"\n      }\n  " +
				"  ]\n  },\n  \"b\": 2\n}", "{\n  \"b\": 2\n}",
		},
		"an element before and one behind": {
			"{\"hooks\": {\"Stop\": []}}", "{\"hooks\": {\"Stop\": [1, {\"command\": \"ours\"}, 2]}}",
			"{\"hooks\": {\"Stop\": [1, 2]}}",
		},
		"written anew by a program, without spaces": {
			"{\n  \"a\": 1\n}\n", "{\"a\":1,\"hooks\":{\"Stop\":[{\"command\":\"ours\"}]}}", "{\"a\":1}",
		},
		"another event in the object that was made": {
			"{}", "{\"hooks\": {\"Stop\": [{\"command\": \"ours\"}], \"Start\": [1]}}",
			"{\"hooks\": {\"Start\": [1]}}",
		},
		"a comment that would swallow what follows": {
			"{}", "{\"hooks\": {\"Stop\": [ // first\n {\"command\": \"ours\"}, 2]}}",
			"{\"hooks\": {\"Stop\": [ // first\n 2]}}",
		},
		"a comment in what was made": {
			"{}", "{\"hooks\": {\"Stop\": [{\"command\": \"ours\"}] /* mine */}}",
			"{\"hooks\": { /* mine */}}",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, added, err := settings.Insert([]byte(tt.was), element())
			if err != nil {
				t.Fatal(err)
			}
			got, err := settings.Remove([]byte(tt.edited), added, nil)
			if err != nil || string(got) != tt.want {
				t.Errorf("Remove(%q) = %q, %v, want %q", tt.edited, got, err, tt.want)
			}
		})
	}
}

func TestRemove_notOurs(t *testing.T) {
	t.Parallel()
	a := settings.Added{Addition: settings.Addition{
		Path: []string{"mcpServers"}, Name: "ltm",
		Value: json.RawMessage(`{"command":"ours"}`),
	}}
	if _, err := settings.Remove([]byte(`{"mcpServers": {}}`), a, nil); !errors.Is(err, settings.ErrAbsent) {
		t.Errorf("Remove of what is gone = %v, want ErrAbsent", err)
	}
	edited := []byte(`{"mcpServers": {"ltm": {"command": "theirs"}}}`)
	if _, ok := errors.AsType[*settings.ChangedError](second(settings.Remove(edited, a, nil))); !ok {
		t.Error("Remove of what was changed: want a *ChangedError")
	}
	own := func(value any) bool { return cmp.Equal(value, map[string]any{"command": "theirs"}) }
	if got, err := settings.Remove(edited, a, own); err != nil || string(got) != `{"mcpServers": {}}` {
		t.Errorf("Remove of what own tells = %q, %v", got, err)
	}
}

func second(_ []byte, err error) error { return err }

func TestValue(t *testing.T) {
	t.Parallel()
	text := []byte("{\"a\": [{\"b\": 1.50}] /* c */,}")
	got, ok, err := settings.Value(text, "a", "0", "b")
	if err != nil || !ok || got != json.Number("1.50") {
		t.Errorf("Value = %v, %v, %v, want 1.50", got, ok, err)
	}
	for _, path := range [][]string{{"a", "1"}, {"a", "b"}, {"c"}, {"a", "0", "b", "c"}} {
		if got, ok, err := settings.Value(text, path...); ok || err != nil {
			t.Errorf("Value(%v) = %v, %v, %v, want nothing", path, got, ok, err)
		}
	}
}
