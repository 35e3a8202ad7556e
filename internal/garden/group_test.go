package garden_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/garden"
)

// shapes writes groups as the ids of their cards, with "!" before a conflict.
func shapes(groups []garden.Group) []string {
	var all []string
	for _, g := range groups {
		var ids []string
		for _, c := range g.Cards {
			ids = append(ids, c.ID)
		}
		mark := ""
		if g.Conflict != "" {
			mark = "!"
		}
		all = append(all, mark+strings.Join(ids, " "))
	}
	return all
}

func kindOf(kind string, c garden.Card) garden.Card {
	c.Kind = kind
	return c
}

func in(class, store string, c garden.Card) garden.Card {
	c.Class, c.Store = class, store
	return c
}

const (
	proxy1 = "Use pgbouncer in session mode for the workers."
	proxy2 = "Prepared statements break in the transaction mode of pgbouncer."
	proxy3 = "Workers hold one pgbouncer connection each."
)

func TestGroups(t *testing.T) {
	t.Parallel()
	many := func(n int, tags ...string) []garden.Card {
		var cards []garden.Card
		for i := range n {
			cards = append(cards,
				card(fmt.Sprintf("m%02d", i),
					fmt.Sprintf("%c%c%c stands alone", 'a'+i%26, 'b'+i%24, 'c'+i%22), tags...))
		}
		return cards
	}
	tests := []struct {
		name  string
		cards []garden.Card
		want  []string
	}{
		{
			"three notes that share two tags",
			[]garden.Card{
				card("a", proxy1, "pg", "pool"), card("b", proxy2, "pg", "pool"),
				card("c", proxy3, "pg", "pool", "x"),
			},
			[]string{"a b c"},
		},
		{
			"two notes are too few",
			[]garden.Card{card("a", proxy1, "pg", "pool"), card("b", proxy2, "pg", "pool")},
			nil,
		},
		{
			"one tag and texts far from each other",
			[]garden.Card{
				card("a", "Flush redis", "x"), card("b", "Colours of the page", "x"),
				card("c", "Holidays of payroll", "x"),
			},
			nil,
		},
		{"one tag and close texts", []garden.Card{
			card("a", "Do not run migrations by hand on production.", "db"),
			card("b", "Never run migrations on production by hand.", "db", "y"),
			card("c", "Migrations on production are not run by hand.", "db", "z"),
		}, []string{"a b c"}},
		{"three notes that share only their source", []garden.Card{
			card("a", proxy1, "source:distill:model", "source-x"),
			card("b", proxy1+" Please.", "source:distill:model", "source-x"),
			card("c", proxy1+" Yes.", "source:distill:model", "source-x"),
		}, nil},
		{"redis, css and payroll do not collapse", []garden.Card{
			card("a", "Redis evicts sessions at 256 MB.", "redis", "source:distill:model"),
			card("b", "The grid of the page breaks below 400 px.", "css", "source:distill:model"),
			card("c", "Payroll closes on the 25th.", "payroll", "source:distill:model"),
		}, nil},
		{"a chain does not become one", []garden.Card{
			card("a", "Alpha", "t1", "t2"), card("b", "Bravo", "t1", "t2", "t3", "t4"),
			card("c", "Charlie", "t3", "t4", "t5", "t6"), card("d", "Delta", "t5", "t6"),
		}, nil},
		{"a hub binds nothing", append(many(20, "hub1", "hub2"), card("z", "Other", "own")), nil},
		{
			"a tag that all of a few notes have is no hub", many(5, "one", "two"),
			[]string{"m00 m01 m02 m03 m04"},
		},
		{"another store", []garden.Card{
			in("me", "shared", card("a", proxy1, "pg", "pool")),
			in("me", "private", card("b", proxy2, "pg", "pool")),
			in("me", "shared", card("c", proxy3, "pg", "pool")),
		}, nil},
		{"another class", []garden.Card{
			in("me", "", card("a", proxy1, "pg", "pool")),
			in("unknown", "", card("b", proxy2, "pg", "pool")),
			in("me", "", card("c", proxy3, "pg", "pool")),
		}, nil},
		{
			"a decision and a pitfall",
			[]garden.Card{
				kindOf("decision", card("a", proxy1, "pg", "pool")),
				kindOf("pitfall", card("b", proxy2, "pg", "pool")), card("c", proxy3, "pg", "pool"),
			},
			nil,
		},
		{
			"other kinds mix",
			[]garden.Card{
				kindOf("procedure", card("a", proxy1, "pg", "pool")),
				kindOf("pitfall", card("b", proxy2, "pg", "pool")), card("c", proxy3, "pg", "pool"),
			},
			[]string{"a b c"},
		},
		{
			"tasks stay apart",
			[]garden.Card{
				kindOf("task", card("a", proxy1, "pg", "pool")),
				kindOf("task", card("b", proxy2, "pg", "pool")),
				kindOf("task", card("c", proxy3, "pg", "pool")),
			},
			nil,
		},
		{
			"numbers that differ",
			[]garden.Card{
				card("a", "The pool size is 20 for the workers.", "pg", "pool"),
				card("b", "The pool size is 50 for the workers.", "pg", "pool"),
				card("c", proxy2, "pg", "pool"),
			},
			[]string{"!a b c"},
		},
		{
			"two notes that contradict",
			[]garden.Card{card("a", "pool size 20", "pg", "pool"), card("b", "pool size 50", "pg", "pool")},
			[]string{"!a b"},
		},
		{
			"versions that differ",
			[]garden.Card{
				card("a", "Build with Go 1.25 on every runner.", "go", "ci"),
				card("b", "Build with go1.26 on every runner.", "go", "ci"),
				card("c", "Runners keep the build cache.", "go", "ci"),
			},
			[]string{"!a b c"},
		},
		{"yes and no", []garden.Card{
			card("a", "Cache the tokens of the gateway.", "auth", "cache"),
			card("b", "Never cache the tokens of the gateway.", "auth", "cache"),
		}, []string{"!a b"}},
		{
			"more detail is no conflict",
			[]garden.Card{
				card("a", "The pool size is 20.", "pg", "pool"),
				card("b", "The pool size is 20, the timeout 30 s.", "pg", "pool"),
				card("c", "The pool size is small.", "pg", "pool"),
			},
			[]string{"a b c"},
		},
		{"one card twice", []garden.Card{
			card("a", proxy1, "pg", "pool"), card("a", proxy1, "pg", "pool"),
			card("b", proxy2, "pg", "pool"),
		}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, shapes(garden.Groups(test.cards))); diff != "" {
				t.Errorf("Groups (-want +got):\n%s", diff)
			}
		})
	}
}

func TestGroups_cap(t *testing.T) {
	t.Parallel()
	var cards []garden.Card
	for i := range 100 {
		tags := []string{"other", fmt.Sprint("t", i)}
		if i < 20 {
			tags = []string{"pg", "pool"}
		}
		cards = append(cards, card(fmt.Sprintf("c%03d", i), fmt.Sprintf("Note of %c", 'A'+i), tags...))
	}
	groups := garden.Groups(cards)
	total := 0
	for _, g := range groups {
		if total += len(g.Cards); len(g.Cards) > 12 {
			t.Errorf("a group has %d cards, want at most 12", len(g.Cards))
		}
	}
	if len(groups) < 2 || total < 18 {
		t.Errorf("20 cards of one matter: %q, want them split into groups of at most 12", shapes(groups))
	}
}

func TestGroups_conflict(t *testing.T) {
	t.Parallel()
	tests := []struct{ a, b, want string }{
		{"pool size 20", "pool size 50", "size: 20 or 50"},
		{"Use a timeout of 30 s.", "Use a timeout of 60 s.", "timeout: 30 or 60"},
		{
			"max_connections=100 in production", "max_connections=200 in production",
			"max_connections: 100 or 200",
		},
		{"Requires node18 to build.", "Requires node20 to build.", "node: 18 or 20"},
		{"Wait 50ms between retries.", "Wait 50 ms between retries.", ""},
		{"See issue #12 about the pool size.", "See issue #13 about the pool size.", ""},
		{"Retry 3 times, then give up.", "Retry 3 times, then give up and log.", ""},
	}
	for _, test := range tests {
		groups := garden.Groups([]garden.Card{card("a", test.a, "x", "y"), card("b", test.b, "x", "y")})
		got := ""
		if len(groups) > 0 {
			got = groups[0].Conflict
			if diff := cmp.Diff(garden.Draft{}, groups[0].Draft); diff != "" {
				t.Errorf("%q and %q were merged:\n%s", test.a, test.b, diff)
			}
		}
		if got != test.want {
			t.Errorf("conflict of %q and %q = %q, want %q", test.a, test.b, got, test.want)
		}
	}
}

func TestGroups_draft(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	cards := []garden.Card{
		{
			ID: "a", Kind: "learning",
			Text: "Workers use session mode. Prepared statements break otherwise, e.g. in Go.",
			Why:  "Seen under load.", Tags: []string{"pg", "pool", "source-x"}, Created: day,
		},
		{
			ID: "b", Kind: "pitfall", Text: "workers use SESSION mode!\nKeep one connection a worker",
			Tags: []string{"pg", "pool", "go"}, Created: day.Add(time.Hour),
		},
		{
			ID: "c", Kind: "learning", Text: "The proxy restarts at night.", Why: "Seen under load",
			Tags: []string{"pg", "pool"}, Created: day.Add(-time.Hour),
		},
	}
	groups := garden.Groups(cards)
	if len(groups) != 1 {
		t.Fatalf("groups = %q, want one", shapes(groups))
	}
	want := garden.Draft{
		Kind: "learning",
		Text: "workers use SESSION mode!\nKeep one connection a worker\nPrepared statements break " +
			"otherwise, e.g. in Go. The proxy restarts at night.",
		Why:  "Seen under load.",
		Tags: []string{"pg", "pool", "go"},
	}
	if diff := cmp.Diff(want, groups[0].Draft); diff != "" {
		t.Errorf("draft (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"pg", "pool"}, groups[0].Tags); diff != "" {
		t.Errorf("tags (-want +got):\n%s", diff)
	}
}

func TestGroups_draftBounds(t *testing.T) {
	t.Parallel()
	var cards []garden.Card
	for i := range 12 {
		var tags []string
		for j := range 10 {
			tags = append(tags, fmt.Sprintf("tag-%02d", j), fmt.Sprintf("own-%02d-%02d", i, j))
		}
		long := strings.Repeat(fmt.Sprintf("größer%c \"x\" ", 'a'+i), 40) + "."
		cards = append(cards,
			garden.Card{
				ID: strconv.Itoa(i), Kind: "fact", Text: long, Why: "Why " + long,
				Tags: append(tags, strings.Repeat("l", 40)),
			})
	}
	for i := range 48 { // So that no tag is a hub.
		cards = append(cards, card(fmt.Sprint("z", i), "other", fmt.Sprint("only-", i)))
	}
	groups := garden.Groups(cards)
	if len(groups) == 0 {
		t.Fatal("no group")
	}
	d := groups[0].Draft
	if n := utf8.RuneCountInString(d.Text); n == 0 || n > 2048 {
		t.Errorf("the text has %d characters, want 1 to 2048", n)
	}
	if n := utf8.RuneCountInString(d.Why); n > 1024 {
		t.Errorf("the reason has %d characters, want at most 1024", n)
	}
	if len(d.Tags) != 16 || slices.ContainsFunc(d.Tags, func(s string) bool { return len(s) > 32 }) {
		t.Errorf("tags = %q, want 16 of at most 32 characters", d.Tags)
	}
	if len(d.LeftOut) == 0 {
		t.Error("nothing is said to be left out")
	}
}

// randomCards makes cards over few words, so that many belong together.
func randomCards(r *rand.Rand, n int) []garden.Card {
	words := strings.Fields(
		"pool size timeout redis cache worker never use not session mode 20 50 1.25 1.26 migration build " +
			"node retry key")
	kinds := []string{"decision", "pitfall", "learning", "procedure", "task"}
	var cards []garden.Card
	for i := range n {
		var text, tags []string
		for range 2 + r.IntN(6) {
			text = append(text, words[r.IntN(len(words))])
		}
		for range r.IntN(4) {
			tags = append(tags, fmt.Sprint("t", r.IntN(12)))
		}
		cards = append(cards, garden.Card{
			ID: fmt.Sprintf("%03d", i), Kind: kinds[r.IntN(len(kinds))], Text: strings.Join(text, " ") + ".",
			Tags:  tags,
			Class: strconv.Itoa(r.IntN(2)), Store: strconv.Itoa(r.IntN(2)),
			Created: time.Unix(int64(r.IntN(5)), 0),
		})
	}
	return cards
}

func TestGroups_properties(t *testing.T) {
	t.Parallel()
	grouped, conflicts := 0, 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		cards := randomCards(r, 20+r.IntN(120))
		groups := garden.Groups(cards)
		checkGroups(t, groups)
		for _, g := range groups {
			grouped++
			if g.Conflict != "" {
				conflicts++
			}
		}
		r.Shuffle(len(cards), func(i, j int) { cards[i], cards[j] = cards[j], cards[i] })
		if diff := cmp.Diff(groups, garden.Groups(cards)); diff != "" {
			t.Fatalf("seed %d: another order, another answer (-want +got):\n%s", seed, diff)
		}
	}
	if grouped-conflicts < 30 || conflicts < 30 {
		t.Errorf("%d groups, %d conflicts: too few to show anything", grouped, conflicts)
	}
}

// checkGroups holds what is true of all groups.
func checkGroups(t *testing.T, groups []garden.Group) {
	t.Helper()
	seen := map[string]bool{}
	for _, g := range groups {
		kinds, words := map[string]bool{}, map[string]bool{}
		for _, c := range g.Cards {
			if seen[c.ID] {
				t.Errorf("card %s is in two groups", c.ID)
			}
			seen[c.ID], kinds[c.Kind] = true, true
			if c.Class != g.Cards[0].Class || c.Store != g.Cards[0].Store {
				t.Errorf("cards of two classes or stores: %+v", g.Cards)
			}
			for w := range strings.FieldsSeq(c.Text + " " + c.Why) {
				words[w] = true
			}
		}
		if kinds["decision"] && kinds["pitfall"] || kinds["task"] {
			t.Errorf("kinds that must not meet: %v", kinds)
		}
		if n := len(g.Cards); n > 12 || n < 2 || n < 3 && g.Conflict == "" {
			t.Errorf("%d cards in a group", n)
		}
		if g.Conflict != "" && g.Draft.Text != "" {
			t.Errorf("a conflict was merged: %s", g.Conflict)
		}
		for w := range strings.FieldsSeq(g.Draft.Text + " " + g.Draft.Why) {
			if !words[w] {
				t.Errorf("the draft invents %q", w)
			}
		}
	}
}

// FuzzGroups states what is true of all groups for cards of any text, and that
// their order does not matter.
func FuzzGroups(f *testing.F) {
	f.Add(uint64(1), "The pool size is 20.", "The pool size is 50. Never more!", "pg")
	f.Add(uint64(2), "\xff\n- a\n- b e.g. C", "```\ncode\n``` x=1:2", "source:x")
	f.Add(uint64(3), "", "...", "")
	f.Fuzz(func(t *testing.T, seed uint64, text, other, tag string) {
		r := rand.New(rand.NewPCG(seed, 3))
		cards := randomCards(r, 10+r.IntN(30))
		for i := range cards {
			if r.IntN(2) == 0 {
				cards[i].Text, cards[i].Why, cards[i].Tags = text, other, append(cards[i].Tags, tag)
			}
			if r.IntN(4) == 0 {
				cards[i].Text += " " + other
			}
		}
		groups := garden.Groups(cards)
		checkGroups(t, groups)
		r.Shuffle(len(cards), func(i, j int) { cards[i], cards[j] = cards[j], cards[i] })
		if diff := cmp.Diff(groups, garden.Groups(cards)); diff != "" {
			t.Errorf("another order, another answer (-want +got):\n%s", diff)
		}
	})
}
