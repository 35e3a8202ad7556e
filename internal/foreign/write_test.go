package foreign_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/foreign"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// files returns what WriteMarkdown hands out.
func files(t *testing.T, all []foreign.Record) (map[string][]byte, []foreign.Problem) {
	t.Helper()
	got := map[string][]byte{}
	left, err := foreign.WriteMarkdown(sequence(all), func(name string, data []byte) error {
		if _, taken := got[name]; taken {
			t.Errorf("the file name %q is there twice", name)
		}
		got[name] = data
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return got, left
}

func TestWriteMarkdown(t *testing.T) {
	t.Parallel()
	all := records(t)
	got, left := files(t, all)
	if len(got) != 2 || len(left) != 2 {
		t.Fatalf("%d files, left %v", len(got), left)
	}
	if left[0].Place != all[2].Ref || !strings.Contains(left[1].Text, "kind packet") {
		t.Errorf("left: %v", left)
	}
	want := `---
ltm: note
id: "` + noteID + `"
created_at: "2026-01-01T00:00:00Z"
kind: "fact"
topic: "team/api"
tags: ["one"]
links: ["` + packetID + `"]
provenance: {"author_human":"Ada Tester"}
"x-own": 1.50
---

a <b> & c
`
	if data := string(got["2026-01-01-a-b-c-"+strings.ToLower(noteID)+".md"]); data != want {
		t.Errorf("the file is:\n%s\nwant:\n%s", data, want)
	}
}

// texts are made of what is hard to write down.
func hardText(r *rand.Rand) string {
	pieces := []string{
		"---\n", "\n---\n", "a", "word ", "\n", "\n\n", "\t", "\"", "'", "\\", ": ", "# ", "- ", "&a ", "*a ",
		"!!x ", "日本", "\u2028", "\uFEFF",
		"\U0001F600", "%", "@", "`", "{", "}", "[", "]", ",", "|", ">", "null", "~", "1e3", "true", "\uFFFD",
		"\u00A0", " ", "<!-- -->", "ltm: x\n",
	}
	var b strings.Builder
	for range 1 + r.IntN(12) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

// SPEC.
func TestWriteMarkdown_readsBack(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	safe := regexp.MustCompile(`^\d{4}-\d\d-\d\d-[a-z0-9-]{1,90}\.md$`)
	tried := 0
	for i := range 400 {
		fields := map[string]any{
			"type": "note", "id": fmt.Sprintf("01J%023d", i), "created_at": "2026-01-01T00:00:00.5Z",
			"kind": "task",
			"text": hardText(r), "why": hardText(r), "priority": r.IntN(11),
			"tags": []string{"1", "true", "null"},
			"cites": []any{map[string]any{"path": "a b/" +
				strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(hardText(r), "\n", ""), "\t", ""),
					"\\", ""), "line": 3}},
			"x": map[string]any{strings.Join(strings.Fields(hardText(r)), " "): []any{
				nil, true, -0.5,
				hardText(r),
				map[string]any{},
				[]any{},
			}},
		}
		if i%2 == 1 {
			fields["type"], fields["item"], fields["reason"] = "skip", fields["text"], fields["why"]
			fields["expires_at"] = "2026-02-01T00:00:00Z"
			for _, name := range []string{"text", "why", "kind", "priority"} {
				delete(fields, name)
			}
		}
		text, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		record, err := packet.Parse(text, packet.Stored)
		if err != nil {
			continue // A name may come twice by its case, a path may be none.
		}
		tried++
		data := record.Encode()
		got, left := files(t, []foreign.Record{{Data: data}})
		if len(left) > 0 || len(got) != 1 {
			t.Fatalf("left %v:\n%s", left, data)
		}
		for name, file := range got {
			if !safe.MatchString(name) {
				t.Errorf("file name %q", name)
			}
			read := parse(t, foreign.Markdown, name, string(file), options())
			if len(read.Drafts) != 1 || !bytes.Equal(read.Drafts[0].Data, data) {
				t.Fatalf("problems %v\n%s\ncame back from\n%s\nas %+v", read.Problems, data, file,
					read.Drafts)
			}
		}
	}
	if tried < 200 {
		t.Errorf("only %d records were tried", tried)
	}
}

// A note that a person writes by hand needs neither id nor time.
func TestParse_handWrittenNote(t *testing.T) {
	t.Parallel()
	read := parse(t, foreign.Markdown, "a.md",
		"---\r\nltm: note\r\nkind: learning\r\ntags: [a]\r\n---\r\n\r\nText.\r\n", options())
	all := notes(t, read)
	if len(all) != 1 || all[0].Kind != "learning" || all[0].Text != "Text." || !read.Drafts[0].Undated {
		t.Errorf("read %+v, problems %v", all, read.Problems)
	}
}

func TestWrite_passesErrorsOn(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	var bad iter.Seq2[foreign.Record, error] = func(yield func(foreign.Record, error) bool) {
		yield(foreign.Record{}, broken)
	}
	keep := func(string, []byte) error { return broken }
	if err := foreign.WriteJSONL(&bytes.Buffer{}, bad); !errors.Is(err, broken) {
		t.Errorf("WriteJSONL: %v", err)
	}
	if _, err := foreign.WriteMarkdown(bad, keep); !errors.Is(err, broken) {
		t.Errorf("WriteMarkdown: %v", err)
	}
	if _, err := foreign.WriteMarkdown(sequence(records(t)), keep); !errors.Is(err, broken) {
		t.Errorf("WriteMarkdown with a file that fails: %v", err)
	}
}

func TestDetect(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, data string
		want       foreign.Format
	}{
		{"a.jsonl", `{"x":1}`, foreign.Lines},
		{"a", `{"record":{}}` + "\n" + `{"record":{}}`, foreign.Lines},
		{"a", `{"ltm_version":"0.2"}`, foreign.LTM},
		{"a", `[{"type":"note"}]`, foreign.LTM},
		{"a", `{"memories":[{"region":"AGENT"}]}`, foreign.ClaudeLTM},
		{"a", `{"memories":[{"content":"x"}]}`, foreign.Memento},
		{"a", `[{"content":"x"}]`, foreign.Memento},
		{"a", `{"items":[]}`, foreign.Memento},
		{"a", "\uFEFF---\r\nid: x\r\n---\r\n", foreign.Markdown},
		{"x/CLAUDE.md", "- a", foreign.MemoryFile},
		{"a", `{"packets":[]}`, foreign.LTM},
		{"a", "{\n\"goal\":\"g\",\"next_step\":\"n\"\n}\n{\n\"goal\":\"h\"}", foreign.LTM},
		{"issues.jsonl", `{"id":"bd-1","issue_type":"bug"}`, foreign.Beads},
		{"-", `[{"id":"bd-1","issue_type":"bug"}]`, foreign.Beads},
		{"metadata.json", `{"checkpoint_id":"a3"}`, foreign.Entire},
		{"a.md", "# x\n\n## Context\n\ny\n\n## Decision\n\nz", foreign.ADR},
		{"a.md", "---\nltm: note\n---\n## Context\n\ny\n\n## Decision\n\nz", foreign.Markdown},
		{"a.md", "# x\n\n## Context\n\ny\n\n## Decision drivers\n\nz", foreign.MemoryFile},
		{"a", "text", ""},
		{"a", "", ""},
		{"a.json", "{}", ""},
		{"a.json", "{", ""},
		{"a.json", "[7]", ""},
	} {
		got, err := foreign.Detect(c.name, []byte(c.data))
		if got != c.want || (err == nil) != (c.want != "") ||
			err != nil && !errors.Is(err, foreign.ErrUnknown) {
			t.Errorf("Detect(%q, %q) = %q, %v; want %q", c.name, c.data, got, err, c.want)
		}
	}
}

func TestParseFormat(t *testing.T) {
	t.Parallel()
	for _, f := range foreign.Formats() {
		if got, err := foreign.ParseFormat(string(f)); got != f || err != nil {
			t.Errorf("ParseFormat(%q) = %q, %v", f, got, err)
		}
	}
	if _, err := foreign.ParseFormat("xml"); !errors.Is(err, foreign.ErrUnknown) ||
		!strings.Contains(err.Error(), "memento") {
		t.Errorf("ParseFormat(xml): %v", err)
	}
}
