package memory_test

import (
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/audit"
	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/report"
)

// token returns something that looks like a token and is none.
func token() string { return "gh" + "p_" + strings.Repeat("a1B2c3", 6) }

// TestMemory_Check_allowed compares what a check counts with the last event about each finding, whatever the
// events are called and in whatever order they came. SPEC.
func TestMemory_Check_allowed(t *testing.T) {
	t.Parallel()
	repo := gittest.Repo(t, gittest.Plain)
	records := []string{
		"01JDMB4W1YNJZQR7K8F3A2H5P1", "01JDMB4W1YNJZQR7K8F3A2H5P2",
		"01JDMB4W1YNJZQR7K8F3A2H5P3",
	}
	for _, id := range records {
		plant(repo, "packets", id,
			fmt.Sprintf(`{"ltm_version":"0.3","id":%q,"created_at":"2026-01-01T00:00:00Z","goal":"Mail %s","next_step":"n"}`, id, token()))
	}
	prints := map[string]string{}
	for id, r := range tokens(t, repo) {
		prints[id] = r.Fingerprint
	}
	if len(prints) != len(records) {
		t.Fatalf("%d findings, want %d", len(prints), len(records))
	}
	now := time.Now().UTC()
	random := mathrand.New(mathrand.NewPCG(3, 5))
	var events []happened
	for n := range 45 {
		events = append(events, happened{
			id:     fmt.Sprintf("01JDMX%020d", n),
			at:     now.Add(-time.Duration(random.IntN(10)) * time.Hour).Format(time.RFC3339),
			kind:   []string{"allow", "disallow", "confirm"}[random.IntN(3)],
			target: records[random.IntN(len(records))],
		})
	}
	random.Shuffle(len(events), func(i, j int) { events[i], events[j] = events[j], events[i] })
	seen := map[bool]int{}
	for n, e := range events {
		plant(repo, "events", e.id,
			fmt.Sprintf(`{"type":"event","id":%q,"created_at":%q,"event":%q,"targets":[%q],"value":%q,"object":%q,"why":"w","expires_at":%q}`,
				e.id, e.at, e.kind, e.target, prints[e.target],
				repo.Git("rev-parse", "refs/ltm/packets/"+e.target),
				now.Add(24*time.Hour).Format(time.RFC3339)))
		noteMade(t, repo, e.id)
		if n%9 != 8 {
			continue
		}
		want := lastDecides(events[:n+1])
		for id, r := range tokens(t, repo) {
			if got := r.Suppressed != nil; got != want[id] {
				t.Errorf("after %d events the finding in %s is allowed: %t, want %t", n+1, id, got, want[id])
			}
			seen[want[id]]++
		}
	}
	if seen[true] == 0 || seen[false] == 0 {
		t.Errorf("allowed or not: %v, so nothing was tested", seen)
	}
}

// noteMade lets the ledger say that the clone made an event: what it did not make is a claim.
func noteMade(t *testing.T, r *gittest.Repository, id string) {
	t.Helper()
	line := fmt.Sprintf("\nevents/%s\t%s made\t\n", id, r.Git("rev-parse", "refs/ltm/events/"+id))
	at := filepath.Join(r.Dir, ".git", "ltm", "seen.new")
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(at, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(line)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// lastDecides is the rule of the specification, written once more.
func lastDecides(events []happened) map[string]bool {
	last := map[string]happened{}
	for _, e := range events {
		was, ok := last[e.target]
		if e.kind != "confirm" && (!ok || e.at > was.at || e.at == was.at && e.id > was.id) {
			last[e.target] = e
		}
	}
	allowed := map[string]bool{}
	for id, e := range last {
		allowed[id] = e.kind == "allow"
	}
	return allowed
}

// tokens returns the finding of each packet.
func tokens(t *testing.T, r *gittest.Repository) map[string]report.Result {
	t.Helper()
	m, err := memory.Open(t.Context(),
		memory.Options{Dir: r.Dir, Env: r.Env, Now: time.Now, Entropy: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	found := map[string]report.Result{}
	for c, err := range m.Audit().Check(t.Context(), audit.CheckQuery{Workers: 2}) {
		if err != nil {
			t.Fatal(err)
		}
		for _, result := range c.Results {
			if result.Rule == "github-token" {
				found[string(c.Record)] = result
			}
		}
	}
	return found
}

// TestAllowed_Suppress holds that nothing is allowed where nobody allowed anything, and in what is no record.
func TestAllowed_Suppress(t *testing.T) {
	t.Parallel()
	c := check.ScanFile(check.Document{Subject: "a.txt", Data: []byte(token())})
	(*replay.Allowed)(nil).Suppress(c)
	if len(c.Results) != 1 || c.Results[0].Suppressed != nil {
		t.Errorf("results %+v, want one that counts", c.Results)
	}
}
