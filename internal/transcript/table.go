package transcript

import "strings"

// tableChange is a change of one row of the table todos, in which Copilot CLI keeps the steps of an agent.
type tableChange struct {
	makes bool
	task  task
}

// tableChanges reads the changes of single rows in some statements of SQL. What else a statement may do it leaves alone.
func tableChanges(query string) []tableChange {
	var all []tableChange
	words := sqlWords(query)
	for len(words) > 0 {
		end := 0
		for end < len(words) && words[end] != ";" {
			end++
		}
		statement := words[:end]
		words = words[min(end+1, len(words)):]
		switch {
		case begins(statement, "insert", "into", "todos"):
			all = append(all, insertedRows(statement[3:])...)
		case begins(statement, "update", "todos", "set"):
			all = append(all, updatedRows(statement[3:])...)
		case begins(statement, "delete", "from", "todos"):
			all = append(all, rowsWhere(statement[3:], "deleted")...)
		}
	}
	return all[:min(len(all), mostParts)]
}

// apply makes the changes in the list of steps.
func (s *steps) apply(changes []tableChange) {
	for _, c := range changes {
		if c.makes {
			s.create(c.task, c.task.id)
		} else {
			s.update(c.task)
		}
	}
}

// sqlWords are the words of statements: names in small letters, texts with a quote before them, and signs.
func sqlWords(query string) []string {
	var all []string
	for query = strings.TrimSpace(query); query != ""; query = strings.TrimSpace(query) {
		n := 1
		switch c := query[0]; {
		case strings.HasPrefix(query, "--"):
			_, query, _ = strings.Cut(query, "\n")
			continue
		case c == '\'':
			var text string
			text, n = sqlText(query)
			all = append(all, "'"+text)
		case isNameByte(c):
			for n < len(query) && isNameByte(query[n]) {
				n++
			}
			if word := strings.ToLower(query[:n]); word != "or" && word != "ignore" && word != "replace" {
				all = append(all, word)
			}
		default:
			all = append(all, query[:1])
		}
		query = query[n:]
	}
	return all
}

// sqlText reads a text in quotes, in which a quote is doubled, and says how long it is with them.
func sqlText(query string) (text string, n int) {
	var out strings.Builder
	for n = 1; n < len(query); n++ {
		if query[n] == '\'' {
			if n++; n >= len(query) || query[n] != '\'' {
				return out.String(), n
			}
		}
		out.WriteByte(query[n])
	}
	return out.String(), n
}

func begins(words []string, with ...string) bool {
	for i, w := range with {
		if i >= len(words) || words[i] != w {
			return false
		}
	}
	return true
}

// insertedRows reads what follows INSERT INTO todos: the names of columns, VALUES, and rows.
func insertedRows(words []string) []tableChange {
	columns, words := sqlRow(words)
	if !begins(words, "values") {
		return nil
	}
	var all []tableChange
	for words = words[1:]; len(words) > 0 && len(all) < mostParts; {
		var row []string
		if row, words = sqlRow(words); row == nil {
			break
		}
		words = trimComma(words)
		change := tableChange{makes: true}
		for i, value := range row {
			if i < len(columns) {
				change.task = change.task.with(columns[i], value)
			}
		}
		all = append(all, change)
	}
	return all
}

func trimComma(words []string) []string {
	if begins(words, ",") {
		return words[1:]
	}
	return words
}

// sqlRow reads values in parentheses, each of which is one word; others are empty.
func sqlRow(words []string) (row, rest []string) {
	if !begins(words, "(") {
		return nil, words
	}
	value, depth := "", 0
	for i, w := range words[1:] {
		switch {
		case depth == 0 && (w == "," || w == ")"):
			row, value = append(row, value), ""
			if w == ")" {
				return row, words[i+2:]
			}
		case w == "(":
			depth++
		case w == ")":
			depth--
		default:
			value = w
		}
	}
	return nil, nil
}

// with sets what a column holds.
func (t task) with(column, value string) task {
	value = head(Told(strings.TrimPrefix(value, "'")), mostLabel)
	switch column {
	case "id":
		t.id = value
	case "title":
		t.text = value
	case "status":
		t.status = value
	}
	return t
}

// updatedRows reads what follows UPDATE todos SET: assignments and the rows.
func updatedRows(words []string) []tableChange {
	var change task
	for i := 0; i+2 < len(words) && words[i] != "where"; i++ {
		if words[i+1] == "=" && strings.HasPrefix(words[i+2], "'") {
			change = change.with(words[i], words[i+2])
		}
	}
	all := rowsWhere(words, change.status)
	for i := range all {
		all[i].task.text = change.text
	}
	return all
}

// rowsWhere reads which rows are meant by their ids, and gives them a state.
func rowsWhere(words []string, status string) []tableChange {
	for len(words) > 0 && words[0] != "where" {
		words = words[1:]
	}
	var ids []string
	switch {
	case begins(words, "where", "id", "=") && len(words) == 4:
		ids = words[3:]
	case begins(words, "where", "id", "in"):
		ids, _ = sqlRow(words[3:])
	}
	var all []tableChange
	for _, id := range ids {
		all = append(all, tableChange{task: task{status: status}.with("id", id)})
	}
	return all
}
