package mcp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"github.com/git-ltm/git-ltm/internal/clean"
)

// cleaned is a stored record as it is told: its members in their order, and each text and name without what acts on a terminal
// or hides from a reader.
func cleaned(data []byte) (json.RawMessage, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	return cleanValue(dec)
}

// cleanValue reads one value. The depth of a record is bounded.
func cleanValue(dec *json.Decoder) (json.RawMessage, error) {
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch token := token.(type) {
	case json.Delim:
		if token == '{' {
			var w members
			for dec.More() {
				name, err := dec.Token()
				if err != nil {
					return nil, err
				}
				value, err := cleanValue(dec)
				text, _ := name.(string)
				w.raw(clean.Line(text), value, err)
			}
			if _, err := dec.Token(); err != nil {
				return nil, err
			}
			return w.end()
		}
		return cleanArray(dec)
	case string:
		return json.Marshal(clean.Text(token))
	default:
		return json.Marshal(token)
	}
}

func cleanArray(dec *json.Decoder) (json.RawMessage, error) {
	items := []json.RawMessage{}
	for dec.More() {
		value, err := cleanValue(dec)
		if err != nil {
			return nil, err
		}
		items = append(items, value)
	}
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	return json.Marshal(items)
}

// members writes an object of JSON, its members in the order in which they are put.
type members struct {
	out bytes.Buffer
	err error
}

func (w *members) raw(name string, value []byte, err error) {
	key, failure := json.Marshal(name)
	if w.err = cmp.Or(w.err, err, failure); w.err != nil {
		return
	}
	before := byte(',')
	if w.out.Len() == 0 {
		before = '{'
	}
	w.out.WriteByte(before)
	w.out.Write(slices.Concat(key, []byte(":"), value))
}

func (w *members) end() ([]byte, error) {
	if w.out.Len() == 0 {
		return []byte("{}"), w.err
	}
	w.out.WriteByte('}')
	return w.out.Bytes(), w.err
}
