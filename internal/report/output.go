package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// object is an object of JSON.
type object = map[string]any

// An output writes the pieces of a report one after the other. After the first error it writes nothing more.
type output struct {
	w   *bufio.Writer
	err error
}

func (o *output) writeText(parts ...string) {
	for _, s := range parts {
		if o.err != nil {
			return
		}
		_, o.err = o.w.WriteString(s)
	}
}

// open writes v, an object with members, as JSON without its closing brace, so that more members can follow.
func (o *output) open(v any) { o.writeText(string(bytes.TrimSuffix(o.encodeValue(v), []byte("}")))) }

// writeArray writes values as a JSON array with one element a line.
func (o *output) writeArray(values iter.Seq[any]) {
	o.writeText("[")
	before := "\n"
	for v := range values {
		o.writeText(before)
		o.writeText(string(o.encodeValue(v)))
		before = ",\n"
	}
	o.writeText("\n]")
}

func (o *output) encodeValue(v any) []byte {
	if o.err != nil {
		return nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	o.err = enc.Encode(v)
	return escapeHidden(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

// escapeHidden writes each character of a JSON text that cannot be seen as \uXXXX, which means the same. The
// text is then safe to show on a terminal.
func escapeHidden(text []byte) []byte {
	if !bytes.ContainsFunc(text, isHidden) {
		return text
	}
	escaped := make([]byte, 0, len(text)+64)
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case !isHidden(r):
			escaped = append(escaped, text[:size]...)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			escaped = fmt.Appendf(escaped, `\u%04x\u%04x`, high, low)
		default:
			escaped = fmt.Appendf(escaped, `\u%04x`, r)
		}
		text = text[size:]
	}
	return escaped
}

func isHidden(r rune) bool { return !strconv.IsPrint(r) }
