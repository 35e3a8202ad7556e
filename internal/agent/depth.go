package agent

// maxDepth is how deep an event may be nested. Whoever reads JSON by calling itself needs a stack as deep,
// and none is endless.
const maxDepth = 200

// isShallow tells whether JSON, or what pretends to be some, is not nested deeper than is read.
func isShallow(data []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[', c == '{':
			if depth++; depth > maxDepth {
				return false
			}
		case c == ']', c == '}':
			depth--
		}
	}
	return true
}
