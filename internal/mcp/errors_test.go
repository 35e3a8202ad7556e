package mcp_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

// TestErrors: what is wrong is told with its place, everything at once, with what to do, and nothing is
// stored.
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
			map[string]any{
				"gol": "x", "decisions": []any{map[string]any{"what": 3}, "x"}, "tags": "ok",
				"cites": []any{7},
			},
			[]string{
				"the arguments are not valid, for 8 reasons", "/goal: is missing", "/next_step: is missing",
				"/decisions/0/what: must be a string",
				"/decisions/0/why: is missing", "/decisions/1: must be an object",
				"/gol: is not known here; did you mean goal?",
				"/tags: must be an array", "/cites/0: must be a string", "hint: mend what is listed",
			},
		},
		"what the gate finds": {
			"save",
			map[string]any{"goal": long, "next_step": "a\u0007b", "tags": []string{"-no"}},
			[]string{
				"the record is not valid, for 3 reasons",
				"/goal: must be at most 1024 characters long, not 3000",
				"/next_step: has the control character U+0007", "/tags/0: must be lower-case",
			},
		},
		"no member that is like it": {
			"status",
			map[string]any{"verbosity": 3},
			[]string{"/verbosity: is not known here; known are repo"},
		},
		"a slip within a member": {
			"save",
			map[string]any{
				"goal": "g", "next_step": "n",
				"attempts": []any{map[string]any{"tried": "a", "outcome": "b", "learnt": "c"}},
			},
			[]string{"/attempts/0/learnt: is not known here; did you mean learned?"},
		},
		"no override of the scan": {
			"save",
			map[string]any{"goal": "g", "next_step": "n", "allow_unredacted": true},
			[]string{"/allow_unredacted: is not known here"},
		},
		"no signing policy": {
			"save",
			map[string]any{"goal": "g", "next_step": "n", "no_sign": true, "sign": true, "as_is": true},
			[]string{"/as_is", "/no_sign", "/sign"},
		},
		"nothing of the gate": {
			"save",
			map[string]any{
				"goal": "g", "next_step": "n", "id": "x", "scan": map[string]any{},
				"anchor": map[string]any{},
			},
			[]string{"/anchor", "/id", "/scan"},
		},
		"a thread that is none": {
			"save",
			map[string]any{"goal": "g", "next_step": "n", "continue": "ZZZZ"},
			[]string{`"ZZZZ": not found`, "hint: recall with kinds"},
		},
		"two threads": {
			"save",
			map[string]any{"goal": "g", "next_step": "n", "continue": "@", "root": true},
			[]string{"/root: excludes continue"},
		},
		"a word for a number": {
			"resume",
			map[string]any{"budget": "many"},
			[]string{"/budget: must be a whole number"},
		},
		"too small a number": {
			"resume",
			map[string]any{"budget": 3},
			[]string{"/budget: must be a whole number from 200 to 200000"},
		},
		"a part of a number": {
			"recall",
			map[string]any{"query": "x", "limit": 1.5},
			[]string{"/limit: must be a whole number"},
		},
		"too many": {
			"recall",
			map[string]any{"query": "x", "limit": 1000},
			[]string{"/limit: must be a whole number from 1 to 200"},
		},
		"no packet": {
			"resume",
			map[string]any{"id": "ZZZZZZZZ"},
			[]string{"not found", "hint: "},
		},
		"a record of another kind": {
			"edit",
			map[string]any{"do": "set", "ids": []string{"@"}, "status": "paused"},
			[]string{"is no task"},
		},
		"no words": {
			"recall",
			map[string]any{"query": "?!"},
			[]string{"/query: must say in words what to look for"},
		},
		"a kind that is none": {
			"recall",
			map[string]any{"query": "x", "kinds": []string{"wish"}},
			[]string{"/kinds: must be of goal, "},
		},
		"a kind that is not listed": {
			"recall",
			map[string]any{"kinds": []string{"wish"}},
			[]string{"/kinds: takes packet, note, skip, all, "},
		},
		"a time that is none": {
			"recall",
			map[string]any{"since": "soon"},
			[]string{`/since: "soon" is no time that is understood`},
		},
		"since when": {
			"recall",
			map[string]any{"query": "x", "since": "soon"},
			[]string{`/since: "soon" is no time that is understood`},
		},
		"a skip without end": {
			"note",
			map[string]any{"notes": []any{map[string]any{"kind": "skip", "text": "x"}}},
			[]string{"/notes/0/until: must say when a skip ends", "/notes/0/why: must say why"},
		},
		"a skip for ever": {
			"note",
			map[string]any{"notes": []any{map[string]any{
				"kind": "skip", "text": "x", "why": "y",
				"until": "9y",
			}}},
			[]string{"/notes/0/until: it lies more than 365 days ahead"},
		},
		"a note in the past": {
			"note",
			map[string]any{"notes": []any{
				map[string]any{"text": "ok"},
				map[string]any{"text": "x", "until": "2020-01-01"},
			}},
			[]string{"/notes/1/until: it lies in the past"},
		},
		"critical by its own word": {
			"note",
			map[string]any{"notes": []any{map[string]any{"text": "x", "impact": "critical"}}},
			[]string{"/notes/0/impact: must be one of low, medium, high"},
		},
		"a note of an unknown kind": {
			"note",
			map[string]any{"notes": []any{map[string]any{"text": "x", "kind": "rumour"}}},
			[]string{"/notes/0/kind: must be one of decision, "},
		},
		"no note": {
			"note",
			map[string]any{"notes": []any{}},
			[]string{"/notes: must have from 1 to 32 items"},
		},
		"a note without text": {
			"note",
			map[string]any{"notes": []any{map[string]any{"kind": "fact"}}},
			[]string{"/notes/0/text: is missing"},
		},
		"an edit without ids": {"edit", map[string]any{"do": "close"}, []string{"/ids: is missing"}},
		"nothing to retract": {
			"edit",
			map[string]any{"do": "rm", "ids": []string{}},
			[]string{"/ids: must name a record"},
		},
		"a deed that is none": {
			"edit",
			map[string]any{"do": "purge", "ids": []string{"@"}},
			[]string{"/do: must be one of text, set, close, reopen, rm"},
		},
		"nothing to write": {
			"edit",
			map[string]any{"ids": []string{"@"}},
			[]string{"say what to write anew"},
		},
		"itself": {
			"edit",
			map[string]any{"do": "supersede", "ids": []string{"@"}, "by": "@", "why": "x"},
			[]string{"cannot be about itself", "hint: name two records"},
		},
		"without a reason": {
			"edit",
			map[string]any{"do": "wrong", "ids": []string{"@"}},
			[]string{"/why: must give the reason"},
		},
		"a file elsewhere": {
			"recall",
			map[string]any{"path": "../../etc/passwd"},
			[]string{"is not in the work tree"},
		},
		"a file that is none": {
			"recall",
			map[string]any{"path": "no/such.go"},
			[]string{"git knows no file", "hint: "},
		},
		"lines backwards": {
			"recall",
			map[string]any{"path": "file:9-3"},
			[]string{"the last stands before the first"},
		},
		"a repository by halves": {
			"status",
			map[string]any{"repo": "here"},
			[]string{
				`"repo": a repository is named by an absolute path`,
				"hint: give repo as an absolute path",
			},
		},
		"no repository": {
			"status",
			map[string]any{"repo": t.TempDir()},
			[]string{"not a git repository", "hint: give repo"},
		},
		"no directory": {
			"status",
			map[string]any{"repo": "/no/such/place"},
			[]string{"error: "},
		},
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
		"save": {
			"goal": "Use " + secret, "next_step": "n",
			"attempts": []map[string]any{{"tried": secret, "outcome": "failed"}},
		},
		"note": {"text": "Use " + secret},
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
		if holds(t, tool, text, "stored ", "masked "); strings.Contains(text, secret[4:20]) {
			t.Errorf("%s tells the secret:\n%s", tool, text)
		}
		if all, _ := saved["stored"].([]any); len(all) == 1 {
			saved, _ = all[0].(map[string]any)
		}
		if found, _ := saved["findings"].([]any); len(found) == 0 {
			t.Errorf("%s found %v", tool, saved["findings"])
		}
		if stored := repo.Git("cat-file", "blob", saved["ref"].(string)); strings.Contains(stored,
			secret[4:20]) {
			t.Errorf("%s stored the secret:\n%s", tool, stored)
		}
	}
	// A secret where none belongs is not told either.
	for _, text := range []string{
		a.fails("save", map[string]any{secret: 1, "goal": 3}),
		a.fails("recall", map[string]any{"since": secret}), a.fails("resume", map[string]any{"id": secret}),
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
		if want := []string{
			"error: memory is silenced by GIT_LTM_DISABLE",
			"hint: do not ask again; the user unsets it to have memory back",
			"",
		}; !slices.Equal(strings.Split(text, "\n"), want) {
			t.Errorf("%s says %q", tool, text)
		}
	}
}
