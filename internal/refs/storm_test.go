package refs_test

import (
	"bufio"
	"bytes"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// Twenty processes save while refs are packed and everything that looks unused is removed at once.
// SPEC.
func TestStore_Create_besideGarbageCollection(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	for _, branch := range []string{"one", "two", "three/four"} {
		r.Git("branch", branch)
	}
	branches := r.Git("for-each-ref", "refs/heads")
	saved := storm(t, r, 20, stormSaves(t))
	store := open(t, r)
	report, err := store.Heal(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d saved, %d brought back, %d put aside", len(saved), len(report.Restored),
		len(report.Quarantined))
	checkSaved(t, r, store, saved)
	if got := r.Git("for-each-ref", "refs/heads"); got != branches {
		t.Errorf("branches: got\n%s\nwant\n%s", got, branches)
	}
	r.Git("gc", "-q", "--prune=now")
	checkSaved(t, r, open(t, r), saved)
}

// stormSaves is how often each process saves: LTM_STORM, or a few times.
func stormSaves(t *testing.T) int {
	t.Helper()
	text := os.Getenv("LTM_STORM")
	if text == "" {
		return 4
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 1000 {
		t.Fatalf("LTM_STORM is %q, want a number of saves up to 1000", text)
	}
	return n
}

// storm lets processes save beside garbage collection and returns what they have acknowledged.
func storm(t *testing.T, r *gittest.Repository, processes, each int) []int {
	t.Helper()
	done := make(chan struct{})
	var collectors, savers sync.WaitGroup
	var collected atomic.Int32
	for _, args := range [][]string{{"pack-refs", "--all"}, {"gc", "-q", "--prune=now"}} {
		collectors.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					if _, err := r.Try(args...); err == nil { // One may well fail beside the other.
						collected.Add(1)
					}
				}
			}
		})
	}
	var mu sync.Mutex
	var saved []int
	for p := range processes {
		savers.Go(func() {
			cmd := child(t, r, []string{heals, saveOnly}[p%2], p*1000, each)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if err != nil || stderr.Len() > 0 {
				t.Errorf("child %d: %v\n%s", p, err, stderr.String())
			}
			mu.Lock()
			defer mu.Unlock()
			saved = append(saved, acknowledged(t, bufio.NewScanner(bytes.NewReader(out)), each)...)
		})
	}
	savers.Wait()
	close(done)
	collectors.Wait()
	t.Logf("%d collections succeeded", collected.Load())
	return saved
}

// checkSaved asks git and the store for every record, and git whether the repository is whole.
func checkSaved(t *testing.T, r *gittest.Repository, store *refs.Store, saved []int) {
	t.Helper()
	if out := r.Git("fsck", "--no-dangling", "--no-progress"); out != "" {
		t.Errorf("git fsck says %q", out)
	}
	known := r.Git("for-each-ref", "--format=%(refname)", "refs/ltm")
	for _, n := range saved {
		if !strings.Contains(known, name(n).Ref()) {
			t.Errorf("record %d was acknowledged, but git does not list it", n)
			continue
		}
		ref, err := store.Lookup(t.Context(), name(n))
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := store.Read(t.Context(), ref); err != nil {
			t.Errorf("record %d was acknowledged: %v", n, err)
		}
	}
}

// A process that is killed loses nothing that it has acknowledged, and leaves nothing that git stumbles over.
// SPEC.
func TestStore_Create_killed(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	var saved []int
	for round := range 12 {
		cmd := child(t, r, heals, round*1000, 100)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		saved = append(saved, acknowledged(t, lines, 1+round%4)...)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		saved = append(saved, acknowledged(t, lines, 100)...)
		_ = cmd.Wait() // It was killed.
	}
	store := open(t, r)
	if _, err := store.Heal(t.Context()); err != nil {
		t.Fatal(err)
	}
	checkSaved(t, r, store, saved)
	r.Git("gc", "-q")
	checkSaved(t, r, open(t, r), saved)
}
