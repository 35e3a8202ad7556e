package foreign_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/foreign"
	"github.com/git-ltm/git-ltm/internal/packet"
)

const front = "---\nid: a\ntitle: t\n"

// SPEC.
func TestParse_refused(t *testing.T) {
	t.Parallel()
	laughs := front + "a: &a [x,x,x,x,x,x,x,x,x]\n" + "b: &b [*a,*a,*a,*a,*a,*a,*a,*a]\n" +
		"c: [*b,*b,*b,*b,*b,*b,*b,*b]\n---\n\nbody\n"
	for name, c := range map[string]struct {
		format foreign.Format
		data   string
		want   string
	}{
		"a format of no name": {"else", "", "not a known form"},
		"aliases":             {foreign.Markdown, laughs, "anchors"},
		"an anchor alone":     {foreign.Markdown, front + "a: &a 1\n---\n", "anchors"},
		"a type of its own":   {foreign.Markdown, front + "a: !!binary aGk=\n---\n", "types of its own"},
		"a merge":             {foreign.Markdown, front + "<<: {a: 1}\n---\n", "anchors"},
		"a member twice":      {foreign.Markdown, front + "id: b\n---\n", "twice"},
		"a list":              {foreign.Markdown, "---\n- a\n---\n", "no mapping"},
		"not YAML":            {foreign.Markdown, "---\na: \"b\n---\n", "not YAML"},
		"a tab":               {foreign.Markdown, "---\n\ta: b\n---\n", "not YAML"},
		"deep": {
			foreign.Markdown,
			"---\na: " + strings.Repeat("[", 100) + strings.Repeat("]", 100) + "\n---\n", "deeper",
		},
		"deeper": {
			foreign.Markdown, "---\na: " + strings.Repeat("[", 15_000) + "\n---\n",
			"not YAML",
		},
		"many values": {
			foreign.Markdown, "---\na: [" + strings.Repeat("1,", 3000) + "]\n---\n",
			"values",
		},
		"much": {
			foreign.Markdown, "---\na: " + strings.Repeat("x", 20_000) + "\n---\n",
			"bytes",
		},
		"no end":                   {foreign.Markdown, "---\na: b\n", "no front matter"},
		"no beginning":             {foreign.Markdown, "text\n", "no front matter"},
		"not UTF-8":                {foreign.Markdown, "---\na: \xff\n---\n", "UTF-8"},
		"a file of megabytes":      {foreign.MemoryFile, strings.Repeat("- a\n", 1<<19), "bytes"},
		"a file that is not UTF-8": {foreign.MemoryFile, "- \xff", "UTF-8"},
		"our kind that is none":    {foreign.Markdown, "---\nltm: event\n---\n", "note or skip"},
		"JSON: a member twice":     {foreign.Memento, `{"memories":[],"memories":[]}`, "twice"},
		"JSON: deep": {
			foreign.Memento,
			strings.Repeat(`{"a":`, 50) + "1" + strings.Repeat("}", 50), "deeper",
		},
		"JSON: cut off":    {foreign.ClaudeLTM, `{"memories":[`, "not JSON"},
		"JSON: not UTF-8":  {foreign.ClaudeLTM, "{\"a\":\"\xff\"}", "UTF-8"},
		"JSON: two values": {foreign.Memento, `{} {}`, "more than one"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := foreign.Parse(c.format, "f", []byte(c.data), options())
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

// What is wrong with one memory is told, and mended where nothing is lost.
func TestParse_mends(t *testing.T) {
	t.Parallel()
	tags := make([]string, 100)
	for i := range tags {
		tags[i] = fmt.Sprintf(`"Tag %d"`, i)
	}
	for name, c := range map[string]struct {
		member string // of a memory of Memento
		note   string
	}{
		"controls":          {`"content":"a\u0000b\u001bc\r\nd"`, "control characters"},
		"many tags":         {`"content":"a","tags":[` + strings.Join(tags, ",") + `]`, "100 tags"},
		"a tag of no ASCII": {`"content":"a","tags":["日本"]`, "no letters"},
		"a long tag":        {`"content":"a","tags":["` + strings.Repeat("y", 40) + `"]`, "became"},
		"no time":           {`"content":"a","created_at":"yesterday"`, "no time"},
		"a year far off":    {`"content":"a","created_at":"99999-01-01"`, "no time"},
		"no date of expiry": {`"content":"a","expires":"soon"`, "when it ends"},
		"a link to nothing": {`"content":"a","linkages":[{"type":"memory","id":"zz"}]`, "not in the source"},
		"a path that climbs": {
			`"content":"a","linkages":[{"type":"file","path":"../../etc/passwd"}]`, "not named from the top",
		},
		"a drive": {
			`"content":"a","linkages":[{"type":"file","path":"C:\\x"}]`,
			"not named from the top",
		},
		"images":       {`"content":"a","image_path":"x.png"`, "images"},
		"another kind": {`"content":"a","type":"hunch"`, "kind-hunch"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			read := parse(t, foreign.Memento, "f", `{"memories":[{"id":"1",`+c.member+`}]}`, options())
			if len(read.Drafts) != 1 || !strings.Contains(strings.Join(read.Drafts[0].Notes, "\n"), c.note) {
				t.Errorf("drafts %+v, problems %v; want a note with %q", read.Drafts, read.Problems, c.note)
			}
		})
	}
}

func TestParse_skipEnds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ made, said, want string }{
		{"2026-02-05T16:00:00Z", "tomorrow", "2026-02-06T23:59:59Z"},
		{"2026-02-05T16:00:00Z", "3d", "2026-02-08T23:59:59Z"},
		{"2026-02-05T16:00:00Z", "in 2 weeks", "2026-02-19T23:59:59Z"},
		{"2026-02-05T16:00:00Z", "2026-02-20", "2026-02-20T23:59:59Z"},
		{"2026-02-05T16:00:00Z", "2026-02-20T10:00:00+01:00", "2026-02-20T09:00:00Z"},
		{"2026-02-05T16:00:00Z", "", "2026-03-07T23:59:59Z"},
		{"2026-02-05T16:00:00Z", "never", "2026-03-07T23:59:59Z"},
		{"2026-02-05T16:00:00Z", "someday", "2026-03-07T23:59:59Z"},
		{"2026-02-05T16:00:00Z", "9999d", "2027-02-05T16:00:00Z"},
		{"2026-02-05T16:00:00Z", "2025-01-01", "2026-02-05T16:00:00Z"},
		{"", "tomorrow", "2026-04-02T23:59:59Z"},
	} {
		text := fmt.Sprintf(`{"skips":[{"id":"1","item":"a","reason":"b","expires":%q,"added_at":%q}]}`,
			c.said, c.made)
		read := parse(t, foreign.Memento, "f", text, options())
		if len(read.Drafts) != 1 {
			t.Errorf("%q: problems %v", c.said, read.Problems)
			continue
		}
		record, err := packet.Parse(read.Drafts[0].Data, packet.Draft)
		if err != nil {
			t.Fatal(err)
		}
		if got := record.Skip().ExpiresAt.Format(time.RFC3339); got != c.want {
			t.Errorf("made %q, %q ends at %s, want %s", c.made, c.said, got, c.want)
		}
		if strings.Contains(string(read.Drafts[0].Data), "tomorrow") {
			t.Errorf("a word is kept in the place of a date: %s", read.Drafts[0].Data)
		}
	}
}

// A text that is too long for one note becomes several, and no word is lost.
func TestParse_splits(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"paragraphs": strings.Repeat(strings.Repeat("some words here ", 20)+"\n\n", 30),
		"one line":   strings.Repeat("some words here ", 600),
		"one word":   strings.Repeat("x", 9000),
		"wide":       strings.Repeat("日本語の文章です。", 500),
		"escapes":    strings.Repeat("\"\\\n", 4000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			front := "---\nid: long\nscope: project\ncreated: 2026-01-01T00:00:00Z\ntags: [a, b]\n" +
				"citations: [{file: " + strings.Repeat("d/", 200) +
				"f, line: 3}, {file: g, line: 4}, {file: " + strings.Repeat("e/", 200) + "f}]\n---\n"
			read := parse(t, foreign.Markdown, "f", front+text, options())
			all := notes(t, read)
			var joined strings.Builder
			for i, n := range all {
				joined.WriteString(n.Text)
				if i > 0 && !slices.Equal(n.Links, []string{all[0].ID}) {
					t.Errorf("part %d links to %v", i, n.Links)
				}
				if len(read.Drafts[i].Data) > packet.MaxSmall-700 {
					t.Errorf("part %d has %d bytes, which leaves no room", i, len(read.Drafts[i].Data))
				}
			}
			got, _, _ := strings.Cut(strings.Join(strings.Fields(joined.String()), ""), "See")
			if want := strings.Join(strings.Fields(text), ""); len(all) < 2 || got != want {
				t.Errorf("%d parts, with other words than the text", len(all))
			}
			if !strings.Contains(joined.String(), "See ") {
				t.Error("the citation that has no place is lost")
			}
		})
	}
}

func TestParse_tooLongForASkip(t *testing.T) {
	t.Parallel()
	text := `{"skips":[{"id":"1","item":"` + strings.Repeat("a ", 900) + `","reason":"` +
		strings.Repeat("b ", 900) + `","expires":"2026-04-05"}]}`
	read := parse(t, foreign.Memento, "f", text, options())
	all := notes(t, read)
	if len(all) < 2 || all[0].Kind != "pitfall" || all[0].ExpiresAt.IsZero() {
		t.Errorf("read %+v", all)
	}
}

// Of a memory that was forgotten or superseded there nothing comes back, not even its private short text.
func TestParse_claudeForgotten(t *testing.T) {
	t.Parallel()
	read := parse(t, foreign.ClaudeLTM, "f",
		`{"memories":[{"id":"1","region":"AGENT","kind":"EMOTIONAL","content":"short","original_content":"long"},
		{"id":"2","region":"PROJECT","content":"gone","superseded_by":"3"},
		{"id":"3","region":"PROJECT","content":"[FORGOTTEN] gone"}]}`, options())
	if len(read.Drafts) != 1 || !read.Drafts[0].Private || len(read.Problems) != 2 ||
		strings.Contains(string(read.Drafts[0].Data), "short") {
		t.Errorf("drafts %+v, problems %v", read.Drafts, read.Problems)
	}
}

// A file that was written anew holds the same memories under the same keys.
func TestParse_keysStay(t *testing.T) {
	t.Parallel()
	text := "# A\n\n## Rules\n\n- one\n- two\n"
	first := parse(t, foreign.MemoryFile, "CLAUDE.md", text, options())
	o := options()
	o.Modified = o.Modified.Add(time.Hour)
	second := parse(t, foreign.MemoryFile, "elsewhere/CLAUDE.md", "intro\n\n"+text+"- three\n", o)
	var keys [2][]string
	for i, read := range []foreign.Read{first, second} {
		for _, d := range read.Drafts {
			keys[i] = append(keys[i], d.Key)
			if !d.Undated || string(d.ID[10:]) != packet.DerivedSuffix(d.Key) {
				t.Errorf("%s: undated %t, id %s", d.Source, d.Undated, d.ID)
			}
		}
	}
	if diff := cmp.Diff(keys[0], keys[1][1:3]); diff != "" {
		t.Errorf("keys (-first +second):\n%s", diff)
	}
}

func TestParse_memoryFileTakesNoDecision(t *testing.T) {
	t.Parallel()
	for heading, want := range map[string]string{
		"Decisions": "fact", "Mustard": "fact", "Rapid rollout": "fact", "Abandoned": "fact",
		"Coding style":  "preference",
		"Known gotchas": "pitfall", "Release steps": "procedure", "Lessons learned": "learning",
		"Links": "reference",
	} {
		read := parse(t, foreign.MemoryFile, "f", "# F\n\n## "+heading+"\n\n- text\n", options())
		if all := notes(t, read); len(all) != 1 || all[0].Kind != want {
			t.Errorf("%q: %+v, want kind %s", heading, all, want)
		}
	}
}

// What a line forbids or demands is no way that proved useful, whatever it stands below, and steps stay together.
func TestParse_memoryFileRules(t *testing.T) {
	t.Parallel()
	text := "# F\n\n## Workflow\n\nTo mend a bug:\n\n1. Write a test that fails.\n2. Make it pass,\n   and no more.\n\n3. Run `make lint`.\n\n" +
		"- Never run `make deploy` on your own.\n- **IMPORTANT:** the `legacy/` folder is frozen. Do not edit it.\n" +
		"- Build with `make`.\n- Tests never take long.\n\n## Pitfalls\n\n- Never trust the clock.\n\n" +
		"## Limits\n\n1. Always use one job.\n2. Keep it short.\n"
	var got []string
	for _, n := range notes(t, parse(t, foreign.MemoryFile, "f", text, options())) {
		got = append(got, n.Kind+": "+n.Text)
	}
	want := []string{
		"procedure: 1. Write a test that fails.\n2. Make it pass,\n   and no more.\n\n3. Run `make lint`.",
		"preference: Never run `make deploy` on your own.",
		"preference: **IMPORTANT:** the `legacy/` folder is frozen. Do not edit it.",
		"procedure: Build with `make`.", "procedure: Tests never take long.", "pitfall: Never trust the clock.",
		"preference: Always use one job.", "fact: Keep it short.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}

// What a memory handed out before is not taken in again.
func TestParse_memoryFileLeavesOurOwn(t *testing.T) {
	t.Parallel()
	text := "- kept\n\n<ltm-packet nonce=\"a\" id=\"b\">\n- handed out\n</ltm-packet nonce=\"a\">\n\n" +
		"ltm-packet n begin id=x\n| handed out too\nltm-packet n end\n\n- kept too\n"
	var texts []string
	for _, n := range notes(t, parse(t, foreign.MemoryFile, "f", text, options())) {
		texts = append(texts, n.Text)
	}
	if diff := cmp.Diff([]string{"kept", "kept too"}, texts); diff != "" {
		t.Errorf("texts (-want +got):\n%s", diff)
	}
}

// What a source says and a record has no place for is named once.
func TestParse_namesWhatHasNoPlace(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		format foreign.Format
		data   string
		want   string
	}{
		"memento": {
			foreign.Memento,
			`{"memories":[{"content":"a","access_count":1},{"content":"b","access_count":2,"relevance":0.1}]}`, `"access_count", "relevance"`,
		},
		"claude-ltm": {
			foreign.ClaudeLTM, `{"memories":[{"content":"a","region":"AGENT","token_count":1}]}`,
			`"token_count"`,
		},
		"lerim":    {foreign.Markdown, "---\ntitle: a\nrun_id: b\n---\n", `"run_id"`},
		"altimate": {foreign.Markdown, "---\nid: a\nscope: global\nowner: b\n---\nx\n", `"owner"`},
	} {
		read := parse(t, c.format, "f", c.data, options())
		if len(read.Notes) != 1 || !strings.HasSuffix(read.Notes[0], ": "+c.want) {
			t.Errorf("%s: notes %q", name, read.Notes)
		}
	}
}

// What was kept for all projects of a user is marked.
func TestParse_wide(t *testing.T) {
	t.Parallel()
	read := parse(t, foreign.Markdown, "x/f.md", "---\nid: a\ntitle: b\n---\nx\n", options())
	for _, d := range read.Drafts {
		if d.Wide || d.Private {
			t.Errorf("draft %+v", d)
		}
	}
	read = parse(t, foreign.Markdown, "f.md", "---\nid: sql/style.names\nscope: global\n---\nx\n", options())
	if len(read.Drafts) != 1 || !read.Drafts[0].Wide || notes(t, read)[0].Topic != "sql/style/names" {
		t.Errorf("read %+v", read)
	}
}

// The names of a source are given others on their way in.
func TestParse_remapForeign(t *testing.T) {
	t.Parallel()
	o := options()
	o.Remap = foreign.Remap{
		Author: map[string]string{"Helper": "bob@example.com"},
		Tag:    map[string]string{"Old:Tag": "new", "kind-b": "kind-c"},
		Topic:  map[string]string{"sql": "db/sql"},
	}
	text := "---\nid: sql/names\nscope: project\nagent: Helper\ntags: ['Old:Tag', Other]\n---\nx\n"
	n := notes(t, parse(t, foreign.Markdown, "f", text, o))[0]
	if n.Topic != "db/sql/names" || !slices.Equal(n.Tags, []string{"new", "other"}) ||
		n.Provenance.Agent != "bob@example.com" {
		t.Errorf("note %+v", n)
	}
}

// What has no time of its own is the same record when its source is written
// anew, where the caller knows what is kept; and so is what names it.
func TestParse_known(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		format foreign.Format
		data   string
		drafts int
	}{
		"memory file": {foreign.MemoryFile, "- one\n- two\n", 2},
		"skips and tasks": {
			foreign.Memento,
			`{"skips":[{"item":"a","reason":"b"},{"item":"c","reason":"d","expires":"tomorrow"}],
			"memories":[{"id":"1","content":"x","expires":"3d"},{"id":"2","content":"y","created_at":"2026-01-01"}]}`,
			4,
		},
		"markdown": {foreign.Markdown, "---\nname: a\n---\nb\n", 1},
		"our drafts": {
			foreign.Lines,
			`{"type":"note","kind":"fact","text":"kept"}` + "\n" +
				`{"ltm_version":"0.2","goal":"g","next_step":"n"}`, 2,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first := parse(t, c.format, "f", c.data, options())
			kept := map[string]packet.ID{}
			for _, d := range first.Drafts {
				kept[string(d.ID[10:])] = d.ID
			}
			o := options()
			o.Modified = o.Modified.Add(100 * 24 * time.Hour)
			o.Known = func(suffix string) (packet.ID, bool) { id, ok := kept[suffix]; return id, ok }
			second := parse(t, c.format, "f", c.data, o)
			if diff := cmp.Diff(first.Drafts, second.Drafts,
				cmp.FilterPath(func(p cmp.Path) bool {
					return p.Last().String() == ".Notes"
				}, cmp.Ignore())); diff != "" || len(first.Drafts) != c.drafts {
				t.Errorf("%d drafts (-first +second):\n%s", len(first.Drafts), diff)
			}
		})
	}
}

// A memory that was changed is another record, and so is what is said of it.
func TestParse_changedMemory(t *testing.T) {
	t.Parallel()
	text := "---\nid: a\ntitle: t\ncreated: 2026-01-01\n---\n"
	first := parse(t, foreign.Markdown, "f", text+"b\n", options())
	second := parse(t, foreign.Markdown, "f", text+"c\n", options())
	for i := range first.Drafts {
		if first.Drafts[i].ID == second.Drafts[i].ID {
			t.Errorf("draft %d has the same id for other contents:\n%s\n%s", i, first.Drafts[i].Data,
				second.Drafts[i].Data)
		}
	}
}
