package retrieval_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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

// sets are those of which people wrote the questions, with the open ones.
func sets(t *testing.T) []*retrieval.Collection {
	t.Helper()
	all, err := retrieval.Sets(data(), retrieval.Open)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestCollections holds what the README says of the collections.
func TestCollections(t *testing.T) {
	t.Parallel()
	var got []string
	for _, c := range append(sets(t), coding(t)) {
		known := 0
		for _, q := range c.Questions {
			known += min(1, len(q.Relevant))
		}
		got = append(got, fmt.Sprintf("%s: %d items, %d questions, %d without an answer", c.Name,
			len(c.Entries()), known, len(c.Questions)-known))
	}
	want := []string{
		"notes: 160 items, 60 questions, 27 without an answer",
		"packets: 360 items, 40 questions, 0 without an answer",
		"prompts, plain: 160 items, 40 questions, 27 without an answer",
		"prompts, polite: 160 items, 40 questions, 27 without an answer",
		"prompts, log: 160 items, 40 questions, 27 without an answer",
		"coding: 297 items, 90 questions, 10 without an answer",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("collections (-want +got):\n%s", diff)
	}
}

// TestSealed holds that nobody looks at the sealed questions: no code but the measurement names
// them, and they are as they were when the history of their figures began.
func TestSealed(t *testing.T) {
	t.Parallel()
	sum := sha256.New()
	for _, name := range []string{
		"notes.questions.jsonl", "notes.unanswerable.jsonl", "prompts.jsonl", "noise.jsonl",
		"packets.questions.jsonl",
	} {
		text, err := fs.ReadFile(data(), name)
		if err != nil {
			t.Fatal(err)
		}
		line := 0
		for one := range strings.Lines(string(text)) {
			if line++; line%3 == 0 {
				_, _ = sum.Write([]byte(one)) // A sum never fails.
			}
		}
	}
	history, err := fs.ReadFile(data(), "HISTORY.md")
	if err != nil {
		t.Fatal(err)
	}
	if text := hex.EncodeToString(sum.Sum(nil))[:16]; !strings.Contains(string(history), text) {
		t.Errorf("HISTORY.md tells no figures of sealed questions with the sum %s", text)
	}
	top := filepath.Join("..", "..")
	for _, folder := range []string{"internal", "cmd"} {
		err := filepath.WalkDir(filepath.Join(top, folder),
			func(path string, _ fs.DirEntry, err error) error {
				if err != nil || filepath.Ext(path) != ".go" {
					return err
				}
				code, err := os.ReadFile(path)
				name, _ := filepath.Rel(top, path)
				if strings.Contains(string(code), "retrieval."+"Sealed") &&
					filepath.ToSlash(name) != "internal/bench/quality.go" {
					t.Errorf("%s looks at sealed questions", name)
				}
				return err
			})
		if err != nil {
			t.Fatal(err)
		}
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
	)
	question := func(s string) fstest.MapFS {
		return fstest.MapFS{
			"coding/records/a.json":  {Data: []byte(note)},
			"coding/questions.jsonl": {Data: []byte(s)},
		}
	}
	const answer = `"01KJWCFBK0PAY0000000000001/text":2`
	for _, tt := range []struct {
		name   string
		read   func(fs.FS) (*retrieval.Collection, error)
		folder fstest.MapFS
		want   string // a part of the error
	}{
		{"no file", retrieval.Coding, fstest.MapFS{}, "questions.json"},
		{
			"invalid record", retrieval.Coding,
			fstest.MapFS{"coding/records/a.json": {Data: []byte("{}")}},
			`"a.json"`,
		},
		{"no question", retrieval.Coding, question("["), "value 1"},
		{"without a text", retrieval.Coding, question(`{"id":"q-1"}`), "q-1"},
		{
			"asked twice", retrieval.Coding, question(`{"id":"q-1","text":"a"} {"id":"q-1","text":"b"}`),
			`"q-1" has no id or text, or stands there twice`,
		},
		{"another item", retrieval.Coding, question(`{"id":"q-1","text":"a","relevant":{` +
			strings.Replace(answer, "/text", "/goal", 1) + `}}`), `0001/goal"`},
		{"no grade", retrieval.Coding, question(`{"id":"q-1","text":"a","relevant":{` +
			strings.Replace(answer, ":2", ":0", 1) + `}}`), "grade 0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := tt.read(tt.folder)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
	if _, err := retrieval.Coding(question(`{"id":"q-1","text":"a","relevant":{` + answer + `}}`)); err !=
		nil {
		t.Errorf("whole data: %v", err)
	}
}

func TestCollection_Entries(t *testing.T) {
	t.Parallel()
	c := retrieval.Collection{Documents: []retrieval.Document{{ID: "1", Content: packet.Content{
		Topic: "a/b", Tags: []string{"one", "two"}, Paths: []string{"c.go"},
		Items: []packet.Item{
			{Place: "/goal", Text: "what"},
			{Place: "/decisions/0", Text: "this", Why: "that"},
		},
	}}}}
	want := []retrieval.Entry{
		{Key: "1/goal", Text: "what\na/b\none\ntwo\nc.go"},
		{Key: "1/decisions/0", Text: "this\nthat\na/b\none\ntwo\nc.go"},
	}
	if diff := cmp.Diff(want, c.Entries()); diff != "" {
		t.Errorf("Entries (-want +got):\n%s", diff)
	}
}
