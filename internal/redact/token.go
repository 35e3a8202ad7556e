package redact

// A tokenRow is a line in a table of tokens: the name of its rule, the service
// for a reader, the place to revoke the token, and how it looks.
type tokenRow struct {
	id, service, where string
	shape
}

// tokens returns the rules of some tables. It is called at the start of each
// process: what a rule says is put together only when it is asked for.
func tokens(tables ...[]tokenRow) []Rule {
	rows := 0
	for _, table := range tables {
		rows += len(table)
	}
	rules := make([]Rule, 0, rows)
	for _, table := range tables {
		for i := range table {
			rules = append(rules, table[i].rule())
		}
	}
	return rules
}

func (row *tokenRow) rule() Rule {
	return Rule{ID: row.id, Severity: Block, keywords: row.prefixes, shape: true, find: row.find, token: row}
}

// words returns what a finding looks like and what to do about it.
func (row *tokenRow) words() (why, advice string) {
	return "looks like " + row.service, "revoke it " + row.where + ", then leave it out of the packet"
}

// token returns the blocking rule for tokens of the given shape. Service is
// its name for a reader, and where is the place to revoke the token.
func token(id, service, where string, s shape) Rule {
	return (&tokenRow{id, service, where, s}).rule()
}
