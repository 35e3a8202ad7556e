package briefing

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/provenance"
)

// Warning is what is known to stand against something that is about to be done, the surest first.
type Warning struct {
	Met    []Met
	To     provenance.Audience // who reads it
	Now    time.Time           // required
	Nonce  string              // required: random for each warning
	Budget int                 // characters of the whole warning; zero is no bound
}

// Met is something that did not work, or that somebody decided not to do, and how an action meets it.
type Met struct {
	Known

	By   string   // command, path or words
	On   []string // what of the action it is met by
	Sure string   // high, medium or low
}

// Fit leaves out what does not fit the budget, and cuts nothing; but where not even one fits, what the surest
// says is shortened.
func (w Warning) Fit() Warning {
	w.Met = keepFitting(w.addressMet(), func(m Met, most int) Met {
		m.Known = m.Known.shortenKnown(most)
		m.On = []string{clean.Truncate(cleanLine(strings.Join(m.On, " ")), most)}
		return m
	}, func(some []Met) bool {
		w.Met = some
		return w.Budget <= 0 || utf8.RuneCountInString(w.Markdown()) <= w.Budget
	})
	return w
}

// addressMet returns what may be shown to the reader.
func (w Warning) addressMet() []Met {
	var kept []Met
	for _, m := range w.Met {
		if m.to = w.To; m.textFor(m.Text) != "" {
			kept = append(kept, m)
		}
	}
	return kept
}

// Markdown writes the warning for the model that is about to act. Nothing met is nothing written.
func (w Warning) Markdown() string {
	met := w.addressMet()
	if len(met) == 0 {
		return ""
	}
	var out strings.Builder
	out.WriteString(warning)
	fmt.Fprintf(&out, "<ltm-warning nonce=%q>\n", w.Nonce)
	for _, m := range met {
		it := m.fullItem(w.Now)
		fmt.Fprintf(&out, "| %s: %s\n", m.Kind, it.text)
		for _, n := range it.notes {
			fmt.Fprintf(&out, "|   %s: %s\n", n.label, n.text)
		}
		fmt.Fprintf(&out, "|   met by %s: %s (sure: %s)\n|   (%s)\n", m.By, cleanLine(strings.Join(m.On,
			" ")),
			m.Sure, it.from)
	}
	fmt.Fprintf(&out, "</ltm-warning nonce=%q>\n", w.Nonce)
	return out.String()
}

// How many columns of a record stand in the reason of a call that is held back: 200 together.
const (
	heldText   = 60
	heldWhy    = 100
	heldAuthor = 40
)

// Held is why a call is held back.
type Held struct {
	Met

	To    provenance.Audience // who reads it
	Now   time.Time           // required
	Nonce string              // required: random for each
	Asked bool                // a person reads it, who is asked
}

// Markdown writes the reason for the model that made the call. It holds little of the record, and all of that
// between marks.
func (h Held) Markdown() string {
	h.to = h.To
	text := h.textFor(h.Text)
	if text == "" {
		return ""
	}
	said := heldBack
	if h.Asked {
		said = heldToAsk
	}
	out := fmt.Sprintf("%s<ltm-warning nonce=%q>\n| %s: %s\n", said, h.Nonce, h.Kind,
		clean.Truncate(text, heldText))
	if why := h.textFor(h.Why); why != "" {
		out += "|   why: " + clean.Truncate(why, heldWhy) + "\n"
	}
	from := ofDraft
	if o := h.Text.Origin(); o.How != provenance.Transcript {
		from = clean.Truncate(escapeField(cleanLine(o.By())), heldAuthor) + wholeRecord + h.ID()
	}
	return out + fmt.Sprintf("|   (%s, %s)\n</ltm-warning nonce=%q>\n", Age(h.Created, h.Now), from, h.Nonce)
}

// keepWhole are those of some things that fit together, the first of them first: one that does not fit makes
// room for the next.
func keepWhole[T any](all []T, fits func([]T) bool) (kept []T) {
	if fits(all) {
		return all
	}
	for _, one := range all {
		if more := append(slices.Clone(kept), one); fits(more) {
			kept = more
		}
	}
	return kept
}

// keepFitting are the same. Where not even one fits, the first is shortened, for silence would be worse.
func keepFitting[T any](all []T, shortened func(T, int) T, fits func([]T) bool) []T {
	kept := keepWhole(all, fits)
	for _, columns := range []int{320, 160, 80} {
		if len(kept) > 0 || len(all) == 0 {
			break
		}
		if short := []T{shortened(all[0], columns)}; fits(short) {
			kept = short
		}
	}
	return kept
}

// shortenKnown leaves so many columns of each text, and says that there is more.
func (k Known) shortenKnown(most int) Known {
	short := func(text string) string { return clean.Truncate(joinLines(text), most) }
	k.Text, k.Why, k.Next = provenance.Then(k.Text, short), provenance.Then(k.Why, short), provenance.Text{}
	k.Digest = provenance.Then(k.Digest, short)
	k.Marks = append(slices.Clone(k.Marks), "shortened"+wholeRecord+k.ID())
	return k
}
