package garden_test

import (
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/garden"
)

// A pair is two texts that carry the same tags, and whether they say the same.
type pair struct {
	a, b string
	same bool
}

func pairs() []pair {
	return []pair{
		{
			"Use pgbouncer in session mode; prepared statements break in transaction mode.",
			"Prepared statements break in pgbouncer's transaction mode, so use session mode.", true,
		},
		{
			"Never run the migrations by hand on production.", "Do not run migrations on production by hand.",
			true,
		},
		{
			"Pin the base image by digest, since the tag moved twice.",
			"Pin base images by their digest: the tag moved.", true,
		},
		{
			"The login test is flaky because it reads the wall clock.",
			"Login tests are flaky: they read the wall clock.", true,
		},
		{
			"Redis evicts sessions at 256 MB; keep the session cache on its own instance.",
			"Keep the session cache on an own Redis instance, it evicts sessions at 256 MB.", true,
		},
		{
			"Call Close on the response body, or connections leak.",
			"Connections leak unless Close is called on the response body.", true,
		},
		{
			"Generate the client with make proto before building.",
			"Before building, generate the client (make proto).", true,
		},
		{"Set GOFLAGS=-mod=mod only in CI.", "GOFLAGS=-mod=mod must be set in CI only.", true},
		{"Rate limits are per key and not per user.", "Rate limits count per key, not per user.", true},
		{"Use feature flags for risky rollouts.", "Risky rollouts go behind feature flags.", true},
		{"キャッシュはデプロイのたびに消去する。", "デプロイのたびにキャッシュを消去すること。", true},

		{"Flush the redis cache after each deploy.", "Redis sessions live in their own database.", false},
		{
			"Never run the migrations by hand on production.",
			"Take a backup before a migration changes a column.", false,
		},
		{"The login page needs a CSRF token.", "The login test reads the wall clock.", false},
		{
			"Postgres is the ledger's only source of truth.",
			"Postgres runs vacuum at night; expect slow queries.", false,
		},
		{
			"Call Close on the response body, or connections leak.",
			"Retry idempotent requests three times with jitter.", false,
		},
		{
			"Generate the client with make proto before building.",
			"Buf checks that the protocol stays compatible.", false,
		},
		{"Use snapshots for golden output.", "Use testcontainers for the database tests.", false},
		{
			"Rate limits are per key and not per user.", "The gateway answers 429 with a Retry-After header.",
			false,
		},
		{"The build needs cgo on macOS.", "The build cache lives on the runner and is pruned weekly.", false},
		{
			"Do not log request bodies, they hold personal data.",
			"Logs are kept for thirty days in the EU bucket.", false,
		},
		{"キャッシュはデプロイのたびに消去する。", "セッションはデータベースに保存する。", false},
	}
}

// TestAlike_characters measures both kinds of shingles at the threshold.
// Characters must tell all pairs, and words must not do better: that is why
// they are what Duplicates compares.
func TestAlike_characters(t *testing.T) {
	t.Parallel()
	words := 0
	for _, p := range pairs() {
		a, b := card("a", p.a, "x"), card("b", p.b, "x")
		l, got := alike(a, b)
		if got != p.same {
			t.Errorf("Alike(%q, %q) = %v at %.2f, want %v", p.a, p.b, got, l.Text, p.same)
		}
		if (wordSimilarity(p.a, p.b) >= .3) != p.same {
			words++
		}
	}
	if words == 0 {
		t.Error("shingles of words tell every pair too, and would be simpler to explain")
	}
}

// wordSimilarity is the Jaccard similarity of runs of three words.
func wordSimilarity(a, b string) float64 {
	x, y := wordShingles(a), wordShingles(b)
	both := 0
	for s := range x {
		if y[s] {
			both++
		}
	}
	return float64(both) / float64(max(1, len(x)+len(y)-both))
}

func wordShingles(s string) map[string]bool {
	set := map[string]bool{}
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return strings.ContainsRune(" .,;:()", r)
	})
	for i := range words {
		if i+3 <= len(words) {
			set[strings.Join(words[i:i+3], " ")] = true
		}
	}
	return set
}

func card(id, text string, tags ...string) garden.Card {
	return garden.Card{ID: id, Kind: "learning", Text: text, Tags: tags}
}
