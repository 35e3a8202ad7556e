package recall_test

import (
	"crypto/rand"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// lived plants records of all kinds, and events about every third of them: more than are read without being asked for.
func lived(t *testing.T, r *gittest.Repository, now time.Time) (all []string) {
	t.Helper()
	var planted []planted
	for i := range 90 {
		at := start.Add(time.Duration(i) * time.Minute)
		kind, members := "note", map[string]any{
			"kind": []string{"decision", "pitfall", "task"}[i%3], "text": fmt.Sprintf("The %d. bobbin", i), "tags": []string{"wool", fmt.Sprintf("t%d", i%7)},
			"topic": []string{"build/go", "build/go/test", "run"}[i%3],
		}
		members["anchor"] = map[string]string{"branch": []string{"main", "dev"}[i%2]}
		if i%5 == 0 {
			members["provenance"] = map[string]string{"author_human": "Grace", "author_model": fmt.Sprintf("Model %d", i%2)}
		}
		id, p := record(kind, at, i, members)
		all, planted = append(all, id), append(planted, p)
	}
	at, n := start.Add(2*time.Hour), 1000
	event := func(what string, more map[string]any, targets ...string) string {
		at, n = at.Add(time.Second), n+1
		members := map[string]any{"event": what, "targets": targets, "why": "w"}
		for name, value := range more {
			members[name] = value
		}
		id, p := record("event", at, n, members)
		planted = append(planted, p)
		return id
	}
	for i := 0; i+8 < len(all); i += 9 {
		event("retract", nil, all[i])
		event("restore", nil, all[i])
		undone := event("retract", nil, all[i+1])
		event("undo", nil, undone)
		event("retract", nil, all[i+2], all[i+3])
		event("supersede", map[string]any{"by": []string{all[i+5]}}, all[i+4])
		event("supersede", map[string]any{"by": []string{all[i+4]}}, all[i+5])
		event("contradict", nil, all[i+6])
		event("expire", map[string]any{"expires_at": now.Add(-time.Hour).Format(time.RFC3339)}, all[i+7])
	}
	plant(t, r, planted...)
	return all
}

// Lists and searches answer the same with a view and without one.
func TestViews(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	now := start.Add(3 * time.Hour)
	all := lived(t, r, now)
	_, asks := asker(t, r, now)
	if _, err := asks.Find(t.Context(), recall.Query{Text: "bobbin"}); err != nil { // It makes the index.
		t.Fatal(err)
	}
	clock := func() time.Time { return now }
	lists := func(view func(*memory.Memory) replay.View) (told []string) {
		m, err := memory.Open(t.Context(), memory.Options{Dir: r.Dir, Env: r.Env, Now: clock, Entropy: rand.Reader, View: view})
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := m.Close(); err != nil {
				t.Error(err)
			}
		}()
		for i, q := range []replay.Query{
			{},
			{Notes: []string{"decision"}},
			{Tags: []string{"t3"}},
			{Tags: []string{"wool", "t3"}},
			{Topic: "build/go"},
			{Topic: "build"},
			{Branch: "dev"},
			{Author: "grace"},
			{Author: "model 1"},
			{Author: "nobody"},
			{Since: start.Add(time.Hour)},
			{Tags: []string{"none"}},
			{Branch: "main", Tags: []string{"t1"}, Author: "grace", Notes: []string{"task", "pitfall"}},
		} {
			for _, q.Hidden = range []bool{false, true} {
				q.Kind = packet.KindNote
				for e, err := range m.List(t.Context(), q) {
					if err != nil {
						t.Fatal(err)
					}
					told = append(told, fmt.Sprintf("%d %v %s %+v", i, q.Hidden, e.ID, e.Life))
				}
			}
		}
		for _, id := range all[:20] {
			e, err := m.FindAny(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			history, err := m.History(t.Context(), e.ID)
			told = append(told, fmt.Sprintf("%s %+v %d events, %v", e.ID, e.Life, len(history), err))
		}
		return told
	}
	want, got := lists(nil), lists(recall.Views(clock))
	if len(want) < 300 {
		t.Errorf("%d records are listed, want more", len(want))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("with a view (-without +with):\n%s", diff)
	}
}
