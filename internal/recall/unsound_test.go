package recall_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/view"
)

// errEnough ends a writer that held the index long enough.
var errEnough = errors.New("enough")

// hold writes to an index until the returned function is called.
func hold(t *testing.T, path string) (release func()) {
	t.Helper()
	x := index.Open(index.Options{Dir: local.Open(path, nil)})
	began, enough, ended := make(chan struct{}), make(chan struct{}), make(chan error)
	list := func() ([]index.Listed, error) { return []index.Listed{{Ref: "refs/ltm/notes/new", Object: "1"}}, nil }
	go func() {
		_, err := x.Sync(context.WithoutCancel(t.Context()), view.Stamp{}, list,
			func(context.Context, []index.Listed) ([]index.Document, error) {
				close(began)
				<-enough
				return nil, errEnough
			})
		ended <- errors.Join(err, x.Close())
	}()
	<-began
	return func() {
		close(enough)
		if err := <-ended; !errors.Is(err, errEnough) {
			t.Errorf("Sync of the other process = %v, want %v", err, errEnough)
		}
	}
}

func TestRecall_whileAnotherWrites(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	now := start.Add(time.Hour)
	old, note := record("note", start, 1, map[string]any{"kind": "pitfall", "text": "The spindle is dry"})
	_, skip := record("skip", start, 2, map[string]any{
		"item": "Oil the spindle", "reason": "It is sealed",
		"expires_at": now.AddDate(0, 0, 3).Format(time.RFC3339),
	})
	plant(t, r, note, skip)
	m, asks := asker(t, r, now)
	if a, err := asks.Find(t.Context(), recall.Query{Query: index.Query{Text: "spindle"}}); err != nil || len(a.Found) != 2 {
		t.Fatalf("Find = %d answers, %v, want 2", len(a.Found), err)
	}
	release := hold(t, recall.IndexPath(m))
	defer release()
	_, event := record("event", start.Add(time.Minute), 3,
		map[string]any{"event": "retract", "targets": []string{old}})
	plant(t, r, event)
	_, asks = asker(t, r, now)
	a, err := asks.Find(t.Context(), recall.Query{Query: index.Query{Text: "spindle"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Found {
		if string(f.Entry.ID) == old {
			t.Errorf("Find tells %s, which was retracted", old)
		}
	}
	if len(a.Found) != 1 {
		t.Errorf("Find = %d answers, want 1", len(a.Found))
	}
}

func TestRecall_Find_damagedPage(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	var all []planted
	for i := range 60 {
		_, p := record("note", start, i,
			map[string]any{
				"kind": "fact",
				"text": fmt.Sprintf("The spindle %s turns the belt zq%dxw", start, i),
			})
		all = append(all, p)
	}
	plant(t, r, all...)
	now := start.Add(time.Hour)
	answerOf(t, r, now, recall.Query{Query: index.Query{Text: "spindle"}})
	m, _ := asker(t, r, now)
	const block = 4096
	for _, which := range []string{"state", "*.seg"} {
		for at := 0; ; at += block {
			// What is damaged is made anew.
			files, err := filepath.Glob(filepath.Join(recall.IndexPath(m), which))
			if err != nil || len(files) != 1 {
				t.Fatalf("the index has %q, %v", files, err)
			}
			broken, err := os.ReadFile(files[0])
			if err != nil {
				t.Fatal(err)
			}
			if at >= len(broken) {
				break
			}
			for i := at; i < min(at+block, len(broken)); i++ {
				broken[i] = byte(i*31 + i/7)
			}
			swap(t, files[0], broken)
			_, asks := asker(t, r, now)
			if a, err := asks.Find(t.Context(), recall.Query{Query: index.Query{Text: "zq17xw"}}); err != nil ||
				len(a.Found) < 2 || a.Found[0].Weak || !a.Found[1].Weak {
				t.Errorf("with the block at %d of %q damaged, Find = %d answers, %v, want one that is not weak", at, which, len(a.Found), err)
			}
		}
	}
}

// swap puts a new file in the place of another.
func swap(t *testing.T, path string, data []byte) {
	t.Helper()
	made := filepath.Join(filepath.Dir(path), "swapped")
	if err := errors.Join(os.WriteFile(made, data, 0o600), os.Rename(made, path)); err != nil {
		t.Fatal(err)
	}
}
