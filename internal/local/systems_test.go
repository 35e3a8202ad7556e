package local_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/local"
)

// Systems differ in the length of a path, in whether a file that is open can be replaced, and in whether a folder
// can be synced. What a caller sees does not.

// A path may be longer than the 260 characters that Windows once took.
func TestFile_longPath(t *testing.T) {
	t.Parallel()
	dir := local.Open(t.TempDir(), func() local.Sharing { return local.Private })
	for range 8 {
		dir = dir.Sub(strings.Repeat("deep", 12))
	}
	file := dir.File("file")
	if len(file.Path()) < 400 {
		t.Fatalf("the path has %d characters, want many", len(file.Path()))
	}
	for _, text := range []string{"one", "two"} {
		if err := file.Replace([]byte(text), local.Synced); err != nil {
			t.Fatal(err)
		}
		if got, err := file.Read(10); err != nil || string(got) != text {
			t.Errorf("it holds %q, %v, want %q", got, err, text)
		}
	}
	unlock, err := dir.File("lock").TryLock()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := dir.File("lock").TryLock(); !errors.Is(err, local.ErrLocked) {
		t.Errorf("a second lock: %v, want ErrLocked", err)
	}
	if err := unlock(); err != nil {
		t.Error(err)
	}
}

// A file that somebody reads is replaced whole, or stays whole and the caller hears of it. No part of the new one
// is left beside it, and the reader goes on with the old one.
func TestReplace_open(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	write(t, local.At(path), "old")
	reader, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	replaced := local.At(path).Replace([]byte("new"), local.Synced)
	if read, err := io.ReadAll(reader); err != nil || string(read) != "old" {
		t.Errorf("the reader got %q, %v, want the old text", read, err)
	}
	if err := reader.Close(); err != nil {
		t.Error(err)
	}
	want := "new"
	if replaced != nil {
		want = "old"
		if runtime.GOOS != "windows" || !errors.Is(replaced, fs.ErrPermission) {
			t.Errorf("replace: %v", replaced)
		}
	}
	if got, err := local.At(path).Read(10); err != nil || string(got) != want {
		t.Errorf("it holds %q, %v, want %q", got, err, want)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("%d files are there, %v, want one", len(files), err)
	}
}

// Names that differ in case are one file in some places. Whichever it is here, the second writer takes the place
// of the first or stands beside it, and KeepFirst keeps the first in the first case.
func TestReplace_case(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, local.At(filepath.Join(dir, "name")), "first")
	_, err := os.Stat(filepath.Join(dir, "NAME"))
	same := err == nil
	other := filepath.Join(dir, "NAME")
	err = local.Replace(other, local.Replacement{KeepFirst: true}, func(w io.Writer) error {
		_, err := io.WriteString(w, "second")
		return err
	})
	want := "second"
	if same {
		want = "first"
	}
	if same != errors.Is(err, fs.ErrExist) || !same && err != nil {
		t.Errorf("one name: %t, and the second writer got %v", same, err)
	}
	if got, err := local.At(other).Read(10); err != nil || string(got) != want {
		t.Errorf("NAME holds %q, %v, want %q", got, err, want)
	}
}

// Where a folder cannot be synced the system says so, and that is no error: there is nothing more to do. A folder
// that is not there is one.
func TestSyncPath(t *testing.T) {
	t.Parallel()
	folders := []string{t.TempDir()}
	if runtime.GOOS == "linux" {
		folders = append(folders, "/proc", "/sys") // Both refuse.
	}
	for _, dir := range folders {
		if err := local.SyncPath(dir); err != nil {
			t.Errorf("sync %s: %v", dir, err)
		}
	}
	if err := local.SyncPath(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("sync a folder that is not there: %v", err)
	}
}
