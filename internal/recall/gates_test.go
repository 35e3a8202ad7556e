package recall_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// A world is made-up records and events about them.
type world struct {
	records []planted
	words   map[string]string // the word that only one record holds, by its id
	events  []planted
}

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// newWorld makes n records of all kinds and as many events, always the same ones for a seed.
func newWorld(seed uint64, n int) world {
	r := rand.New(rand.NewPCG(seed, 7))
	w := world{words: map[string]string{}}
	var ids []string
	for i := range n {
		at := start.Add(time.Duration(r.IntN(60*24)) * time.Hour)
		word := fmt.Sprintf("zq%dxw", i)
		var id string
		var p planted
		switch i % 4 {
		case 0:
			id, p = record("note", at, i, map[string]any{"kind": "pitfall", "text": "The spindle " + word})
		case 1:
			id, p = record("skip", at, i, map[string]any{
				"item": "Oil the spindle " + word, "reason": "It is sealed",
				"expires_at": at.Add(time.Duration(1+r.IntN(80*24)) * time.Hour).Format(time.RFC3339),
			})
		case 2:
			id, p = record("note", at, i,
				map[string]any{
					"kind": "task", "text": "Turn the spindle " + word, "category": "active_work",
					"status": "active",
				})
		default:
			id, p = packetRecord(at, i, map[string]any{
				"goal": "Spindle " + word, "next_step": "Spindle on " + word,
				"decisions": []map[string]any{{"what": "Left spindle " + word, "why": "So", "locked": true}},
			})
		}
		ids, w.records, w.words[id] = append(ids, id), append(w.records, p), word
	}
	words := []string{
		"retract", "restore", "supersede", "archive", "expire", "close", "reopen",
		"consolidate", "confirm", "contradict", "impact", "digest",
	}
	for i := range n {
		at := start.Add(time.Duration(60*24+r.IntN(20*24)) * time.Hour)
		word := words[r.IntN(len(words))]
		target := ids[r.IntN(len(ids))]
		e := map[string]any{"event": word, "targets": []string{target}}
		switch word {
		case "supersede", "consolidate":
			e["by"], e["why"] = []string{ids[r.IntN(len(ids))]}, "Better"
		case "expire":
			e["expires_at"] = at.Add(time.Duration(r.IntN(40*24)-10*24) * time.Hour).Format(time.RFC3339)
		case "impact":
			e["value"] = []string{"low", "medium", "high"}[r.IntN(3)]
		case "digest":
			e["value"] = "In short, the spindle"
		}
		_, p := record("event", at, 10000+i, e)
		w.events = append(w.events, p)
	}
	return w
}

// TestRecall_order: what is known does not depend on the order in which records and events arrived, nor on
// when the index saw them.
func TestRecall_order(t *testing.T) {
	t.Parallel()

	for seed := range uint64(3) {
		w := newWorld(seed, 48)
		all := slices.Concat(w.records, w.events)
		now := start.Add(100 * 24 * time.Hour)
		one, two := gittest.Repo(t, gittest.Plain), gittest.Repo(t, gittest.Plain)
		plant(t, one, all...)
		mixed := slices.Clone(all)
		rand.New(rand.NewPCG(seed, 9)).Shuffle(len(mixed), func(i, j int) {
			mixed[i], mixed[j] = mixed[j], mixed[i]
		})
		for part := range slices.Chunk(mixed, 17) {
			plant(t, two, part...)
			contextOf(t, two, now, replay.Asked) // The index follows step by step.
		}
		if diff := cmp.Diff(contextOf(t, one, now, replay.Asked),
			contextOf(t, two, now, replay.Asked)); diff != "" {
			t.Errorf("seed %d: contexts differ (-at once +step by step):\n%s", seed, diff)
		}
		for _, text := range []string{"spindle", "oil the spindle", "left so", "zq3xw zq7xw"} {
			q := recall.Query{Query: index.Query{Text: text, Limit: 100}}
			if diff := cmp.Diff(answerOf(t, one, now, q), answerOf(t, two, now, q)); diff != "" {
				t.Errorf("seed %d: answers to %q differ (-at once +step by step):\n%s", seed, text, diff)
			}
		}
	}
}

// TestRecall_gates: after any events, a word that only one record holds is told exactly where the list of
// records says that the record counts.
func TestRecall_gates(t *testing.T) {
	t.Parallel()

	for seed := range uint64(4) {
		w := newWorld(seed, 40)
		repo := gittest.Repo(t, gittest.Plain)
		plant(t, repo, slices.Concat(w.records, w.events)...)
		now := start.Add(85 * 24 * time.Hour)
		m, asks := asker(t, repo, now)
		c, err := asks.Context(t.Context(), replay.Asked)
		if err != nil {
			t.Fatal(err)
		}
		told := c.DSL()
		out := 0
		for id, word := range w.words {
			e, err := m.FindAny(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			a, err := asks.Find(t.Context(), recall.Query{Query: index.Query{Text: word, Limit: 100}})
			if err != nil {
				t.Fatal(err)
			}
			ends := e.ExpiresAt()
			hidden := e.Life.Retracted || e.Life.Superseded != "" || !ends.IsZero() && !ends.After(now)
			got := slices.ContainsFunc(a.Found, func(f recall.Found) bool { return f.Hit.ID == id })
			if got == hidden {
				t.Errorf("seed %d: record %s is an answer: %t, hidden: %t (%+v)", seed, id, got, hidden,
					e.Life)
			}
			resting := hidden || e.Life.Archived || e.Life.Closed && e.Kind() != packet.KindPacket ||
				e.Life.Consolidated != ""
			if resting && strings.Contains(told, word) {
				t.Errorf("seed %d: record %s is told, and rests: %+v", seed, id, e.Life)
			}
			if resting {
				out++
			}
		}
		if out == 0 || out == len(w.words) {
			t.Errorf("seed %d: %d of %d records rest, and so nothing was tested", seed, out, len(w.words))
		}
	}
}

// TestRecall_ends: a skip ends at its moment, for answers, contexts and checks, though nothing changed in the
// store.
func TestRecall_ends(t *testing.T) {
	t.Parallel()

	repo := gittest.Repo(t, gittest.Plain)
	end := start.Add(48 * time.Hour)
	id, p := record("skip", start, 1,
		map[string]any{
			"item": "Oil the sealed spindle", "reason": "It is sealed",
			"expires_at": end.Format(time.RFC3339),
		})
	plant(t, repo, p)
	for _, test := range []struct {
		now  time.Time
		want bool
	}{{end.Add(-time.Second), true}, {end, false}, {end.Add(time.Second), false}} {
		if got := strings.Contains(contextOf(t, repo, test.now, replay.Asked), id); got != test.want {
			t.Errorf("at %s it is in the context: %t, want %t", test.now, got, test.want)
		}
		if got := strings.Contains(answerOf(t, repo, test.now, recall.Query{Query: index.Query{Text: "spindle"}}), id); got !=
			test.want {
			t.Errorf("at %s it is an answer: %t, want %t", test.now, got, test.want)
		}
		if got := len(met(t, repo, test.now, "oil the sealed spindle")) > 0; got != test.want {
			t.Errorf("at %s it is met: %t, want %t", test.now, got, test.want)
		}
	}
}
