package redact

import "strings"

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
	alone    bool   // No letter or digit stands in front.
	digit    bool   // The body has a digit.
	mixed    bool   // The body has capitals, small letters and digits, and is no name.
	part     byte   // The body has this byte inside.
}

// A tokenRow is a line in a table of tokens: the name of its rule, the service
// for a reader, the place to revoke the token, and how it looks.
type tokenRow struct {
	id, service, where string
	shape
}

// tokens returns the rules of a table.
func tokens(rows []tokenRow) []Rule {
	rules := make([]Rule, len(rows))
	for i := range rows {
		rules[i] = token(rows[i].id, rows[i].service, rows[i].where, rows[i].shape)
	}
	return rules
}

// token returns the blocking rule for tokens of the given shape. Service is
// its name for a reader, and where is the place to revoke the token.
func token(id, service, where string, s shape) Rule {
	return Rule{
		ID:       id,
		Severity: Block,
		Why:      "looks like " + service,
		Advice:   "revoke it " + where + ", then leave it out of the packet",
		keywords: lower(s.prefixes),
		public:   s.prefixes,
		shape:    true,
		find:     s.find,
	}
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
		end = run(text, end, len(text), s.body)
	}
	return span{start, end}, true
}

// begins says whether the keyword is a prefix in its exact case and may
// begin a token where it stands.
func (s *shape) begins(text string, keyword span) bool {
	before := byteBefore(text, keyword.start)
	if s.alone && isAlnum(before) {
		return false
	}
	// A run of capitals and digits that merely holds the prefix is no token.
	if s.exact && s.lead == 0 && s.body(before) && !s.alone {
		return false
	}
	for _, prefix := range s.prefixes {
		if keyword.of(text) == prefix {
			return true
		}
	}
	return false
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
		return s.layout.match(text, at)
	}
	end := run(text, at, limit, s.body)
	end = at + len(strings.TrimRight(text[at:end], "."))
	return end, end-at >= s.min && (!s.exact || end-at == s.min)
}

// plausible judges the parts of a token that are not its prefix.
func (s *shape) plausible(lead, body string) bool {
	if s.lead > 0 {
		body = lead + body
	}
	n := classesOf(body)
	switch {
	case (s.digit || s.mixed) && n.digit == 0:
		return false
	case s.mixed && (n.upper == 0 || n.lower == 0 || identifier(body)):
		return false
	case s.part != 0 && strings.IndexByte(body, s.part) < 0:
		return false
	}
	return !wordy(body) && !placeholder(body)
}
