package redact

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-ltm/git-ltm/internal/redact/forms"
	"github.com/git-ltm/git-ltm/internal/redact/judge"
	"github.com/git-ltm/git-ltm/internal/redact/lex"
)

// A whole is the part of a Rule that reads a text from end to end.
type whole struct {
	expr     func() *regexp.Regexp
	group    int
	entropy  float64
	keywords []string // In lower case. None: it reads every text.
}

const (
	// maxWork bounds what the matches of one rule in one text may cost. Since
	// each of them may have read to the end of the text, their number is
	// bounded by what that text may cost, but is never below minMatches.
	maxWork    = 16 << 20
	minMatches = 64
)

// scanWholes adds to hits what the rules for whole texts find in one form of a text that holds a keyword of
// theirs.
func (s *Scanner) scanWholes(hits []found, text string, f forms.Form) []found {
	folded := strings.ToLower(f.Text)
	var masked []lex.Span
	if strings.Contains(f.Text, judge.LabelOpen) {
		masked = s.labelsIn(f.Text)
	}
	for rule := s.own; rule < len(s.rules); rule++ {
		if s.isStopped() {
			return hits
		}
		if keywords := s.rules[rule].whole.keywords; len(keywords) == 0 || holdsWord(keywords, folded) {
			hits = s.matchesOf(hits, text, f, rule, masked)
		}
	}
	return hits
}

// matchesOf adds to hits every match of one rule. What stands behind the last
// match that may be looked at counts as found.
func (s *Scanner) matchesOf(hits []found, text string, f forms.Form, rule int, masked []lex.Span) []found {
	r, plain := &s.rules[rule], f.IsOriginal()
	most := max(minMatches, maxWork/max(1, len(f.Text)))
	for i, groups := range r.whole.expr().FindAllStringSubmatchIndex(f.Text, most+1) {
		if i == most {
			return append(hits, s.foundBy(rule, f.OriginOf(lex.Between(groups[0], len(f.Text))), plain))
		}
		h := r.whole.hitOf(f.Text, groups)
		h.source, h.at = text, f.OriginOf(h.match)
		switch {
		case slices.ContainsFunc(masked, func(label lex.Span) bool {
			return label.Start <= h.secret.Start && h.secret.End <= label.End
		}),
			r.whole.entropy > 0 && runeEntropy(h.secret.Of(f.Text)) <= r.whole.entropy:
		case r.isExcepted(h):
		default:
			hits = append(hits, s.foundBy(rule, f.OriginOf(h.secret), plain))
		}
	}
	return hits
}

// hitOf returns the secret of a match, given the bounds of its groups. Line ends
// around a match are not part of it.
func (w *whole) hitOf(text string, groups []int) hit {
	match := lex.Between(groups[0], groups[1])
	for match.Start+1 < match.End && text[match.Start] == '\n' {
		match.Start++
	}
	for match.Start+1 < match.End && text[match.End-1] == '\n' {
		match.End--
	}
	for i := 1; i < len(groups)/2; i++ {
		if group := lex.Between(groups[2*i], groups[2*i+1]); (w.group == 0 || w.group == i) &&
			group.Start < group.End {
			return hit{text: text, secret: group, match: match}
		}
	}
	return hit{text: text, secret: match, match: match}
}

// labels matches the labels of masks. A longer number is none: it could be what was to be hidden.
//
//nolint:gochecknoglobals // A function that remembers its result; nobody writes to it.
var labels = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(regexp.QuoteMeta(judge.LabelOpen) + `([\w.+/-]+)(?:#(\d{1,4}))?\](?:#(?:\d{1,4}\b)?)?`)
})

// labelsIn returns where text holds labels of known rules. Neighbours are one.
// Without them a rule that matches anything would find what masking left.
func (s *Scanner) labelsIn(text string) []lex.Span {
	var all []lex.Span
	for _, at := range labels().FindAllStringSubmatchIndex(text, -1) {
		switch last := len(all) - 1; {
		case !s.Has(text[at[2]:at[3]]):
		case last >= 0 && all[last].End == at[0]:
			all[last].End = at[1]
		default:
			all = append(all, lex.Between(at[0], at[1]))
		}
	}
	return all
}
