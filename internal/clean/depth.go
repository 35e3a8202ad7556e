package clean

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
