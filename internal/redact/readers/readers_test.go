package readers_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/redact/readers"
)

// TestEvents shows which name each layout gives a value to, as "above > name = value".
func TestEvents(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"prose": {"We had 3 tables,\nand no others at all.", nil},
		"markdown": {
			"| user | pass |\n|---|:-:|\n| jo | `ab12cd` |",
			[]string{"jo > pass = ab12cd"},
		},
		"jira":              {"||user||pass||\n|jo|ab12cd|", []string{"jo > pass = ab12cd"}},
		"markdown, no rule": {"| user | pass |\n| jo | ab12cd |", nil},
		"lines": {
			"user,pass\njo,\"ab,12,cd\"\nmo,xy34z9\n",
			[]string{"jo > pass = ab,12,cd", "mo > pass = xy34z9"},
		},
		"lines of tabs":     {"host\tpass\ndb\tab12cd", []string{"db > pass = ab12cd"}},
		"lines that differ": {"user,pass\njo,x,ab12cd", nil},
		"insert": {
			"INSERT INTO t (a, b) VALUES ('x', 'ab12cd'), ('y', f(1, 2));",
			[]string{"b = ab12cd"},
		},
		"insert, cut": {"insert into t (a, b) values ('x', 'ab12cd'", nil},
		"section":     {"[mail]\nkey = ab12cd", []string{"mail > key = ab12cd"}},
		"further in":  {"mail:\n  key: ab12cd\nother: ab34cd", []string{"mail > key = ab12cd"}},
		"list":        {"mail:\n  keys:\n    - ab12cd", []string{"mail > keys = ab12cd"}},
		"braces": {
			"variable \"key\" {\n  default = \"ab12cd\"\n}",
			[]string{"key > default = ab12cd"},
		},
		"element":          {"<a><pass>ab12cd</pass></a>", []string{"pass = ab12cd"}},
		"named element":    {`<set name="pass"><value>ab12cd</value></set>`, []string{"pass = ab12cd"}},
		"list of elements": {"<key>pass</key>\n<string>ab12cd</string>", []string{"pass = ab12cd"}},
		"question": {
			"What is the password?\n> ab12cd34",
			[]string{"What is the password = ab12cd34"},
		},
		"list of answers": {"What are the passwords?\nab12cd34\nab56cd78", nil},
		"lines in quotes": {"pass = \"\"\"\nab12cd34\n\"\"\"", []string{"pass = ab12cd34"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			readers.Events(test.text, func(e readers.Event) {
				got = append(got, strings.TrimPrefix(e.Above.Of(test.text)+" > ", " > ")+
					strings.TrimSpace(e.Name.Of(test.text))+" = "+e.Value.Of(test.text))
			})
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("Events of %q (-want +got):\n%s", test.text, diff)
			}
		})
	}
}

// FuzzEvents holds that readers stay in the text, and that a value is one word.
func FuzzEvents(f *testing.F) {
	f.Add("|a|b|\n|-|-|\n|x|ab12cd|\n<a name='b'><value>ab12cd</value>\ninsert into t (a) values ('ab12cd')")
	f.Fuzz(func(t *testing.T, text string) {
		readers.Events(text, func(e readers.Event) {
			_, _ = e.Above.Of(text), e.Name.Of(text)
			if strings.ContainsAny(e.Value.Of(text), " \n") {
				t.Errorf("Events(%q) has the value %q", text, e.Value.Of(text))
			}
		})
	})
}
