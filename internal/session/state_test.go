package session

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/agent"

	"github.com/git-ltm/git-ltm/internal/local"
)

func openTest(dir string) *state {
	return openState(local.Open(dir, nil), agent.Moment{Host: agent.ClaudeCode, Session: "one"})
}

// TestState_claim holds SPEC: it lets twenty tell the same things at once: each is told by one of
// them.
func TestState_claim(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	keys := []string{
		"01ARZ3NDEKTSV4RRFFQ69G5FAV /goal", "01ARZ3NDEKTSV4RRFFQ69G5FAW ",
		"!01ARZ3NDEKTSV4RRFFQ69G5FAX /attempts/0",
	}
	var all []string
	var lock sync.Mutex
	var wait sync.WaitGroup
	for range 20 {
		wait.Go(func() {
			mine, err := openTest(dir).claimKeys(keys, rand.Reader)
			if err != nil {
				t.Error(err)
			}
			lock.Lock()
			defer lock.Unlock()
			all = append(all, mine...)
		})
	}
	wait.Wait()
	slices.Sort(all)
	slices.Sort(keys)
	if !slices.Equal(all, keys) {
		t.Errorf("told were %q, want each of %q once", all, keys)
	}
	for _, key := range keys {
		if !openTest(dir).wasTold(key) {
			t.Errorf("%q is not known to be told", key)
		}
	}
}

func TestState_begin(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	now := time.Date(2026, 11, 1, 10, 0, 0, 0, time.UTC)
	begin := func(source string, at time.Time, want bool) {
		t.Helper()
		if got, err := openTest(dir).claimStart(source, at, rand.Reader); got != want || err != nil {
			t.Errorf("begin(%q at %s) = %v, %v, want %v", source, at.Format(time.TimeOnly), got, err, want)
		}
	}
	told := func(want bool) {
		t.Helper()
		if got := openTest(dir).wasTold("a"); got != want {
			t.Errorf("told = %v, want %v", got, want)
		}
	}
	claim := func() {
		t.Helper()
		if _, err := openTest(dir).claimKeys([]string{"a"}, rand.Reader); err != nil {
			t.Fatal(err)
		}
	}
	begin("startup", now, true)
	begin("startup", now.Add(time.Second), false) // A second setting names the hook.
	claim()
	begin("resume", now.Add(2*time.Second), true)
	told(true)
	begin("compact", now.Add(time.Hour), true)
	told(false)
	claim()
	begin("clear", now.Add(2*time.Hour), true)
	told(false)
}

// TestState_hostile shows that whatever stands in the place of the file, nothing is believed and nothing else
// is written.
func TestState_hostile(t *testing.T) {
	t.Parallel()
	for name, plant := range map[string]func(path, other string) error{
		"a link":      func(path, other string) error { return os.Symlink(other, path) },
		"a directory": func(path, _ string) error { return os.Mkdir(path, 0o700) },
		"too much": func(path, _ string) error {
			return os.WriteFile(path, []byte(strings.Repeat("told x a\n", maxState/8)), 0o600)
		},
		"noise": func(path, _ string) error {
			return os.WriteFile(path, []byte("told\nfailed\nstart x\n\x00\xff\nstart a b c\n"), 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s, other := openTest(dir), filepath.Join(dir, "other")
			if err := os.WriteFile(other, []byte("told x a\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.MkdirAll(filepath.Dir(s.file.Path()), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := plant(s.file.Path(), other); err != nil {
				t.Fatal(err)
			}
			if s.wasTold("a") {
				t.Error("it is believed")
			}
			if mine, err := s.claimKeys([]string{"a"}, rand.Reader); err != nil || len(mine) != 1 {
				t.Errorf("claim = %q, %v, want it claimed", mine, err)
			}
			if data, _ := os.ReadFile(other); string(data) != "told x a\n" {
				t.Errorf("another file was written: %q", data)
			}
		})
	}
}

// TestState_tidy shows that sessions of long ago leave nothing.
func TestState_tidy(t *testing.T) {
	t.Parallel()
	dir, now := t.TempDir(), time.Now()
	name := func(s *state) string { return filepath.Base(s.file.Path()) }
	for i, ages := 0, []time.Duration{time.Hour, 29 * 24 * time.Hour, 31 * 24 * time.Hour}; len(ages) >
		0; i++ {
		s := openState(local.Open(dir, nil), agent.Moment{Session: strconv.Itoa(i)})
		if name(s)[0] != name(openTest(dir))[0] {
			continue // Another session looks after it.
		}
		age := ages[0]
		ages = ages[1:]
		if _, err := s.claimKeys([]string{"a"}, rand.Reader); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(s.file.Path(), now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := openTest(dir).claimStart("startup", now, rand.Reader); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(filepath.Join(dir, "sessions")); len(left) != 3 || err != nil {
		t.Errorf("%d files are left, %v, want 3", len(left), err)
	}
}

func FuzzState(f *testing.F) {
	f.Add("start a 1 \"x\"\ntold a k\nfailed - \"b :: c\"\n", "k")
	f.Fuzz(func(t *testing.T, lines, key string) {
		if strings.ContainsAny(key, "\n") {
			return
		}
		dir := t.TempDir()
		s := openTest(dir)
		if err := s.appendLines(lines + "\n"); err != nil {
			t.Fatal(err)
		}
		if _, err := s.claimKeys([]string{key}, rand.Reader); err != nil {
			t.Fatal(err)
		}
		if !openTest(dir).wasTold(key) {
			t.Errorf("after %q, %q is not known to be told", lines, key)
		}
	})
}
