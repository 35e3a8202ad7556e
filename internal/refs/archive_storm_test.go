package refs_test

import (
	"bufio"
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

// Processes save and compact while refs are packed and everything that looks unused is removed at once.
// SPEC.
func TestStore_Compact_besideGarbageCollection(t *testing.T) {
	t.Parallel()
	for _, kind := range []gittest.Kind{gittest.Plain, gittest.SHA256} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, kind)
			stop := compacting(t, r, 2, stormSaves(t))
			saved := storm(t, r, 8, stormSaves(t))
			t.Logf("%d compactions", stop())
			checkKept(t, r, saved)
		})
	}
}

// compacting lets processes compact, so often each, and returns what waits for them and tells how many they
// have done.
func compacting(t *testing.T, r *gittest.Repository, processes, each int) (stop func() int) {
	t.Helper()
	var running sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range processes {
		cmd := child(t, r, compacts, 0, each)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		running.Go(func() {
			out, err := cmd.Output()
			if err != nil || stderr.Len() > 0 {
				t.Errorf("compacting child: %v\n%s", err, stderr.String())
			}
			mu.Lock()
			defer mu.Unlock()
			done += bytes.Count(out, []byte("\n"))
		})
	}
	return func() int {
		running.Wait()
		return done
	}
}

// checkKept asks for every record, as it lies in the repository after a mending, and once more when nothing
// but git's own objects is left. It asks git whether the repository is whole.
func checkKept(t *testing.T, r *gittest.Repository, saved []int) {
	t.Helper()
	report := healedReport(t, open(t, r))
	t.Logf("%d saved, %d brought back, %d put aside", len(saved), len(report.Restored),
		len(report.Quarantined))
	if err := openRepo(t, r).ReleasePacks(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if out := r.Git("fsck", "--strict", "--no-dangling", "--no-progress"); out != "" {
			t.Errorf("git fsck says %q", out)
		}
		store := open(t, r)
		for _, n := range saved {
			ref, err := store.Lookup(t.Context(), name(n))
			if err == nil {
				_, err = store.Read(t.Context(), ref)
			}
			if err != nil {
				t.Errorf("record %d was acknowledged: %v", n, err)
			}
		}
		if damaged := damagedArchives(t, store); len(damaged) > 0 {
			t.Errorf("damaged are %v", damaged)
		}
		if err := os.RemoveAll(inGit(r, "ltm", "spool")); err != nil {
			t.Fatal(err)
		}
		r.Git("gc", "-q", "--prune=now")
	}
}

// A process that is killed while it compacts loses nothing, and leaves nothing that git or the next process
// stumbles over. SPEC. SPEC.
func TestStore_Compact_killed(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	var saved []int
	longest := time.Duration(0) // longest is how long a compaction takes that nobody kills.
	for round := range 3 * stormSaves(t) {
		out, err := child(t, r, heals, round*1000, 6).Output()
		if err != nil {
			t.Fatal(err)
		}
		saved = append(saved, acknowledged(t, bufio.NewScanner(bytes.NewReader(out)), 6)...)
		cmd := child(t, r, compacts, 0, 1)
		began := time.Now()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if longest == 0 {
			_ = cmd.Wait()
			longest = time.Since(began)
			continue
		}
		time.Sleep(rand.N(longest)) // The moment shall be any.
		if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		_ = cmd.Wait() // It was killed.
	}
	left := len(localRefs(r))
	if out, err := child(t, r, compacts, 0, 1).CombinedOutput(); err != nil || string(out) != "0\n" {
		t.Errorf("the next compaction: %v\n%s", err, out)
	}
	t.Logf("%d saved, %d refs were left, then %d", len(saved), left, len(localRefs(r)))
	checkKept(t, r, saved)
	if again := len(localRefs(r)); again != 1 {
		t.Errorf("%d refs are left, want the archive alone", again)
	}
}
