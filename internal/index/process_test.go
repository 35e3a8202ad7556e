package index_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	gosync "sync"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/index"

	"github.com/git-ltm/git-ltm/internal/local"
)

// childVariable makes the test program a process that brings an index up to date. Its value is the path.
const childVariable = "LTM_TEST_INDEX"

func TestMain(m *testing.M) {
	path := os.Getenv(childVariable)
	if path == "" {
		os.Exit(m.Run())
	}
	if err := work(context.Background(), path); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// work brings an index up to date and searches it, again and again, as several commands would.
func work(ctx context.Context, path string) error {
	all := many(1200)
	for n := 100; n <= 1200; n += 100 {
		x := index.Open(index.Options{Dir: local.Open(path, nil), Patience: 50 * time.Millisecond})
		some := store{}
		for i := range n {
			ref := "refs/ltm/packets/" + idFor(i)
			some[ref] = all[ref]
		}
		if _, err := x.Sync(ctx, stampOf(strconv.Itoa(n)), some.list, some.load); err != nil {
			return err
		}
		for _, text := range []string{"redis", "cache timeout", "parseHeader"} {
			if _, err := x.Search(ctx, index.Query{Text: text}); err != nil {
				return err
			}
		}
		if err := x.Close(); err != nil {
			return err
		}
	}
	return nil
}

// child starts a process that works on an index.
func child(t *testing.T, path string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Env = append(os.Environ(), childVariable+"="+path)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// wantWhole brings an index up to date, and compares what it finds with a new one.
func wantWhole(t *testing.T, path string) {
	t.Helper()
	all := many(1200)
	x := open(t, path)
	sync(t, x, all)
	fresh := opened(t, all)
	for _, text := range []string{"redis", "cache timeout", "parseHeader"} {
		want, got := search(t, fresh, index.Query{Text: text}), search(t, x, index.Query{Text: text})
		if len(want) == 0 || fmt.Sprint(want) != fmt.Sprint(got) {
			t.Errorf("Search(%q) = %v, want %v", text, got, want)
		}
	}
}

func TestIndex_Sync_killed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "view")
	killed := 0
	for n := range 12 {
		cmd := child(t, path)
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_ = cmd.Wait() // It was killed, or is done.
		}()
		timer := time.NewTimer(time.Duration(20+40*n) * time.Millisecond)
		select {
		case <-ended:
			timer.Stop()
		case <-timer.C:
			if cmd.Process.Kill() == nil {
				killed++
			}
			<-ended
		}
	}
	if killed == 0 {
		t.Skip("each process was done before it could be killed")
	}
	wantWhole(t, path)
}

func TestIndex_processes(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "view")
	var processes []*exec.Cmd
	for range 8 {
		processes = append(processes, child(t, path))
	}
	for _, p := range processes {
		if err := p.Wait(); err != nil {
			t.Errorf("one of eight processes: %v", err)
		}
	}
	wantWhole(t, path)
}

func TestIndex_goroutines(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "view")
	all := many(400)
	x := open(t, path)
	var group gosync.WaitGroup
	for n := range 8 {
		group.Go(func() {
			for i := range 5 {
				if _, err := x.Sync(t.Context(), stampOf(""), all.list, all.load); err != nil {
					t.Errorf("Sync %d of %d: %v", i, n, err)
				}
				if _, err := x.Search(t.Context(), index.Query{Text: "redis timeout"}); err != nil {
					t.Errorf("Search %d of %d: %v", i, n, err)
				}
				for hit, err := range x.All(t.Context(), index.Query{}) {
					if err != nil {
						t.Errorf("All %d of %d: %v", i, n, err)
					}
					if _, err := x.ByPath(t.Context(), append(hit.Record.Paths, "src"), 100); err != nil {
						t.Errorf("ByPath %d of %d: %v", i, n, err)
					}
					break
				}
			}
		})
	}
	group.Wait()
}
