package mcp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
)

// schema says what a JSON value must be. It is written out for clients, and held against what they send.
type schema struct {
	is          valueType
	about       string
	words       []string // the values of a string
	least, most int      // characters of a string, or bounds of a number; zero most is no bound
	pattern     string   // for clients; what reads the value judges it
	items       *schema  // of an array, which has at most so many
	fields      []field  // of an object
	open        bool     // an object may have other members
}

// field is a member of an object.
type field struct {
	name   string
	needed bool
	schema
}

// valueType is a type of JSON Schema.
type valueType string

const (
	isObject  valueType = "object"
	isArray   valueType = "array"
	isString  valueType = "string"
	isInteger valueType = "integer"
	isNumber  valueType = "number"
	isBoolean valueType = "boolean"
)

// find returns the member of that name.
func (s *schema) find(name string) *schema {
	for i := range s.fields {
		if s.fields[i].name == name {
			return &s.fields[i].schema
		}
	}
	return nil
}

// MarshalJSON writes the schema, its members in the order in which they are best read.
func (s *schema) MarshalJSON() ([]byte, error) {
	var w members
	w.put("type", s.is)
	if s.about != "" {
		w.put("description", s.about)
	}
	switch s.is {
	case isObject:
		s.putObject(&w)
	case isArray:
		w.put("items", s.items)
		w.bound("minItems", s.least)
		w.bound("maxItems", s.most)
	case isInteger, isNumber:
		if s.most > 0 {
			w.put("minimum", s.least)
			w.put("maximum", s.most)
		}
	case isString:
		if s.words != nil {
			w.put("enum", s.words)
		}
		w.bound("minLength", s.least)
		w.bound("maxLength", s.most)
		if s.pattern != "" {
			w.put("pattern", s.pattern)
		}
	case isBoolean:
	}
	return w.end()
}

func (s *schema) putObject(w *members) {
	var fields members
	var needed []string
	for _, f := range s.fields {
		fields.put(f.name, &f.schema)
		if f.needed {
			needed = append(needed, f.name)
		}
	}
	data, err := fields.end()
	w.raw("properties", data, err)
	if needed != nil {
		w.put("required", needed)
	}
	if !s.open {
		w.put("additionalProperties", false)
	}
}

// members writes an object of JSON, its members in the order in which they are put.
type members struct {
	out bytes.Buffer
	err error
}

func (w *members) put(name string, value any) {
	data, err := json.Marshal(value)
	w.raw(name, data, err)
}

// bound puts a number that says something.
func (w *members) bound(name string, n int) {
	if n > 0 {
		w.put(name, n)
	}
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
