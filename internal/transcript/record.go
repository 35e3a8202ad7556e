package transcript

import (
	"bytes"

	"github.com/tidwall/gjson"
)

// deepest is how deep the values of a record may lie. The check of JSON is recursive, so that the depth of what is given to it is
// bounded first.
const deepest = 200

// record parses a line or a value. One that is cut, no JSON object or too deep is no record.
func record(data []byte) (gjson.Result, bool) {
	data = bytes.TrimSpace(data)
	if len(data) == 0 || data[0] != '{' || !shallow(data) || !gjson.ValidBytes(data) {
		return gjson.Result{}, false
	}
	return gjson.ParseBytes(data), true
}

// argument parses a JSON value that a record holds as text.
func argument(text string) gjson.Result {
	if !shallow([]byte(text)) || !gjson.Valid(text) {
		return gjson.Result{}
	}
	return gjson.Parse(text)
}

func shallow(data []byte) bool {
	depth, inText, escaped := 0, false, false
	for _, c := range data {
		switch {
		case escaped:
			escaped = false
		case inText:
			escaped, inText = c == '\\', c != '"'
		case c == '"':
			inText = true
		case c == '{' || c == '[':
			if depth++; depth > deepest {
				return false
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return true
}

// text joins the texts of a value: a string, or a list of parts that have one.
func text(v gjson.Result) string {
	if v.Type == gjson.String {
		return v.Str
	}
	var all []byte
	if v.IsArray() {
		v.ForEach(func(_, part gjson.Result) bool {
			words := part
			if part.IsObject() {
				words = part.Get("text")
			}
			if words.Type == gjson.String && words.Str != "" {
				if len(all) > 0 {
					all = append(all, '\n')
				}
				all = append(all, words.Str...)
			}
			return true
		})
	}
	return string(all)
}

// first returns the first of some members that is a text.
func first(v gjson.Result, paths ...string) string {
	for _, p := range paths {
		if m := v.Get(p); m.Type == gjson.String && m.Str != "" {
			return m.Str
		}
	}
	return ""
}
