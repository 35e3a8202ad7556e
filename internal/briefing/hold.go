package briefing

import (
	"fmt"
	"time"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/provenance"
)

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
