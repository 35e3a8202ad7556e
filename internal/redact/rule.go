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

	// keywords are literals of two bytes or more. The rule is asked only where
	// one of them stands, in any case of letters.
	keywords []string
	find     finder
	// public are the prefixes that a mask may show.
	public []string
	// Shape is true when the secret alone gives itself away. Only such rules
	// look at text that came out of base64 or was put together from pieces.
	shape bool

	behind func(byte) bool // The class of the byte in front of a keyword. Nil is any byte.
	beside bool            // It also looks at the members of an object together.
	strong bool            // What is found must be more than a word.

	token  *tokenRow   // For a row of tokenTable: it has the words and prefixes.
	whole  *whole      // For a Custom, in place of find.
	added  bool        // It is one of Config.Added.
	except []Exception // What it finds and is none.
}

// A finder is told where a keyword stands in a text and returns the secret
// that belongs to it. What it reads before it says no is bounded, so that a
// text full of keywords costs time in proportion to its length.
type finder func(text string, keyword lex.Span) (lex.Span, bool)

// maskSecret returns how a report may show a secret: its public prefix and "…".
func (r *Rule) maskSecret(secret string) string {
	shown := ""
	for _, prefix := range r.public {
		if len(prefix) > len(shown) && len(prefix) < len(secret) && strings.HasPrefix(secret, prefix) {
			shown = prefix
		}
	}
	return shown + "…"
}

// isMinted says whether a machine makes what the rule finds, so that a digest of
// it tells nothing: a password that a person chose can be guessed, however long
// it is.
func (r *Rule) isMinted() bool { return r.token != nil || r.Why == "" && r.shape }

// asksNames says whether the rule asks which name a value has, and does not look at the value alone.
func (r *Rule) asksNames() bool { return !r.shape && r.whole == nil }

// Words returns what a finding looks like and what to do about it.
func (r *Rule) describeFinding() (why, advice string) {
	switch {
	case r.token != nil:
		columns := strings.Split(r.token.columns, "\t") // The form comes first.
		return "looks like " + columns[1], "revoke it " + columns[2] + ", then leave it out of the packet"
	case r.Why == "":
		return "looks like a secret of the kind that gitleaks names " + r.ID,
			"revoke it where it was made, then leave it out of the packet"
	default:
		return r.Why, r.Advice
	}
}

// Rules returns the built-in rules, the most specific first.
func Rules() []Rule {
	rules := builtIn()
	for i := range rules {
		rules[i].Why, rules[i].Advice = rules[i].describeFinding()
	}
	return rules
}
