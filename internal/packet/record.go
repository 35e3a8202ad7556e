package packet

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

var errNotUTF8 = errors.New("not UTF-8")

// Record is a record as an ordered tree of its members, known or not. The zero
// value is an empty draft of a packet. A Record is not safe for use by several
// goroutines while one of them changes it.
type Record struct {
	root object
}

// Kind returns the kind of the record.
func (r *Record) Kind() Kind { return kindOf(r.root).kind }

// Version returns the version that the record states, or the empty string.
func (r *Record) Version() string { return r.root.textOf("ltm_version") }

// OwnID returns the member "id" as it is written, or the empty string. It need
// not be an [ID]: the protocol lets any 10 to 64 characters stand there.
func (r *Record) OwnID() string { return r.root.textOf("id") }

// Has tells whether the record has a top-level member of that name.
func (r *Record) Has(name string) bool { return r.root.findValue(name) != nil }

// Set gives the record a top-level member, in the place of one of the same
// name. The value may be whatever encoding/json can marshal. Set does not check
// the value against the table; [Record.Validate] does.
func (r *Record) Set(name string, value any) error {
	if !utf8.ValidString(name) {
		return fmt.Errorf("set member %q: %w", printableName(name), errNotUTF8)
	}
	v, err := valueOf(value)
	if err != nil {
		return fmt.Errorf("set member %q: %w", printableName(name), err)
	}
	r.root = r.root.withMember(name, v)
	return nil
}

func valueOf(v any) (value, error) {
	// The marshaller would put U+FFFD in the place of what is not UTF-8.
	texts, _ := v.([]string)
	if s, ok := v.(string); ok {
		texts = []string{s}
	}
	for _, s := range texts {
		if !utf8.ValidString(s) {
			return value{}, errNotUTF8
		}
	}
	data, err := json.Marshal(v)
	if err != nil {
		return value{}, fmt.Errorf("encode: %w", err)
	}
	if !utf8.Valid(data) {
		return value{}, errNotUTF8
	}
	return buildValue(gjson.ParseBytes(data), 2), nil
}

// CopyFrom copies a top-level member from src, if src has it.
func (r *Record) CopyFrom(src *Record, name string) {
	if v := src.root.findValue(name); v != nil {
		r.root = r.root.withMember(name, *v)
	}
}

// Remove takes the top-level member of that name away.
func (r *Record) Remove(name string) {
	r.root = slices.DeleteFunc(r.root, func(m member) bool { return m.name == name })
}

// Clone returns a copy that can be changed on its own.
func (r *Record) Clone() *Record {
	// Values are never changed in place, so the copy can share them.
	return &Record{root: slices.Clone(r.root)}
}

// Validate checks the record as [Parse] does, and its size in the canonical
// encoding. The error is an *[InvalidError].
func (r *Record) Validate(mode Mode) error {
	kind := kindOf(r.root)
	c := checker{mode: mode}
	c.checkObject(r.root, kind.shape)
	if kind.shape == nil {
		c.problems = append(c.problems,
			Problem{"/" + typeMember, "records of this type are not known to this version"})
	} else if len(c.problems) > 0 || mostBytes(r.root, 1) > kind.bound {
		if n := len(r.Encode()); n > kind.bound {
			c.addProblem("the %s is %d bytes, at most %d are allowed", kind.kind, n, kind.bound)
		}
	}
	if len(c.problems) > 0 {
		return &InvalidError{c.problems}
	}
	return nil
}
