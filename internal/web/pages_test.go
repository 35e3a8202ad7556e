package web_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/gate"
)

// recordLinks returns the ids of the records that a page leads to, in their order.
func recordLinks(page string) []string {
	var ids []string
	for _, m := range regexp.MustCompile(
		`href="(?:\.\./)?records/([0-9A-Z]{26})\.html"`).FindAllStringSubmatch(page, -1) {
		ids = append(ids, m[1])
	}
	return ids
}

func contains(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(page, text) {
			t.Errorf("the page does not say %q", text)
		}
	}
}

func lacks(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(page, text) {
			t.Errorf("the page says %q", text)
		}
	}
}

func TestServe_timeline(t *testing.T) {
	t.Parallel()
	s := serveUntil(t, story(t))
	page := s.get("")
	if page != s.get("index.html") {
		t.Error("the address and index.html are two pages")
	}
	if n := len(recordLinks(page)); n != 9 {
		t.Errorf("the timeline leads to %d packets, want 9", n)
	}
	contains(t, page, "<h1>Timeline</h1>", "Remove the old pool", "5 hours ago",
		"Ada Tester via claude-code with opus-4.5", "1 cited place changed",
		"unverified: unsigned", "made here", `<span class="label">Continues</span> <code>`,
		`href="index.html?branch=feature%2Fretry"`)
	contains(t, page, `<nav class="choices" aria-label="Branches">`,
		`<a href="index.html?branch=spike%2Fqueue">spike/queue</a>`)
	branch := s.get("index.html?branch=feature%2Fretry")
	if n := len(recordLinks(branch)); n != 2 {
		t.Errorf("the branch has %d packets, want 2", n)
	}
	contains(t, branch, "Let clients ask again", `<span class="soft">Timeline of</span> feature/retry`)
	lacks(t, branch, "Remove the old pool")
}

func TestServe_lists(t *testing.T) {
	t.Parallel()
	s := serveUntil(t, story(t))
	notes := s.get("notes.html")
	contains(t, notes, "A pool of four for each tenant", "private", "db/pool")
	lacks(t, notes, "One pool for all tenants", "Alarm when a tenant")
	all := s.get("notes.html?all=1")
	contains(t, all, "One pool for all tenants", "superseded")
	lacks(t, s.get("notes.html?kind=pitfall"), "A pool of four")
	contains(t, s.get("tasks.html"), "Alarm when a tenant", "active work, 7 of 10", "paused")
	contains(t, s.get("skips.html"), "Raising max_connections", "until 1 Feb 2027",
		"alter system set max_connections")
}

func TestServe_record(t *testing.T) {
	t.Parallel()
	s := serveUntil(t, story(t))
	id := recordLinks(s.get(""))[2]
	page := s.get("records/" + id + ".html")
	contains(t, page, "Ship per-tenant pools and safe retries together", "Watch the wait of the ten largest",
		"locked", "failed", "succeeded",
		"Rolling back one rolls back both", "internal/db/pool.go:11-12", "changed since", "as it was",
		"No order times out for a week",
		"noon-replay", "Who pays for", "Its thread", "Remove the old pool", "Give each tenant a pool",
		"Who vouches for it", id,
		"&#34;next_step&#34;", `href="../style.css"`)
	old := s.get("notes.html?all=1")
	for _, id := range recordLinks(old) {
		page := s.get("records/" + id + ".html")
		if strings.Contains(page, "One pool for all tenants, with a fair queue</h1>") {
			contains(t, page, "superseded", "superseded by 01", "What became of it", "measured at noon")
			return
		}
	}
	t.Error("the superseded note is on no list")
}

func TestServe_recall(t *testing.T) {
	t.Parallel()
	s := serveUntil(t, story(t))
	contains(t, s.get("recall.html"), "Ask in words",
		`<form class="ask" role="search" action="recall.html" method="get">`)
	page := s.get("recall.html?q=idempotency+key")
	contains(t, page, `value="idempotency key"`, "Two writes are two chances to lose one", "did not work",
		"meets ")
	contains(t, s.get("recall.html?q=zebra"), "Nothing is known about that")
	contains(t, s.get("recall.html?q="+strings.Repeat("a+", 3000)), "…")
}

// TestServe_paging shows that each record stands on one page, that pages are small however many there are,
// and each that goes on with another one says so.
func TestServe_paging(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const n = 130
	parent := ""
	for i := range n {
		w.now = today().Add(time.Duration(i-n) * time.Hour)
		members := object{
			"goal": fmt.Sprintf("Goal %d", i), "next_step": "Go on",
			"anchor": object{"branch": "main"},
		}
		if parent != "" && i%40 != 0 {
			members["parent_id"] = parent
		}
		parent = w.plant("packet", i, members)
	}
	s := serveUntil(t, w)
	seen := map[string]bool{}
	path := "index.html"
	for number := 1; path != ""; number++ {
		page := s.get(path)
		ids := recordLinks(page)
		if len(ids) == 0 || len(ids) > 50 {
			t.Fatalf("page %d leads to %d records", number, len(ids))
		}
		for _, id := range ids {
			if seen[id] {
				t.Errorf("record %s stands on two pages", id)
			}
			seen[id] = true
		}
		path = ""
		if next := regexp.MustCompile(`rel="next" href="([^"]*)"`).FindStringSubmatch(page); next != nil {
			path = next[1]
		}
		if number > 1 {
			contains(t, page, `rel="prev"`)
			contains(t, page, `<span class="label">Continues</span>`)
		}
	}
	if len(seen) != n {
		t.Errorf("%d records stand on the pages, want %d", len(seen), n)
	}
	contains(t, s.get("index.html?page=99"), "There is nothing further back")
}

// TestServe_withheld shows that text which policy or a signature keeps from readers stands on no page.
func TestServe_withheld(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Git("config", "ltm.requireSigned", "true")
	w.ago(2, 0)
	goal := w.plant("packet", 1, object{
		"goal": "Heron goal", "next_step": "Heron step", "anchor": object{"branch": "heron-branch"},
		"tags":      []string{"heron-tag"},
		"decisions": []object{{"what": "Heron decision", "why": "x"}},
		"cites":     []object{{"path": "heron.go"}},
	})
	note := w.plant("note", 2,
		object{"kind": "fact", "text": "Heron text", "topic": "heron", "anchor": object{"branch": "main"}})
	skip := w.plant("skip", 3,
		object{"item": "Heron item", "reason": "Heron reason", "expires_at": "2027-01-01T00:00:00Z"})
	s := serveUntil(t, w)
	for _, path := range []string{
		"index.html", "notes.html", "skips.html", "tasks.html", "recall.html?q=goal",
		"records/" + goal + ".html", "records/" + note + ".html", "records/" + skip + ".html",
	} {
		page := s.get(path)
		lower := strings.ToLower(page)
		if strings.Contains(lower, "heron") {
			t.Errorf("%s says what is withheld:\n%s", path, page)
		}
	}
	contains(t, s.get("records/"+goal+".html"), "Its text is not shown", "withheld by policy",
		"ltm.requireSigned")
	contains(t, s.get("index.html"), "(withheld)")
}

// TestServe_fresh shows that a page tells of what was saved a moment before it was asked for.
func TestServe_fresh(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := serveUntil(t, w)
	contains(t, s.get(""), "There is no packet here yet")
	id := w.save("main", "", gate.NoSign, object{"goal": "A goal", "next_step": "A step"})
	contains(t, s.get(""), "A goal")
	w.happen("retract", id, "", "wrong")
	lacks(t, s.get(""), "A goal")
	contains(t, s.get("index.html?all=1"), "A goal", "retracted")
}
