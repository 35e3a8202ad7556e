package foreign_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/foreign"
	"github.com/git-ltm/git-ltm/internal/packet"
)

var update = flag.Bool("update", false, "write the golden files again")

// modified is the time of what has none of its own.
func modified() time.Time { return time.Date(2026, 4, 1, 12, 0, 0, 0, time.UTC) }

func options() foreign.Options { return foreign.Options{Modified: modified()} }

const fixtures = "../../testdata/foreign"

func TestParse_fixtures(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]foreign.Format{
		"decisions/20260301-cache-keys.md":          foreign.Markdown,
		"learnings/20260302-slow-fixtures.md":       foreign.Markdown,
		"archived/decisions/20260101-two-queues.md": foreign.Markdown,
		"feedback_short_answers.md":                 foreign.Markdown,
		"blocks/warehouse/loads.md":                 foreign.Markdown,
		"memento.json":                              foreign.Memento,
		"claude-ltm.json":                           foreign.ClaudeLTM,
		"MEMORY.md":                                 foreign.MemoryFile,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(filepath.Join(fixtures, name))
			if err != nil {
				t.Fatal(err)
			}
			format, err := foreign.Detect(name, data)
			if err != nil || format != want {
				t.Fatalf("Detect = %q, %v; want %q", format, err, want)
			}
			read, err := foreign.Parse(format, name, data, options())
			if err != nil {
				t.Fatal(err)
			}
			holds(t, read)
			golden(t, filepath.Join(fixtures, "golden", strings.ReplaceAll(name, "/", "_")+".txt"),
				shown(read))
		})
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

// shown writes all that was read, for people.
func shown(read foreign.Read) string {
	var b strings.Builder
	for _, n := range read.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	for _, p := range read.Problems {
		fmt.Fprintf(&b, "problem: %s\n", p)
	}
	for _, d := range read.Drafts {
		fmt.Fprintf(&b, "\n== %s: %s", d.Source, d.Kind)
		for _, flag := range []struct {
			name string
			set  bool
		}{{"private", d.Private}, {"wide", d.Wide}, {"undated", d.Undated}, {"signed", d.Tag != nil}} {
			if flag.set {
				b.WriteString(" " + flag.name)
			}
		}
		b.WriteString("\n")
		for _, n := range d.Notes {
			fmt.Fprintf(&b, "note: %s\n", n)
		}
		b.Write(d.Data)
	}
	return b.String()
}

// holds checks what is promised of each draft.
func holds(t *testing.T, read foreign.Read) {
	t.Helper()
	seen := map[packet.ID]bool{}
	for _, d := range read.Drafts {
		record, err := packet.Parse(d.Data, packet.Draft)
		if err != nil {
			t.Errorf("%s: the draft is refused: %v\n%s", d.Source, err, d.Data)
			continue
		}
		if string(record.Encode()) != string(d.Data) {
			t.Errorf("%s: the draft is not in the canonical encoding", d.Source)
		}
		if record.Kind() != d.Kind || d.Kind == "" {
			t.Errorf("%s: the draft says it is a %q, and is a %q", d.Source, d.Kind, record.Kind())
		}
		if _, err := packet.ParseID(string(d.ID)); err != nil || d.Key == "" || !record.Has("created_at") {
			t.Errorf("%s: id %q, key %q, created_at %t", d.Source, d.ID, d.Key, record.Has("created_at"))
		}
		if seen[d.ID] && !strings.HasPrefix(d.Key, "ltm:") {
			t.Errorf("%s: the id %s is there twice", d.Source, d.ID)
		}
		seen[d.ID] = true
	}
}

func parse(t *testing.T, f foreign.Format, name, data string, o foreign.Options) foreign.Read {
	t.Helper()
	read, err := foreign.Parse(f, name, []byte(data), o)
	if err != nil {
		t.Fatal(err)
	}
	holds(t, read)
	return read
}

// notes returns the views of the drafts that are notes.
func notes(t *testing.T, read foreign.Read) []packet.Note {
	t.Helper()
	var all []packet.Note
	for _, d := range read.Drafts {
		if d.Kind == packet.KindNote {
			record, err := packet.Parse(d.Data, packet.Draft)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, record.Note())
		}
	}
	return all
}
