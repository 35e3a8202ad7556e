package settings

import (
	"bytes"
	"encoding/json"
	"strings"
)

// style is how a text is laid out.
type style struct {
	newline string
	unit    string // one step of indentation
	colon   string // between a name and its value, on one line
	comma   string // between two values, on one line
}

// styleOf looks at a text. What it does not show is as most write it.
func styleOf(text []byte, root *node) style {
	s := style{newline: newlineOf(text), unit: "  ", colon: ": ", comma: ", "}
	if root == nil || len(root.items) == 0 {
		return s
	}
	if it := &root.items[0]; startsLine(text, it.from) {
		s.unit = indentOf(text, it.from)
	}
	if name := root.items[0]; root.kind == object && text[name.value.from-1] == ':' {
		s.colon, s.comma = ":", ","
	}
	return s
}

// newlineOf is the line break of a text: that of its first line.
func newlineOf(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// lineStart is where the line of an offset begins.
func lineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }

// indentOf is the white space at the beginning of the line of an offset.
func indentOf(text []byte, at int) string {
	from := lineStart(text, at)
	to := from
	for to < at && (text[to] == ' ' || text[to] == '\t') {
		to++
	}
	return string(text[from:to])
}

// startsLine reports whether nothing but white space stands before an offset on its line, and a line break
// before that.
func startsLine(text []byte, at int) bool {
	from := lineStart(text, at)
	return from > 0 && len(bytes.TrimLeft(text[from:at], " \t")) == 0
}

// writeTall writes plain JSON over many lines; all but the first begin with the indentation.
func (s style) writeTall(value json.RawMessage, indent string) string {
	var out bytes.Buffer
	if err := json.Indent(&out, value, indent, s.unit); err != nil {
		return string(value) // It was made by encoding/json.
	}
	return strings.ReplaceAll(out.String(), "\n", s.newline)
}

// writeFlat writes compact JSON on one line.
func (s style) writeFlat(value json.RawMessage) string {
	var out strings.Builder
	quoted := false
	for i := 0; i < len(value); i++ {
		c := value[i]
		switch {
		case quoted && c == '\\':
			out.WriteByte(c)
			i++
			c = value[i]
		case c == '"':
			quoted = !quoted
		case !quoted && c == ':':
			out.WriteString(s.colon)
			continue
		case !quoted && c == ',':
			out.WriteString(s.comma)
			continue
		}
		out.WriteByte(c)
	}
	return out.String()
}
