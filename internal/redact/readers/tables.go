package readers

import (
	"iter"
	"slices"
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
		names = names[:0]
		for cell := range cellsOf(text, head, sign) {
			if !double || cell.Start < cell.End {
				names = append(names, cell)
			}
		}
		if len(names) < 2 ||
			slices.ContainsFunc(names, func(cell lex.Span) bool { return !isHead(text, cell, sign) }) {
			continue
		}
		for row := first; row < len(text); row = at {
			line := lineAt(text, row)
			values = slices.AppendSeq(values[:0], cellsOf(text, line, sign))
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

// maxTuple bounds what is read of one tuple.
const maxTuple = 8 << 10

// readInserts reads the tuples of statements: insert into table (names) values (values), (values).
func readInserts(text string, give func(Event)) {
	const insert, values = "insert into ", "values"
	for at := 0; ; {
		next := lex.IndexFold(text[at:], insert)
		if next < 0 {
			return
		}
		at += next + len(insert)
		head, ok := tupleAt(text, lex.Run(text, at, min(len(text), at+2*maxName), func(c byte) bool { return c != '(' }))
		at = lex.Run(text, head.End+1, min(len(text), head.End+17), lex.IsSpace)
		if !ok || !lex.HasFold(text[at:], values) {
			continue
		}
		at += len(values)
		names := slices.Collect(cellsOf(text, head, ','))
		for row, ok := tupleAt(text, at); ok; row, ok = tupleAt(text, at) {
			at = row.End + 1
			cells := slices.Collect(cellsOf(text, row, ','))
			for i, cell := range cells {
				if len(cells) != len(names) {
					break
				}
				name, _ := bareValue(text, names[i])
				value, quoted := bareValue(text, cell)
				if isCandidate(value.Of(text)) && isName(name.Of(text)) {
					give(Event{Name: name, Value: value, Quoted: quoted})
				}
			}
		}
	}
}

// tupleAt returns what stands in the brackets that open at text[at], behind blanks and commas.
func tupleAt(text string, at int) (lex.Span, bool) {
	limit := min(len(text), at+maxTuple)
	at = lex.Run(text, at, limit, func(c byte) bool { return lex.IsSpace(c) || c == ',' })
	depth, quoted := 0, false
	for end := at; end < limit && (depth > 0 || text[at] == '('); end++ {
		switch c := text[end]; {
		case c == '\'':
			quoted = !quoted
		case quoted:
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return lex.Between(at+1, end), true
			}
		}
	}
	return lex.Between(at, at), false
}
