package clean

import (
	"bytes"
	"encoding/json"
)

// JSON encodes a value with its texts as they are, and a line break behind it. The JSON of encoding/json
// spells <, > and & as numbers, for pages, which is not what programs and people are to read. An indent of ""
// is one line.
func JSON(value any, indent string) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	err := enc.Encode(value)
	return out.Bytes(), err
}

// EncodedLen is how many bytes a text takes in a string of such JSON, without its quotation marks.
func EncodedLen(text string) int {
	n := len(text)
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"', c == '\\', c == '\n', c == '\t':
			n++
		case c < 0x20 || c == 0x7f:
			n += 5
		}
	}
	return n
}

// MostNested is how deep JSON of others may be nested. Whoever reads JSON by calling itself needs a stack as
// deep, and none is endless.
const MostNested = 200

// IsShallow tells whether JSON, or what pretends to be some, is not nested deeper than [MostNested].
func IsShallow(data []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[', c == '{':
			if depth++; depth > MostNested {
				return false
			}
		case c == ']', c == '}':
			depth--
		}
	}
	return true
}
