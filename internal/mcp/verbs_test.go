package mcp_test

import (
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

// packetArgs is a whole packet, as a model fills it in.
func packetArgs(goal string) map[string]any {
	return map[string]any{
		"goal": goal, "next_step": "Run the load test first",
		"success_criteria": []string{"It answers in 200 ms"}, "constraints": []string{"One process"},
		"decisions": []map[string]any{{
			"what": "Keep the spindle file", "why": "One rename replaces it",
			"locked": true,
		}},
		"attempts": []map[string]any{{
			"tried": "The gasket cache", "outcome": "failed",
			"learned": "It stalls at night",
		}},
		"methods": []map[string]any{{
			"name": "compare-twice", "when_applicable": "After a change",
			"how": "Read both",
		}},
		"tags": []string{"Load Test"}, "cites": []string{"file:1", "gone.go"}, "model": "a-model",
	}
}

// TestVerbs_packets: what one session saves, the next one reads.
func TestVerbs_packets(t *testing.T) {
	t.Parallel()
	repo := gittest.Repo(t, gittest.Plain)
	a := start(t, options(repo))

	text, saved := a.does("save", packetArgs("Serve the tables"))
	id, _ := saved["id"].(string)
	holds(t, "save", text, "stored packet "+id, id+" cites what is not in the work tree: ")
	if got := repo.Git("rev-parse", "--verify", "--quiet", "refs/ltm/packets/"+id); got == "" {
		t.Fatalf("nothing is stored as %s", id)
	}
	stored := repo.Git("cat-file", "blob", "refs/ltm/packets/"+id)
	holds(t, "the stored packet", stored, `"agent": "test-client 1"`, `"author_human": "`, `"load-test"`,
		`"model": "a-model"`)

	text, value := a.does("resume", nil)
	holds(t, "resume", text, "Trust: local", "<ltm-packet nonce=", "| - Serve the tables", "Locked decisions",
		"Run the load test first", "The gasket cache")
	if value["id"] != id || value["verified"] != true {
		t.Errorf("resume returns %v", value)
	}
	text, value = a.does("recall",
		map[string]any{"query": "gasket cache", "kinds": []string{"attempt"}, "limit": 3})
	holds(t, "recall", text, "<ltm-recall nonce=", "attempt: The gasket cache", id)
	if answers, _ := value["answers"].([]any); len(answers) != 1 {
		t.Errorf("recall answers %v", value)
	}
	text, value = a.does("recall", map[string]any{"query": "quite another matter"})
	holds(t, "recall of nothing", text, "Nothing is known about that.")
	if answers, _ := value["answers"].([]any); answers == nil || len(answers) != 0 {
		t.Errorf("recall of nothing answers %v", value)
	}
	text, _ = a.does("recall", map[string]any{"budget": 2000})
	holds(t, "recall of nothing in particular", text, "<ltm-context nonce=", "Keep the spindle file")
	text, _ = a.does("recall", map[string]any{"kinds": []string{"packet"}})
	holds(t, "recall by kind", text, "<ltm-records nonce=", "| "+id, "local", "Serve the tables")
	text, value = a.does("recall", map[string]any{"id": id[len(id)-8:]})
	holds(t, "recall of one", text, "<ltm-record nonce=", "| Packet: "+id, "| Trust: local")
	if record, _ := value["record"].(map[string]any); record["goal"] != "Serve the tables" {
		t.Errorf("recall of one returns %v", value)
	}
	text, _ = a.does("recall", map[string]any{"action": "use the gasket cache again"})
	holds(t, "recall of a plan", text, "<ltm-warning nonce=", "The gasket cache")
	text, value = a.does("recall", map[string]any{"path": "file:1"})
	holds(t, "recall of a place", text, "<ltm-recall nonce=", id)
	if answers, _ := value["answers"].([]any); len(answers) == 0 {
		t.Errorf("recall of a place answers %v", value)
	}

	// A second packet continues the first; one that begins a thread does not.
	_, second := a.does("save", packetArgs("Serve them faster"))
	if second["parent_id"] != id {
		t.Errorf("the second packet continues %v, want %s", second["parent_id"], id)
	}
	_, apart := a.does("save",
		map[string]any{
			"goal": "Another", "next_step": "Begin", "root": true, "private": true,
			"dry_run": true,
		})
	if apart["parent_id"] != nil || apart["dry_run"] != true ||
		!strings.HasPrefix(apart["ref"].(string), "refs/ltm-local/") {
		t.Errorf("a rehearsed private packet is %v", apart)
	}
	text, status := a.does("status", nil)
	holds(t, "status", text, "branch: main", "packets: 2")
	if status["head"] != second["id"] || status["repository"] == "" {
		t.Errorf("status is %v", status)
	}

	// A part is written anew, and what is retracted or has another in its place is not told any more.
	text, edited := a.does("edit", map[string]any{"ids": []any{second["id"]}, "next": "Measure them twice"})
	holds(t, "edit", text, "stored packet ", "replaced "+second["id"].(string))
	text, _ = a.does("resume", nil)
	holds(t, "resume of what was edited", text, "Measure them twice", "Serve them faster")
	text, _ = a.does("edit",
		map[string]any{"do": "supersede", "ids": []string{id}, "by": edited["id"], "why": "It says more"})
	holds(t, "supersede", text, "superseded "+id)
	text, changed := a.does("edit",
		map[string]any{"do": "rm", "ids": []any{edited["id"]}, "why": "It was a test"})
	holds(t, "rm", text, "retracted "+edited["id"].(string))
	if changed["event"] == "" {
		t.Errorf("rm returns %v", changed)
	}
	text, _ = a.does("edit", map[string]any{"do": "rm", "ids": []any{edited["id"]}})
	holds(t, "rm again", text, "was so already")
	text, _ = a.does("recall", map[string]any{"id": edited["id"]})
	holds(t, "recall of what became of it", text, "retract", "It was a test")
	text, _ = a.does("resume", nil)
	holds(t, "resume of nothing", text, "Nothing is known here yet")
	text, _ = a.does("edit", map[string]any{"do": "restore", "ids": []any{edited["id"]}})
	holds(t, "restore", text, "restored "+edited["id"].(string))
}

// TestVerbs_small: notes, skips and tasks.
func TestVerbs_small(t *testing.T) {
	t.Parallel()
	repo := gittest.Repo(t, gittest.Plain)
	a := start(t, options(repo))

	one := func(more map[string]any) (text string, stored map[string]any) {
		t.Helper()
		text, value := a.does("note", map[string]any{"notes": []any{more}})
		all, _ := value["stored"].([]any)
		if len(all) != 1 {
			t.Fatalf("note returns %v", value)
		}
		stored, _ = all[0].(map[string]any)
		return text, stored
	}
	_, note := one(map[string]any{
		"text": "Run the linter with one job", "kind": "pitfall",
		"why": "It needs 4 GB", "tags": []string{"CI"}, "until": "2w",
	})
	// It is compared with what the index held at the last question.
	a.does("recall", map[string]any{"query": "linter"})
	again := map[string]any{
		"text": "Run the linter with one job", "kind": "pitfall", "tags": []string{"ci"},
		"links": []any{note["id"]},
	}
	text, value := a.does("note", again) // Of one note the list can be left out.
	holds(t, "a note that says the same", text, "edit with ids: ["+note["id"].(string)+"], do: supersede")
	if said, _ := value["notices"].([]any); len(said) == 0 {
		t.Error("a client that shows the value alone does not tell that it says the same")
	}
	if twins, _ := value["stored"].([]any)[0].(map[string]any)["duplicates"].([]any); len(twins) != 1 {
		t.Errorf("its duplicates are %v", value)
	}
	_, who := one(map[string]any{"text": "Ada works on this", "kind": "identity"})
	if !strings.HasPrefix(who["ref"].(string), "refs/ltm-local/") {
		t.Errorf("an identity is stored as %v", who["ref"])
	}

	text, skip := one(map[string]any{
		"kind": "skip", "text": "The nightly benchmark", "why": "The runner is down", "until": "3d",
		"match": map[string]any{"command": "make bench"},
	})
	holds(t, "a skip", text, "stored skip ", "note 1 ends at ")
	text, met := a.does("recall", map[string]any{"action": "make bench -j4", "path": "file"})
	holds(t, "recall of an action", text, "The nightly benchmark", "The runner is down", skip["id"].(string))
	if ends, _ := met["dead_ends"].([]any); len(ends) != 1 {
		t.Errorf("recall of an action returns %v", met)
	}
	text, _ = a.does("recall", map[string]any{"action": "go build ./..."})
	holds(t, "recall of something new", text, "Nothing is known against that.")

	several := a.call("note", map[string]any{"notes": []any{
		map[string]any{
			"kind": "task", "text": "Measure the cache", "priority": 7,
			"next": "Begin with the disk",
		},
		map[string]any{"text": "Use " + "ghp_" + strings.Repeat("a1B2", 9)},
		map[string]any{"kind": "task", "text": "Ask for a runner"},
	}})
	holds(t, "several notes", textOf(several), "stored note ", "notes/1 was not stored: error: ",
		"take it out")
	stored, _ := several.StructuredContent.(map[string]any)["stored"].([]any)
	if len(stored) != 2 || !several.IsError {
		t.Fatalf("of several notes are stored %v", several)
	}
	id := stored[0].(map[string]any)["id"].(string)
	tasks := map[string]any{"kinds": []string{"task"}}
	text, _ = a.does("recall", tasks)
	holds(t, "tasks", text, id, "priority 7", "Measure the cache", "Ask for a runner")
	text, _ = a.does("edit",
		map[string]any{"do": "set", "ids": []string{id}, "status": "paused", "priority": 0})
	holds(t, "set", text, "changed "+id)
	text, _ = a.does("edit", map[string]any{"do": "close", "ids": []string{id}, "why": "Measured"})
	holds(t, "close", text, "closed "+id)
	if text, _ = a.does("recall", tasks); strings.Contains(text, "Measure the cache") {
		t.Errorf("a task that is done is to be done:\n%s", text)
	}
	text, _ = a.does("recall", map[string]any{"kinds": []string{"task"}, "all": true})
	holds(t, "all tasks", text, "completed", "Measure the cache")
	text, _ = a.does("edit", map[string]any{"do": "reopen", "ids": []string{id}})
	holds(t, "reopen", text, "reopened "+id)
	text, _ = a.does("recall", map[string]any{"since": "yesterday", "limit": 50})
	holds(t, "what is new", text, "skip: The nightly benchmark", "until ", "task: Measure the cache",
		"identity: Ada works")
}

// TestPrompts: a person begins with what is known, and ends with what is to be written down.
func TestPrompts(t *testing.T) {
	t.Parallel()
	a := start(t, options(gittest.Repo(t, gittest.Plain)))
	if _, err := a.session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "resume"}); err != nil {
		t.Errorf("resume without a packet: %v", err)
	}
	_, saved := a.does("save", packetArgs("Serve the tables"))
	for name, parts := range map[string][]string{
		"resume":   {"<ltm-packet nonce=", "| - Serve the tables", "an earlier session stopped"},
		"handoff":  {"call the tool save", "next_step", "No secrets"},
		"remember": {"the tool note", "What to remember: the port is 8080"},
		"recall":   {"the tool recall", "for: the port is 8080"},
		"memories": {"kinds: [packet, note, skip]"}, "forget": {"do: rm", "What to forget: the port is 8080"},
	} {
		with := map[string]string{
			"id": saved["id"].(string), "text": "the port is 8080",
			"question": "the port is 8080", "what": "the port is 8080",
		}
		got, err := a.session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: name, Arguments: with})
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Messages) != 1 || got.Messages[0].Role != "user" {
			t.Fatalf("%s is %+v", name, got)
		}
		holds(t, name, got.Messages[0].Content.(*sdk.TextContent).Text, parts...)
	}
}

// TestSave_threads: packets of one server are one thread, and another server begins its own, unless the goal
// is the same.
func TestSave_threads(t *testing.T) {
	t.Parallel()
	repo := gittest.Repo(t, gittest.Plain)
	a, b := start(t, options(repo)), start(t, options(repo))
	_, first := a.does("save", map[string]any{"goal": "Serve the tables", "next_step": "Go on"})
	_, second := a.does("save", map[string]any{"goal": "Quite another matter", "next_step": "Go on"})
	if second["parent_id"] != first["id"] {
		t.Errorf("the second packet of a server continues %v, want %v", second["parent_id"], first["id"])
	}
	text, other := b.does("save", map[string]any{"goal": "Polish the windows", "next_step": "Go on"})
	holds(t, "a packet of another server", text,
		"this begins a new thread of its own; with continue: "+second["id"].(string)+
			" a packet goes on with another one (yours, ")
	if beside, _ := other["beside"].(map[string]any); other["parent_id"] != nil ||
		beside["id"] != second["id"] {
		t.Errorf("a packet of another server: %v", other)
	}
	if _, same := start(t, options(repo)).does("save",
		map[string]any{"goal": "Serve the tables", "next_step": "Go on"}); same["parent_id"] != first["id"] {
		t.Errorf("a packet with the goal of the first continues %v, want %v", same["parent_id"], first["id"])
	}
	if _, named := b.does("save",
		map[string]any{
			"goal": "Anything", "next_step": "Go on",
			"continue": first["id"],
		}); named["parent_id"] != first["id"] {
		t.Errorf("a packet that names its thread continues %v", named["parent_id"])
	}
}
