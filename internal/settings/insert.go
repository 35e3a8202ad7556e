package settings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
)

// Addition is a value and where it goes.
type Addition struct {
	// the members that lead to its object or array; what is missing is made
	Path  []string        `json:"path"`
	Name  string          `json:"name,omitempty"` // the name of a member; "" appends an element to an array
	Value json.RawMessage `json:"value"`          // required: plain JSON
}

// Added is what takes an addition out again.
type Added struct {
	Addition
	// how many objects and arrays were made for it, the whole text counts as one
	Made int `json:"made,omitempty"`
	// what stood in the brackets of the innermost one that was there, where that was no value
	Was *string `json:"was,omitempty"`
}

// Insert puts an addition into a text. A place where something else stands is a *TakenError.
func Insert(text []byte, a Addition) ([]byte, Added, error) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, a.Value); err != nil {
		return nil, Added{}, fmt.Errorf("value to be added: %w", err)
	}
	a.Value = compact.Bytes()
	d, err := parseText(text)
	if err != nil {
		return nil, Added{}, err
	}
	if d.root == nil {
		was := string(text)
		_, value := a.wrapValue(slices.Insert(slices.Clone(a.Path), 0, ""))
		out := was
		if bare := strings.TrimPrefix(out, mark); bare != "" && !strings.HasSuffix(bare, "\n") {
			out += d.newline
		}
		return []byte(out + d.writeTall(value, "") + d.newline), Added{a, len(a.Path) + 1, &was}, nil
	}
	in, rest := d.root.walkPath(a.Path)
	want, what := object, "an object"
	if len(rest) == 0 && a.Name == "" {
		want, what = array, "an array"
	}
	if in.kind != want {
		return nil, Added{}, fmt.Errorf("%s is not %s", placeOf(a.Path[:len(a.Path)-len(rest)]), what)
	}
	if len(rest) == 0 && a.Name != "" && in.indexOf(a.Name) >= 0 {
		return nil, Added{}, &TakenError{append(slices.Clone(a.Path), a.Name)}
	}
	added := Added{a, len(rest), nil}
	if len(in.items) == 0 {
		was := string(text[in.from+1 : in.to-1])
		added.Was = &was
	}
	name, value := a.wrapValue(rest)
	return d.putItem(in, name, value), added, nil
}

// wrapValue makes the objects and arrays that are missing, and names the outermost.
func (a Addition) wrapValue(rest []string) (name string, value json.RawMessage) {
	name, value = a.Name, a.Value
	for i, step := range slices.Backward(rest) {
		if i == len(rest)-1 && name == "" {
			value = slices.Concat([]byte("["), value, []byte("]"))
		} else {
			value = slices.Concat([]byte("{"), quoteName(name), []byte(":"), value, []byte("}"))
		}
		name = step
	}
	return name, value
}

// quoteName writes a name as JSON.
func quoteName(name string) []byte {
	data, _ := clean.JSON(name, "") // A text is always JSON.
	return bytes.TrimSuffix(data, []byte("\n"))
}

// putItem writes an item behind those of an object or an array.
func (d *document) putItem(in *node, name string, value json.RawMessage) []byte {
	text, end := d.text, d.endBefore(in.to-1)
	if len(in.items) == 0 {
		// Writes an item into an object or an array that has none: on lines of its own, but in a text that
		// has one line.
		if line := bytes.TrimPrefix(bytes.TrimSpace(text), []byte(mark)); len(line) > in.to-in.from &&
			bytes.IndexByte(line, '\n') < 0 {
			return spliceText(text, end, flatItem(name, value), end, "")
		}
		outer := indentOf(text, in.from)
		piece := d.newline + outer + d.unit + d.tallItem(name, value, outer+d.unit)
		if bytes.IndexByte(text[end:in.to-1], '\n') < 0 {
			piece += d.newline + outer
		}
		return spliceText(text, end, piece, end, "")
	}
	last := in.items[len(in.items)-1]
	comma, trailing := ",", ""
	at := last.value.to
	if behind := d.commaBehind(last.value); behind >= 0 {
		comma, trailing, at = "", ",", behind+1
	}
	// What stands before the last item on one line, also before the next.
	behind, gap := in.from+1, ""
	if bytes.IndexByte(bytes.TrimSpace(text), '\n') >= 0 { // Somebody laid it out.
		gap = " "
	}
	if n := len(in.items); n > 1 {
		before := in.items[n-2].value
		behind = before.to
		if between := string(text[d.commaBehind(before)+1 : last.from]); strings.Trim(between, " \t") == "" {
			gap = between
		}
	}
	if bytes.IndexByte(text[behind:last.from], '\n') < 0 {
		return spliceText(text, at, comma+gap+flatItem(name, value)+trailing, at, "")
	}
	indent := indentOf(text, last.from)
	return spliceText(text, at, comma, end, d.newline+indent+d.tallItem(name, value, indent)+trailing)
}

// spliceText inserts two pieces, the first at the lower offset.
func spliceText(text []byte, at int, piece string, then int, second string) []byte {
	return slices.Concat(text[:at], []byte(piece), text[at:then], []byte(second), text[then:])
}

// tallItem writes a member or an element over many lines.
func (s style) tallItem(name string, value json.RawMessage, indent string) string {
	if name == "" {
		return s.writeTall(value, indent)
	}
	return string(quoteName(name)) + ": " + s.writeTall(value, indent)
}

// flatItem writes a member or an element on one line, without blanks.
func flatItem(name string, value json.RawMessage) string {
	if name == "" {
		return string(value)
	}
	return string(quoteName(name)) + ":" + string(value)
}

// style is how a text is laid out.
type style struct {
	newline string
	unit    string // one step of indentation
}

// findStyle looks at a text. What it does not show is as most write it.
func (d *document) findStyle() style {
	s := style{newline: newlineOf(d.text), unit: "  "}
	if d.root != nil && len(d.root.items) > 0 && startsLine(d.text, d.root.items[0].from) {
		s.unit = indentOf(d.text, d.root.items[0].from)
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
	line := text[lineStart(text, at):at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
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
