package settings_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/git-ltm/git-ltm/internal/settings"
)

func TestFile_Replace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.WriteFile(target, []byte("one"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("target", link); err != nil {
		t.Skip(err)
	}
	f, err := settings.Read(link)
	if err != nil || string(f.Text) != "one" || !f.Exists {
		t.Fatalf("Read = %+v, %v", f, err)
	}
	if err := f.Replace([]byte("two")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is no link any more: %v, %v", info, err)
	}
	info, err = os.Lstat(target)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the mode of the file is %v, want the one of before: %v", info.Mode(), err)
	}
	if got, err := os.ReadFile(target); err != nil || string(got) != "two" {
		t.Errorf("the file holds %q, %v, want two", got, err)
	}
	if err := f.Replace([]byte("three")); !errors.Is(err, settings.ErrMoved) {
		t.Errorf("Replace of a file that changed = %v, want ErrMoved", err)
	}
	if err := f.Remove(); !errors.Is(err, settings.ErrMoved) {
		t.Errorf("Remove of a file that changed = %v, want ErrMoved", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
		t.Errorf("the directory holds %v, %v, want the file and the link", left, err)
	}
}

func TestRead_refused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := os.Symlink("nowhere", link); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{link, dir} {
		if f, err := settings.Read(path); err == nil {
			t.Errorf("Read(%q) = %+v, want an error", path, f)
		}
	}
	f, err := settings.Read(filepath.Join(dir, "missing"))
	if err != nil || f.Exists || f.Text != nil {
		t.Errorf("Read of a missing file = %+v, %v, want no text and no error", f, err)
	}
}
