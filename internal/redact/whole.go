package redact

import (
	"regexp"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact/forms"
	"github.com/git-ltm/git-ltm/internal/redact/judge"
	"github.com/git-ltm/git-ltm/internal/redact/layouts"
	"github.com/git-ltm/git-ltm/internal/redact/lex"
)

// A whole is the part of a Rule that reads a text from end to end.
type whole struct {
	expr     func() *regexp.Regexp
	group    int
	entropy  float64
	keywords []string // In lower case. None: it reads every text.
	added    bool     // It is one of Config.Added.
}

const (
	// maxWork bounds what the matches of one rule in one text may cost. Since
	// each of them may have read to the end of the text, their number is
	// bounded by what that text may cost, but is never below minMatches.
	maxWork    = 16 << 20
	minMatches = 64
)

// wholes are the rules of a Scanner that read whole texts.
type wholes struct {
	rules []int // Places in the rules of the Scanner.
	index index
	// slow are the rules with a keyword that the index cannot hold.
	slow  map[int]bool
	known map[string]bool // IDs of all rules of the Scanner.
}

// addRule takes in the rule at the given place.
func (w *wholes) addRule(rule int, keywords []string) {
	w.rules = append(w.rules, rule)
	if len(keywords) == 0 || slices.ContainsFunc(keywords, beyondIndex) {
		w.slow[rule] = true
		return
	}
	for _, keyword := range keywords {
		w.index.addKeyword(keyword, rule)
	}
}

// beyondIndex says whether an index cannot find keyword in any case.
func beyondIndex(keyword string) bool {
	return len(keyword) < 2 || strings.ContainsFunc(keyword, func(r rune) bool { return r >= 0x80 })
}

// scanWholes adds to hits what the rules for whole texts find in one form of a text.
func (s *Scanner) scanWholes(hits []found, text string, f forms.Form) []found {
	asked := make([]bool, len(s.rules))
	s.wholes.index.eachKeyword(f.Text, func(rule int, _ lex.Span) { asked[rule] = true })
	var masked []lex.Span
	if strings.Contains(f.Text, judge.LabelOpen) {
		masked = s.wholes.labelsIn(f.Text)
	}
	for _, rule := range s.wholes.rules {
		if s.stopped() {
			return hits
		}
		if asked[rule] || s.wholes.slow[rule] && s.rules[rule].whole.wantsText(f.Text) {
			hits = s.matchesOf(hits, text, f, rule, masked)
		}
	}
	return hits
}

// wantsText says whether the rule reads text, without the help of an index.
func (w *whole) wantsText(text string) bool {
	if len(w.keywords) == 0 {
		return true
	}
	return holdsWord(w.keywords, text)
}

// matchesOf adds to hits every match of one rule. What stands behind the last
// match that may be looked at counts as found.
func (s *Scanner) matchesOf(hits []found, text string, f forms.Form, rule int, masked []lex.Span) []found {
	r, plain := &s.rules[rule], f.IsOriginal()
	most := max(minMatches, maxWork/max(1, len(f.Text)))
	for i, groups := range r.whole.expr().FindAllStringSubmatchIndex(f.Text, most+1) {
		if i == most {
			return append(hits, found{
				f.OriginOf(lex.Between(groups[0], len(f.Text))), s.sourceOf(rule), r.Severity,
				plain,
			})
		}
		h := r.whole.hitOf(f.Text, groups)
		h.source, h.at = text, f.OriginOf(h.match)
		switch {
		case isWithin(masked, h.secret),
			r.whole.entropy > 0 && runeEntropy(h.secret.Of(f.Text)) <= r.whole.entropy:
		case s.isExcepted(rule, h):
		default:
			hits = append(hits, found{f.OriginOf(h.secret), s.sourceOf(rule), r.Severity, plain})
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

// labelsIn returns where text holds labels of known rules. Neighbours are one.
// Without them a rule that matches anything would find what masking left.
func (w *wholes) labelsIn(text string) []lex.Span {
	var all []lex.Span
	for from := 0; ; {
		at := strings.Index(text[from:], judge.LabelOpen)
		if at < 0 {
			return all
		}
		start := from + at
		from = start + len(judge.LabelOpen)
		end := strings.IndexByte(text[from:min(len(text), from+layouts.MaxSegment)], ']')
		if end < 0 {
			continue
		}
		id, number, numbered := strings.Cut(text[from:from+end], "#")
		if !w.known[id] || numbered && labelNumber(number) < len(number) {
			continue
		}
		from += end + 1
		if lex.ByteAt(text, from) == '#' {
			from += 1 + labelNumber(text[from+1:])
		}
		if len(all) > 0 && all[len(all)-1].End == start {
			all[len(all)-1].End = from
		} else {
			all = append(all, lex.Between(start, from))
		}
	}
}

// labelNumber returns how many digits at the beginning of text are the number
// of a label. Longer numbers are none: they could be what was to be hidden.
func labelNumber(text string) int {
	const most = 4
	if digits := lex.Run(text, 0, min(len(text), most+1), lex.IsDigit); digits <= most {
		return digits
	}
	return 0
}

// isWithin says whether one of the spans, which are in order, holds s.
func isWithin(spans []lex.Span, s lex.Span) bool {
	at, _ := slices.BinarySearchFunc(spans, s, func(a, b lex.Span) int { return a.End - b.End })
	return at < len(spans) && spans[at].Start <= s.Start
}
