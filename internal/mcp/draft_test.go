package mcp_test

import (
	"crypto/rand"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/draft"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/memory"
)

// TestSave_draft: what a session left is finished by what the call says, and is then no draft any more.
func TestSave_draft(t *testing.T) {
	t.Parallel()
	repo := gittest.Repo(t, gittest.Plain)
	a := start(t, options(repo))
	asked := map[string]any{
		"draft": "newest", "goal": "Serve the tables", "next_step": "Measure it",
		"attempts": []map[string]any{{"tried": "The gasket cache", "outcome": "failed"}},
	}
	holds(t, "save without a draft", a.fails("save", asked), "there is no draft", "hint: save without draft")

	m, err := memory.Open(t.Context(),
		memory.Options{Dir: repo.Dir, Env: repo.Env, Now: time.Now, Entropy: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	id, err := m.Drafts().Keep(t.Context(), draft.Draft{
		Packet: []byte(`{"goal":"From the session","attempts":[{"tried":"make bench","outcome":"failed"}],"provenance":{"agent":"codex"}}`),
		Host:   "codex", Session: "one", Began: time.Now(), Ended: time.Now(), Here: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	text, status := a.does("status", nil)
	if holds(t, "status", text, "drafts: 1"); status["drafts"] != 1.0 {
		t.Errorf("status is %v", status)
	}
	text, _ = a.does("resume", nil)
	holds(t, "resume with a draft alone", text, "<ltm-context nonce=", "make bench")

	// It is shown before it is stored, and what it was when it was shown is what is stored.
	text, shown := a.does("save", asked)
	holds(t, "save of a draft that nobody read", text, "Nothing was stored", "make bench", "<ltm-draft nonce=")
	if got := repo.Git("for-each-ref", "refs/ltm/packets"); got != "" {
		t.Fatalf("a draft that nobody read was stored: %s", got)
	}
	asked["draft"] = string(id) + "@00000000"
	text, _ = a.does("save", asked)
	holds(t, "save of another version", text, "Nothing was stored", shown["draft"].(string))
	asked["draft"] = shown["draft"]
	asked["dry_run"] = true
	a.does("save", asked)
	delete(asked, "dry_run")
	_, saved := a.does("save", asked)
	stored := repo.Git("cat-file", "blob", saved["ref"].(string))
	holds(t, "the packet", stored, `"goal": "Serve the tables"`, `"tried": "make bench"`,
		`"tried": "The gasket cache"`, `"agent": "codex"`)
	asked["draft"] = string(id)
	holds(t, "save of a finished draft", a.fails("save", asked), "there is no draft")
}
