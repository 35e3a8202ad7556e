package settings_test

import (
	"errors"
	"io/fs"
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

// TestFile_Remove_linked holds that no link is left that leads nowhere.
func TestFile_Remove_linked(t *testing.T) {
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
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Remove(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("the directory holds %v, %v, want nothing", left, err)
	}
}

// TestFile_readOnly holds that a file that nobody may write is left alone, though its directory would let it
// be replaced.
func TestFile_readOnly(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "settings.json")
	if err := os.WriteFile(path, []byte("{}"), 0o400); err != nil {
		t.Fatal(err)
	}
	f, err := settings.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Replace([]byte("[]")); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("Replace = %v, want ErrPermission", err)
	}
	if err := f.Remove(); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("Remove = %v, want ErrPermission", err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("the directory holds %v, %v, want the file alone", left, err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "{}" {
		t.Errorf("the file holds %q, %v, want what it held", got, err)
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
