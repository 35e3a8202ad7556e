package redact

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact/lex"
)

// A Config says how a Scanner differs from the built-in rules.
type Config struct {
	Rules []Rule // Further rules, such as Custom.Rule returns.
	// Rules of a file that nobody vouches for. What they find takes the place of nothing else.
	Added      []Rule
	Disabled   []string    // IDs of built-in rules that are left out.
	Exceptions []Exception // For all rules together, or those that they name.
}

// NewWith returns a Scanner with the built-in rules and what cfg adds to them
// or takes from them. A rule may have the ID of a built-in one only if that one
// is disabled. The error tells everything that is wrong with cfg.
func NewWith(cfg Config) (*Scanner, error) {
	own := builtIn()
	// Whether it stands, or was taken away.
	known := make(map[string]bool, len(own)+len(cfg.Rules)+len(cfg.Added))
	for i := range own {
		own[i].off = slices.Contains(cfg.Disabled, own[i].ID)
		known[own[i].ID] = !own[i].off
	}
	var errs []error
	for _, id := range cfg.Disabled {
		if _, ok := known[id]; !ok {
			errs = append(errs, fmt.Errorf("disable rule %q: %w", id, ErrUnknownRule))
		}
	}
	further := slices.Concat(cfg.Rules, cfg.Added)
	for i := range further {
		id := further[i].ID
		further[i].added = i >= len(cfg.Rules)
		if known[id] {
			errs = append(errs, fmt.Errorf("add rule %q: there is one of this name", id))
		}
		known[id] = true
	}
	s := newScanner(own, further)
	for _, e := range cfg.Exceptions {
		for _, id := range e.Rules {
			if _, ok := known[id]; !ok {
				errs = append(errs, fmt.Errorf("except from rule %q: %w", id, ErrUnknownRule))
			}
		}
		e.Words = lowerAll(e.Words)
		for i := range s.rules {
			if r := &s.rules[i]; len(e.Rules) == 0 || slices.Contains(e.Rules, r.ID) {
				r.except = append(slices.Clip(r.except), e)
			}
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return s, nil
}

// ErrUnknownRule says that no rule has the ID that is given.
var ErrUnknownRule = errors.New("there is no such rule")

// Rules returns the rules of the Scanner, the most specific first.
func (s *Scanner) Rules() []Rule {
	all := slices.DeleteFunc(slices.Clone(s.rules), func(r Rule) bool { return r.off })
	for i := range all {
		all[i].Why, all[i].Advice = all[i].describeFinding()
	}
	return all
}

// An Exception says which findings are none. A finding that meets any of its
// criteria is dropped, or, with All, one that meets every kind of criterion
// that is given. Of one kind, one is enough. It has a criterion, and no word is empty.
type Exception struct {
	Rules []string // IDs of the rules that it is for. None: every rule.

	Secrets []*regexp.Regexp // Match in the secret.
	Matches []*regexp.Regexp // Match in what the rule matched around it.
	Lines   []*regexp.Regexp // Match in the lines that it stands on, as they are or as a decoder gives them.
	Words   []string         // Stand in the secret, in any case of letters.

	All bool // Every kind that is given must hold.
}

// maxLine bounds the lines that an Exception reads. What stands on longer ones
// is no exception because of them.
const maxLine = 16 << 10

// A hit is a secret in one form of a text, with what the rule matched to find
// it and where that stands in the text itself.
type hit struct {
	text          string
	secret, match lex.Span
	source        string
	at            lex.Span
}

// isExcepted says whether an exception drops what a rule found.
func (r *Rule) isExcepted(h hit) bool {
	return slices.ContainsFunc(r.except, func(e Exception) bool { return e.holdsFor(h) })
}

func (e *Exception) holdsFor(h hit) bool {
	if len(e.Secrets) > 0 && anyMatches(e.Secrets, h.secret.Of(h.text)) != e.All {
		return !e.All
	}
	if len(e.Matches) > 0 && anyMatches(e.Matches, h.match.Of(h.text)) != e.All {
		return !e.All
	}
	if len(e.Lines) > 0 &&
		(anyLineMatches(e.Lines, h.text, h.match) || anyLineMatches(e.Lines, h.source, h.at)) != e.All {
		return !e.All
	}
	if len(e.Words) > 0 && holdsWord(e.Words, strings.ToLower(h.secret.Of(h.text))) != e.All {
		return !e.All
	}
	return e.All
}

func anyMatches(exprs []*regexp.Regexp, text string) bool {
	return slices.ContainsFunc(exprs, func(expr *regexp.Regexp) bool { return expr.MatchString(text) })
}

// anyLineMatches says whether an expression matches in the lines of text that
// hold s.
func anyLineMatches(exprs []*regexp.Regexp, text string, s lex.Span) bool {
	from, to := max(0, s.Start-maxLine), min(len(text), s.End+maxLine)
	start := from + strings.LastIndexByte(text[from:s.Start], '\n') + 1
	end := to
	if n := strings.IndexByte(text[s.End:to], '\n'); n >= 0 {
		end = s.End + n
	}
	if end-start > maxLine {
		return false
	}
	return anyMatches(exprs, text[start:end])
}

// holdsWord says whether a text in small letters holds one of some words.
func holdsWord(words []string, text string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}
