package deadend_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/deadend"
)

// outlined is a rule with its outline as it is kept.
type outlined struct {
	rule deadend.Rule
	kept deadend.Kept
}

func outlineOf(rule deadend.Rule) outlined { return outlined{rule, rule.Outline().Append(nil)} }

// sieve counts what outlines pass that rules are not met by.
type sieve struct{ pairs, met, passed int }

// sift demands of an outline that it lets pass what meets its rule.
func (s *sieve) sift(t *testing.T, o outlined, a deadend.Action, traits deadend.Traits,
	sorted []deadend.Trait,
) {
	t.Helper()
	s.pairs++
	rare := slices.ContainsFunc(o.rule.Outline().Rare(), func(trait deadend.Trait) bool {
		_, has := slices.BinarySearch(sorted, trait)
		return has
	})
	weight, ok := o.kept.Weigh(traits)
	if !ok {
		t.Fatalf("the outline of %+v cannot be read", o.rule)
	}
	passes := rare && weight > 0
	if passes {
		s.passed++
	}
	for _, m := range deadend.New([]deadend.Rule{o.rule}).Check(a) {
		s.met++
		if !passes {
			t.Errorf("the action %+v meets %+v by %s on %q, and its outline says that it does not (rare: %v)",
				a, o.rule, m.By, m.On, rare)
		}
	}
}

// An outline never says that an action does not meet a rule which it meets, and says so of most that it does
// not meet.
func TestOutline(t *testing.T) {
	t.Parallel()
	set := readRules(t)
	var rules []outlined
	for _, rule := range set.rules {
		rules = append(rules, outlineOf(rule))
	}
	var s sieve
	for _, name := range []string{"cases.txt", "held.txt"} {
		for _, c := range readCases(t, set, name) {
			traits := c.action.Read().Traits()
			sorted := traits.All()
			for _, rule := range rules {
				s.sift(t, rule, c.action, traits, sorted)
			}
		}
	}
	t.Logf("%+v", s)
	if s.met == 0 || s.passed > s.met+s.pairs/50 {
		t.Errorf("of %d pairs %d are met and %d pass", s.pairs, s.met, s.passed)
	}
}

// phrases are what rules and actions are made of that meet by chance: words, names, numbers, options, paths
// and signs of a shell.
const phrases = `npm install --force -f --legacy-peer-deps=true yarn docker-compose up -d build docker compose down -v rm -rf -r node_modules
	src/gen/api.pb.go src/gen ./vendor/ **/*.go *.pb.go vendor/** sync.Map syncMap useState getUserName max_open_conns SetMaxOpenConns 100 25 3.11 v2
	raise lower the pool size to upgrade replace with instead of without remove do not never python3 -m pytest -k slow npx jest --watch sudo bash -c git
	push --no-verify go test ./... -race cache retry queue redis webpack5 webpack 5 && ; | > out.txt "two words" 'quoted' NODE_ENV=production env make
	use uses used drop revert disable a mutex lock timeout 30s 10k from rebuild lockfile // comment # note != := 5.90.0 5`

func TestOutline_random(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(22, 11)) // The same in each run.
	words := strings.Fields(phrases)
	some := func(most int, between string) string {
		list := make([]string, random.IntN(most+1))
		for i := range list {
			list[i] = words[random.IntN(len(words))]
		}
		return strings.Join(list, between)
	}
	var s sieve
	for range 400 {
		var rules []outlined
		for range 20 {
			rule := deadend.Rule{Words: some(9, " "), Derived: random.IntN(2) == 0}
			if random.IntN(3) == 0 {
				rule.Command = some(4, " ")
			}
			if random.IntN(3) == 0 {
				rule.Path = some(2, "/")
			}
			rules = append(rules, outlineOf(rule))
		}
		of := rules[random.IntN(len(rules))].rule // One that is nearly met.
		a := deadend.Action{
			Command: some(6, " ") + " " + of.Command,
			Prompt:  some(8, " ") + " " + of.Words + " " + some(3, " "),
			Paths:   []string{some(2, "/") + "/x", strings.ReplaceAll(of.Path, "*", "x")},
			Added:   some(5, "\n") + of.Words, Removed: some(9, " "),
		}
		switch random.IntN(4) {
		case 0:
			a.Prompt = ""
		case 1:
			a.Command = of.Words
		case 2:
			a.Removed, a.Added, a.Prompt = of.Words, some(3, " "), ""
		}
		traits := a.Read().Traits()
		sorted := traits.All()
		for _, rule := range rules {
			s.sift(t, rule, a, traits, sorted)
		}
	}
	t.Logf("%+v", s)
	if s.met < 200 {
		t.Errorf("of %d pairs only %d are met", s.pairs, s.met)
	}
}

func TestKept_damaged(t *testing.T) {
	t.Parallel()
	traits := deadend.Action{Command: "npm install --force"}.Read().Traits()
	kept := outlineOf(deadend.Rule{
		Words: "raise the pool size", Command: "npm install --force",
		Path: "vendor/**",
	}).kept
	if weight, ok := kept.Weigh(traits); weight == 0 || !ok {
		t.Fatalf("the whole outline: %v, %v", weight, ok)
	}
	for cut := range kept {
		if _, ok := append(deadend.Kept{0xff}, kept[:cut]...).Weigh(traits); ok {
			t.Errorf("%d bytes behind a wrong one are an outline", cut)
		}
	}
	for _, bad := range []string{
		"\x01", "\x80", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00",
		"\x02\x01short",
	} {
		if _, ok := deadend.Kept(bad).Weigh(traits); ok {
			t.Errorf("%q is an outline", bad)
		}
	}
}
