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

// Insert puts an addition into a text. A place where something else stands is a *TakenError, and one of
// another kind a *ShapeError.
func Insert(text []byte, a Addition) ([]byte, Added, error) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, a.Value); err != nil {
		return nil, Added{}, fmt.Errorf("value to be added: %w", err)
	}
	a.Value = compact.Bytes()
	root, err := parseText(text)
	if err != nil {
		return nil, Added{}, err
	}
	s := styleOf(text, root)
	if root == nil {
		was := string(text)
		return s.fillEmpty(text, a), Added{a, len(a.Path) + 1, &was}, nil
	}
	in, rest := root.walkPath(a.Path)
	if err := a.checkPlace(in, rest); err != nil {
		return nil, Added{}, err
	}
	added := Added{a, len(rest), nil}
	if len(in.items) == 0 {
		was := string(text[in.from+1 : in.to-1])
		added.Was = &was
	}
	name, value := a.wrapValue(rest)
	return s.putItem(text, in, name, value), added, nil
}

// checkPlace checks the value in which the addition, or what is made for it, would go.
func (a Addition) checkPlace(in *node, rest []string) error {
	want, what := object, "an object"
	if len(rest) == 0 && a.Name == "" {
		want, what = array, "an array"
	}
	if in.kind != want {
		return &ShapeError{a.Path[:len(a.Path)-len(rest)], what}
	}
	if len(rest) == 0 && a.Name != "" && in.indexOf(a.Name) >= 0 {
		return &TakenError{append(slices.Clone(a.Path), a.Name)}
	}
	return nil
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

// fillEmpty writes an addition into a text that holds no value.
func (s style) fillEmpty(text []byte, a Addition) []byte {
	_, value := a.wrapValue(slices.Insert(slices.Clone(a.Path), 0, ""))
	out := string(text)
	if text := strings.TrimPrefix(out, mark); text != "" && !strings.HasSuffix(text, "\n") {
		out += s.newline
	}
	return []byte(out + s.writeTall(value, "") + s.newline)
}

// putItem writes an item behind those of an object or an array.
func (s style) putItem(text []byte, in *node, name string, value json.RawMessage) []byte {
	if len(in.items) == 0 {
		// Writes an item into an object or an array that has none: on lines of its own, but in a text that
		// has one line.
		if line := bytes.TrimPrefix(bytes.TrimSpace(text), []byte(mark)); len(line) > in.to-in.from &&
			bytes.IndexByte(line, '\n') < 0 {
			return spliceText(text, in.last, s.flatItem(name, value), in.last, "")
		}
		outer := indentOf(text, in.from)
		piece := s.newline + outer + s.unit + s.tallItem(name, value, outer+s.unit)
		if bytes.IndexByte(text[in.last:in.to-1], '\n') < 0 {
			piece += s.newline + outer
		}
		return spliceText(text, in.last, piece, in.last, "")
	}
	last := in.items[len(in.items)-1]
	comma, trailing := ",", ""
	at := last.value.to
	if last.comma >= 0 {
		comma, trailing, at = "", ",", last.comma+1
	}
	if !isTall(text, in) {
		return spliceText(text, at, comma+s.gapBefore(text, in)+s.flatItem(name, value)+trailing, at, "")
	}
	indent := indentOf(text, last.from)
	return spliceText(text, at, comma, in.last, s.newline+indent+s.tallItem(name, value, indent)+trailing)
}

// spliceText inserts two pieces, the first at the lower offset.
func spliceText(text []byte, at int, piece string, then int, second string) []byte {
	return slices.Concat(text[:at], []byte(piece), text[at:then], []byte(second), text[then:])
}

// isTall reports whether the last item begins on another line than the one before it ends.
func isTall(text []byte, in *node) bool {
	last := in.items[len(in.items)-1]
	from := in.from + 1
	if n := len(in.items); n > 1 {
		from = in.items[n-2].value.to
	}
	return bytes.IndexByte(text[from:last.from], '\n') >= 0
}

// gapBefore is what stands between a comma and the next item on one line.
func (s style) gapBefore(text []byte, in *node) string {
	n := len(in.items)
	if n == 1 {
		return s.comma[1:]
	}
	gap := string(text[in.items[n-2].comma+1 : in.items[n-1].from])
	if strings.Trim(gap, " \t") != "" {
		return s.comma[1:]
	}
	return gap
}

// tallItem writes a member or an element over many lines.
func (s style) tallItem(name string, value json.RawMessage, indent string) string {
	if name == "" {
		return s.writeTall(value, indent)
	}
	return string(quoteName(name)) + ": " + s.writeTall(value, indent)
}

// flatItem writes a member or an element on one line.
func (s style) flatItem(name string, value json.RawMessage) string {
	if name == "" {
		return s.writeFlat(value)
	}
	return string(quoteName(name)) + s.colon + s.writeFlat(value)
}
