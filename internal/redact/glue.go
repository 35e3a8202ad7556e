package redact

import "strings"

// A glue is what stands between a name and its value.
type glue struct {
	at    int  // Where the value begins.
	signs bool // A sign of assignment was among it.
	quote byte // The quote that opens the value, or 0.
	lines int  // Line ends.
	last  byte // The sign that was read last.
	limit int  // Where reading ends.
}

// maxGlue bounds the bytes between a name and its value, blanks aside.
const maxGlue = 64

// readGlue reads what may stand between a name that ends at text[at] and its
// value in the languages and formats that assign: quotes and brackets, the
// sign itself, a type, and words such as "value".
func readGlue(text string, at int) glue {
	g := glue{at: at}
	if end := attributes(text, at); end > at {
		g.at, g.signs = end, true
	}
	g.limit = min(len(text), at+maxGlue)
	for g.at < g.limit && g.step(text) {
		continue
	}
	return g
}

// step steps over one piece of glue, and says whether there may be more.
func (g *glue) step(text string) bool {
	switch c := text[g.at]; {
	case isSpace(c):
		// Steps over blanks and line ends, as a formatter aligns them. It returns false where a
		// line ends behind "=", which then gives nothing.
		end := run(text, g.at, min(len(text), g.at+maxGlue), isSpace)
		lines := strings.Count(text[g.at:end], "\n")
		if lines > 0 && (g.last == '=' || g.last == ',' || g.last == ':' && !isBlank(byteAt(text, end-1))) {
			return false
		}
		g.lines += lines
		g.at, g.quote = end, 0
		g.limit = min(len(text), end+maxGlue)
		return true
	case isQuote(c):
		return !g.open(text)
	case strings.IndexByte("=:>,|", c) >= 0:
		g.signs, g.quote, g.last = true, 0, c
		g.at++
	case strings.IndexByte("<.*;!", c) >= 0:
		end := g.mark(text)
		if end == g.at {
			return false
		}
		g.at, g.signs, g.quote = end, true, 0
	case strings.IndexByte(`\)](?[{@$&+`, c) >= 0 && g.gluing(text):
		g.signs = g.signs || c == '(' && isQuote(byteAt(text, g.at+1))
		g.at++
	case c == '-' && (byteAt(text, g.at+1) == '>' || byteAt(text, g.at-1) == '>' || byteAt(text, g.at-1) == '|'):
		g.at++
	default:
		end := g.word(text)
		if end == g.at {
			return false
		}
		g.at = end
	}
	return true
}

// open steps over a quote, and says whether the value begins behind it.
func (g *glue) open(text string) bool {
	g.quote = text[g.at]
	g.at++
	if !g.signs {
		return false // It closes the name.
	}
	end := g.word(text)
	if end > g.at && byteAt(text, end) == g.quote {
		g.at, g.quote = end+1, 0
		return false // Another name, such as "value".
	}
	for byteAt(text, g.at) == g.quote && byteAt(text, g.at+1) == g.quote {
		g.at += 2 // Three quotes in a row.
	}
	return byteAt(text, g.at) != g.quote
}

// gluing says whether the sign at g.at belongs to the glue and not to the
// value: it is followed by more of it.
func (g *glue) gluing(text string) bool {
	next := byteAt(text, g.at+1)
	switch text[g.at] {
	case '(', '[', '{', '\\', ')', ']', '?':
		return true
	case '+', '&':
		return next == '=' || next == 's'
	default:
		return next == '"' || next == '\''
	}
}

// mark returns the end of what stands between a name and its value in a
// document or a call: a tag, a method such as ".fill(", the end of bold type.
func (g *glue) mark(text string) int {
	rest := text[g.at:min(len(text), g.at+maxGlue)]
	switch rest[0] {
	case ';': // The next string of a serialized array.
		end := run(rest, 3, len(rest), isDigit)
		if strings.HasPrefix(rest, ";s:") && strings.HasPrefix(rest[end:], `:"`) {
			return g.at + end + 1
		}
	case '!': // A type of YAML.
		if strings.HasPrefix(rest, "!!str ") || strings.HasPrefix(rest, "!!binary ") {
			return g.at + strings.IndexByte(rest, ' ')
		}
	case '<':
		if strings.HasPrefix(rest, "<-") {
			return g.at + 2
		}
		if end := strings.IndexByte(rest, '>'); (!g.signs || g.last == '>') && end > 0 && !strings.ContainsAny(rest[:end], " \n\"'=") && end > 1 {
			return g.at + end + 1
		}
	case '.':
		end := run(rest, 1, len(rest), isWord)
		if end > 1 && byteBefore(text, g.at) == ')' && end < len(rest) && rest[end] == '(' {
			return g.at + end + 1
		}
		if strings.HasPrefix(rest, ".=") {
			return g.at + 2
		}
	case '*':
		if strings.HasPrefix(rest, "**") {
			return g.at + 2
		}
	}
	return g.at
}

// word returns the end of a word that says how a value is written and is not
// the value, or g.at. Only what cannot be a secret counts.
func (g *glue) word(text string) int {
	end := run(text, g.at, min(len(text), g.at+16), func(c byte) bool { return isLetter(c) || c == '-' || c == '_' })
	next := byteAt(text, end)
	if end == g.at || isAlnum(next) || next == '[' || next == '.' || next == '/' {
		return g.at
	}
	word := strings.ToLower(text[g.at:end])
	if g.signs && next == '(' && isQuote(byteAt(text, end+1)) && wrappings.has(word) {
		return end
	}
	if glueWords.has(word) || literalLetters.has(word) && (next == '"' || next == '\'') {
		return end
	}
	return g.at
}

// attributes returns the end of the tag whose name ends at text[at], where the
// tag has attributes, or at.
func attributes(text string, at int) int {
	start := back(text, at, max(0, at-maxName), isDotted)
	if byteBefore(text, start) != '<' || byteAt(text, at) != ' ' {
		return at
	}
	end := strings.IndexByte(text[at:min(len(text), at+maxGlue)], '>')
	if end < 0 {
		return at
	}
	return at + end + 1
}
