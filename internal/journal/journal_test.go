package journal_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/journal"
	"github.com/git-ltm/git-ltm/internal/local"
)

// childVariable makes the test program a process that writes to a journal.
const childVariable = "LTM_TEST_JOURNAL_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) == "" {
		os.Exit(m.Run())
	}
	if err := appendAsChild(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// appendAsChild appends count entries one by one, and acknowledges each by a line with its number.
func appendAsChild(path, name, count string) error {
	n, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	file := journal.Open(local.At(path))
	for i := range n {
		if err := file.Append([]journal.Entry{numbered(name, i)}); err != nil {
			return err
		}
		fmt.Println(i)
	}
	return nil
}

// numbered is long enough for a few hundred to be merged.
func numbered(name string, i int) journal.Entry {
	return journal.Entry{
		Key:   fmt.Sprintf("%s-%06d", name, i),
		Value: fmt.Sprintf("value %d of %s, %0100d", i, name, 0),
	}
}

// child starts the test program again.
func child(t *testing.T, path, name string, count int) (*exec.Cmd, io.Reader) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], path, name, strconv.Itoa(count))
	cmd.Env = append(os.Environ(), childVariable+"=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, out
}

// wantNumbered looks for the first count entries of a writer.
func wantNumbered(t *testing.T, file *journal.File, name string, count int) {
	t.Helper()
	reader := file.Reader()
	for i := range count {
		want := numbered(name, i)
		if value, ok := reader.Find(want.Key); !ok || value != want.Value {
			t.Fatalf("Find(%q) = %q, %v, want %q", want.Key, value, ok, want.Value)
		}
	}
}

func put(t *testing.T, file *journal.File, entries ...journal.Entry) {
	t.Helper()
	if err := file.Append(entries); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, file *journal.File) (all []journal.Entry) {
	t.Helper()
	for e, err := range file.All() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}

func TestFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ltm", "seen")
	file := journal.Open(local.At(path))
	if all := read(t, file); len(all) != 0 {
		t.Errorf("a journal that is not there holds %v", all)
	}
	put(t, file, journal.Entry{Key: "b", Value: "1"}, journal.Entry{Key: "a", Value: ""})
	put(t, file, journal.Entry{Key: "b", Value: "2"})
	if got := fmt.Sprint(read(t, file)); got != "[{a } {b 2}]" {
		t.Errorf("All = %s, want the last value of each key in order", got)
	}
	if value, ok := file.Reader().Find("c"); ok {
		t.Errorf("Find of a key that is not there = %q", value)
	}
	for name, want := range map[string]fs.FileMode{path + ".new": 0o600, filepath.Dir(path): 0o700} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("mode of %s = %v, %v, want %o", name, info.Mode(), err, want)
		}
	}
}

func TestFile_Append_refuses(t *testing.T) {
	t.Parallel()
	for name, e := range map[string]journal.Entry{
		"no key": {Value: "v"}, "tab in key": {Key: "a\tb"}, "line in key": {Key: "a\nb"},
		"tab in value":  {Key: "a", Value: "\t"},
		"line in value": {Key: "a", Value: "b\nc"}, "escape": {Key: "a", Value: "\x1b[1m"},
		"too long": {Key: "a", Value: strings.Repeat("x", 4096)},
	} {
		file := journal.Open(local.At(filepath.Join(t.TempDir(), "seen")))
		if err := file.Append([]journal.Entry{{Key: "fine"}, e}); !errors.Is(err, journal.ErrEntry) {
			t.Errorf("%s: Append = %v, want ErrEntry", name, err)
		}
		if all := read(t, file); len(all) != 0 {
			t.Errorf("%s: %v was written", name, all)
		}
	}
}

// Merges happen while others append and merge; nothing is lost and each key keeps its last value.
func TestFile_Append_processes(t *testing.T) {
	t.Parallel()
	const count = 3000
	path := filepath.Join(t.TempDir(), "seen")
	var children []*exec.Cmd
	for _, name := range []string{"one", "two", "three"} {
		cmd, out := child(t, path, name, count)
		go func() { _, _ = io.Copy(io.Discard, out) }()
		children = append(children, cmd)
	}
	for _, cmd := range children {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	file := journal.Open(local.At(path))
	for _, name := range []string{"one", "two", "three"} {
		wantNumbered(t, file, name, count)
	}
	if all := read(t, file); len(all) != 3*count {
		t.Errorf("All yields %d entries, want %d", len(all), 3*count)
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("nothing was merged: %v", err)
	}
}

// A writer is killed again and again. The lock that it leaves is made old, as an hour would make it.
func TestFile_Append_killed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "seen")
	acknowledged := map[string]int{}
	for round := range 12 {
		name := fmt.Sprint("round", round)
		cmd, out := child(t, path, name, 1_000_000)
		lines := bufio.NewScanner(out)
		for lines.Scan() && acknowledged[name] < 400+round*37 {
			acknowledged[name]++
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for lines.Scan() {
			acknowledged[name]++
		}
		_ = cmd.Wait() // It was killed.
	}
	for name, count := range acknowledged {
		wantNumbered(t, journal.Open(local.At(path)), name, count)
	}
}

// Each case is what a process that died at one line of a merge, or of a write, has left behind.
func TestFile_died(t *testing.T) {
	t.Parallel()
	for name, files := range map[string]map[string]string{
		"after the tail was put aside": {"": "a\t1\t\nb\t1\t\n", ".old": "\nb\t2\t\n\nc\t1\t\n"},
		"while the base was written": {
			"": "a\t1\t\nb\t1\t\n", ".old": "\nb\t2\t\n\nc\t1\t\n",
			".lock": "",
		},
		"before the tail was removed": {
			"": "a\t1\t\nb\t2\t\nc\t1\t\n", ".old": "\nb\t2\t\n\nc\t1\t\n",
			".lock": "",
		},
		"in the middle of a line":         {"": "a\t1\t\nb\t2\t\n", ".new": "\nc\t1\t\n\na\t13"},
		"in the middle, and others wrote": {"": "a\t1\t\n", ".new": "\nb\t2\t\n\na\t13\nc\t1\t\n"},
	} {
		path := filepath.Join(t.TempDir(), "seen")
		for suffix, text := range files {
			if err := os.WriteFile(path+suffix, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		file := journal.Open(local.At(path))
		if got := fmt.Sprint(read(t, file)); got != "[{a 1} {b 2} {c 1}]" {
			t.Errorf("died %s: All = %s", name, got)
		}
		for i := range 2000 {
			put(t, file, numbered("later", i))
		}
		wantNumbered(t, file, "later", 2000)
		if got := fmt.Sprint(read(t, file)[:3]); got != "[{a 1} {b 2} {c 1}]" {
			t.Errorf("died %s, and merged since: All begins %s", name, got)
		}
		for _, suffix := range []string{".old", ".lock"} {
			if _, err := os.Lstat(path + suffix); err == nil {
				t.Errorf("died %s: %q is left after merges", name, suffix)
			}
		}
	}
}
