package memory_test

import (
	"cmp"
	"crypto/rand"
	"fmt"
	mathrand "math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// happened is an event as the test wrote it.
type happened struct{ id, at, kind, target string }

// TestMemory_List_fold compares what is hidden with the last event about each packet, whatever the events are
// called and in whatever order they came. SPEC.
func TestMemory_List_fold(t *testing.T) {
	t.Parallel()
	repo := gittest.Repo(t, gittest.Plain)
	packets := []string{
		"01JDMB4W1YNJZQR7K8F3A2H5P1", "01JDMB4W1YNJZQR7K8F3A2H5P2",
		"01JDMB4W1YNJZQR7K8F3A2H5P3",
	}
	for _, id := range packets {
		plant(repo, "packets", id,
			fmt.Sprintf(`{"ltm_version":"0.3","id":%q,"created_at":"2026-01-01T00:00:00Z","goal":"g","next_step":"n"}`, id))
	}
	random := mathrand.New(mathrand.NewPCG(7, 7))
	var events []happened
	for n := range 60 {
		events = append(events, happened{
			id:     fmt.Sprintf("01JDMX%020d", n),
			at:     time.Date(2026, 1, 1, 0, random.IntN(10), 0, 0, time.UTC).Format(time.RFC3339),
			kind:   []string{"retract", "restore", "confirm"}[random.IntN(3)],
			target: packets[random.IntN(len(packets))],
		})
	}
	random.Shuffle(len(events), func(i, j int) { events[i], events[j] = events[j], events[i] })
	hidden := map[string]bool{}
	for n, e := range events {
		plant(repo, "events", e.id,
			fmt.Sprintf(`{"type":"event","id":%q,"created_at":%q,"event":%q,"targets":[%q]}`, e.id, e.at,
				e.kind, e.target))
		if n%20 == 19 {
			hidden = lastWins(events[:n+1])
			compare(t, repo, packets, hidden)
		}
	}
	if len(hidden) == 0 {
		t.Error("nothing was ever retracted, so nothing was tested")
	}
}

// plant stores a record with git alone.
func plant(r *gittest.Repository, kind, id, text string) {
	if rec, err := packet.Parse([]byte(text), packet.Stored); err == nil {
		text = string(rec.Encode())
	}
	r.Git("update-ref", "refs/ltm/"+kind+"/"+id, r.Feed(text, "hash-object", "-w", "--stdin"))
}

// lastWins is the rule of the specification, written once more.
func lastWins(events []happened) map[string]bool {
	ordered := slices.Clone(events)
	slices.SortFunc(ordered, func(a, b happened) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.id, b.id))
	})
	hidden := map[string]bool{}
	for _, e := range ordered {
		if e.kind != "confirm" {
			hidden[e.target] = e.kind == "retract"
		}
	}
	return hidden
}

func compare(t *testing.T, r *gittest.Repository, packets []string, hidden map[string]bool) {
	t.Helper()
	m, err := memory.Open(t.Context(),
		memory.Options{Dir: r.Dir, Env: r.Env, Now: time.Now, Entropy: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	shown := map[string]bool{}
	for e, err := range m.List(t.Context(), replay.Query{}) {
		if err != nil {
			t.Fatal(err)
		}
		shown[string(e.ID)] = true
	}
	for _, id := range packets {
		if shown[id] == hidden[id] {
			t.Errorf("packet %s: shown %t, want %t", id, shown[id], !hidden[id])
		}
	}
	if skipped := m.Skipped(); len(skipped) > 0 {
		t.Errorf("skipped %v", skipped)
	}
}
