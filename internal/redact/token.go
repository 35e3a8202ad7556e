package redact

import "strings"

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
