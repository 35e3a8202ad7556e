package foreign_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/foreign"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// FuzzParse holds that whatever the bytes are, each draft is a record that is
// accepted, and that the same bytes give the same drafts.
func FuzzParse(f *testing.F) {
	seeds(f, func(name string, data []byte) {
		for i := range foreign.Formats() {
			f.Add(uint8(i), name, data)
		}
	})
	f.Fuzz(func(t *testing.T, format uint8, name string, data []byte) {
		of := foreign.Formats()[int(format)%len(foreign.Formats())]
		o := options()
		if format >= 128 {
			o.Remap = foreign.Remap{
				Author: map[string]string{"a": "b"}, Topic: map[string]string{"a": "b"},
				Tag: map[string]string{"a": "b"},
			}
		}
		read, err := foreign.Parse(of, name, data, o)
		if err != nil {
			return
		}
		holds(t, read)
		again, err := foreign.Parse(of, name, data, o)
		if diff := cmp.Diff(read, again); err != nil || diff != "" {
			t.Errorf("the second time: %v (-first +second):\n%s", err, diff)
		}
		_, _ = foreign.Detect(name, data)
	})
}

// FuzzWriteMarkdown holds that what is written as a file is the same record
// when it is read, and that whatever cannot be is handed back.
func FuzzWriteMarkdown(f *testing.F) {
	f.Add([]byte(`{"type":"note","id":"` + noteID +
		`","created_at":"2026-01-01T00:00:00Z","kind":"fact","text":"---\na: b\n---\n"}`))
	f.Add([]byte(`{"type":"note","id":"` + noteID +
		`","created_at":"2026-01-01T00:00:00Z","kind":"fact","text":"x","? ":{"<<":[1e400,-0]}}`))
	f.Add([]byte(`{"type":"skip","id":"` + noteID +
		`","created_at":"2026-01-01T00:00:00Z","item":" \t","reason":"\"","expires_at":"2026-01-01T00:00:00Z"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		record, err := packet.Parse(data, packet.Stored)
		if err != nil {
			return
		}
		stored := record.Encode()
		got, left := files(t, []foreign.Record{{Data: stored}})
		if len(got)+len(left) != 1 {
			t.Fatalf("%d files, left %v", len(got), left)
		}
		for name, file := range got {
			read, err := foreign.Parse(foreign.Markdown, name, file, options())
			if err != nil || len(read.Drafts) != 1 || !bytes.Equal(read.Drafts[0].Data, stored) {
				t.Errorf("%v\n%s\ncame back from\n%s", err, stored, file)
			}
		}
	})
}

// FuzzWriteJSONL holds that a record that is stored comes back byte for byte.
func FuzzWriteJSONL(f *testing.F) {
	f.Add([]byte(`{"type":"note","id":"`+noteID+
		`","created_at":"2026-01-01T00:00:00Z","kind":"fact","text":"<&>\u2028"}`), []byte("tag\xff"))
	f.Fuzz(func(t *testing.T, data, tag []byte) {
		record, err := packet.Parse(data, packet.Stored)
		if err != nil || len(tag) > 1000 || len(bytes.TrimSpace(tag)) == 0 {
			return // A tag object has a head.
		}
		stored := record.Encode()
		line := written(t, []foreign.Record{{Ref: "refs/x", Data: stored, Tag: tag}})
		read := parse(t, foreign.Lines, "f", line, options())
		if len(read.Drafts) != 1 || !bytes.Equal(read.Drafts[0].Data, stored) ||
			!bytes.Equal(read.Drafts[0].Tag, tag) {
			t.Errorf("%s\ncame back as %s", stored, shown(read))
		}
	})
}

// seeds hands out the fixtures.
func seeds(f *testing.F, add func(name string, data []byte)) {
	f.Helper()
	err := filepath.WalkDir(fixtures, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Base(filepath.Dir(path)) == "golden" {
			return err
		}
		data, err := os.ReadFile(path)
		add(filepath.ToSlash(path), data)
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
}
