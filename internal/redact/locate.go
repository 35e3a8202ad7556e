package redact

import (
	"strings"
	"unicode/utf8"
)

// A locator counts the lines and columns of a text from its beginning on. It
// is asked for places that do not go back, so that the whole text is read once.
type locator struct {
	text         string
	at           int
	line, column int
}

func newLocator(text string) *locator { return &locator{text: text, line: 1, column: 1} }

// advance goes to the byte at to.
func (l *locator) advance(to int) {
	to = min(to, len(l.text))
	for l.at < to {
		if l.text[l.at] == '\n' {
			l.line++
			l.column = 0
		}
		_, size := utf8.DecodeRuneInString(l.text[l.at:])
		l.at += size
		l.column++
	}
}

// locate fills in the place of f, which takes up the bytes s of the text. It
// is called in the order of the text.
func (l *locator) locate(f *Finding, s span) {
	l.advance(s.start)
	f.Line, f.Column = l.line, l.column
	end := *l
	end.advance(s.end)
	f.EndLine, f.EndColumn = end.line, end.column
	f.from, f.to = s.start, s.end
}

// A rawCursor finds the bytes of a quoted JSON string that its decoded bytes
// came from.
type rawCursor struct {
	raw         string
	at, decoded int
}

// span returns the bytes of raw that s came from. It is called in the order of
// the text.
func (c *rawCursor) span(s span) span {
	start := c.offset(s.start)
	end := *c
	return span{start, end.offset(s.end)}
}

// offset returns where the byte at want of the decoded string begins in raw.
func (c *rawCursor) offset(want int) int {
	if c.at == 0 {
		c.at = 1 // The opening quote.
	}
	for c.decoded < want && c.at < len(c.raw)-1 {
		size, bytes := rawUnit(c.raw[c.at:])
		if c.decoded+bytes > want {
			break
		}
		c.at += size
		c.decoded += bytes
	}
	return c.at
}

// rawUnit returns how long the unit at the beginning of raw is, and how many
// bytes it decodes to.
func rawUnit(raw string) (size, bytes int) {
	if raw[0] != '\\' || len(raw) < 2 {
		return 1, 1
	}
	if raw[1] != 'u' {
		return 2, 1
	}
	size = min(6, len(raw))
	text, err := unquote(`"` + raw[:size] + `"`)
	if err != nil {
		return 1, 1
	}
	if strings.HasPrefix(raw[size:], `\u`) && text == "\ufffd" && len(raw) >= 12 {
		pair, err := unquote(`"` + raw[:12] + `"`)
		if err == nil && utf8.RuneCountInString(pair) == 1 {
			return 12, len(pair)
		}
	}
	return size, len(text)
}
