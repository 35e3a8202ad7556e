package recall_test

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/deadend"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/view"
)

// lived plants records of all kinds, and events about every third of them: more than are read without being
// asked for.
func lived(t *testing.T, r *gittest.Repository, now time.Time) (all []string) {
	t.Helper()
	var planted []planted
	for i := range 90 {
		at := start.Add(time.Duration(i) * time.Minute)
		kind, members := "note", map[string]any{
			"kind": []string{"decision", "pitfall", "task"}[i%3], "text": fmt.Sprintf("The %d. bobbin", i),
			"tags":  []string{"wool", fmt.Sprintf("t%d", i%7)},
			"topic": []string{"build/go", "build/go/test", "run"}[i%3],
		}
		members["anchor"] = map[string]string{"branch": []string{"main", "dev"}[i%2]}
		if i%5 == 0 {
			members["provenance"] = map[string]string{
				"author_human": "Grace",
				"author_model": fmt.Sprintf("Model %d", i%2),
			}
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

// lists says what a memory with some view answers to lists of notes, and to questions about some of them.
func lists(t *testing.T, r *gittest.Repository, now time.Time, all []string,
	view func(*memory.Memory) replay.View,
) (told []string) {
	t.Helper()
	m, err := memory.Open(t.Context(),
		memory.Options{Dir: r.Dir, Env: r.Env, Now: func() time.Time {
			return now
		}, Entropy: rand.Reader, View: view})
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
		{Filter: index.Filter{Tags: []string{"t3"}}},
		{Filter: index.Filter{Tags: []string{"wool", "t3"}}},
		{Filter: index.Filter{Topic: "build/go"}},
		{Filter: index.Filter{Topic: "build"}},
		{Filter: index.Filter{Branch: "dev"}},
		{Filter: index.Filter{Author: "grace"}},
		{Filter: index.Filter{Author: "model 1"}},
		{Filter: index.Filter{Author: "nobody"}},
		{Filter: index.Filter{Since: start.Add(time.Hour)}},
		{Filter: index.Filter{Tags: []string{"none"}}},
		{
			Filter: index.Filter{Branch: "main", Tags: []string{"t1"}, Author: "grace"},
			Notes:  []string{"task", "pitfall"},
		},
	} {
		for _, q.Hidden = range []bool{false, true} {
			q.Kind = packet.KindNote
			for e, err := range m.List(t.Context(), q) {
				if err != nil {
					t.Fatal(err)
				}
				told = append(told, fmt.Sprintf("%d %v %s %+v", i, q.Hidden, e.ID, plainLife(e.Life)))
			}
		}
	}
	for _, id := range all[:20] {
		e, err := m.FindAny(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		history, err := m.History(t.Context(), e.ID)
		told = append(told, fmt.Sprintf("%s %+v %d events, %v", e.ID, plainLife(e.Life), len(history), err))
	}
	return told
}

// Lists and searches answer the same with a view and without one.
func TestViews(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	now := start.Add(3 * time.Hour)
	all := lived(t, r, now)
	_, asks := asker(t, r, now)
	if _, err := asks.Find(t.Context(), recall.Query{Query: index.Query{Text: "bobbin"}}); err != nil { // It makes the index.
		t.Fatal(err)
	}
	want := lists(t, r, now, all, nil)
	got := lists(t, r, now, all, recall.Views(func() time.Time { return now }))
	if len(want) < 300 {
		t.Errorf("%d records are listed, want more", len(want))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("with a view (-without +with):\n%s", diff)
	}
}

// While another process makes the view, lists and single records are answered as without one. What sessions
// are told is what the view holds so far, and of that nothing that others wrote, that was retracted or
// purged, or that has expired meanwhile.
func TestViews_building(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	now := start.Add(3 * time.Hour)
	all := lived(t, r, now)
	m, asks := asker(t, r, now)
	own := map[string]string{}
	save := func(name, kind, more string) {
		t.Helper()
		data := fmt.Sprintf(`{"type":%q,%s"expires_at":%q}`, kind, more,
			now.Add(48*time.Hour).Format(time.RFC3339))
		saved, err := m.SaveSmall(t.Context(), gate.SaveRequest{Data: []byte(data)})
		if err != nil {
			t.Fatal(err)
		}
		own[name] = string(saved.ID)
	}
	note := func(name string) { save(name, "note", `"kind":"decision","text":"Our `+name+` bobbin",`) }
	for _, name := range []string{"kept", "retracted", "purged", "expired"} {
		note(name)
	}
	save("skip", "skip", `"item":"Wind the bobbin","reason":"It is full","match":{"command":"wind bobbin"},`)
	save("gone", "skip",
		`"item":"Wind the bobbin again","reason":"It is full","match":{"command":"wind bobbin"},`)
	// It makes the index.
	if found, err := asks.Find(t.Context(), recall.Query{Query: index.Query{Text: "our bobbin"}}); err != nil ||
		len(found.Found) == 0 {
		t.Fatal(found, err)
	}
	for what, names := range map[string][]string{"retract": {"retracted", "gone"}, "expire": {"expired"}} {
		for _, name := range names {
			until := map[bool]time.Time{true: now.Add(time.Hour)}[what == "expire"]
			if _, err := m.Happen(t.Context(),
				gate.Happen{Event: what, Targets: []string{own[name]}, Until: until}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := m.Purges().Purge(t.Context(), []string{own["purged"]}, replay.ReasonMistake); err != nil {
		t.Fatal(err)
	}
	note("new")
	now = now.Add(2 * time.Hour)
	dir := view.In(m.Repo().Local())
	release, err := view.LockFile(dir).Lock(t.Context(), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = release() }()
	data, err := os.ReadFile(view.StateFile(dir).Path())
	if err != nil {
		t.Fatal(err)
	}
	state, err := view.ParseState(data)
	if err != nil || len(state.Segments) == 0 {
		t.Fatal(state, err)
	}
	want := lists(t, r, now, all, nil)
	for _, stage := range []struct {
		name  string
		state view.State
		holds bool
	}{
		{"of what was", state, true},
		{"so far", view.State{Segments: state.Segments}, true},
		{"nothing yet", view.State{}, false},
	} {
		if err := view.StateFile(dir).Replace(stage.state.Encode(), local.Unsynced); err != nil {
			t.Fatal(err)
		}
		got := lists(t, r, now, all, recall.Views(func() time.Time { return now }))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: with a view that is made (-without +with):\n%s", stage.name, diff)
		}
		_, asks := asker(t, r, now)
		found, err := asks.Find(t.Context(),
			recall.Query{Query: index.Query{Text: "our bobbin", Limit: 100}, Reading: replay.Unasked})
		told := []string{contextOf(t, r, now, replay.Unasked)}
		for _, f := range found.Found {
			told = append(told, f.Hit.ID)
		}
		ends, failed := asks.DeadEnds(t.Context(), deadend.Action{Command: "wind bobbin"}, replay.Unasked, recall.Wanted{})
		for _, e := range ends {
			told = append(told, e.Hit.ID)
		}
		if err := errors.Join(err, failed); err != nil {
			t.Fatal(err)
		}
		for _, never := range append([]string{own["retracted"], own["purged"], own["expired"], own["gone"]},
			all...) {
			if strings.Contains(strings.Join(told, " "), never) {
				t.Errorf("%s: a session is told of %s, of %v", stage.name, never, own)
			}
		}
		for _, name := range []string{"kept", "skip"} {
			if !strings.Contains(strings.Join(told, " "), own[name]) && stage.holds {
				t.Errorf("%s: no session is told of what is %s: %v of %v", stage.name, name, told, own)
			}
		}
	}
}

// plainLife is what became of a record without where its words come from, which stands in memory elsewhere
// each time.
func plainLife(l replay.Life) replay.Life {
	l.Wrong = provenance.Text{}
	l.Claims = slices.Clone(l.Claims)
	for i := range l.Claims {
		l.Claims[i].Value, l.Claims[i].Why = provenance.Text{}, provenance.Text{}
	}
	return l
}
