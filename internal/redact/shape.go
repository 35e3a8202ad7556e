package redact

import "strings"

// judged is how much of a long token is looked at to decide what it is.
const judged = 200

// A shape describes tokens that begin with a prefix of their own.
type shape struct {
	prefixes []string // required, in their exact case
	body     func(byte) bool
	min      int  // required: the least length of the body
	exact    bool // the body has min bytes and no more
	alone    bool // no letter or digit stands in front
	digit    bool // the body has a digit
	part     byte // the body has this byte inside
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
	limit := min(len(text), keyword.end+judged)
	end := run(text, keyword.end, limit, s.body)
	body := text[keyword.end:end]
	if trimmed := strings.TrimRight(body, "."); len(trimmed) < len(body) {
		body, end = trimmed, keyword.end+len(trimmed)
	}
	if len(body) < s.min || (s.exact && len(body) > s.min) {
		return span{}, false
	}
	if s.digit && classesOf(body).digit == 0 {
		return span{}, false
	}
	if s.part != 0 && strings.IndexByte(body, s.part) < 0 {
		return span{}, false
	}
	if wordy(body) || placeholder(body) {
		return span{}, false
	}
	if end == limit {
		end = run(text, end, len(text), s.body)
	}
	return span{keyword.start, end}, true
}

// begins says whether the keyword is a prefix in its exact case and may
// begin a token where it stands.
func (s *shape) begins(text string, keyword span) bool {
	before := byteBefore(text, keyword.start)
	if s.alone && isAlnum(before) {
		return false
	}
	// A run of capitals and digits that merely holds the prefix is no token.
	if s.exact && s.body(before) && !s.alone {
		return false
	}
	for _, prefix := range s.prefixes {
		if keyword.of(text) == prefix {
			return true
		}
	}
	return false
}
