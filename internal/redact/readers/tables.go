package readers

import (
	"iter"
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact/lex"
)

// Tables gives what the tables of a text give: those of Markdown, and lines of values with a sign between
// them below a line of names. The first cell of a row names what the others belong to. Each line is read at
// most three times, and what is kept is one head and one row, so that a table may be as wide and as long as
// it likes.
func Tables(text string, give func(Event)) {
	var names, values []lex.Span
	for at := 0; at < len(text); {
		head := lineAt(text, at)
		at = head.End + 1
		sign := separatorOf(head.Of(text))
		first := at
		double := strings.HasPrefix(head.Of(text), "||") // Jira marks a head so, and has no rule below.
		if sign == '|' && !double {
			rule := lineAt(text, at)
			if !isRule(rule.Of(text)) {
				continue
			}
			first = rule.End + 1
		}
		if sign == 0 {
			continue
		}
		named := true
		names = names[:0]
		for cell := range cellsOf(text, head, sign) {
			if named = isHead(text, cell, sign); !named {
				break
			}
			if !double || cell.Start < cell.End {
				names = append(names, cell)
			}
		}
		if !named || len(names) < 2 {
			continue
		}
		for row := first; row < len(text); row = at {
			line := lineAt(text, row)
			values = values[:0]
			for cell := range cellsOf(text, line, sign) {
				if values = append(values, cell); len(values) > len(names) {
					break
				}
			}
			if len(values) != len(names) {
				break
			}
			at = line.End + 1
			var above lex.Span
			for i, cell := range values {
				value, quoted := bareValue(text, cell)
				if isCandidate(value.Of(text)) {
					name, _ := bareValue(text, names[i])
					give(Event{above, name, value, quoted})
				}
				if i == 0 && isName(value.Of(text)) {
					above = value
				}
			}
		}
	}
}

// separatorOf returns the sign that parts the cells of a line, or 0.
func separatorOf(line string) byte {
	for _, sign := range []byte("|\t;,") {
		if strings.IndexByte(line, sign) >= 0 {
			return sign
		}
	}
	return 0
}

// isRule says whether a line parts the head of a table from its rows.
func isRule(line string) bool {
	return strings.Contains(line, "-") && strings.Trim(line, " \t\r|:-+") == ""
}

// isHead says whether a cell is a name, which may be empty in a table with rules.
func isHead(text string, cell lex.Span, sign byte) bool {
	name, _ := bareValue(text, cell)
	return isName(name.Of(text)) || sign == '|' && name.Start == name.End
}

// cellsOf yields what stands between the signs of a line. A sign in double quotes parts nothing.
func cellsOf(text string, line lex.Span, sign byte) iter.Seq[lex.Span] {
	if sign == '|' {
		line = trimSet(text, line, blanks)
		if line.Start < line.End && text[line.Start] == '|' {
			line.Start++
		}
		if line.Start < line.End && text[line.End-1] == '|' {
			line.End--
		}
	}
	return func(yield func(lex.Span) bool) {
		start, quoted := line.Start, false
		for at := line.Start; at < line.End; at++ {
			switch c := text[at]; {
			case c == '"' && sign != '|':
				quoted = !quoted
			case c == sign && !quoted:
				if !yield(lex.Between(start, at)) {
					return
				}
				start = at + 1
			}
		}
		yield(lex.Between(start, line.End))
	}
}

// readInserts reads the tuples of statements: insert into table (names) values (values), (values).
func readInserts(text string, give func(Event)) {
	for at := 0; ; {
		next := indexFold(text[at:], "insert into ")
		if next < 0 {
			return
		}
		at += next + len("insert into ")
		open := strings.IndexByte(text[at:min(len(text), at+2*maxName)], '(')
		if open < 0 {
			continue
		}
		names, end := readTuple(text, at+open)
		values := indexFold(text[end:min(len(text), end+16)], "values")
		if values < 0 {
			at = end
			continue
		}
		for at = end + values + len("values"); ; {
			open := strings.IndexFunc(text[at:], func(r rune) bool {
				return !strings.ContainsRune(" \t\r\n,", r)
			})
			if open < 0 || text[at+open] != '(' {
				break
			}
			var row []lex.Span
			row, at = readTuple(text, at+open)
			if len(row) != len(names) {
				break
			}
			for i, cell := range row {
				value, quoted := bareValue(text, cell)
				if name, _ := bareValue(text, names[i]); isCandidate(value.Of(text)) &&
					isName(name.Of(text)) {
					give(Event{Name: name, Value: value, Quoted: quoted})
				}
			}
		}
	}
}

// readTuple returns what commas part between the bracket at text[open] and the one that closes it, and where that
// ends.
func readTuple(text string, open int) ([]lex.Span, int) {
	var all []lex.Span
	depth, quote := 0, byte(0)
	start := open + 1
	limit := min(len(text), open+4*maxValue)
	for at := open; at < limit; at++ {
		switch c := text[at]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case strings.IndexByte(quotes, c) >= 0:
			quote = c
		case c == '(':
			depth++
		case c == ',' && depth == 1:
			all = append(all, lex.Between(start, at))
			start = at + 1
		case c == ')':
			if depth--; depth == 0 {
				return append(all, lex.Between(start, at)), at + 1
			}
		}
	}
	return nil, limit
}

// indexFold returns where word, in small letters, begins in text in any case.
func indexFold(text, word string) int {
	for at := 0; at+len(word) <= len(text); at++ {
		if text[at]|0x20 == word[0] && strings.EqualFold(text[at:at+len(word)], word) {
			return at
		}
	}
	return -1
}
