package settings

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"

	"github.com/pelletier/go-toml/v2"
)

// AppendTable puts a block into a text in TOML that defines the table which path leads to, and makes sure that it defines
// that and nothing else. A table that is there is a *TakenError, and a text that does not parse a *SyntaxError.
func AppendTable(text []byte, b Block, path ...string) ([]byte, error) {
	before, err := parseTOML(text)
	if err != nil {
		return nil, err
	}
	if _, ok := lookup(before, path); ok {
		return nil, &TakenError{path}
	}
	added := b.Append(text)
	after, err := parseTOML(added)
	if err != nil {
		return nil, &TakenError{path[:1]} // Such as an inline table, which nothing can be added to from outside.
	}
	table, ok := lookup(after, path)
	if !ok {
		return nil, fmt.Errorf("the lines do not define %s", place(path))
	}
	before, _ = replacedTOML(before, path, table)
	if !reflect.DeepEqual(before, after) {
		return nil, fmt.Errorf("the lines define more than %s", place(path))
	}
	return added, nil
}

// TableValue returns what the names of path lead to in a text in TOML.
func TableValue(text []byte, path ...string) (value any, ok bool, err error) {
	all, err := parseTOML(text)
	if err != nil {
		return nil, false, err
	}
	value, ok = lookup(all, path)
	return value, ok, nil
}

// parseTOML reads a whole text in TOML.
func parseTOML(text []byte) (map[string]any, error) {
	if len(text) > maxText {
		return nil, &SyntaxError{1, 1, "the file is too large"}
	}
	all := map[string]any{}
	err := toml.Unmarshal(bytes.TrimPrefix(text, []byte(mark)), &all)
	if decode, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := decode.Position()
		return nil, &SyntaxError{line, column, "this is not TOML"}
	}
	if err != nil {
		return nil, &SyntaxError{1, 1, "this is not TOML"}
	}
	return all, nil
}

// lookup follows names through tables.
func lookup(value any, path []string) (any, bool) {
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

// replacedTOML puts a value where a path leads, and makes the tables on the way.
func replacedTOML(table map[string]any, path []string, value any) (map[string]any, bool) {
	if table == nil {
		table = map[string]any{}
	}
	if len(path) == 1 {
		table[path[0]] = value
		return table, true
	}
	below, ok := table[path[0]].(map[string]any)
	if table[path[0]] != nil && !ok {
		return table, false
	}
	table[path[0]], ok = replacedTOML(below, path[1:], value)
	return table, ok
}
