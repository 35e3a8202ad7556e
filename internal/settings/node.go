package settings

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
)

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
	last     int    // the end of the last token before the closing bracket, comments among them
}

// item is a member of an object or an element of an array.
type item struct {
	name   string // of a member
	before int    // the end of the token before it: a bracket, a comma or a comment
	from   int    // where its name, or its value, begins
	value  node
	comma  int // where the comma behind it stands; -1 for none
}

// Value returns what the members and elements of path lead to, as encoding/json decodes it with json.Number, and whether
// there is such a value. An element is named by its number.
func Value(text []byte, path ...string) (value any, ok bool, err error) {
	root, err := parse(text)
	if err != nil || root == nil {
		return nil, false, err
	}
	n, rest := root.walk(path)
	if len(rest) > 0 {
		return nil, false, nil
	}
	return n.decode(text), true, nil
}

// walk follows a path as far as it leads.
func (n *node) walk(path []string) (reached *node, rest []string) {
	for len(path) > 0 {
		i := n.index(path[0])
		if i < 0 {
			break
		}
		n, path = &n.items[i].value, path[1:]
	}
	return n, path
}

// index finds a member by its name, or an element by its number; -1 for none.
func (n *node) index(step string) int {
	if n.kind == array {
		i, err := strconv.Atoi(step)
		if err != nil || i < 0 || i >= len(n.items) {
			return -1
		}
		return i
	}
	return slices.IndexFunc(n.items, func(it item) bool { return it.name == step })
}

// decode returns the value as encoding/json would.
func (n *node) decode(text []byte) any {
	switch n.kind {
	case object:
		m := make(map[string]any, len(n.items))
		for i := range n.items {
			m[n.items[i].name] = n.items[i].value.decode(text)
		}
		return m
	case array:
		list := make([]any, 0, len(n.items))
		for i := range n.items {
			list = append(list, n.items[i].value.decode(text))
		}
		return list
	case scalar:
	}
	value, _ := decodeJSON(text[n.from:n.to]) // The scanner took it for a scalar.
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
