package retrieval_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/retrieval"
)

// data is the folder with the collections.
func data() fs.FS { return os.DirFS(filepath.Join("..", "..", "testdata", "retrieval")) }

func coding(t *testing.T) *retrieval.Collection {
	t.Helper()
	c, err := retrieval.Coding(data())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func adi(t *testing.T) *retrieval.Collection {
	t.Helper()
	c, err := retrieval.ADI(data())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestADI holds the numbers that are published of the collection: 82 documents, 35 questions, 170 judgements.
func TestADI(t *testing.T) {
	t.Parallel()
	c := adi(t)
	judgements := 0
	for _, q := range c.Questions {
		judgements += len(q.Relevant)
		if len(q.Relevant) == 0 || q.Text == "" {
			t.Errorf("question %q has %d answers and the text %q", q.ID, len(q.Relevant), q.Text)
		}
	}
	if got, want := []int{len(c.Documents), len(c.Questions), judgements}, []int{82, 35, 170}; !slices.Equal(got, want) {
		t.Errorf("documents, questions, judgements = %v, want %v", got, want)
	}
	for _, d := range c.Documents {
		if item := d.Content.Items[0]; item.Text == "" || item.Why == "" {
			t.Errorf("document %q has the title %q and the text %q", d.ID, item.Text, item.Why)
		}
	}
	want := map[string]int{"17/text": 1, "46/text": 1, "62/text": 1}
	if diff := cmp.Diff(want, c.Questions[0].Relevant); diff != "" {
		t.Errorf("answers of the first question (-want +got):\n%s", diff)
	}
}

// TestCoding holds what the README of the collections says of this one.
func TestCoding(t *testing.T) {
	t.Parallel()
	c := coding(t)
	kinds, styles := map[packet.Kind]int{}, map[string]int{}
	for _, d := range c.Documents {
		kinds[d.Content.Kind]++
	}
	for _, q := range c.Questions {
		styles[q.Style()]++
		if (q.Style() == "nothing") != (len(q.Relevant) == 0) {
			t.Errorf("question %q has %d answers", q.ID, len(q.Relevant))
		}
	}
	if diff := cmp.Diff(map[packet.Kind]int{packet.KindPacket: 33, packet.KindNote: 41, packet.KindSkip: 13}, kinds); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	wantStyles := map[string]int{"plain": 32, "short": 12, "error": 16, "code": 11, "path": 4, "hard": 15, "nothing": 10}
	if diff := cmp.Diff(wantStyles, styles); diff != "" {
		t.Errorf("questions (-want +got):\n%s", diff)
	}
	if got, want := len(c.Entries()), 297; got != want {
		t.Errorf("%d items, want %d", got, want)
	}
}

// TestCoding_recordsAreCanonical shows that each record stands in its file as it would be stored.
func TestCoding_recordsAreCanonical(t *testing.T) {
	t.Parallel()
	names, err := fs.Glob(data(), "coding/records/*.json")
	if err != nil || len(names) == 0 {
		t.Fatalf("%d records: %v", len(names), err)
	}
	for _, name := range names {
		stored, err := fs.ReadFile(data(), name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := packet.Parse(stored, packet.Stored)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(string(r.Encode()), string(stored)); diff != "" {
			t.Errorf("%s (-canonical +file):\n%s", name, diff)
		}
	}
}

// TestCollection_broken shows that data with a mistake is refused, and where the mistake is said to be.
func TestCollection_broken(t *testing.T) {
	t.Parallel()
	const (
		note = `{"type":"note","id":"01KJWCFBK0PAY0000000000001","created_at":"2026-03-04T12:17:00Z","kind":"fact","text":"a"}`
		all  = ".I 1\n.T\nt\n.W\nw\n"
	)
	question := func(s string) fstest.MapFS {
		return fstest.MapFS{"coding/records/a.json": {Data: []byte(note)}, "coding/questions.json": {Data: []byte(s)}}
	}
	abstracts := func(docs, questions, judgements string) fstest.MapFS {
		return fstest.MapFS{
			"adi/adi.all": {Data: []byte(docs)}, "adi/adi.qry": {Data: []byte(questions)}, "adi/adi.rel": {Data: []byte(judgements)},
		}
	}
	const answer = `{"record":"01KJWCFBK0PAY0000000000001","place":"/text","grade":2}`
	for _, tt := range []struct {
		name   string
		read   func(fs.FS) (*retrieval.Collection, error)
		folder fstest.MapFS
		want   string // a part of the error
	}{
		{"no file", retrieval.Coding, fstest.MapFS{}, "questions.json"},
		{"invalid record", retrieval.Coding, fstest.MapFS{"coding/records/a.json": {Data: []byte("{}")}}, `"a.json"`},
		{"no question", retrieval.Coding, question("["), "read questions"},
		{"without a text", retrieval.Coding, question(`[{"id":"q-1"}]`), "q-1"},
		{"judged twice", retrieval.Coding, question(`[{"id":"q-1","text":"a","relevant":[` + answer + "," + answer + `]}]`), "q-1"},
		{"asked twice", retrieval.Coding, question(`[{"id":"q-1","text":"a"},{"id":"q-1","text":"b"}]`), `"q-1" stands there twice`},
		{"another item", retrieval.Coding, question(`[{"id":"q-1","text":"a","relevant":[` +
			strings.Replace(answer, "/text", "/goal", 1) + `]}]`), `0001/goal"`},
		{"no grade", retrieval.Coding, question(`[{"id":"q-1","text":"a","relevant":[` +
			strings.Replace(answer, "2}", "0}", 1) + `]}]`), "grade 0"},
		{"text before an entry", retrieval.ADI, abstracts("t\n", "", ""), `"t" stands outside`},
		{"text before a field", retrieval.ADI, abstracts(".I 1\nt\n", "", ""), `"t" stands outside`},
		{"document twice", retrieval.ADI, abstracts(all+all, "", ""), `"1/text" stands there twice`},
		{"judgement of no question", retrieval.ADI, abstracts(all, all, "2 1\n"), `"2 1" is no judgement`},
		{"judgement of no document", retrieval.ADI, abstracts(all, all, "1 2\n"), `"2/text"`},
		{"three columns", retrieval.ADI, abstracts(all, all, "1 1 0\n"), `"1 1 0" is no judgement`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := tt.read(tt.folder)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
	if _, err := retrieval.ADI(abstracts(all, all, "1 1\n")); err != nil {
		t.Errorf("whole data: %v", err)
	}
	if _, err := retrieval.Coding(question(`[{"id":"q-1","text":"a","relevant":[` + answer + `]}]`)); err != nil {
		t.Errorf("whole data: %v", err)
	}
}

func TestCollection_Entries(t *testing.T) {
	t.Parallel()
	c := retrieval.Collection{Documents: []retrieval.Document{{ID: "1", Content: packet.Content{
		Topic: "a/b", Tags: []string{"one", "two"}, Paths: []string{"c.go"},
		Items: []packet.Item{{Place: "/goal", Text: "what"}, {Place: "/decisions/0", Text: "this", Why: "that"}},
	}}}}
	want := []retrieval.Entry{
		{Key: "1/goal", Text: "what\na/b\none\ntwo\nc.go"},
		{Key: "1/decisions/0", Text: "this\nthat\na/b\none\ntwo\nc.go"},
	}
	if diff := cmp.Diff(want, c.Entries()); diff != "" {
		t.Errorf("Entries (-want +got):\n%s", diff)
	}
	styles := map[string]string{"hard-12": "hard", "12": "", "a-b-1": "a-b"}
	for _, id := range slices.Sorted(maps.Keys(styles)) {
		if got := (retrieval.Question{ID: id}).Style(); got != styles[id] {
			t.Errorf("Style of %q = %q, want %q", id, got, styles[id])
		}
	}
}
