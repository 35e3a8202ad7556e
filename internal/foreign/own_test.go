package foreign_test

import (
	"bytes"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/foreign"
	"github.com/git-ltm/git-ltm/internal/packet"
)

const (
	noteID   = "01J00000000000000000000001"
	skipID   = "01J00000000000000000000002"
	eventID  = "01J00000000000000000000003"
	packetID = "01J00000000000000000000004"
)

// canonical returns the bytes of a record as they are stored.
func canonical(t *testing.T, text string) []byte {
	t.Helper()
	record, err := packet.Parse([]byte(text), packet.Draft)
	if err != nil {
		t.Fatal(err)
	}
	return record.Encode()
}

func records(t *testing.T) []foreign.Record {
	t.Helper()
	all := []foreign.Record{
		{
			Ref: "refs/ltm/notes/" + noteID, Tag: []byte("object 00\ntype blob\ntag x\n\n-----BEGIN\n<&>\n"),
			Data: canonical(t, `{"type":"note","id":"`+noteID+`",
			"created_at":"2026-01-01T00:00:00Z","kind":"fact","text":"a <b> & c","topic":"team/api","tags":["one"],"x-own":1.50,
			"links":["`+packetID+`"],"provenance":{"author_human":"Ada Tester"}}`),
		},
		{
			Ref: "refs/ltm-local/skips/" + skipID, Tag: []byte("tagger \xe9\n"),
			Data: canonical(t, `{"type":"skip","id":"`+skipID+`",
			"created_at":"2026-01-01T00:00:00Z","item":"make all","reason":"slow","expires_at":"2026-02-01T00:00:00Z"}`),
		},
		{Ref: "refs/ltm/events/" + eventID, Data: canonical(t, `{"type":"event","id":"`+eventID+`",
			"created_at":"2026-01-02T00:00:00Z","event":"retract","targets":["`+noteID+`"]}`)},
		{Ref: "refs/ltm/packets/" + packetID, Data: canonical(t, `{"ltm_version":"0.2","id":"`+packetID+`",
			"created_at":"2026-01-01T00:00:00Z","goal":"g","next_step":"n"}`)},
	}
	for _, one := range all {
		if _, err := packet.Parse(one.Data, packet.Stored); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func sequence(all []foreign.Record) iter.Seq2[foreign.Record, error] {
	return func(yield func(foreign.Record, error) bool) {
		for _, r := range all {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func written(t *testing.T, all []foreign.Record) string {
	t.Helper()
	var out bytes.Buffer
	if err := foreign.WriteJSONL(&out, sequence(all)); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// SPEC.
func TestWriteJSONL_readsBack(t *testing.T) {
	t.Parallel()
	all := records(t)
	text := written(t, all)
	if lines := strings.Count(text, "\n"); lines != len(all) {
		t.Errorf("%d lines for %d records", lines, len(all))
	}
	if f, err := foreign.Detect("export", []byte(text)); err != nil || f != foreign.Lines {
		t.Errorf("Detect = %q, %v", f, err)
	}
	read := parse(t, foreign.Lines, "export.jsonl", text, options())
	if len(read.Problems)+len(read.Notes) > 0 || len(read.Drafts) != len(all) {
		t.Fatalf("read %d, problems %v, notes %v", len(read.Drafts), read.Problems, read.Notes)
	}
	for i, d := range read.Drafts {
		if d.Ref != all[i].Ref || !bytes.Equal(d.Data, all[i].Data) || !bytes.Equal(d.Tag, all[i].Tag) ||
			d.Notes != nil {
			t.Errorf("record %d came back as %+v\n%s", i, d, d.Data)
		}
		if want := strings.HasPrefix(d.Ref, "refs/ltm-local/"); d.Private != want {
			t.Errorf("record %d: private %t, want %t", i, d.Private, want)
		}
	}
}

// SPEC.
func TestParse_linesGoOn(t *testing.T) {
	t.Parallel()
	good := `{"type":"note","kind":"fact","text":"kept"}`
	text := strings.Join([]string{
		"\uFEFF" + good + "\r",
		"",
		`{"type":"note"`,
		`{"type":"note","kind":"fact","text":"a","text":"b"}`,
		`{"record":{},"record":{}}`,
		`{"record":` + good + `,"tag":7}`,
		strings.Repeat("x", 1<<20),
		strings.Repeat("[", 100_000),
		`{"type":"note","kind":"fact","text":"nul \u0000"}`,
		"{\"type\":\"note\",\"kind\":\"fact\",\"text\":\"\xff\"}",
		`7`,
		`{"type":"note","kind":"INSIGHT","text":"by another word"}`,
	}, "\n")
	read := parse(t, foreign.Lines, "f", text, options())
	var places []string
	for _, p := range read.Problems {
		places = append(places, p.Place)
	}
	want := []string{"f:3", "f:4", "f:5", "f:6", "f:7", "f:8", "f:9", "f:10", "f:11", "f:12"}
	if diff := cmp.Diff(want, places); diff != "" {
		t.Errorf("problems (-want +got):\n%s\n%v", diff, read.Problems)
	}
	got := notes(t, read)
	if len(got) != 1 || got[0].Text != "kept" || got[0].Origin != "import" ||
		got[0].CreatedAt != modified() {
		t.Errorf("read %+v", got)
	}
}

func TestParse_array(t *testing.T) {
	t.Parallel()
	text := `[{"type":"skip","item":"a","reason":"b","expires_at":"2026-04-02T00:00:00Z"}, 7, {"ltm_version":"0.2","goal":"g","next_step":"n"}]`
	if f, err := foreign.Detect("x.json", []byte(text)); err != nil || f != foreign.LTM {
		t.Errorf("Detect = %q, %v", f, err)
	}
	read := parse(t, foreign.LTM, "x.json", text, options())
	if len(read.Drafts) != 2 || len(read.Problems) != 1 || read.Drafts[1].Kind != packet.KindPacket {
		t.Errorf("read %+v", read)
	}
}

// What is renamed gets another name, and what names it follows; the rest keeps
// each byte.
func TestParse_remap(t *testing.T) {
	t.Parallel()
	all := records(t)
	o := options()
	o.Remap = foreign.Remap{
		Author: map[string]string{"Ada Tester": "alice@example.com"},
		Topic:  map[string]string{"team": "crew/shop"}, Tag: map[string]string{"one": "two"},
	}
	text := written(t, all)
	read := parse(t, foreign.Lines, "f", text, o)
	n := notes(t, read)[0]
	if n.Provenance.AuthorHuman != "alice@example.com" || n.Topic != "crew/shop/api" ||
		!slices.Equal(n.Tags, []string{"two"}) || n.ID == noteID {
		t.Errorf("renamed note: %+v", n)
	}
	if d := read.Drafts[0]; d.Tag != nil || d.Ref != "" || string(d.ID) != n.ID || len(d.Notes) != 2 {
		t.Errorf("draft of the renamed note: %+v", d)
	}
	event, err := packet.Parse(read.Drafts[2].Data, packet.Draft)
	if err != nil || !slices.Equal(event.Event().Targets, []string{n.ID}) || event.OwnID() == eventID {
		t.Errorf("the event names %v, the note is %s: %v", event.Event().Targets, n.ID, err)
	}
	for _, i := range []int{1, 3} {
		if !bytes.Equal(read.Drafts[i].Data, all[i].Data) || !bytes.Equal(read.Drafts[i].Tag, all[i].Tag) {
			t.Errorf("record %d was touched", i)
		}
	}
	again := parse(t, foreign.Lines, "f", text, o)
	if diff := cmp.Diff(read, again); diff != "" {
		t.Errorf("read twice (-first +second):\n%s", diff)
	}
}

func TestWriteJSONL_refuses(t *testing.T) {
	t.Parallel()
	for name, data := range map[string]string{
		"not canonical": `{"type":"note","kind":"fact","text":"a"}`,
		"not a record":  `{`,
	} {
		all := []foreign.Record{{Ref: "refs/x", Data: []byte(data)}}
		if err := foreign.WriteJSONL(&bytes.Buffer{}, sequence(all)); err == nil ||
			!strings.Contains(err.Error(), "refs/x") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestParse_keptAs shows that a record which does not hold its name keeps that of our own export, and each
// byte.
func TestParse_keptAs(t *testing.T) {
	t.Parallel()
	const record = `{"ltm_version":"0.3","id":"own-name-of-it","created_at":"2026-01-01T00:00:00Z","goal":"g","next_step":"n"}`
	for ref, want := range map[string]packet.ID{
		"refs/ltm/packets/01JDMB4W1YNJZQR7K8F3A2H5P1":       "01JDMB4W1YNJZQR7K8F3A2H5P1",
		"refs/ltm-local/packets/01JDMB4W1YNJZQR7K8F3A2H5P1": "01JDMB4W1YNJZQR7K8F3A2H5P1",
		"refs/ltm/notes/01JDMB4W1YNJZQR7K8F3A2H5P1":         "",
		"refs/heads/main": "",
		"refs/ltm/packets/../01JDMB4W1YNJZQR7K8F3A2H5P1": "",
		"": "",
	} {
		read, err := foreign.Parse(foreign.Lines, "x.jsonl",
			[]byte(`{"ref":"`+ref+`","tag":"t","record":`+record+`}`), foreign.Options{})
		if err != nil || len(read.Drafts) != 1 {
			t.Fatalf("%q: %v, %v", ref, read.Problems, err)
		}
		got := read.Drafts[0]
		if want == "" {
			want = packet.DeriveID("own-name-of-it", time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
		}
		if got.ID != want || string(got.Tag) != "t" {
			t.Errorf("%q: the id is %s, want %s; the tag %q", ref, got.ID, want, got.Tag)
		}
	}
}
