package journal_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/journal"
	"github.com/git-ltm/git-ltm/internal/local"
)

// Whatever stands in the place of a file reads as no entries, and an Append either keeps its entry or says
// that it did not.
func TestFile_damaged(t *testing.T) {
	t.Parallel()
	text := func(text string) func(string) error {
		return func(path string) error { return os.WriteFile(path, []byte(text), 0o600) }
	}
	for name, place := range map[string]func(string) error{
		"binary":    text(string(bytes.Repeat([]byte{0, 255, '\n', 7, '\t'}, 50_000))),
		"zeros":     text(strings.Repeat("\x00", 300_000)),
		"long line": text(strings.Repeat("k\t", 300_000)),
		"huge": func(path string) error {
			return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, 1<<30))
		},
		"directory": func(path string) error { return os.Mkdir(path, 0o700) },
		"full directory": func(path string) error {
			return errors.Join(os.Mkdir(path, 0o700), os.WriteFile(filepath.Join(path, "file"), nil, 0o600))
		},
		"dangling link":  func(path string) error { return os.Symlink(path+"-target", path) },
		"link to itself": func(path string) error { return os.Symlink(path, path) },
	} {
		for _, suffix := range []string{"", ".new", ".old", ".lock"} {
			path := filepath.Join(t.TempDir(), "seen")
			if err := place(path + suffix); err != nil {
				t.Fatal(err)
			}
			file := journal.Open(local.At(path))
			if all := read(t, file); len(all) != 0 {
				t.Errorf("%s as %q holds %d entries", name, suffix, len(all))
			}
			kept := 0
			for kept < 1000 && file.Append([]journal.Entry{numbered("entry", kept)}) == nil {
				kept++
			}
			if kept == 0 && suffix != ".new" {
				t.Errorf("%s as %q: nothing could be appended", name, suffix)
			}
			wantNumbered(t, file, "entry", kept)
		}
	}
}

func TestFile_Append_link(t *testing.T) {
	t.Parallel()
	for _, suffix := range []string{"", ".new", ".old", ".lock"} {
		path := filepath.Join(t.TempDir(), "seen")
		target := filepath.Join(t.TempDir(), "target")
		const precious = "\nkey\tvalue\t\n"
		if err := os.WriteFile(target, []byte(precious), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, path+suffix); err != nil {
			t.Fatal(err)
		}
		file := journal.Open(local.At(path))
		if value, ok := file.Reader().Find("key"); ok {
			t.Errorf("Find through a link at %q = %q, %v", suffix, value, ok)
		}
		var failed error
		for i := range 1000 {
			failed = errors.Join(failed, file.Append([]journal.Entry{numbered("entry", i)}))
		}
		if (failed != nil) != (suffix == ".new") {
			t.Errorf("Append with a link at %q: %v", suffix, failed)
		}
		if got, err := os.ReadFile(target); err != nil || string(got) != precious {
			t.Errorf("the target of a link at %q holds %d bytes now, %v", suffix, len(got), err)
		}
	}
}

func TestFile_Append_readOnly(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("permissions do not hold the superuser back")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "seen")
	if err := os.WriteFile(path+".new", []byte("\nkey\tvalue\t\n"), 0o400); err != nil {
		t.Fatal(err)
	}
	file := journal.Open(local.At(path))
	if err := file.Append([]journal.Entry{{Key: "key", Value: "other"}}); err == nil {
		t.Error("Append to a file that cannot be written = nil")
	}
	if value, ok := file.Reader().Find("key"); value != "value" || !ok {
		t.Errorf("Find = %q, %v, want the old value", value, ok)
	}
}
