package citation_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/citation"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/packet"
)

func parsed(t *testing.T, text string, args ...any) *packet.Record {
	t.Helper()
	rec, err := packet.Parse(fmt.Appendf(nil, text, args...), packet.Draft)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func TestTree_Fill(t *testing.T) {
	t.Parallel()
	w := newCiteWorld(t, gittest.Plain)
	w.put("-a b", "x\n")
	w.put("dir/dirty", "x\n")
	head := w.commit()
	w.put("dir/dirty", "y\n")
	w.put("untracked", "y\n")
	blob := w.Git("rev-parse", "HEAD:-a b")
	const draft = `{"type":"note","kind":"fact","text":"x","anchor":{"commit":"%s","more":1},"cites":[%s]}`
	rec := parsed(t, draft, head,
		`{"path":"-a b","line":1,"more":{"b":1}},{"path":"untracked"},{"path":"dir"},{"path":"file","commit":"`+
			strings.Repeat("3", 40)+`"},{"path":".git/config"}`)
	if err := w.open().Citations().Fill(t.Context(), rec); err != nil {
		t.Fatal(err)
	}
	want := []packet.Cite{
		{Path: "-a b", Line: 1, Commit: head, Blob: blob},
		{Path: "untracked"},
		{Path: "dir"},
		{Path: "file", Commit: strings.Repeat("3", 40)},
		{Path: ".git/config"},
	}
	if diff := cmp.Diff(want, rec.Content().Cites); diff != "" || rec.Content().Anchor.Dirty {
		t.Errorf("filled, anchor %v (-want +got):\n%s", rec.Content().Anchor, diff)
	}
	if text := string(rec.Encode()); !strings.Contains(text, `"b": 1`) {
		t.Errorf("an unknown member was lost: %s", text)
	}
	rec = parsed(t, draft, head, `{"path":"dir/dirty"},{"path":"file"}`)
	if err := w.open().Citations().Fill(t.Context(), rec); err != nil {
		t.Fatal(err)
	}
	want = []packet.Cite{
		{Path: "dir/dirty"},
		{Path: "file", Commit: head, Blob: w.Git("rev-parse", "HEAD:file")},
	}
	if diff := cmp.Diff(want, rec.Content().Cites); diff != "" || !rec.Content().Anchor.Dirty {
		t.Errorf("filled beside changes, anchor %v (-want +got):\n%s", rec.Content().Anchor, diff)
	}
}

// What is not for filling stays as it was, to the byte.
func TestTree_Fill_not(t *testing.T) {
	t.Parallel()
	w := newCiteWorld(t, gittest.Plain)
	head := w.Git("rev-parse", "HEAD")
	var many []string
	for i := range 60 {
		many = append(many, fmt.Sprintf(`{"path":"file","line":%d}`, i+1))
	}
	tests := map[string]string{
		"made elsewhere": `{"type":"note","kind":"fact","text":"x","anchor":{"commit":"` +
			strings.Repeat("3", 40) + `"},"cites":[{"path":"file"}]}`,
		"without an anchor": `{"type":"note","kind":"fact","text":"x","cites":[{"path":"file"}]}`,
		"cites nothing":     `{"type":"note","kind":"fact","text":"x","anchor":{"commit":"` + head + `"}}`,
		"it would not fit": `{"type":"note","kind":"fact","text":"x","anchor":{"commit":"` + head +
			`"},"cites":[` + strings.Join(many, ",") + `]}`,
		"it is not there": `{"type":"note","kind":"fact","text":"x","anchor":{"commit":"` + head +
			`"},"cites":[{"path":"none"}]}`,
		"it says its own": `{"type":"note","kind":"fact","text":"x","anchor":{"commit":"` + head +
			`"},"cites":[{"path":"file","blob":"` + head + `"}]}`,
		"a packet of its own": `{"goal":"g","next_step":"n","anchor":{"commit":"` + head +
			`"},"cites":[{"path":"file","commit":"` + head + `"}]}`,
		"a path with no sense": `{"type":"note","kind":"fact","text":"x","anchor":{"commit":"` + head +
			`"},"cites":[{"path":":(top)*"}]}`,
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rec := parsed(t, "%s", text)
			before := string(rec.Encode())
			if err := w.open().Citations().Fill(t.Context(), rec); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(before, string(rec.Encode())); diff != "" {
				t.Errorf("filled (-want +got):\n%s", diff)
			}
		})
	}
}

// What was filled is what a second save finds again, as long as the draft says the same.
func TestRefill(t *testing.T) {
	t.Parallel()
	w := newCiteWorld(t, gittest.Plain)
	head := w.Git("rev-parse", "HEAD")
	const draft = `{"goal":"g","next_step":"n","anchor":{"commit":"%s"},"cites":[%s]}`
	stored := parsed(t, draft, head, `{"path":"file","line":1}`)
	if err := w.open().Citations().Fill(t.Context(), stored); err != nil {
		t.Fatal(err)
	}
	for text, same := range map[string]bool{
		`{"path":"file","line":1}`: true,
		`{"path":"file","line":2}`: false, `{"path":"file","line":1,"note":"x"}`: false,
	} {
		rec := parsed(t, draft, head, text)
		citation.Refill(rec, stored)
		if got := string(rec.Encode()) == string(stored.Encode()); got != same {
			t.Errorf("refilled %s: the same is %v, want %v", text, got, same)
		}
	}
}
