package briefing

import (
	"fmt"
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
	Sure string   // certain, high, medium or low
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
		it := m.fullItem(about{}, w.Now)
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
