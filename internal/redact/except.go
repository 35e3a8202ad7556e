package redact

import (
	"errors"
	"regexp"
	"slices"
	"strings"
)

// An Exception says which findings are none. A finding that meets any of its
// criteria is dropped, or, with All, one that meets every kind of criterion
// that is given. Of one kind, one is enough.
type Exception struct {
	Rules []string // IDs of the rules that it is for. None: every rule.

	Secrets []*regexp.Regexp // Match in the secret.
	Matches []*regexp.Regexp // Match in what the rule matched around it.
	Lines   []*regexp.Regexp // Match in the lines that it stands on, as they are or as a decoder gives them.
	Words   []string         // Stand in the secret, in any case of letters.

	All bool   // Every kind that is given must hold.
	Why string // Why it is no secret, for people.
}

// maxLine bounds the lines that an Exception reads. What stands on longer ones
// is no exception because of them.
const maxLine = 16 << 10

// prepared checks the exceptions of a single rule and returns them with their
// words in lower case.
func prepared(all []Exception) ([]Exception, error) {
	all = slices.Clone(all)
	for i := range all {
		if len(all[i].Rules) > 0 {
			return nil, errors.New("an exception of one rule names rules")
		}
		if err := all[i].check(); err != nil {
			return nil, err
		}
		all[i].Words = lower(all[i].Words)
	}
	return all, nil
}

func (e *Exception) check() error {
	if len(e.Secrets)+len(e.Matches)+len(e.Lines)+len(e.Words) == 0 {
		return errors.New("an exception has no criterion")
	}
	for _, exprs := range [...][]*regexp.Regexp{e.Secrets, e.Matches, e.Lines} {
		if slices.Contains(exprs, nil) {
			return errors.New("an exception has an expression that is nil")
		}
	}
	if checkWords(e.Words) != nil {
		return errors.New("an exception has an empty word")
	}
	return nil
}

// A hit is a secret in one form of a text, with what the rule matched to find
// it and where that stands in the text itself.
type hit struct {
	text          string
	secret, match span
	source        string
	at            span
}

// excepted says whether an exception drops what a rule found.
func (s *Scanner) excepted(rule int, h hit) bool {
	if s.except == nil {
		return false
	}
	for i := range s.except[rule] {
		if s.except[rule][i].holds(h) {
			return true
		}
	}
	return false
}

func (e *Exception) holds(h hit) bool {
	if len(e.Secrets) > 0 && anyMatches(e.Secrets, h.secret.of(h.text)) != e.All {
		return !e.All
	}
	if len(e.Matches) > 0 && anyMatches(e.Matches, h.match.of(h.text)) != e.All {
		return !e.All
	}
	if len(e.Lines) > 0 && (anyLineMatches(e.Lines, h.text, h.match) || anyLineMatches(e.Lines, h.source, h.at)) != e.All {
		return !e.All
	}
	if len(e.Words) > 0 && holdsWord(e.Words, h.secret.of(h.text)) != e.All {
		return !e.All
	}
	return e.All
}

func anyMatches(exprs []*regexp.Regexp, text string) bool {
	return slices.ContainsFunc(exprs, func(expr *regexp.Regexp) bool { return expr.MatchString(text) })
}

// anyLineMatches says whether an expression matches in the lines of text that
// hold s.
func anyLineMatches(exprs []*regexp.Regexp, text string, s span) bool {
	from, to := max(0, s.start-maxLine), min(len(text), s.end+maxLine)
	start := from + strings.LastIndexByte(text[from:s.start], '\n') + 1
	end := to
	if n := strings.IndexByte(text[s.end:to], '\n'); n >= 0 {
		end = s.end + n
	}
	if end-start > maxLine {
		return false
	}
	return anyMatches(exprs, text[start:end])
}

func holdsWord(words []string, secret string) bool {
	secret = strings.ToLower(secret)
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(secret, word) })
}
