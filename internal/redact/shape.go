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
	alone    bool   // No letter or digit stands in front, or with mixed no other digit of base64.
	digit    bool   // The body has a digit.
	mixed    bool   // The body is jumbled.
	part     byte   // The body has this byte inside.
}

// A tokenRow is a line in a table of tokens: the name of its rule, the service
// for a reader, the place to revoke the token, and how it looks.
type tokenRow struct {
	id, service, where string
	shape
}

// tokens returns the rules of some tables. It is called at the start of each
// process and makes what the rules share in one piece.
func tokens(tables ...[]tokenRow) []Rule {
	rows, keywords, letters := 0, 0, 0
	for _, table := range tables {
		rows += len(table)
		for i := range table {
			for _, prefix := range table[i].prefixes {
				keywords++
				letters += len(prefix)
			}
			letters += len(looksLike) + len(table[i].service) + len(revokeIt) + len(table[i].where) + len(thenLeave)
		}
	}
	shared := sheet{keywords: make([]string, 0, keywords)}
	shared.words.Grow(letters)
	rules := make([]Rule, 0, rows)
	for _, table := range tables {
		for i := range table {
			rules = append(rules, shared.rule(&table[i]))
		}
	}
	return rules
}

// A sheet holds the strings of many rules.
type sheet struct {
	words    strings.Builder
	keywords []string
}

func (s *sheet) rule(row *tokenRow) Rule {
	start := len(s.keywords)
	for _, prefix := range row.prefixes {
		s.keywords = append(s.keywords, s.lower(prefix))
	}
	return Rule{
		ID:       row.id,
		Severity: Block,
		Why:      s.write(looksLike, row.service),
		Advice:   s.write(revokeIt, row.where, thenLeave),
		keywords: s.keywords[start:len(s.keywords):len(s.keywords)],
		public:   row.prefixes,
		shape:    true,
		find:     row.find,
	}
}

func (s *sheet) lower(prefix string) string {
	if classesOf(prefix).upper == 0 {
		return prefix
	}
	start := s.words.Len()
	for i := range len(prefix) {
		s.words.WriteByte(fold(prefix[i]))
	}
	return s.words.String()[start:]
}

func (s *sheet) write(parts ...string) string {
	start := s.words.Len()
	for _, part := range parts {
		s.words.WriteString(part)
	}
	return s.words.String()[start:]
}

// The words around what a row says.
const (
	looksLike = "looks like "
	revokeIt  = "revoke it "
	thenLeave = ", then leave it out of the packet"
)

// token returns the blocking rule for tokens of the given shape. Service is
// its name for a reader, and where is the place to revoke the token.
func token(id, service, where string, s shape) Rule {
	return tokens([]tokenRow{{id, service, where, s}})[0]
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
