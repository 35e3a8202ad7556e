package ruleset

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

type position struct{ line, column int }

// An outline knows where each key of a file stands, and finds keys that the
// format does not have.
//
// Keys are named by their path in lower case with the numbers of array
// elements, as in "rules[2].regex", because the format does not tell upper from
// lower case.
type outline struct {
	lines    []int // Where each line begins.
	keys     map[string]bool
	at       map[string]position
	spelled  map[string]string // Each key as it was first written.
	elements map[string]int    // Of each array of tables.
	problems []Problem
}

// outlineOf reads a file from the first key to the last, or to where it ceases
// to be TOML.
func outlineOf(data []byte) *outline {
	o := &outline{
		lines: []int{0}, keys: map[string]bool{}, at: map[string]position{}, spelled: map[string]string{},
		elements: map[string]int{},
	}
	for i, c := range data {
		if c == '\n' {
			o.lines = append(o.lines, i+1)
		}
	}
	listKeys(o.keys, "", reflect.TypeFor[document]())
	var parser unstable.Parser
	parser.Reset(bytes.Clone(data))
	var table place
	for parser.NextExpression() {
		switch node := parser.Expression(); node.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = place{}
			for keys := node.Key(); keys.Next(); {
				key := keys.Node()
				table = o.stepInto(table, key)
				if node.Kind == unstable.ArrayTable && keys.IsLast() {
					o.elements[table.path]++
				}
				if n := o.elements[table.path]; n > 0 {
					table = o.stepIntoElement(table, n-1, key)
				}
			}
		case unstable.KeyValue:
			o.addKeyValue(table, node)
		default: // A comment.
		}
	}
	return o
}

// listKeys adds the keys of a table, in lower case and by their path, as the fields of a type have them.
func listKeys(all map[string]bool, table string, of reflect.Type) {
	for of.Kind() == reflect.Slice || of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if of.Kind() != reflect.Struct {
		return
	}
	for field := range of.Fields() {
		key := joinPath(table, strings.ToLower(field.Tag.Get("toml")))
		all[key] = table != "rules.allowlist" && table != "rules.allowlists" ||
			field.Name != "TargetRules" // These are for one rule.
		listKeys(all, key, field.Type)
	}
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

// A place is a key, or a table that keys belong to.
type place struct {
	path    string // With the numbers of elements.
	generic string // Without them.
	lost    bool   // The format has no such key.
}

// addKeyValue follows a key, which may have dots, and the keys of tables in
// braces that are its value.
func (o *outline) addKeyValue(at place, node *unstable.Node) {
	var key *unstable.Node
	for keys := node.Key(); keys.Next(); {
		key = keys.Node()
		at = o.stepInto(at, key)
	}
	value := node.Value()
	for inner, n := value.Children(), 0; inner.Next(); n++ {
		switch child := inner.Node(); child.Kind {
		case unstable.KeyValue:
			o.addKeyValue(at, child)
		case unstable.InlineTable:
			element := o.stepIntoElement(at, n, key)
			for members := child.Children(); members.Next(); {
				if member := members.Node(); member.Kind == unstable.KeyValue {
					o.addKeyValue(element, member)
				}
			}
		default: // A value without keys.
		}
	}
}

// stepIntoElement goes from an array of tables to one of them.
func (o *outline) stepIntoElement(at place, n int, key *unstable.Node) place {
	at.path += "[" + strconv.Itoa(n) + "]"
	if _, ok := o.at[at.path]; !ok {
		o.at[at.path] = o.positionOf(int(key.Raw.Offset))
	}
	return at
}

// stepInto goes from a table to one of its keys. Below a key that the format
// does not have it says no more.
func (o *outline) stepInto(at place, key *unstable.Node) place {
	name := string(key.Data)
	next := place{
		joinPath(at.path, strings.ToLower(name)),
		joinPath(at.generic, strings.ToLower(name)), at.lost,
	}
	where := o.positionOf(int(key.Raw.Offset))
	switch spelled, ok := o.spelled[next.path]; {
	case at.lost:
	case !o.keys[next.generic]:
		next.lost = true
		o.addProblem(where, "there is no key %s", quoteKey(joinPath(at.generic, name)))
	case ok && spelled != name:
		o.addProblem(where, "%s stands twice, as %s and as %s", quoteKey(strings.ToLower(name)),
			quoteKey(spelled), quoteKey(name))
	}
	o.spelled[next.path] = name
	if _, ok := o.at[next.path]; !ok {
		o.at[next.path] = where
	}
	return next
}

func joinPath(table, key string) string {
	if table == "" {
		return key
	}
	return table + "." + key
}

func (o *outline) addProblem(at position, format string, args ...any) {
	o.problems = append(o.problems, Problem{at.line, at.column, fmt.Sprintf(format, args...)})
}

// quoteKey returns text in quotes, without its end if it is long.
func quoteKey(text string) string {
	const most = 80
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return strconv.Quote(text)
}
