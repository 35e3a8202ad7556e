package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// FuzzCompose states that texts given as flags come back from the composed
// packet as they were.
func FuzzCompose(f *testing.F) {
	f.Add("Use std::map", "It is there", "quickly", "src/a:b.c:4-9")
	f.Add("<b>&\u2028", "quote \" and \\", "line\nbreak", ":1")
	f.Add("::", " ", "a::b", "a:1-")
	f.Add("a :: b :: c", "x ::", ":: y", "a:-1")
	f.Fuzz(func(t *testing.T, what, why, learned, place string) {
		for _, text := range []string{what, why, learned, place} {
			if !utf8.ValidString(text) || strings.ContainsFunc(text, isControl) || len(text) > 1000 {
				t.Skip("the gate refuses it")
			}
		}
		c := Composed{
			Goal: "g", Next: "n", Lock: true, Cites: []string{place},
			Decisions: []string{what + " :: " + why},
			Attempts:  []string{what + " :: failed :: " + learned},
		}
		data, err := c.Packet("")
		if ok := whole(what) && whole(why) && whole(learned); !ok {
			return // It cannot be told from other parts.
		}
		if err != nil {
			t.Fatalf("compose of %q, %q, %q: %v", what, why, learned, err)
		}
		rec, err := packet.Parse(data, packet.Draft)
		if err != nil {
			if ofCite(err) {
				return // No place inside of a repository.
			}
			t.Fatalf("parse %s: %v", data, err)
		}
		p := rec.Packet()
		d, a := p.Decisions[0], p.Attempts[0]
		got := []string{d.What, d.Why, a.Tried, a.Outcome, a.Learned}
		want := []string{what, why, what, "failed", learned}
		for i := range want {
			want[i] = strings.TrimSpace(want[i])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("texts (-want +got):\n%s", diff)
		}
		if cite := p.Cites[0]; !strings.Contains(place, ":0") && !strings.Contains(place, "-0") &&
			place != rebuilt(cite) {
			t.Errorf("cite %q came back as %q", place, rebuilt(cite))
		}
	})
}

func isControl(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }

// whole tells whether a text is one part, wherever it stands.
func whole(text string) bool {
	return strings.TrimSpace(text) != "" && len(splitParts(text)) == 1
}

// ofCite tells whether only the place in the code is refused.
func ofCite(err error) bool {
	invalid, ok := errors.AsType[*packet.InvalidError](err)
	return ok && !slices.ContainsFunc(invalid.Problems, func(p packet.Problem) bool {
		return !strings.HasPrefix(p.Path, "/cites/0")
	})
}

// rebuilt is the flag that a cite came from, where its numbers had no leading
// zeros.
func rebuilt(c packet.Cite) string {
	switch {
	case c.EndLine > 0:
		return fmt.Sprintf("%s:%d-%d", c.Path, c.Line, c.EndLine)
	case c.Line > 0:
		return fmt.Sprintf("%s:%d", c.Path, c.Line)
	}
	return c.Path
}

func TestSplitParts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a :: b":              "a|b",
		"a :: b :: c":         "a|b|c",
		"std::map :: fast":    "std::map|fast",
		"a::b":                "a::b",
		"a\n::\tb":            "a|b",
		":: b":                "|b",
		"a ::":                "a|",
		"::":                  "|",
		":: ::":               "||",
		"a ::: b":             "a ::: b",
		"two  blanks :: kept": "two  blanks|kept",
	} {
		if got := strings.Join(splitParts(text), "|"); got != want {
			t.Errorf("splitParts(%q) is %q, want %q", text, got, want)
		}
	}
}

// FuzzForm: what a form shows reads back as the same members, whatever they hold.
func FuzzForm(f *testing.F) {
	f.Add("One line", "Parts :: of 8 MB", "std::vector\n# no comment\nWhy: no title")
	f.Add("", "- hyphen", "[locked] x")
	f.Fuzz(func(t *testing.T, text, item, more string) {
		note, _ := json.Marshal(text + "\n" + more)   //nolint:errchkjson // A string.
		list, _ := json.Marshal([]string{item, more}) //nolint:errchkjson // Strings.
		for kind, members := range map[packet.Kind]map[string]json.RawMessage{
			packet.KindNote:   {"text": note, "cites": list},
			packet.KindPacket: {"goal": note, "constraints": list},
		} {
			form := FormOf(kind).Write(members)
			once, err := FormOf(kind).Read(uncommented(form), members)
			if err != nil {
				t.Fatalf("the form does not read back: %v\n%s", err, form)
			}
			again := FormOf(kind).Write(once)
			twice, err := FormOf(kind).Read(uncommented(again), once)
			if diff := cmp.Diff(once, twice); err != nil || diff != "" {
				t.Fatalf("read again it is another (-once +twice): %v\n%s", err, diff)
			}
		}
	})
}

// uncommented is a text without the lines that begin with a number sign, as the editor hands it over.
func uncommented(text []byte) []byte {
	var kept []byte
	for line := range bytes.Lines(text) {
		if !bytes.HasPrefix(line, []byte("#")) {
			kept = append(kept, line...)
		}
	}
	return kept
}
