package settings

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// Block is some lines between two comments, at the end of a file in which "#" begins a comment.
type Block struct {
	Name  string   `json:"name"` // required: what the comments call it
	Lines []string `json:"lines"`
}

// beginLine and end are the comments around the lines.
func (b Block) beginLine() string { return "# " + b.Name + ": begin" }
func (b Block) endLine() string   { return "# " + b.Name + ": end" }

// Append puts a block at the end of a text, with an empty line before it.
func (b Block) Append(text []byte) []byte {
	newline := newlineOf(text)
	body := strings.Join(slices.Concat([]string{b.beginLine()}, b.Lines, []string{b.endLine(), ""}), newline)
	switch rest := bytes.TrimPrefix(text, []byte(mark)); {
	case len(rest) == 0:
	case bytes.HasSuffix(rest, []byte("\n")):
		body = newline + body
	default:
		body = newline + newline + body
	}
	return slices.Concat(text, []byte(body))
}

// Within returns the lines of a text between the two comments, whatever they are, and whether the comments
// are there.
func (b Block) Within(text []byte) (lines []string, ok bool) {
	from, to, ok := b.span(text)
	if !ok {
		return nil, false
	}
	lines = strings.Split(strings.TrimSuffix(string(text[from:to]), "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	return lines[1 : len(lines)-1], true
}

// span is where the block stands, its comments among it.
func (b Block) span(text []byte) (from, to int, ok bool) {
	from, at := -1, len(text)-len(bytes.TrimPrefix(text, []byte(mark)))
	for line := range bytes.Lines(text[at:]) {
		switch strings.TrimRight(string(line), "\r\n") {
		case b.beginLine():
			from = at
		case b.endLine():
			if from >= 0 {
				return from, at + len(line), true
			}
		}
		at += len(line)
	}
	return 0, 0, false
}

// Cut takes a block out, whatever stands in it. The ending is what Ending said of the text before the block
// was put in. If nothing else changed since, the text is the one of before. A block that is not there is
// ErrAbsent.
func (b Block) Cut(text []byte, ending string) ([]byte, error) {
	from, to, ok := b.span(text)
	if !ok {
		return nil, ErrAbsent
	}
	before, after := text[:from], text[to:]
	newline := []byte(newlineOf(text))
	if len(bytes.TrimPrefix(before, []byte(mark))) > 0 {
		before = bytes.TrimSuffix(before, newline)
		if ending != "\n" && len(after) == 0 {
			before = bytes.TrimSuffix(before, newline)
		}
	}
	return slices.Concat(before, after), nil
}

// Ending tells Cut how a text ended before a block was put in.
func Ending(text []byte) string {
	if bytes.HasSuffix(text, []byte("\n")) {
		return "\n"
	}
	return ""
}

// AppendTable puts a block into a text in TOML that defines the table which path leads to, and makes sure
// that it defines that and nothing else. A table that is there is a *TakenError, and a text that does not
// parse an error that says where.
func AppendTable(text []byte, b Block, path ...string) ([]byte, error) {
	before, err := parseTOML(text)
	if err != nil {
		return nil, err
	}
	if _, ok := lookupTable(before, path); ok {
		return nil, &TakenError{path}
	}
	added := b.Append(text)
	after, err := parseTOML(added)
	if err != nil {
		// Such as an inline table, which nothing can be added to from outside.
		return nil, &TakenError{path[:1]}
	}
	if _, ok := lookupTable(after, path); !ok {
		return nil, fmt.Errorf("the lines do not define %s", placeOf(path))
	}
	withoutTable(before, path)
	withoutTable(after, path)
	if !reflect.DeepEqual(before, after) {
		return nil, fmt.Errorf("the lines define more than %s", placeOf(path))
	}
	return added, nil
}

// TableValue returns what the names of path lead to in a text in TOML.
func TableValue(text []byte, path ...string) (value any, ok bool, err error) {
	all, err := parseTOML(text)
	if err != nil {
		return nil, false, err
	}
	value, ok = lookupTable(all, path)
	return value, ok, nil
}

// parseTOML reads a whole text in TOML.
func parseTOML(text []byte) (map[string]any, error) {
	if len(text) > maxText {
		return nil, syntaxError(1, 1, "the file is too large")
	}
	all := map[string]any{}
	err := toml.Unmarshal(bytes.TrimPrefix(text, []byte(mark)), &all)
	if decode, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := decode.Position()
		return nil, syntaxError(line, column, "this is not TOML")
	}
	if err != nil {
		return nil, syntaxError(1, 1, "this is not TOML")
	}
	return all, nil
}

// lookupTable follows names through tables.
func lookupTable(value any, path []string) (any, bool) {
	for _, step := range path {
		table, _ := value.(map[string]any)
		next, ok := table[step]
		if !ok {
			return nil, false
		}
		value = next
	}
	return value, true
}

// CutTable takes out the table that AppendTable put into a text, with what was added below it. If nothing
// else changed since, the text is the one of before. A program that writes its file anew may have moved the
// table, lost one of the comments, or put the tables of others between them; those stay. Where neither table
// nor comments are there, it is ErrAbsent, and a table that cannot be taken out without a loss to others is a
// *ChangedError.
func CutTable(text []byte, b Block, ending string, path ...string) ([]byte, error) {
	want, err := parseTOML(text)
	if err != nil {
		return nil, err
	}
	withoutTable(want, path)
	// Drops the comments of the block, and the lines of the table and of those below it, wherever they stand.
	// Comments of others stay, and so do empty lines, but for the one that parted the table from what
	// follows.
	var lines []byte
	within, dropped := false, false
	for line := range bytes.Lines(text) {
		word := bytes.TrimSpace(line)
		empty := len(word) == 0
		comment := bytes.HasPrefix(word, []byte("#"))
		if bytes.HasPrefix(word, []byte("[")) {
			within = isHeader(word, path)
		}
		switch ours := string(word) == b.beginLine() || string(word) == b.endLine(); {
		case ours, within && !empty && !comment:
			dropped = true
		case dropped && empty && endsEmpty(lines):
			dropped = false
		default:
			lines, dropped = append(lines, line...), false
		}
	}
	if dropped && len(lines) > 0 && endsEmpty(lines) {
		lines = bytes.TrimSuffix(lines, []byte(newlineOf(text)))
	}
	if bytes.Equal(lines, text) {
		return nil, ErrAbsent
	}
	candidates := [][]byte{lines}
	if whole, err := b.Cut(text, ending); err == nil {
		candidates = [][]byte{whole, lines}
	}
	for _, left := range candidates {
		now, err := parseTOML(left)
		if err != nil {
			continue
		}
		_, stands := lookupTable(now, path)
		withoutTable(now, path) // A table around ours may be left without a member.
		if !stands && reflect.DeepEqual(now, want) {
			return left, nil
		}
	}
	return nil, &ChangedError{path}
}

// withoutTable takes out what a path leads to, and the tables around it that have nothing else.
func withoutTable(table map[string]any, path []string) {
	below, _ := table[path[0]].(map[string]any)
	if len(path) > 1 && below != nil {
		withoutTable(below, path[1:])
	}
	if len(path) == 1 || below != nil && len(below) == 0 {
		delete(table, path[0])
	}
}

// isHeader tells whether a line begins the table that a path leads to, or one below it.
func isHeader(line []byte, path []string) bool {
	table := map[string]any{}
	if err := toml.Unmarshal(line, &table); err != nil {
		return false
	}
	_, ok := lookupTable(table, path)
	return ok
}

// endsEmpty tells whether a text ends with an empty line, or has none.
func endsEmpty(text []byte) bool {
	last := text[bytes.LastIndexByte(bytes.TrimSuffix(text, []byte("\n")), '\n')+1:]
	return len(bytes.TrimSpace(last)) == 0
}
