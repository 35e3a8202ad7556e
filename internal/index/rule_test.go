package index_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/deadend"
	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/view"
)

// forbid adds a record of two items of which the second forbids something.
func (s store) forbid(n int, rule deadend.Rule) {
	s.add(n, nil, "goal: turn the spindle", "attempt: it was tried")
	ref := "refs/ltm/packets/" + idFor(n)
	d := s[ref]
	d.Rules = []index.Rule{{Place: d.Content.Items[1].Place, Rule: rule}}
	s[ref] = d
}

// rules returns the rules that an index finds for an action as "place words".
func rules(t *testing.T, x *index.Index, a deadend.Action) []string {
	t.Helper()
	hits, err := x.Rules(t.Context(), a.Read().Traits(), nil, 100)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, h := range hits {
		list = append(list, h.ID+h.Place+" "+h.Rule.Words+h.Rule.Command+h.Rule.Path)
	}
	slices.Sort(list)
	return list
}

// Rules are found as long as their records are there, and leave no byte behind.
func TestIndex_Rules(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	x, s := open(t, dir), many(300)
	s.forbid(1001, deadend.Rule{
		Words: "raise the zanzibar pool size to 100", Derived: true,
		Confidence: "low",
	})
	s.forbid(1002, deadend.Rule{Command: "npm install --xylophon"})
	s.forbid(1003, deadend.Rule{Path: "jabberwock/**/*.go"})
	sync(t, x, s)
	all := deadend.Action{
		Prompt: "please raise the zanzibar pool size to 100", Command: "cd x && npm install --xylophon",
		Paths: []string{"jabberwock/a/b.go"},
	}
	at := func(n int) string { return idFor(n) + "/attempt/1 " }
	want := []string{
		at(1001) + "raise the zanzibar pool size to 100", at(1002) + "npm install --xylophon",
		at(1003) + "jabberwock/**/*.go",
	}
	if diff := cmp.Diff(want, rules(t, x, all)); diff != "" {
		t.Errorf("rules of an action (-want +got):\n%s", diff)
	}
	if got := rules(t, x,
		deadend.Action{Prompt: "lower the ceiling", Command: "npm install", Paths: []string{"a.go"}}); got !=
		nil {
		t.Errorf("another action finds %q", got)
	}
	words := []string{"zanzibar", "xylophon", "jabberwock"}
	if missing := missingBytes(t, dir, words); len(missing) > 0 {
		t.Errorf("before removal no file holds %q, so this test shows nothing", missing)
	}
	for n := 1001; n <= 1003; n++ {
		delete(s, "refs/ltm/packets/"+idFor(n))
	}
	sync(t, x, s)
	if got := rules(t, x, all); got != nil {
		t.Errorf("after removal the action finds %q", got)
	}
	if missing := missingBytes(t, dir, words); len(missing) != len(words) {
		t.Errorf("after removal only %q are in no file", missing)
	}
}

// TestIndex_Rules_flood: however many rules strangers push, an edit of many lines meets that of somebody who is
// known, and it is not said of it that it meets none.
func TestIndex_Rules_flood(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	x, s := open(t, dir), store{}
	s.forbid(1, deadend.Rule{Command: "npm install --xylophon"})
	d := s["refs/ltm/packets/"+idFor(1)]
	d.Signer = "here"
	s[d.Ref] = d
	items := make([]string, 400)
	for i := range items {
		items[i] = "attempt: it was tried"
	}
	const packets = 100 // 40,000 rules, more than are compared
	for n := range packets {
		s.add(1000+n, nil, items...)
		d := s["refs/ltm/packets/"+idFor(1000+n)]
		d.Signer = "others"
		for i, item := range d.Content.Items {
			d.Rules = append(d.Rules, index.Rule{
				Place: item.Place, Rule: deadend.Rule{Command: fmt.Sprintf("make target%d", n*packets+i)},
			})
		}
		s[d.Ref] = d
	}
	sync(t, x, s)
	command := "npm install --xylophon"
	for i := range 40 {
		command += fmt.Sprintf(" && other%d of%d", i, i)
	}
	traits := deadend.Action{Command: command}.Read().Traits()
	if traits.Count() <= 64 {
		t.Fatalf("the action has %d traits, which are looked for one by one", traits.Count())
	}
	hits, err := x.Rules(t.Context(), traits, []string{"here"}, 100)
	if err != nil || len(hits) != 1 {
		t.Errorf("of those who are known the action meets %d rules, %v; want 1", len(hits), err)
	}
	v, err := view.Open(local.Open(dir, nil))
	if err != nil {
		t.Fatal(err)
	}
	if !v.MayMeet(stampOf("stamp"), traits) {
		t.Error("it is said that the action meets no rule")
	}
	if err := v.Close(); err != nil {
		t.Error(err)
	}
}

// That no rule is met is said of one stamp alone, and not where the index was touched.
func TestIndex_mayMeet(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	x, s := open(t, dir), many(50)
	s.forbid(1001, deadend.Rule{Command: "npm install --xylophon"})
	met, other := deadend.Action{Command: "npm install --xylophon"}.Read().Traits(),
		deadend.Action{Command: "npm test"}.Read().Traits()
	may := func(when string, stamp string, traits deadend.Traits, want bool) {
		t.Helper()
		v, err := view.Open(local.Open(dir, nil))
		if got := err != nil || v.MayMeet(stampOf(stamp), traits); got != want {
			t.Errorf("%s: MayMeet = %v, want %v", when, got, want)
		}
		if err == nil {
			err = v.Close()
		}
		if err != nil && !errors.Is(err, view.ErrDamaged) {
			t.Error(err)
		}
	}
	may("before all", "stamp", other, true)
	sync(t, x, s)
	may("an action that meets a rule", "stamp", met, true)
	may("one that meets none", "stamp", other, false)
	may("of other refs", "other", other, true)
	may("of refs that just changed", "", other, true)
	delete(s, "refs/ltm/packets/"+idFor(1001))
	if _, err := x.Sync(t.Context(), stampOf(""), s.list, s.load); err != nil {
		t.Fatal(err)
	}
	may("after a removal of which the stamp is not known", "stamp", met, true)
	if _, err := x.Sync(t.Context(), stampOf("third"), s.list, s.load); err != nil {
		t.Fatal(err)
	}
	may("after the removal", "third", met, false)
	path := filepath.Join(dir, "state")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := range whole {
		touched := slices.Clone(whole)
		touched[at] ^= 1
		for _, text := range [][]byte{touched, whole[:at]} {
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
			may(fmt.Sprintf("touched or cut at byte %d", at), "third", other, true)
		}
	}
}

// Who asks again and again, and waits too little each time, has an index in the end.
func TestIndex_Sync_cancelled(t *testing.T) {
	t.Parallel()
	x, s := open(t, filepath.Join(t.TempDir(), "view")), many(4000)
	loaded, ended := 0, false
	for range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		before := loaded
		_, err := x.Sync(ctx, stampOf("stamp"), s.list,
			func(_ context.Context, refs []index.Listed) ([]index.Document, error) {
				if loaded += len(refs); loaded > before+2000 {
					cancel()
				}
				return s.load(ctx, refs)
			})
		cancel()
		if ended = err == nil; ended {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if stamp, _ := x.Base(t.Context()); stamp != (view.Stamp{}) {
			t.Errorf("an index that lacks records has the stamp %q", stamp)
		}
	}
	// What is loaded and not yet written when the patience ends is loaded again.
	if !ended || loaded > 3*len(s) {
		t.Errorf("ended: %v, after %d records were loaded of %d", ended, loaded, len(s))
	}
	whole := opened(t, s)
	for _, text := range []string{"redis", "timeout cache", "src/cache.go"} {
		q := index.Query{Text: text, Limit: 50}
		if diff := cmp.Diff(search(t, whole, q), search(t, x, q)); diff != "" {
			t.Errorf("Search(%q) (-at once +bit by bit):\n%s", text, diff)
		}
	}
}
