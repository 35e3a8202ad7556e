package main

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/packet"
)

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
			form := writeForm(formOf(kind), members)
			once, err := readForm(formOf(kind), withoutComments(form), members)
			if err != nil {
				t.Fatalf("the form does not read back: %v\n%s", err, form)
			}
			again := writeForm(formOf(kind), once)
			twice, err := readForm(formOf(kind), withoutComments(again), once)
			if diff := cmp.Diff(once, twice); err != nil || diff != "" {
				t.Fatalf("read again it is another (-once +twice): %v\n%s", err, diff)
			}
		}
	})
}
