package redact

import (
	"slices"
	"strings"
)

// judged is how much of a long token is looked at to decide what it is.
const judged = 200

// A shape describes tokens that have a prefix of their own.
type shape struct {
	prefixes []string // required, in their exact case
	body     func(byte) bool
	min      int    // The least length of the body.
	layout   layout // In place of body and min, for a body of several parts.
	lead     int    // How many bytes of the body stand in front of the prefix.
	exact    bool   // The body has min bytes and no more.
	alone    bool   // No letter or digit stands in front, or with mixed no other digit of base64.
	digit    bool   // The body has a digit.
	mixed    bool   // The body is jumbled.
	part     byte   // The body has this byte inside.
}

func (s *shape) find(text string, keyword span) (span, bool) {
	if !s.begins(text, keyword) {
		return span{}, false
	}
	start, ok := s.start(text, keyword)
	if !ok {
		return span{}, false
	}
	limit := min(len(text), keyword.end+judged)
	end, ok := s.end(text, keyword.end, limit)
	if !ok || !s.plausible(text[start:keyword.start], text[keyword.end:end]) {
		return span{}, false
	}
	if end == limit && s.layout == "" {
		end += len(strings.TrimRight(text[end:run(text, end, len(text), s.body)], "."))
	}
	return span{start, end}, true
}

// begins says whether the keyword is a prefix in its exact case and may
// begin a token where it stands.
func (s *shape) begins(text string, keyword span) bool {
	before := byteBefore(text, keyword.start)
	if s.alone && (isAlnum(before) || s.mixed && before != '=' && isBase64(before)) {
		return false
	}
	// A run of capitals and digits that merely holds the prefix is no token.
	if s.exact && s.lead == 0 && s.body(before) && !s.alone {
		return false
	}
	return slices.ContainsFunc(s.prefixes, func(prefix string) bool { return keyword.of(text) == prefix })
}

// start returns where the token begins.
func (s *shape) start(text string, keyword span) (int, bool) {
	if s.lead == 0 {
		return keyword.start, true
	}
	start := back(text, keyword.start, max(0, keyword.start-s.lead-1), s.body)
	return start, keyword.start-start == s.lead
}

// end returns where the token ends that has its body at text[at].
func (s *shape) end(text string, at, limit int) (int, bool) {
	if s.layout != "" {
		end, ok := s.layout.match(text, at)
		return at + len(strings.TrimRight(text[at:max(at, end)], ".")), ok
	}
	end := run(text, at, limit, s.body)
	if end < limit || limit == len(text) {
		end = at + len(strings.TrimRight(text[at:end], "."))
	}
	return end, end-at >= s.min && (!s.exact || end-at == s.min)
}

// plausible judges the parts of a token that are not its prefix.
func (s *shape) plausible(lead, body string) bool {
	if s.lead > 0 {
		body = lead + body
	}
	switch {
	case s.digit && classesOf(body).digit == 0, s.mixed && !jumbled(body):
		return false
	case s.part != 0 && strings.IndexByte(body, s.part) < 0:
		return false
	}
	return !wordy(body) && !placeholder(body)
}

// jumbled says whether a body looks made by chance: with letters of both
// cases and digits, or with many digits and letters past f.
func jumbled(body string) bool {
	const many = 4
	n := classesOf(body)
	switch {
	case n.digit == 0 || identifier(body):
		return false
	case n.upper > 0 && n.lower > 0:
		return true
	default:
		return n.digit >= many && n.upper+n.lower >= many && run(body, 0, len(body), isHex) < len(body)
	}
}
