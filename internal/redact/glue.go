package redact

import "strings"

// A glue is what stands between a name and its value.
type glue struct {
	at    int  // Where the value begins.
	signs bool // A sign of assignment was among it.
	quote byte // The quote that opens the value, or 0.
	lines int  // Line ends.
}

// maxGlue bounds the bytes between a name and its value, blanks aside.
const maxGlue = 64

// readGlue reads what may stand between a name that ends at text[at] and its
// value in the languages and formats that assign: quotes and brackets, the
// sign itself, a type, and words such as "value".
func readGlue(text string, at int) glue {
	g := glue{at: at}
	limit := min(len(text), at+maxGlue)
	for g.at < limit {
		c := text[g.at]
		switch {
		case isSpace(c):
			g.blank(text)
			limit = min(len(text), g.at+maxGlue)
		case c == '"' || c == '\'' || c == '`':
			g.open(text)
		case strings.IndexByte("=:>,|", c) >= 0:
			g.signs, g.quote = true, 0
			g.at++
		case strings.IndexByte(`\)](?[{@$&+.`, c) >= 0 && g.gluing(text):
			g.at++
		case c == '-' && (byteAt(text, g.at+1) == '>' || byteAt(text, g.at-1) == '>' || byteAt(text, g.at-1) == '|'):
			g.at++
		default:
			end := g.word(text)
			if end == g.at {
				return g
			}
			g.at = end
		}
	}
	return g
}

// blank steps over blanks and line ends, as a formatter aligns them.
func (g *glue) blank(text string) {
	end := run(text, g.at, min(len(text), g.at+maxGlue), isSpace)
	g.lines += strings.Count(text[g.at:end], "\n")
	g.at = end
	g.quote = 0
}

// open steps over a quote, which may be three times the same.
func (g *glue) open(text string) {
	g.quote = text[g.at]
	g.at++
}

// gluing says whether the sign at g.at belongs to the glue and not to the
// value: it is followed by more of it.
func (g *glue) gluing(text string) bool {
	next := byteAt(text, g.at+1)
	switch text[g.at] {
	case '(', '[', '{', '\\', ')', ']', '?':
		return true
	case '.', '+', '&':
		return next == '=' || next == 's'
	default:
		return next == '"' || next == '\''
	}
}

// word returns the end of a word that says how a value is written and is not
// the value, or g.at. Only what cannot be a secret counts.
func (g *glue) word(text string) int {
	end := run(text, g.at, min(len(text), g.at+16), func(c byte) bool { return isLetter(c) || c == '-' || c == '_' })
	if end == g.at || isAlnum(byteAt(text, end)) {
		return g.at
	}
	next := byteAt(text, end)
	switch strings.ToLower(text[g.at:end]) {
	case "value", "default", "defaultvalue", "data", "content", "body", "--body", "string", "str", "text", "char", "varchar", "const", "optional", "option",
		"securestring", "description", "sensitive", "nsstring", "any", "bytes", "byte":
		return end
	case "b", "r", "f", "u", "l", "rb", "br", "n", "q":
		if next == '"' || next == '\'' {
			return end
		}
	}
	return g.at
}
