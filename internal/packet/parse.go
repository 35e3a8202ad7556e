package packet

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/git-ltm/git-ltm/internal/trace"
)

// maxInput is how much is read at all. It leaves room for white space and
// escapes, and bounds the recursion of the tokeniser.
const maxInput = 4 * MaxPacket

// Mode says how complete a record must be.
type Mode int

// The modes of Parse and Validate.
const (
	Draft  Mode = iota // id, created_at and ltm_version may be missing
	Stored             // nothing that is required may be missing
	Sketch             // as Draft, and what only a person can say may be missing too: the goal and the next step of a packet
)

// Parse reads a record. It accepts the records that the mode allows and nothing
// else; otherwise it returns an *[InvalidError] with every problem, or with
// just one where the text is not JSON at all.
func Parse(data []byte, mode Mode) (*Record, error) {
	trace.Records.Add(1)
	root, err := readObject(data)
	if err != nil {
		return nil, err
	}
	r := &Record{root: root}
	if err := r.Validate(mode); err != nil {
		return nil, err
	}
	return r, nil
}

// readObject makes the tree of a text that must be one JSON object. The error
// is an *[InvalidError].
func readObject(data []byte) (object, error) {
	if text := unreadable(data); text != "" {
		return nil, &InvalidError{[]Problem{{Text: text}}}
	}
	root := gjson.ParseBytes(data)
	if !root.IsObject() {
		return nil, &InvalidError{[]Problem{{Text: "must be an object"}}}
	}
	return build(root, 1).items, nil
}

// unreadable says why data is not JSON in UTF-8 of a sensible size, or returns
// the empty string.
func unreadable(data []byte) string {
	switch {
	case len(data) > maxInput:
		return fmt.Sprintf("the input is %d bytes, at most %d are read", len(data), maxInput)
	case len(bytes.TrimSpace(data)) == 0:
		return "the input is empty"
	case bytes.HasPrefix(data, []byte("\uFEFF")):
		return "the input begins with a byte order mark"
	case !utf8.Valid(data):
		return position(data, invalidUTF8(data)) + ": not UTF-8"
	case !gjson.ValidBytes(data):
		// The standard library knows the place. Its words name at most one character of the
		// input.
		var raw json.RawMessage
		var syntax *json.SyntaxError
		if err := json.Unmarshal(data, &raw); !errors.As(err, &syntax) {
			return "not JSON"
		}
		return fmt.Sprintf("%s: not JSON: %s", position(data, int(syntax.Offset)-1), syntax)
	}
	return ""
}

func invalidUTF8(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(data)
}

// position names the character at the byte offset as an editor would.
func position(data []byte, offset int) string {
	before := data[:max(offset, 0)]
	line := bytes.Count(before, []byte{'\n'})
	start := bytes.LastIndexByte(before, '\n') + 1
	return fmt.Sprintf("line %d, column %d", line+1, utf8.RuneCount(before[start:])+1)
}
