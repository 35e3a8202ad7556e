package packet

import (
	"bytes"
	"slices"
	"strings"
)

// usualSize is what most packets fit in.
const usualSize = 8192

// Encode returns the canonical encoding. For a record that is valid it is a
// fixed point: parsed and encoded again it gives the same bytes, whatever the
// order, the white space and the escapes of the text that it came from.
func (r *Record) Encode() []byte {
	return r.appendEncoding(make([]byte, 0, usualSize))
}

// EncodesAs reports whether data is the canonical encoding of the record.
func (r *Record) EncodesAs(data []byte) bool {
	return bytes.Equal(r.appendEncoding(make([]byte, 0, len(data)+1)), data)
}

func (r *Record) appendEncoding(to []byte) []byte {
	e := encoder{buf: to}
	e.writeObject(r.root, kindOf(r.root).shape, 1)
	return append(e.buf, '\n')
}

// mostBytes returns a size that the canonical encoding of members without a problem stays within. It is far
// cheaper to say than the size itself, and small records, which most are, need no more.
func mostBytes(members object, depth int) int {
	const signs = len(`,"": "",`) + 2*len("\n")
	most := signs
	for i := range members {
		m := &members[i]
		most += signs + 4*depth + 2*(len(m.name)+len(m.value.text)) + mostBytes(m.value.items, depth+1)
	}
	return most
}

// An encoder writes values in the canonical encoding.
type encoder struct{ buf []byte }

func (e *encoder) writeObject(members object, s *shape, depth int) {
	e.buf = append(e.buf, '{')
	write := func(m *member, f *field) {
		e.writeSeparator(depth)
		e.writeText(m.name)
		e.buf = append(e.buf, ": "...)
		e.writeValue(&m.value, f, depth)
	}
	known := 0
	if s != nil {
		for i := range s.fields { // in the order of the table; those that are left out are known too
			f := &s.fields[i]
			m := members.findMember(f.name)
			if m == nil {
				continue
			}
			known++
			if !saysNothing(&m.value, f) {
				write(m, f)
			}
		}
	}
	if known < len(members) {
		for _, m := range unknownMembers(members, s) {
			write(m, nil)
		}
	}
	e.writeEnd('}', depth)
}

// unknownMembers returns the members that the table does not know, in byte
// order of their names.
func unknownMembers(members object, s *shape) []*member {
	var unknown []*member
	for i := range members {
		if s.findField(members[i].name) == nil {
			unknown = append(unknown, &members[i])
		}
	}
	slices.SortStableFunc(unknown, func(a, b *member) int { return strings.Compare(a.name, b.name) })
	return unknown
}

// saysNothing tells whether a known member is the same as a missing one.
func saysNothing(v *value, f *field) bool {
	if f.needed {
		return false
	}
	switch v.is {
	case isString:
		return v.text == ""
	case isBool:
		return v.text == "false"
	case isArray:
		return len(v.items) == 0
	case isObject:
		return !slices.ContainsFunc(v.items, func(m member) bool {
			inner := f.object.findField(m.name)
			return inner == nil || !saysNothing(&m.value, inner)
		})
	default:
		return false
	}
}

// writeValue writes a value. The field is nil for one that no table knows.
func (e *encoder) writeValue(v *value, f *field, depth int) {
	switch v.is {
	case isString:
		e.writeText(v.text)
	case isObject:
		var s *shape
		if f != nil {
			s = f.object
		}
		e.writeObject(v.items, s, depth+1)
	case isArray:
		e.buf = append(e.buf, '[')
		for i := range v.items {
			e.writeSeparator(depth + 1)
			e.writeValue(&v.items[i].value, f, depth+1)
		}
		e.writeEnd(']', depth+1)
	default:
		e.buf = append(e.buf, v.text...)
	}
}

// isEmpty tells whether nothing stands in the object or array yet. No value ends
// with an opening bracket.
func (e *encoder) isEmpty() bool {
	last := e.buf[len(e.buf)-1]
	return last == '{' || last == '['
}

func (e *encoder) writeSeparator(depth int) {
	if !e.isEmpty() {
		e.buf = append(e.buf, ',')
	}
	e.writeLine(depth)
}

func (e *encoder) writeEnd(bracket byte, depth int) {
	if !e.isEmpty() {
		e.writeLine(depth - 1)
	}
	e.buf = append(e.buf, bracket)
}

func (e *encoder) writeLine(depth int) {
	e.buf = append(e.buf, '\n')
	for range depth {
		e.buf = append(e.buf, "  "...)
	}
}

// writeText writes a string with the four escapes of the canonical encoding. The
// other control characters occur only in records that are not valid; they are
// escaped so that the output is JSON all the same.
func (e *encoder) writeText(s string) {
	const hex = "0123456789abcdef"
	e.buf = append(e.buf, '"')
	start := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		e.buf = append(e.buf, s[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			e.buf = append(e.buf, '\\', c)
		case '\n':
			e.buf = append(e.buf, `\n`...)
		case '\t':
			e.buf = append(e.buf, `\t`...)
		default:
			e.buf = append(e.buf, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	e.buf = append(e.buf, s[start:]...)
	e.buf = append(e.buf, '"')
}
