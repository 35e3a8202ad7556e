package memory_test

import (
	"crypto/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// at opens a memory at a moment.
func at(tb testing.TB, r *gittest.Repository, now time.Time) *memory.Memory {
	tb.Helper()
	m, err := memory.Open(tb.Context(),
		memory.Options{Dir: r.Dir, Env: r.Env, Now: func() time.Time { return now }, Entropy: rand.Reader})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = m.Close() })
	return m
}

// TestMemory_Compact shows which records move: the old ones beyond the newest, whoever made them.
func TestMemory_Compact(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	tests := []struct {
		name string
		req  memory.CompactRequest
		want int // so many of the oldest move
	}{
		{"the zero value", memory.CompactRequest{}, 5},
		{"old ones", memory.CompactRequest{OlderThan: 30 * day}, 3},
		{"none is so old", memory.CompactRequest{OlderThan: 600 * day}, 0},
		{"beyond the newest", memory.CompactRequest{Keep: 3}, 2},
		{"both", memory.CompactRequest{OlderThan: 30 * day, Keep: 1}, 3},
		{"beyond more than there are", memory.CompactRequest{Keep: 9}, 0},
		{"less than none", memory.CompactRequest{Keep: -1}, 5},
		{"a dry run", memory.CompactRequest{DryRun: true}, 5},
		{"what was sent", memory.CompactRequest{Seen: func(ref, _ string) bool {
			return strings.HasSuffix(ref, "1Z")
		}}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, gittest.Plain)
			var made []packet.ID
			for _, age := range []time.Duration{60 * day, 40 * day, 20 * day, 0} {
				m := at(t, r, now.Add(-age))
				said, err := m.Save(t.Context(),
					gate.SaveRequest{Data: []byte(`{"goal":"g","next_step":"n"}`)})
				if err != nil {
					t.Fatal(err)
				}
				made = append(made, said.ID)
				if err := m.Close(); err != nil {
					t.Fatal(err)
				}
			}
			// Somebody else's is older than all.
			theirs := "01K8000000000000000000001Z"
			text := strings.ReplaceAll(r.Git("cat-file", "blob", "refs/ltm/packets/"+string(made[0])),
				string(made[0]), theirs)
			r.Git("update-ref", "refs/ltm/packets/"+theirs, r.Feed(text+"\n", "hash-object", "-w", "--stdin"))
			want := append([]packet.ID{packet.ID(theirs)}, made...)[:tt.want]
			m := at(t, r, now)
			done, err := m.Compact(t.Context(), tt.req)
			if err != nil || !slices.Equal(done.Records, want) || done.Left != 0 {
				t.Fatalf("moved %v, %v, want %v", done, err, want)
			}
			left := strings.Fields(r.Git("for-each-ref", "--format=%(refname)", "refs/ltm/packets"))
			if moved := 5 - len(left); (tt.req.DryRun && moved != 0) ||
				(!tt.req.DryRun && moved != len(want)) || (moved > 0) != (len(done.Archives) > 0) {
				t.Errorf("left are %v, in archives are %v", left, done.Archives)
			}
			if again, err := m.Compact(t.Context(), tt.req); !tt.req.DryRun &&
				(err != nil || len(again.Records) > 0) {
				t.Errorf("again: %v, %v", again, err)
			}
		})
	}
}
