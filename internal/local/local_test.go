package local_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/local"
)

// Real git says how open a new file and a new folder are under each value of core.sharedRepository.
func TestSharing_asGit(t *testing.T) {
	t.Parallel()
	for _, value := range []string{
		"umask", "group", "all", "world", "everybody", "true", "false", "0", "1", "2", "0600", "0640", "0660",
		"0644", "0664", "0666", "0777",
	} {
		t.Run(value, func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, gittest.Plain)
			r.Git("config", "core.sharedRepository", value)
			file := filepath.Join(t.TempDir(), "file")
			if err := os.WriteFile(file, []byte(value+" as git"), 0o600); err != nil {
				t.Fatal(err)
			}
			oid := strings.TrimSpace(r.Git("hash-object", "-w", file))
			sharing, err := local.ParseSharing(value)
			if err != nil {
				t.Fatal(err)
			}
			objects := filepath.Join(r.Dir, ".git", "objects")
			dir := local.Open(filepath.Join(r.Dir, ".git", "ltm"), func() local.Sharing { return sharing })
			if err := dir.File("object").ReplaceAs(nil, local.Replacement{Perm: 0o444}); err != nil {
				t.Fatal(err)
			}
			for ours, theirs := range map[string]string{
				dir.Path():                filepath.Join(objects, oid[:2]),
				dir.File("object").Path(): filepath.Join(objects, oid[:2], oid[2:]),
			} {
				if got, want := modeOf(t, ours), modeOf(t, theirs); got != want {
					t.Errorf("%s is made %v, and by git %v", filepath.Base(ours), got, want)
				}
			}
		})
	}
}

func modeOf(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

func TestParseSharing_refuses(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"everyone", "0400", "-1", "0x1"} {
		if got, err := local.ParseSharing(value); err == nil || got != local.Private {
			t.Errorf("ParseSharing(%q) = %v, %v, want an error and Private", value, got, err)
		}
	}
}

// What is of one user stays closed where the group may write all else.
func TestDir_Own(t *testing.T) {
	t.Parallel()
	dir := local.Open(filepath.Join(t.TempDir(), "ltm"), func() local.Sharing { return local.Group })
	write(t, dir.OwnFile("seen"), "mine")
	write(t, dir.Own("sessions").File("one"), "mine")
	write(t, dir.File("writer"), "ours")
	write(t, dir.Sub("spool").File("one"), "ours")
	for name, want := range map[string]fs.FileMode{
		"seen": 0o600, "sessions": 0o700, "sessions/one": 0o600, "writer": 0o660,
		"spool/one": 0o660,
	} {
		if got := modeOf(t, filepath.Join(dir.Path(), name)).Perm(); got != want {
			t.Errorf("the mode of %s is %o, want %o", name, got, want)
		}
	}
}

func write(t *testing.T, f local.File, text string) {
	t.Helper()
	if err := f.Replace([]byte(text), local.Unsynced); err != nil {
		t.Fatal(err)
	}
}

func TestReplace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	text := func(text string) func(io.Writer) error {
		return func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		}
	}
	broken := errors.New("broken")
	for _, step := range []struct {
		name  string
		as    local.Replacement
		write func(io.Writer) error
		err   error
		want  string
	}{
		{"new", local.Replacement{}, text("one"), nil, "one"},
		{"another", local.Replacement{Durability: local.Unsynced}, text("two"), nil, "two"},
		{"the first stays", local.Replacement{KeepFirst: true}, text("three"), fs.ErrExist, "two"},
		{"not written", local.Replacement{}, func(io.Writer) error { return broken }, broken, "two"},
		{"refused", local.Replacement{Before: func() error { return broken }}, text("four"), broken, "two"},
	} {
		if err := local.Replace(path, step.as, step.write); !errors.Is(err, step.err) {
			t.Errorf("%s: %v, want %v", step.name, err, step.err)
		}
		if got, err := local.At(path).Read(10); err != nil || string(got) != step.want {
			t.Errorf("%s: it holds %q, %v, want %q", step.name, got, err, step.want)
		}
		if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
			t.Errorf("%s: %d files are there, %v, want one", step.name, len(files), err)
		}
	}
}

// Nothing but a plain file is read or written below a folder, and nothing is waited for.
func TestFile_Open_hostile(t *testing.T) {
	t.Parallel()
	for name, place := range map[string]func(path, target string) error{
		"link":      func(path, target string) error { return os.Symlink(target, path) },
		"dangling":  func(path, _ string) error { return os.Symlink(path+"-nowhere", path) },
		"directory": func(path, _ string) error { return os.Mkdir(path, 0o700) },
	} {
		path, target := filepath.Join(t.TempDir(), "file"), filepath.Join(t.TempDir(), "target")
		write(t, local.At(target), "precious")
		if err := place(path, target); err != nil {
			t.Fatal(err)
		}
		f := local.At(path)
		if _, err := f.Read(100); !errors.Is(err, local.ErrNotPlain) {
			t.Errorf("read over a %s: %v, want ErrNotPlain", name, err)
		}
		if text, err := f.ReadKept(100); text != nil || err != nil {
			t.Errorf("read over a %s, as what may be lost: %q, %v", name, text, err)
		}
		if file, err := f.Open(os.O_CREATE | os.O_WRONLY | os.O_TRUNC); err == nil {
			t.Errorf("opened %q over a %s", file.Name(), name)
		}
		if got, err := local.ReadFile(target, 100); err != nil || string(got) != "precious" {
			t.Errorf("the target of a %s holds %q, %v", name, got, err)
		}
	}
}

func TestReadFile_limit(t *testing.T) {
	t.Parallel()
	f := local.At(filepath.Join(t.TempDir(), "file"))
	write(t, f, "12345")
	for limit, want := range map[int64]error{4: local.ErrTooLarge, 5: nil, 6: nil} {
		if _, err := f.Read(limit); !errors.Is(err, want) {
			t.Errorf("Read(%d) = %v, want %v", limit, err, want)
		}
		if _, err := local.ReadFile(f.Path(), limit); !errors.Is(err, want) {
			t.Errorf("ReadFile(%d) = %v, want %v", limit, err, want)
		}
	}
}

func TestFile_state(t *testing.T) {
	t.Parallel()
	f := local.At(filepath.Join(t.TempDir(), "ltm", "state.json"))
	var got struct{ Count int }
	if ok, err := f.ReadState(&got); ok || err != nil {
		t.Errorf("state that is not there: %v, %v", ok, err)
	}
	if err := f.WriteState(map[string]int{"Count": 7}); err != nil {
		t.Fatal(err)
	}
	if ok, err := f.ReadState(&got); !ok || err != nil || got.Count != 7 {
		t.Errorf("state = %v, %v, %v", got, ok, err)
	}
	write(t, f, "{damaged")
	if ok, err := f.ReadState(&got); ok || err != nil {
		t.Errorf("damaged state: %v, %v", ok, err)
	}
}

// Many take one lock again and again: never two at a time, and nothing is left behind.
func TestFile_Lock(t *testing.T) {
	t.Parallel()
	f := local.At(filepath.Join(t.TempDir(), "ltm", "lock"))
	var count int // The lock alone guards it, and the race detector sees that.
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				release, err := f.Lock(t.Context(), time.Minute)
				if err != nil {
					t.Error(err)
					return
				}
				count++
				if _, err := f.TryLock(); !errors.Is(err, local.ErrLocked) {
					t.Errorf("a second holder: %v", err)
				}
				if err := release(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if count != 400 || f.Exists() {
		t.Errorf("%d locks were held, want 400; the file is left: %v", count, f.Exists())
	}
}
