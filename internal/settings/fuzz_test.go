package settings_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"github.com/git-ltm/git-ltm/internal/settings"
)

// seeds are texts as people and programs write them.
func seeds() []string {
	return []string{
		"", " \n", "\ufeff", "// nothing yet\n", "{}", "{ }\n", "{\n}\n", "{\r\n}\r\n",
		"\ufeff{\r\n  \"a\": 1\r\n}", "null", "[1]",
		"{\"a\":1}", "{ \"a\": 1 }", "{\"a\": 1, \"b\": [1, 2]}\n", "{\n\t\"a\": 1,\n\t\"b\": 2,\n}\n",
		"{\n   \"a\": 1 // one\n}\n", "{\n  \"a\": 1, // one\n  // two\n}\n", "{ // open\n}", "{ /* c */ }",
		"{\"a\": 1 /* c */}",
		"{\n  \"hooks\": {}\n}", "{\n  \"hooks\": { \"Stop\": [] }\n}", "{\"hooks\":{},\"a\":1}",
		"{\"hooks\":{\"Stop\":[]}}",
		"{\n    \"hooks\": {\n        \"Stop\": [\n            {\"hooks\": [{\"command\": \"a\"}]}\n        ]\n    }\n}\n",
		"{\n  \"hooks\": {\n    \"Stop\": [\n      1, // one\n      2 /* two */,\n      // end\n    ]\n  " +
			"}, /* x */ }",
		"{\n\"a\":\n1}", "{\"a\":1\n,\"b\":2\n}", "{\"hooks\": {\"Stop\": [1,\n2]}}", "{\"a\": 1 // c\n}",
		"{\"a\": 1 // c\r\n, }",
		"{\"hooks\": {\"Stop\": [1 /* a */, /* b */ 2 /* c */, /* d */]}}",
	}
}

// FuzzInsert holds that what is put in and taken out leaves the bytes of before, and that what was put in is
// there, once, with everything else as it was.
func FuzzInsert(f *testing.F) {
	for _, s := range seeds() {
		f.Add([]byte(s))
	}
	value := json.RawMessage(
		`{"matcher":"a|b","hooks":[{"type":"command","command":"git-ltm hook x y","timeout":5}]}`)
	additions := []settings.Addition{
		{Path: []string{"hooks", "Stop"}, Value: value},
		{Path: []string{"hooks"}, Name: "Start", Value: value},
		{Name: "ours", Value: json.RawMessage(`true`)},
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		now := text
		var done []settings.Added
		texts := [][]byte{}
		for _, a := range additions {
			next, added, err := settings.Insert(now, a)
			if err != nil {
				checkRefusal(t, now, a, err)
				continue
			}
			checkInserted(t, now, next, a)
			texts, done = append(texts, now), append(done, added)
			now = next
		}
		for i, d := range slices.Backward(done) {
			left, err := settings.Remove(now, d, nil)
			if err != nil {
				t.Fatalf("Remove(%q): %v", now, err)
			}
			if !bytes.Equal(left, texts[i]) {
				t.Fatalf("Remove(%q)\ngot  %q\nwant %q", now, left, texts[i])
			}
			now = left
		}
	})
}

// checkRefusal holds that a text is refused for a reason that it gives.
func checkRefusal(t *testing.T, text []byte, a settings.Addition, err error) {
	t.Helper()
	_, _, parsing := settings.Value(text)
	if parsing != nil {
		if !regexp.MustCompile(`^line [1-9]\d*, column [1-9]\d*: .`).MatchString(err.Error()) {
			t.Fatalf("Insert(%q) = %v, want an error with a place", text, err)
		}
		return
	}
	shape := regexp.MustCompile(` is not an (?:object|array)$`).MatchString(err.Error())
	_, taken := errors.AsType[*settings.TakenError](err)
	if !shape && !taken {
		t.Fatalf("Insert(%q, %v) = %v, want another shape or a *TakenError", text, a.Path, err)
	}
}

// checkInserted holds that a text has the value of before and ours.
func checkInserted(t *testing.T, before, after []byte, a settings.Addition) {
	t.Helper()
	was, _, err := settings.Value(before)
	if err != nil {
		t.Fatal(err)
	}
	got, ok, err := settings.Value(after)
	if err != nil || !ok {
		t.Fatalf("Insert(%q) = %q, which does not parse: %v", before, after, err)
	}
	var ours any
	d := json.NewDecoder(bytes.NewReader(a.Value))
	d.UseNumber()
	if err := d.Decode(&ours); err != nil {
		t.Fatal(err)
	}
	if want := with(was, a.Path, a.Name, ours); !reflect.DeepEqual(got, want) {
		t.Fatalf("Insert(%q) = %q\ngot  %v\nwant %v", before, after, got, want)
	}
}

// with is a value with an addition.
func with(value any, path []string, name string, ours any) any {
	if len(path) == 0 && name == "" {
		list, _ := value.([]any)
		return append(list, ours)
	}
	m, _ := value.(map[string]any)
	if m == nil {
		m = map[string]any{}
	}
	if len(path) == 0 {
		m[name] = ours
	} else {
		m[path[0]] = with(m[path[0]], path[1:], name, ours)
	}
	return m
}

// FuzzRemove holds that what somebody else writes after us stays when ours is taken out, whatever the text
// was.
func FuzzRemove(f *testing.F) {
	for _, s := range seeds() {
		f.Add([]byte(s))
	}
	ours := []settings.Addition{
		{Path: []string{"hooks", "Stop"}, Value: json.RawMessage(`{"hooks":[{"command":"ours"}]}`)},
		{Path: []string{"servers"}, Name: "ours", Value: json.RawMessage(`{"command":"ours"}`)},
	}
	theirs := []settings.Addition{
		{Path: []string{"hooks", "Stop"}, Value: json.RawMessage(`{"hooks":[{"command":"theirs"}]}`)},
		{Path: []string{"hooks", "Start"}, Value: json.RawMessage(`1`)},
		{Name: "theirs", Value: json.RawMessage(`[]`)},
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		now, want, done := text, text, []settings.Added{}
		for _, a := range ours {
			next, added, err := settings.Insert(now, a)
			if err != nil {
				return
			}
			now, done = next, append(done, added)
		}
		for _, a := range theirs {
			next, _, err := settings.Insert(now, a)
			if err != nil {
				return
			}
			now = next
			if want, _, err = settings.Insert(want, a); err != nil {
				t.Fatalf("Insert(%q): %v", want, err)
			}
		}
		edited := now
		for _, d := range slices.Backward(done) {
			left, err := settings.Remove(now, d, nil)
			if err != nil {
				t.Fatalf("Remove(%q): %v", now, err)
			}
			now = left
		}
		got, _, err := settings.Value(now)
		if err != nil {
			t.Fatalf("Remove(%q) = %q, which does not parse: %v", edited, now, err)
		}
		if wanted, _, err := settings.Value(want); err != nil || !reflect.DeepEqual(got, wanted) {
			t.Fatalf("Remove(%q) = %q\nwant the value of %q", edited, now, want)
		}
	})
}
