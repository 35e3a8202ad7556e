package ruleset

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

type position struct{ line, column int }

// An outline knows where each key of a file stands, and finds keys that the
// format does not have and values of the wrong kind.
//
// Keys are named by their path in lower case with the numbers of array
// elements, as in "rules[2].regex", because the format does not tell upper from
// lower case.
type outline struct {
	parser   unstable.Parser
	lines    []int // Where each line begins.
	kinds    map[string]kind
	at       map[string]position
	spelled  map[string]string // Each key as it was first written.
	elements map[string]int    // Of each array of tables.
	problems []Problem
}

func newOutline(data []byte) *outline {
	o := &outline{
		lines: []int{0},
		kinds: schema(), at: map[string]position{}, spelled: map[string]string{}, elements: map[string]int{},
	}
	for i, c := range data {
		if c == '\n' {
			o.lines = append(o.lines, i+1)
		}
	}
	o.parser.Reset(bytes.Clone(data))
	return o
}

// positionOf returns line and column of a byte.
func (o *outline) positionOf(offset int) position {
	line, found := slices.BinarySearch(o.lines, offset)
	if !found {
		line--
	}
	return position{line + 1, offset - o.lines[line] + 1}
}

// positionOfKey returns where a key stands, or else what holds it.
func (o *outline) positionOfKey(path string) position {
	for path != "" {
		if at, ok := o.at[path]; ok {
			return at
		}
		path = path[:max(0, strings.LastIndexAny(path, ".["))]
	}
	return position{}
}

// A place is a table that keys belong to.
type place struct {
	path    string // With the numbers of elements.
	generic string // Without them, as schema has it.
	lost    bool   // The format has no such table.
}

// walkTable reads the file from the first key to the last, or to where it ceases to
// be TOML.
func (o *outline) walkTable() {
	var table place
	for o.parser.NextExpression() {
		switch node := o.parser.Expression(); node.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = o.outlineTable(node)
		case unstable.KeyValue:
			o.keyValue(table, node)
		default: // A comment.
		}
	}
}

// outlineTable follows the header of a table.
func (o *outline) outlineTable(node *unstable.Node) place {
	var at place
	for keys := node.Key(); keys.Next() && !at.lost; {
		key := keys.Node()
		at = o.stepInto(at, key)
		switch want := o.kinds[at.generic]; {
		case at.lost:
		case want != tableKind && want != tablesKind,
			keys.IsLast() && (want == tablesKind) != (node.Kind == unstable.ArrayTable):
			o.addProblem(key, "%s must be %s, not %s", quoteKey(string(key.Data)), want, headerKind(node))
			at.lost = true
		case want == tablesKind && !keys.IsLast() && o.elements[at.path] == 0:
			o.addProblem(key, "there is no [[%s]] above", at.generic)
			at.lost = true
		case want == tablesKind && keys.IsLast():
			o.elements[at.path]++
			at.path = o.outlineElement(at.path, o.elements[at.path]-1, key)
		case want == tablesKind:
			at.path = o.outlineElement(at.path, o.elements[at.path]-1, key)
		}
	}
	return at
}

func headerKind(node *unstable.Node) kind {
	if node.Kind == unstable.ArrayTable {
		return tablesKind
	}
	return tableKind
}

// outlineElement returns the path of the nth table of an array.
func (o *outline) outlineElement(path string, n int, key *unstable.Node) string {
	path += "[" + strconv.Itoa(n) + "]"
	if _, ok := o.at[path]; !ok {
		o.at[path] = o.positionOf(int(key.Raw.Offset))
	}
	return path
}

// keyValue follows a key, which may have dots, to its value.
func (o *outline) keyValue(at place, node *unstable.Node) {
	var key *unstable.Node
	for keys := node.Key(); keys.Next() && !at.lost; {
		key = keys.Node()
		at = o.stepInto(at, key)
		if want := o.kinds[at.generic]; !at.lost && !keys.IsLast() && want != tableKind {
			o.addProblem(key, "%s must be %s, not %s", quoteKey(string(key.Data)), want, tableKind)
			at.lost = true
		}
	}
	if !at.lost {
		o.outlineValue(at, key, node.Value())
	}
}

// outlineValue holds a value against the kind of its key.
func (o *outline) outlineValue(at place, key, value *unstable.Node) {
	want := o.kinds[at.generic]
	if !fitsType(want, value) {
		o.addProblem(key, "%s must be %s", quoteKey(string(key.Data)), want)
		return
	}
	switch want {
	case tableKind:
		o.outlineInline(at, value)
	case tablesKind:
		for elements, n := value.Children(), 0; elements.Next(); n++ {
			o.outlineInline(place{o.outlineElement(at.path, n, key), at.generic, false}, elements.Node())
		}
	default: // It holds no keys.
	}
}

// outlineInline follows the keys of a table that stands in braces.
func (o *outline) outlineInline(at place, table *unstable.Node) {
	for members := table.Children(); members.Next(); {
		if member := members.Node(); member.Kind == unstable.KeyValue {
			o.keyValue(at, member)
		}
	}
}

// fitsType says whether value is of a kind.
func fitsType(want kind, value *unstable.Node) bool {
	switch want {
	case textKind:
		return value.Kind == unstable.String
	case textsKind:
		return everyElement(value, unstable.String)
	case wholeKind:
		return value.Kind == unstable.Integer
	case numberKind:
		return value.Kind == unstable.Integer || value.Kind == unstable.Float
	case flagKind:
		return value.Kind == unstable.Bool
	case tableKind:
		return value.Kind == unstable.InlineTable
	case tablesKind:
		return everyElement(value, unstable.InlineTable)
	default:
		return false
	}
}

func everyElement(array *unstable.Node, want unstable.Kind) bool {
	if array.Kind != unstable.Array {
		return false
	}
	for elements := array.Children(); elements.Next(); {
		if k := elements.Node().Kind; k != want && k != unstable.Comment {
			return false
		}
	}
	return true
}

// stepInto goes from a table to one of its keys.
func (o *outline) stepInto(at place, key *unstable.Node) place {
	name := string(key.Data)
	next := place{
		path:    joinPath(at.path, strings.ToLower(name)),
		generic: joinPath(at.generic, strings.ToLower(name)),
	}
	if o.kinds[next.generic] == unknown {
		o.addProblem(key, "there is no key %s", quoteKey(joinPath(at.generic, name)))
		next.lost = true
		return next
	}
	if known, ok := o.spelled[next.path]; ok && known != name {
		o.addProblem(key, "%s stands twice, as %s and as %s", quoteKey(strings.ToLower(name)), quoteKey(known),
			quoteKey(name))
	}
	o.spelled[next.path] = name
	if _, ok := o.at[next.path]; !ok {
		o.at[next.path] = o.positionOf(int(key.Raw.Offset))
	}
	return next
}

func joinPath(table, key string) string {
	if table == "" {
		return key
	}
	return table + "." + key
}

func (o *outline) addProblem(key *unstable.Node, format string, args ...any) {
	at := o.positionOf(int(key.Raw.Offset))
	o.problems = append(o.problems, Problem{at.line, at.column, fmt.Sprintf(format, args...)})
}

// addError takes in what the decoder of TOML says.
func (o *outline) addError(err error) {
	var at position
	if d, ok := errors.AsType[*toml.DecodeError](err); ok {
		at.line, at.column = d.Position()
	}
	o.problems = append(o.problems,
		Problem{at.line, at.column, quoteKey(strings.TrimPrefix(err.Error(), "toml: "))})
}

// quoteKey returns text in quotes, without its end if it is long.
func quoteKey(text string) string {
	const most = 80
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return strconv.Quote(text)
}
