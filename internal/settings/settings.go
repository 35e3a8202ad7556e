// Package settings edits settings that belong to others, and leaves every other byte alone.
//
// It puts a member into an object, an element into an array, or a block into a file of lines, and takes
// exactly that out again. The order, the indentation, the line endings, the comments and the commas of
// whoever wrote the file stay as they are. JSON may have comments, trailing commas and a byte order mark, as
// the settings of editors and agents do.
//
// It promises that a file that does not parse is refused with the line and the column, that what was put in
// and taken out leaves the bytes of before, and that a file is replaced as a whole or not at all. It never
// writes a file anew from its values, and never touches a file that its caller did not name.
package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ErrAbsent says that what should be taken out is not there.
var ErrAbsent = errors.New("it is not there")

// syntaxError says where a text is not in its format, from 1; columns count characters.
func syntaxError(line, column int, what string) error {
	return fmt.Errorf("line %d, column %d: %s", line, column, what)
}

// TakenError is a place where something else stands.
type TakenError struct{ Path []string }

// Error names the place.
func (e *TakenError) Error() string { return placeOf(e.Path) + " holds something else" }

// placeOf names a value by the members that lead to it.
func placeOf(path []string) string {
	if len(path) == 0 {
		return "the whole file"
	}
	return fmt.Sprintf("%q", strings.Join(path, "."))
}

// kind is what a value is.
type kind int

// The kinds of values.
const (
	scalar kind = iota
	object
	array
)

// node is a value of a text and where it stands.
type node struct {
	kind     kind
	from, to int
	items    []item // the members or elements
}

// item is a member of an object or an element of an array.
type item struct {
	name  string // of a member
	from  int    // where its name, or its value, begins
	value node
}

// Value returns what the members and elements of path lead to, as encoding/json decodes it with json.Number,
// and whether there is such a value. An element is named by its number.
func Value(text []byte, path ...string) (value any, ok bool, err error) {
	d, err := parseText(text)
	if err != nil || d.root == nil {
		return nil, false, err
	}
	n, rest := d.root.walkPath(path)
	if len(rest) > 0 {
		return nil, false, nil
	}
	return d.decodeValue(*n), true, nil
}

// walkPath follows a path as far as it leads.
func (n *node) walkPath(path []string) (reached *node, rest []string) {
	for len(path) > 0 {
		i := n.indexOf(path[0])
		if i < 0 {
			break
		}
		n, path = &n.items[i].value, path[1:]
	}
	return n, path
}

// indexOf finds a member by its name, or an element by its number; -1 for none.
func (n *node) indexOf(step string) int {
	if n.kind == array {
		i, err := strconv.Atoi(step)
		if err != nil || i < 0 || i >= len(n.items) {
			return -1
		}
		return i
	}
	return slices.IndexFunc(n.items, func(it item) bool { return it.name == step })
}

// decodeValue returns a value as encoding/json would.
func (d *document) decodeValue(n node) any {
	switch n.kind {
	case object:
		m := make(map[string]any, len(n.items))
		for _, it := range n.items {
			m[it.name] = d.decodeValue(it.value)
		}
		return m
	case array:
		list := make([]any, len(n.items))
		for i, it := range n.items {
			list[i] = d.decodeValue(it.value)
		}
		return list
	case scalar:
	}
	value, _ := decodeJSON(d.text[n.from:n.to]) // It was read before.
	return value
}

// decodeJSON decodes plain JSON. Numbers keep their digits.
func decodeJSON(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var value any
	err := d.Decode(&value)
	return value, err
}
