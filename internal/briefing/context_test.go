package briefing_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/sign"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// someKnown are things of every section, with text of any length and script, always the same for a seed.
func someKnown(seed uint64, n int) []briefing.Known {
	r := rand.New(rand.NewPCG(seed, 3))
	words := []string{
		"spindle", "世界", "Größe", "👍", "потолок", "</ltm-context>", "| ## Locked", "a,b", "\\|",
		"\n", "\u202e", "x",
	}
	text := func(most int) string {
		var all []string
		for range 1 + r.IntN(most) {
			all = append(all, words[r.IntN(len(words))])
		}
		return strings.Join(all, " ")
	}
	kinds := []string{"goal", "next_step", "skip", "decision", "pitfall"}
	all := make([]briefing.Known, n)
	for i := range all {
		standing := []sign.Standing{sign.Local, sign.Unsigned}[r.IntN(2)]
		from := origin(fmt.Sprintf("01ARZ3NDEKTSV4RRFFQ%07d", i), standing,
			packet.Provenance{AuthorHuman: text(2)})
		all[i] = briefing.Known{
			Section: briefing.Section(r.IntN(12)), Place: "/text", Kind: kinds[r.IntN(len(kinds))],
			Text:    provenance.Of(fmt.Sprintf("Thing %d: ", i)+text(1+r.IntN(40)), from),
			Why:     provenance.Of(text(12), from),
			Created: noon, Value: r.Float64() * 4,
		}
		if r.IntN(4) == 0 {
			other := origin(fmt.Sprintf("01ARZ3NDEKTSV4RRFFR%07d", i), standing,
				packet.Provenance{AuthorHuman: text(2)})
			all[i].Digest, all[i].Next = provenance.Of(text(6), other), provenance.Of(text(6), other)
			all[i].Branch, all[i].Marks = text(2), []string{text(3)}
		}
	}
	return all
}

// TestContext_budget: whatever is known and whatever the budget, nothing is longer than it, nothing is cut,
// and what is left out is counted.
func TestContext_budget(t *testing.T) {
	t.Parallel()

	for seed := range uint64(8) {
		known := someKnown(seed, int(seed*7%40)+1)
		for budget := 1; budget <= 4000; budget += 97 {
			c := briefing.Context{
				Known: known, More: int(seed), Now: noon, Nonce: "0123456789abcdef",
				Budget: budget,
			}
			markdown, dsl := c.Markdown(), c.DSL()
			for form, text := range map[string]string{"markdown": markdown, "dsl": dsl} {
				if n := utf8.RuneCountInString(text); n > budget {
					t.Fatalf("seed %d, %s: %d characters, and the budget is %d", seed, form, n, budget)
				}
			}
			if markdown != "" {
				checkWhole(t, markdown, len(known)+c.More)
			}
			if dsl != "" && !strings.Contains(dsl,
				fmt.Sprintf(" end left_out=%d\n", len(known)+c.More-strings.Count(dsl, "\n")+2)) {
				t.Fatalf("seed %d, budget %d: what is left out is not counted:\n%s", seed, budget, dsl)
			}
			data, err := c.JSON()
			if err != nil {
				t.Fatal(err)
			}
			checkJSON(t, data, budget, len(known)+c.More)
		}
	}
}

// checkWhole tells whether a context has its marks, and says how many of all are left out.
func checkWhole(t *testing.T, text string, all int) {
	t.Helper()
	if strings.Count(text, "<ltm-context nonce=\"0123456789abcdef\">\n") != 1 ||
		strings.Count(text, "\n</ltm-context nonce=\"0123456789abcdef\">\n") != 1 {
		t.Fatalf("the marks are not whole:\n%s", text)
	}
	left := all - strings.Count(text, "\n| - ")
	if said := fmt.Sprintf("\n%d more left out", left); left > 0 != strings.Contains(text, "more left out") ||
		left > 0 && !strings.Contains(text, said) {
		t.Fatalf("it does not say %q:\n%s", said, text)
	}
}

// checkJSON tells whether a context is one value within the budget, or one without items.
func checkJSON(t *testing.T, data []byte, budget, all int) {
	t.Helper()
	var got struct {
		Items   []struct{ Text string }
		LeftOut int `json:"left_out"`
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if n := utf8.RuneCount(data); n > budget && len(got.Items) > 0 {
		t.Fatalf("%d characters, and the budget is %d", n, budget)
	}
	if len(got.Items)+got.LeftOut != all {
		t.Fatalf("%d items and %d left out, want %d together", len(got.Items), got.LeftOut, all)
	}
}

// TestContext_full: a budget is used, and not kept for nothing.
func TestContext_full(t *testing.T) {
	t.Parallel()

	var known []briefing.Known
	for i := range 200 {
		known = append(known, briefing.Known{
			Section: briefing.Pitfalls, Kind: "pitfall",
			Text:    said(fmt.Sprintf("01ARZ3NDEKTSV4RRFFQ%07d", i), "One of many"),
			Created: noon, Value: 1,
		})
	}
	c := briefing.Context{Known: known, Now: noon, Nonce: "0123456789abcdef", Budget: 5000}
	if n := utf8.RuneCountInString(c.Markdown()); n < 4800 {
		t.Errorf("%d of 5000 characters are used", n)
	}
}

// TestContext_shares: where the thread stands comes first, and many things of one sort do not take the place
// of all others.
func TestContext_shares(t *testing.T) {
	t.Parallel()

	known := []briefing.Known{
		{
			Section: briefing.Thread, Kind: packet.ItemGoal,
			Text:    said("01ARZ3NDEKTSV4RRFFQ9999991", "The goal "+strings.Repeat("is long ", 40)),
			Created: noon, Value: 0.1,
		},
		{
			Section: briefing.Locked, Kind: "decision", Text: said("01ARZ3NDEKTSV4RRFFQ9999992", "A decision"),
			Created: noon, Value: 0.2,
		},
	}
	for i := range 200 {
		known = append(known, briefing.Known{
			Section: briefing.Skips, Kind: "skip",
			Text: said(fmt.Sprintf("01ARZ3NDEKTSV4RRFFQ%07d", i), "No"), Created: noon, Value: 5,
		})
	}
	for _, budget := range []int{1600, 3000, 8000} {
		c := briefing.Context{Known: known, Now: noon, Nonce: "0123456789abcdef", Budget: budget}
		text := c.Markdown()
		for _, want := range []string{"The goal is long", "A decision"} {
			if !strings.Contains(text, want) {
				t.Errorf("of %d characters none are left for %q", budget, want)
			}
		}
	}
}
