package foreign

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDepth is how deep the values of a source may be nested.
const maxDepth = 24

var (
	errDepth    = fmt.Errorf("nested deeper than %d levels", maxDepth)
	errTwice    = errors.New("an object has a member twice")
	errNotUTF8  = errors.New("not UTF-8")
	errTrailing = errors.New("more than one value")
)

// An object is a mapping of a source: of JSON, or of front matter.
type object map[string]any

// decodeJSON reads one JSON value into nil, bool, json.Number, string, []any and
// object. Unlike encoding/json it takes no member twice, and is bounded.
func decodeJSON(data []byte) (any, error) {
	if !utf8.Valid(data) {
		return nil, errNotUTF8
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	v, err := decodeNext(d, 0)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errTrailing
	}
	return v, nil
}

// objectIn returns the object that data encodes; nil where it is none.
func objectIn(data []byte) object {
	v, _ := decodeJSON(data)
	return asObject(v)
}

// rootOf decodes the JSON of a source: an object, or a list, which is put under a
// name.
func rootOf(data []byte, list string) (object, error) {
	if err := checkSize(data, maxJSON); err != nil {
		return nil, err
	}
	root, err := decodeJSON(data)
	if _, ok := root.([]any); ok {
		return object{list: root}, nil
	}
	return asObject(root), err
}

// decodeNext decodes the value that comes next.
func decodeNext(d *json.Decoder, depth int) (any, error) {
	if depth > maxDepth {
		return nil, errDepth
	}
	token, err := d.Token()
	if err != nil {
		return nil, notJSON(err)
	}
	open, nested := token.(json.Delim)
	if !nested {
		return token, nil
	}
	list, o := []any{}, object{}
	for d.More() {
		var name string
		if open == '{' {
			token, err := d.Token()
			if err != nil {
				return nil, notJSON(err)
			}
			name, _ = token.(string)
		}
		v, err := decodeNext(d, depth+1)
		switch {
		case err != nil:
			return nil, err
		case open == '[':
			list = append(list, v)
		case o.hasMember(name):
			return nil, errTwice
		default:
			o[name] = v
		}
	}
	if _, err := d.Token(); err != nil {
		return nil, notJSON(err)
	}
	if open == '[' {
		return list, nil
	}
	return o, nil
}

// notJSON keeps the place and leaves out the words, which may quote the source.
func notJSON(err error) error {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("not JSON at byte %d", syntax.Offset)
	}
	return errors.New("not JSON: it ends too early")
}

func asObject(v any) object {
	o, _ := v.(object)
	return o
}

func (o object) hasMember(name string) bool {
	_, ok := o[name]
	return ok
}

// text returns the first of the members that is a string, or a number as it is
// written.
func (o object) text(names ...string) string {
	for _, name := range names {
		switch v := o[name].(type) {
		case string:
			if strings.TrimSpace(v) != "" {
				return v
			}
		case json.Number:
			return v.String()
		}
	}
	return ""
}

// number returns a member that is a finite number, or a string of one.
func (o object) number(name string) (float64, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(o.text(name)), 64)
	return n, err == nil && !math.IsInf(n, 0) && !math.IsNaN(n)
}

// list returns a member that is a list; a text of JSON that is one counts too.
func (o object) list(name string) []any {
	switch v := o[name].(type) {
	case []any:
		return v
	case string:
		if inner, err := decodeJSON([]byte(v)); err == nil {
			list, _ := inner.([]any)
			return list
		}
	}
	return nil
}

// textList returns the strings of a list; one string alone is split at commas.
func (o object) textList(name string) []string {
	list := o.list(name)
	if s, ok := o[name].(string); ok && list == nil {
		return strings.FieldsFunc(s, func(r rune) bool { return r == ',' })
	}
	var all []string
	for _, v := range list {
		switch v := v.(type) {
		case string:
			all = append(all, v)
		case json.Number:
			all = append(all, v.String())
		}
	}
	return all
}

// objectList returns the objects of a list, with nil for what is none.
func (o object) objectList(name string) []object {
	var all []object
	for _, v := range o.list(name) {
		all = append(all, asObject(v))
	}
	return all
}
