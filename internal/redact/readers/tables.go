package readers

import (
	"regexp"
	"slices"
	"strings"
	"sync"

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
		sign := byte(0) // What parts the cells.
		if part := strings.IndexFunc("|\t;,", func(r rune) bool { return strings.ContainsRune(head.Of(text), r) }); part >= 0 {
			sign = "|\t;,"[part]
		}
		first := at
		double := strings.HasPrefix(head.Of(text), "||") // Jira marks a head so, and has no rule below.
		switch {
		case sign == 0, sign != '|' && text[head.Start] == sign: // The first cell has no name, as in what is indented.
			continue
		case sign == '|' && !double:
			rule := lineAt(text, at)
			if line := rule.Of(text); !strings.Contains(line, "-") || strings.Trim(line, " \t\r|:-+") != "" {
				continue
			}
			first = rule.End + 1
		}
		names = cellsOf(names[:0], text, head, sign)
		if double {
			names = slices.DeleteFunc(names, func(cell lex.Span) bool { return cell.Start == cell.End })
		}
		if len(names) < 2 || slices.ContainsFunc(names, func(cell lex.Span) bool {
			name, _ := bareValue(text, cell)
			return !isName(name.Of(text)) && (sign != '|' || name.Start < name.End) // A table with rules.
		}) {
			continue
		}
		for row := first; row < len(text); row = at {
			line := lineAt(text, row)
			values = cellsOf(values[:0], text, line, sign)
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

// cellsOf appends what stands between the signs of a line to cells. A sign in double quotes parts nothing.
func cellsOf(cells []lex.Span, text string, line lex.Span, sign byte) []lex.Span {
	if sign == '|' {
		line = trimSet(text, line, blanks)
		if line.Start < line.End && text[line.Start] == '|' {
			line.Start++
		}
		if line.Start < line.End && text[line.End-1] == '|' {
			line.End--
		}
	}
	quoted := false
	for at := line.Start; at < line.End; at++ {
		switch c := text[at]; {
		case c == '"' && sign != '|':
			quoted = !quoted
		case c == sign && !quoted:
			cells = append(cells, lex.Between(line.Start, at))
			line.Start = at + 1
		}
	}
	return append(cells, line)
}

// A statement that inserts, by its names and its tuples, and one tuple.
//
//nolint:gochecknoglobals // Functions that remember their results; nobody writes to them.
var (
	insertion = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)insert into [^(]{1,128}\(([^()]{1,999})\)\s{0,16}values` +
			`((?:[\s,]*\((?:'[^']*'|[^'()]|\([^()]*\))*\))+)`)
	})
	tuple = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\(((?:'[^']*'|[^'()]|\([^()]*\))*)\)`)
	})
)

// readInserts reads the tuples of statements: insert into table (names) values (values), (values).
func readInserts(text string, give func(Event)) {
	for _, at := range insertion().FindAllStringSubmatchIndex(text, -1) {
		names := cellsOf(nil, text, lex.Between(at[2], at[3]), ',')
		for _, row := range tuple().FindAllStringSubmatchIndex(text[at[4]:at[5]], -1) {
			values := cellsOf(nil, text, lex.Between(at[4]+row[2], at[4]+row[3]), ',')
			for i, cell := range values {
				if len(values) != len(names) {
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
