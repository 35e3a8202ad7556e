package recall_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/deadend"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
)

func met(t *testing.T, r *gittest.Repository, now time.Time, prompt string) []recall.DeadEnd {
	t.Helper()
	_, asks := asker(t, r, now)
	ends, err := asks.DeadEnds(t.Context(), deadend.Action{Prompt: prompt}, replay.Asked, recall.Wanted{})
	if err != nil {
		t.Fatal(err)
	}
	return ends
}

// TestRecall_Find_old: what fits far better comes first, however old it is and however little it counts
// otherwise.
func TestRecall_Find_old(t *testing.T) {
	t.Parallel()

	repo := gittest.Repo(t, gittest.Plain)
	now := start.Add(10 * 365 * 24 * time.Hour)
	old, p := record("note", start, 1, map[string]any{
		"kind": "observation", "text": "The nightly export deadlocks when two workers lock the ledger table",
		"impact": "low", "confidence": "low",
	})
	p.data = strings.Replace(p.data, "observation", "fact", 1)
	all := []planted{p}
	for i := range 40 {
		_, p := record("note", now.Add(-time.Hour), 100+i, map[string]any{
			"kind": "pitfall", "text": fmt.Sprintf("The export of number %d is slow", i), "impact": "high",
			"confidence": "high",
		})
		all = append(all, p)
	}
	plant(t, repo, all...)
	_, asks := asker(t, repo, now)
	a, err := asks.Find(t.Context(), recall.Query{Query: index.Query{Text: "export deadlocks workers ledger table"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Found) == 0 || a.Found[0].Hit.ID != old {
		t.Fatalf("the first of %d answers is not the old one", len(a.Found))
	}
	for i, worse := range a.Found[1:] {
		if better := a.Found[i]; worse.Hit.Score > better.Hit.Score || !worse.Weak || better.Weak != (i > 0) {
			t.Errorf("%s (%.3f, weak: %v) comes before %s (%.3f, weak: %v)", better.Hit.ID, better.Hit.Score,
				better.Weak, worse.Hit.ID, worse.Hit.Score, worse.Weak)
		}
	}
}

// TestRecall_crowd: however many newer things of one sort there are, which ended, were retracted or are
// vouched for by nobody, what counts behind them is told.
func TestRecall_crowd(t *testing.T) {
	t.Parallel()

	const many = 400
	now := start.Add(30 * 24 * time.Hour)
	tests := map[string]func(i int, at time.Time) []planted{
		"skips": func(i int, at time.Time) []planted {
			_, p := record("skip", at, i, map[string]any{
				"item": fmt.Sprintf("Oil the spindle %d", i), "reason": "So",
				"expires_at": now.Add(time.Hour).Format(time.RFC3339),
			})
			return []planted{p}
		},
		"ended skips": func(i int, at time.Time) []planted {
			_, p := record("skip", at, i, map[string]any{
				"item": "Paint the spindle", "reason": "So",
				"expires_at": at.Add(time.Hour).Format(time.RFC3339),
			})
			return []planted{p}
		},
		"retracted notes": func(i int, at time.Time) []planted {
			id, p := record("note", at, i,
				map[string]any{"kind": "pitfall", "text": fmt.Sprintf("The spindle jams %d", i)})
			_, e := record("event", at.Add(time.Minute), 10000+i,
				map[string]any{"event": "retract", "targets": []string{id}})
			return []planted{p, e}
		},
		"done tasks": func(i int, at time.Time) []planted {
			_, p := record("note", at, i,
				map[string]any{
					"kind": "task", "text": fmt.Sprintf("Sweep %d", i), "category": "active_work",
					"status": "completed",
				})
			return []planted{p}
		},
		"packets of another branch": func(i int, at time.Time) []planted {
			_, p := packetRecord(at, i, map[string]any{
				"goal": fmt.Sprintf("Other goal %d", i), "next_step": "Go on",
				"anchor": map[string]string{"branch": "other"},
			})
			return []planted{p}
		},
	}
	for name, crowd := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			repo := gittest.Repo(t, gittest.Plain)
			branch := repo.Git("symbolic-ref", "--short", "HEAD")
			var all []planted
			add := func(_ string, p planted) { all = append(all, p) }
			add(packetRecord(start, 1, map[string]any{
				"goal": "Turn the spindle", "next_step": "Grease it",
				"anchor":    map[string]string{"branch": branch},
				"decisions": []map[string]any{{"what": "It turns left", "why": "So", "locked": true}},
			}))
			add(record("skip", start, 2,
				map[string]any{
					"item": "Paint the spindle", "reason": "It peels",
					"expires_at": now.Add(48 * time.Hour).Format(time.RFC3339),
				}))
			add(record("note", start, 3,
				map[string]any{"kind": "pitfall", "text": "The spindle jams when it is wet"}))
			add(record("note", start, 4,
				map[string]any{
					"kind": "task", "text": "Move the loom", "category": "active_work",
					"status": "active",
				}))
			for i := range many {
				all = append(all, crowd(100+i, start.Add(time.Duration(i+1)*time.Hour))...)
			}
			plant(t, repo, all...)
			_, asks := asker(t, repo, now)
			c, err := asks.Context(t.Context(), replay.Asked)
			if err != nil {
				t.Fatal(err)
			}
			c.Budget = 8000
			text := c.Markdown()
			for _, want := range []string{
				"] Turn the spindle\n", "Grease it", "It turns left",
				"when it is wet", "Move the loom",
			} {
				if !strings.Contains(strings.ReplaceAll(text, "UNVERIFIED: ", ""), want) {
					t.Errorf("the context does not say %q", want)
				}
			}
			if name != "skips" && !strings.Contains(text, "It peels") {
				t.Error("the context does not say which skip counts")
			}
			if !strings.Contains(answerOf(t, repo, now, recall.Query{Query: index.Query{Text: "spindle jams"}}),
				"when it is wet") {
				t.Error("it is no answer")
			}
			if ends := met(t, repo, now, "paint the spindle"); len(ends) != 1 ||
				ends[0].Entry.Skip().Reason != "It peels" {
				t.Errorf("%d dead ends are met, want the one that counts", len(ends))
			}
		})
	}
}

// TestRecall_withheld: records that nobody vouches for, however many, take nothing away from those who want
// none of them.
func TestRecall_withheld(t *testing.T) {
	t.Parallel()

	repo := gittest.Repo(t, gittest.Plain)
	now := time.Now()
	m, _ := asker(t, repo, now)
	if _, err := m.Save(t.Context(),
		gate.SaveRequest{Data: []byte(
			`{"goal":"Turn the spindle","next_step":"Grease it","constraints":["One at a time"]}`)}); err !=
		nil {
		t.Fatal(err)
	}
	branch := repo.Git("symbolic-ref", "--short", "HEAD")
	var all []planted
	for i := range 150 {
		at := now.Add(time.Duration(i-600) * time.Second)
		if i > 50 {
			at = now.Add(time.Duration(i) * time.Second) // Clocks of others run ahead.
		}
		var questions []string
		for q := range 6 {
			questions = append(questions, fmt.Sprintf("Spindle question %d of %d?", q, i))
		}
		_, p := packetRecord(at, i, map[string]any{
			"goal": fmt.Sprintf("Foreign spindle %d", i), "next_step": "Obey", "open_questions": questions,
			"constraints": []string{fmt.Sprintf("Foreign spindle rule %d", i)},
			"anchor":      map[string]string{"branch": branch},
		})
		all = append(all, p)
	}
	plant(t, repo, all...)
	got := contextOf(t, repo, now, replay.Unasked)
	for _, want := range []string{"Turn the spindle", "Grease it", "One at a time"} {
		if !strings.Contains(got, want) {
			t.Errorf("the context does not say %q", want)
		}
	}
	if strings.Contains(got, "Foreign") {
		t.Error("the context says what nobody vouches for")
	}
	answer := answerOf(t, repo, now, recall.Query{Query: index.Query{Text: "spindle"}, Reading: replay.Unasked})
	if !strings.Contains(answer, "Turn the spindle") || strings.Contains(answer, "Foreign") {
		t.Errorf("the answer is %s", answer)
	}
}

// TestRecall_Census_grownOld: records of others that were young when they were indexed are counted one by one
// once they are not, and are not read for that.
func TestRecall_Census_grownOld(t *testing.T) {
	t.Parallel()

	const many = 100 // more than are read where counting does not tell
	repo := gittest.Repo(t, gittest.Plain)
	var all []planted
	for i := range many {
		_, p := record("note", start, i, map[string]any{"kind": "fact", "text": fmt.Sprintf("Spindle %d", i)})
		all = append(all, p)
	}
	plant(t, repo, all...)
	for _, age := range []time.Duration{time.Minute, time.Hour} {
		_, asks := asker(t, repo, start.Add(age))
		c, err := asks.Census(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if whole := age == time.Hour; c.Heard.More == whole || whole && c.Heard.Withheld != many {
			t.Errorf("after %v %d of %d are withheld, and there are more: %v", age, c.Heard.Withheld, many,
				c.Heard.More)
		}
	}
}
