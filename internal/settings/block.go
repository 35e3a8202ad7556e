package settings

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// Block is some lines between two comments, at the end of a file in which "#" begins a comment.
type Block struct {
	Name  string   `json:"name"` // required: what the comments call it
	Lines []string `json:"lines"`
}

// beginLine and end are the comments around the lines.
func (b Block) beginLine() string { return "# " + b.Name + ": begin" }
func (b Block) endLine() string   { return "# " + b.Name + ": end" }

// Append puts a block at the end of a text, with an empty line before it.
func (b Block) Append(text []byte) []byte {
	newline := newlineOf(text)
	body := strings.Join(slices.Concat([]string{b.beginLine()}, b.Lines, []string{b.endLine(), ""}), newline)
	switch rest := bytes.TrimPrefix(text, []byte(mark)); {
	case len(rest) == 0:
	case bytes.HasSuffix(rest, []byte("\n")):
		body = newline + body
	default:
		body = newline + newline + body
	}
	return slices.Concat(text, []byte(body))
}

// Within returns the lines of a text between the two comments, whatever they are, and whether the comments
// are there.
func (b Block) Within(text []byte) (lines []string, ok bool) {
	from, to, ok := b.span(text)
	if !ok {
		return nil, false
	}
	lines = strings.Split(strings.TrimSuffix(string(text[from:to]), "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	return lines[1 : len(lines)-1], true
}

// span is where the block stands, its comments among it.
func (b Block) span(text []byte) (from, to int, ok bool) {
	from, at := -1, len(text)-len(bytes.TrimPrefix(text, []byte(mark)))
	for line := range bytes.Lines(text[at:]) {
		switch strings.TrimRight(string(line), "\r\n") {
		case b.beginLine():
			from = at
		case b.endLine():
			if from >= 0 {
				return from, at + len(line), true
			}
		}
		at += len(line)
	}
	return 0, 0, false
}

// Cut takes a block out, whatever stands in it. The ending is what Ending said of the text before the block
// was put in. If nothing else changed since, the text is the one of before. A block that is not there is
// ErrAbsent.
func (b Block) Cut(text []byte, ending string) ([]byte, error) {
	from, to, ok := b.span(text)
	if !ok {
		return nil, ErrAbsent
	}
	before, after := text[:from], text[to:]
	newline := []byte(newlineOf(text))
	if len(bytes.TrimPrefix(before, []byte(mark))) > 0 {
		before = bytes.TrimSuffix(before, newline)
		if ending != "\n" && len(after) == 0 {
			before = bytes.TrimSuffix(before, newline)
		}
	}
	return slices.Concat(before, after), nil
}

// Ending tells Cut how a text ended before a block was put in.
func Ending(text []byte) string {
	if bytes.HasSuffix(text, []byte("\n")) {
		return "\n"
	}
	return ""
}

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
