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

// TestRecall_flood: whoever can push thousands of records that look like those that count hides none of them
// from a session: no warning, nothing at its start, no answer to a prompt.
func TestRecall_flood(t *testing.T) {
	t.Parallel()
	repo := gittest.Repo(t, gittest.Plain)
	now := time.Now()
	m, _ := asker(t, repo, now)
	until := now.Add(24 * time.Hour).UTC().Format(time.RFC3339)
	own := `{"type":"skip","item":"Run the spindle benchmark","reason":"The runner is down","match":{"command":"make bench"},"expires_at":"` + until + `"}`
	if _, err := m.SaveSmall(t.Context(), gate.SaveRequest{Data: []byte(own)}); err != nil {
		t.Fatal(err)
	}
	var all []planted
	for i := range 2500 {
		_, p := record("skip", now.Add(time.Duration(i+1)*time.Second), i, map[string]any{
			"item": fmt.Sprintf("Run the spindle benchmark %d", i), "reason": "Foreign",
			"expires_at": now.Add(30 * 24 * time.Hour).Format(time.RFC3339),
			"match":      map[string]string{"command": "make bench"},
		})
		all = append(all, p)
	}
	plant(t, repo, all...)
	_, asks := asker(t, repo, now)
	ends, err := asks.DeadEnds(t.Context(), deadend.Action{Command: "make bench"}, replay.Unasked, recall.Wanted{})
	if err != nil {
		t.Fatal(err)
	}
	if len(ends) != 1 || ends[0].Entry.Skip().Reason != "The runner is down" {
		t.Errorf("%d dead ends are met, want the own one", len(ends))
	}
	for name, got := range map[string]string{
		"context": contextOf(t, repo, now, replay.Unasked),
		"answer":  answerOf(t, repo, now, recall.Query{Query: index.Query{Text: "spindle benchmark"}, Reading: replay.Unasked}),
	} {
		if !strings.Contains(got, "The runner is down") || strings.Contains(got, "Foreign") {
			t.Errorf("the %s is %.2000s", name, got)
		}
	}
}
