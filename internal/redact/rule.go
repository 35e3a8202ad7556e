package redact

import (
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact/lex"
)

// A Rule describes one kind of secret or place and how it is found.
type Rule struct {
	ID       string   // Short name, such as "github-token".
	Severity Severity // What a finding means.
	Why      string   // What a finding looks like: the rest of "this …".
	Advice   string   // What to do about a finding.

	*definition // Of a built-in rule.

	// Shape is true when the secret alone gives itself away. Only such rules
	// look at text that came out of base64 or was put together from pieces.
	shape bool

	beside bool // It also looks at the members of an object together.
	strong bool // What is found must be more than a word.
	off    bool // A Config disabled it.

	whole  *whole      // For a Custom, in place of a definition.
	added  bool        // It is one of Config.Added.
	except []Exception // What it finds and is none.
}

// defined returns what a table says of the rule.
func (r *Rule) defined() *definition {
	r.once.Do(r.read)
	return r.definition
}

// A finder is told where a keyword stands in a text and returns the secret
// that belongs to it. What it reads before it says no is bounded, so that a
// text full of keywords costs time in proportion to its length.
type finder func(text string, keyword lex.Span) (lex.Span, bool)

// maskSecret returns how a report may show a secret: its public prefix and "…".
func (r *Rule) maskSecret(secret string) string {
	shown := ""
	if r.whole == nil {
		for _, prefix := range r.defined().public {
			if len(prefix) > len(shown) && len(prefix) < len(secret) && strings.HasPrefix(secret, prefix) {
				shown = prefix
			}
		}
	}
	return shown + "…"
}

// asksNames says whether the rule asks which name a value has, and does not look at the value alone.
func (r *Rule) asksNames() bool { return !r.shape && r.whole == nil && !r.off }

// Words returns what a finding looks like and what to do about it.
func (r *Rule) describeFinding() (why, advice string) {
	switch {
	case r.whole != nil:
		return r.Why, r.Advice
	case r.gitleaks != "":
		return "looks like a secret of the kind that gitleaks names " + r.ID,
			"revoke it where it was made, then leave it out of the packet"
	case r.isToken():
		columns := strings.Split(r.row, "\t") // The prefixes and the form come first.
		return "looks like " + columns[2], "revoke it " + columns[3] + ", then leave it out of the packet"
	default:
		return r.lineOf("why"), r.lineOf("do")
	}
}
