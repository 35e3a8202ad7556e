package mcp_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

// TestErrors: what is wrong is told with its place, everything at once, with what to do, and nothing is stored.
func TestErrors(t *testing.T) {
	t.Parallel()
	repo := gittest.Repo(t, gittest.Plain)
	a := start(t, options(repo))
	a.does("save", map[string]any{"goal": "A goal", "next_step": "A step"})
	before := repo.Git("for-each-ref", "refs/ltm", "refs/ltm-local")
	long := strings.Repeat("x", 3000)
	for name, c := range map[string]struct {
		tool string
		args map[string]any
		want []string
	}{
		"everything at once": {
			"save",
			map[string]any{"gol": "x", "goal": long, "decisions": []any{map[string]any{"what": 3}, "x"}, "tags": []string{"ok", "-no"}, "impact": "huge"},
			[]string{
				"the arguments are not valid, for 8 reasons", "/goal: must be at most 1024 characters long, not 3000", "/next_step: is missing",
				"/decisions/0/what: must be a string", "/decisions/0/why: is missing", "/decisions/1: must be an object",
				"/gol: is not known here", "/impact: must be one of low, medium, high, critical", "/tags/1: must be lower-case", "hint: mend what is listed",
			},
		},
		"what the gate alone finds": {
			"save",
			map[string]any{"goal": "a\u0007b", "next_step": "x", "paths": []string{"/etc/passwd"}},
			[]string{"the record is not valid, for 2 reasons", "/goal: has the control character U+0007", "/paths/0: "},
		},
		"no override of the scan":  {"save", map[string]any{"goal": "g", "next_step": "n", "allow_unredacted": true}, []string{"/allow_unredacted: is not known here"}},
		"no signing policy":        {"save", map[string]any{"goal": "g", "next_step": "n", "no_sign": true, "sign": true, "as_is": true}, []string{"/as_is", "/no_sign", "/sign"}},
		"nothing of the gate":      {"save", map[string]any{"goal": "g", "next_step": "n", "id": "x", "scan": map[string]any{}, "anchor": map[string]any{}}, []string{"/anchor", "/id", "/scan"}},
		"a thread that is none":    {"save", map[string]any{"goal": "g", "next_step": "n", "continue": "ZZZZ"}, []string{`"ZZZZ": not found`, "hint: ls with kinds"}},
		"two threads":              {"save", map[string]any{"goal": "g", "next_step": "n", "continue": "@", "root": true}, []string{"/root: excludes continue"}},
		"a word for a number":      {"resume", map[string]any{"budget": "many"}, []string{"/budget: must be a whole number"}},
		"too small a number":       {"resume", map[string]any{"budget": 3}, []string{"/budget: must be a whole number from 200 to 200000"}},
		"a part of a number":       {"recall", map[string]any{"query": "x", "limit": 1.5}, []string{"/limit: must be a whole number from 1 to 50"}},
		"no packet":                {"resume", map[string]any{"id": "ZZZZZZZZ"}, []string{"not found", "hint: "}},
		"a record of another kind": {"task", map[string]any{"action": "done", "ids": []string{"@"}}, []string{"is no task"}},
		"no query":                 {"recall", map[string]any{"query": ""}, []string{"/query: must not be empty"}},
		"a kind that is none":      {"recall", map[string]any{"query": "x", "kinds": []string{"wish"}}, []string{"/kinds/0: must be one of goal, "}},
		"a time that is none":      {"ls", map[string]any{"since": "soon"}, []string{`/since: "soon" is no time that is understood`}},
		"since when":               {"recall", map[string]any{"query": "x", "since": "soon"}, []string{`/since: "soon" is no time that is understood`}},
		"nothing to check":         {"skip_check", nil, []string{"name what is about to be done"}},
		"a skip without end":       {"skip_add", map[string]any{"item": "x", "reason": "y"}, []string{"/until: is missing"}},
		"a skip for ever":          {"skip_add", map[string]any{"item": "x", "reason": "y", "until": "9y"}, []string{"/until: it lies more than 365 days ahead"}},
		"a note in the past":       {"note", map[string]any{"text": "x", "expires": "2020-01-01"}, []string{"/expires: it lies in the past"}},
		"critical by its own word": {"note", map[string]any{"text": "x", "impact": "critical"}, []string{"/impact: must be one of low, medium, high"}},
		"a task as a note":         {"note", map[string]any{"text": "x", "kind": "task"}, []string{"/kind: must be one of decision, "}},
		"a task without title":     {"task", map[string]any{"action": "add"}, []string{"/title: title says what is to be done"}},
		"a task without ids":       {"task", map[string]any{"action": "set", "status": "paused"}, []string{"/ids: ids name the tasks"}},
		"an action that is none":   {"task", map[string]any{"action": "purge"}, []string{"/action: must be one of add, ls, set, done, reopen"}},
		"itself":                   {"supersede", map[string]any{"old": []string{"@"}, "by": "@", "why": "x"}, []string{"cannot be about itself", "hint: name two records"}},
		"without a reason":         {"rm", map[string]any{"ids": []string{"@"}}, []string{"/why: is missing"}},
		"nothing to retract":       {"rm", map[string]any{"ids": []string{}, "why": "x"}, []string{"/ids: must have at least 1 items"}},
		"a file elsewhere":         {"why", map[string]any{"path": "../../etc/passwd"}, []string{"is not in the work tree"}},
		"a file that is none":      {"why", map[string]any{"path": "no/such.go"}, []string{"git knows no file", "hint: "}},
		"lines backwards":          {"why", map[string]any{"path": "file", "line": 9, "end_line": 3}, []string{"the last stands before the first"}},
		"a repository by halves":   {"status", map[string]any{"repo": "here"}, []string{`"repo": a repository is named by an absolute path`, "hint: give repo as an absolute path"}},
		"no repository":            {"status", map[string]any{"repo": t.TempDir()}, []string{"not a git repository", "hint: give repo"}},
		"no directory":             {"status", map[string]any{"repo": "/no/such/place"}, []string{"error: "}},
	} {
		text := a.fails(c.tool, c.args)
		holds(t, name, text, c.want...)
	}
	if after := repo.Git("for-each-ref", "refs/ltm", "refs/ltm-local"); after != before {
		t.Errorf("something was stored:\n%s\nbefore:\n%s", after, before)
	}
}

// TestErrors_secret: a secret is not stored and stands in no answer; masked it is. SPEC.
func TestErrors_secret(t *testing.T) {
	t.Parallel()
	repo := gittest.Repo(t, gittest.Plain)
	a := start(t, options(repo))
	secret := "ghp_" + strings.Repeat("a1B2c3D4e5", 4)[:36]
	all := map[string]map[string]any{
		"save":     {"goal": "Use " + secret, "next_step": "n", "attempts": []map[string]any{{"tried": secret, "outcome": "failed"}}},
		"note":     {"text": "Use " + secret},
		"skip_add": {"item": "Use " + secret, "reason": "r", "until": "3d"},
		"task":     {"action": "add", "title": "Use " + secret},
	}
	for tool, args := range all {
		text := a.fails(tool, args)
		holds(t, tool, text, "error: ", "hint: take it out, or call again with redact: true")
		if strings.Contains(text, secret[4:20]) {
			t.Errorf("%s tells the secret:\n%s", tool, text)
		}
	}
	holds(t, "save", a.fails("save", all["save"]), "2 secrets", "/goal", "/attempts/0/tried")
	if got := repo.Git("for-each-ref", "refs/ltm", "refs/ltm-local"); got != "" {
		t.Errorf("something was stored:\n%s", got)
	}
	for tool, args := range all {
		args["redact"] = true
		text, saved := a.does(tool, args)
		if holds(t, tool, text, "stored ", "masked: "); strings.Contains(text, secret[4:20]) {
			t.Errorf("%s tells the secret:\n%s", tool, text)
		}
		if found, _ := saved["findings"].([]any); len(found) == 0 {
			t.Errorf("%s found %v", tool, saved["findings"])
		}
		if stored := repo.Git("cat-file", "blob", saved["ref"].(string)); strings.Contains(stored, secret[4:20]) {
			t.Errorf("%s stored the secret:\n%s", tool, stored)
		}
	}
	// A secret where none belongs is not told either.
	for _, text := range []string{
		a.fails("save", map[string]any{secret: 1, "goal": 3}), a.fails("ls", map[string]any{"since": secret}), a.fails("resume", map[string]any{"id": secret}),
		a.fails("status", map[string]any{"repo": "/" + secret}),
	} {
		if strings.Contains(text, secret[4:20]) {
			t.Errorf("the secret is told:\n%s", text)
		}
	}
}

// TestSilenced: where the user silenced git ltm, each call says that and nothing else.
func TestSilenced(t *testing.T) {
	t.Parallel()
	o := options(gittest.Repo(t, gittest.Plain))
	o.Silenced = true
	a := start(t, o)
	for _, tool := range verbs {
		text := a.fails(tool, map[string]any{"anything": true})
		if want := []string{"error: memory is silenced by GIT_LTM_DISABLE", "hint: do not ask again; the user unsets it to have memory back", ""}; !slices.Equal(strings.Split(text, "\n"), want) {
			t.Errorf("%s says %q", tool, text)
		}
	}
}
