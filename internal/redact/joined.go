package redact

import "strings"

// joined returns the text with the seams taken out at which a long token may
// have been cut: a line end, or the end of one string literal added to the
// next. Both sides of a seam must be characters of a token.
func joined(text string) []form {
	var b builder
	kept := 0
	for i := 1; i < len(text); i++ {
		if !isSeam(text[i]) || !isBase64(text[i-1]) {
			continue
		}
		end := seam(text, i)
		if end == i || end == len(text) || !isBase64(text[end]) {
			continue
		}
		b.keep(text, span{kept, i})
		kept, i = end, end
	}
	if kept == 0 {
		return nil
	}
	b.keep(text, span{kept, len(text)})
	f := b.form()
	f.derived = true
	return []form{f}
}

func isSeam(c byte) bool {
	return c == '=' || c == '<' || c == '\n' || c == '\r' || c == '\\' || c == '"' || c == '\'' || c == '`'
}

// seam returns where the seam at text[at] ends, or at if there is none.
func seam(text string, at int) int {
	const longest = 40
	limit := min(len(text), at+longest)
	end := at + 1
	switch c := text[at]; c {
	case '"', '\'', '`':
		return literalSeam(text, at, limit)
	case '<':
		if hasFold(text[at:], "<wbr>") || hasFold(text[at:], "<br>") {
			return at + strings.IndexByte(text[at:], '>') + 1
		}
		return at
	case '=': // A soft line end of quoted-printable.
		if c := byteAt(text, end); c != '\n' && c != '\r' {
			return at
		}
	case '\\':
		if end >= limit || (text[end] != '\n' && text[end] != '\r') {
			return at
		}
	}
	return run(text, end, limit, isSpace)
}

// literalSeam returns where the next string literal begins that is added to
// the one which ends at text[at], or at if there is none.
func literalSeam(text string, at, limit int) int {
	end := run(text, at+1, limit, isSpace)
	if sign := run(text, end, min(limit, end+2), isAdding); sign > end {
		end = run(text, sign, limit, isSpace)
	} else if end == at+1 {
		return at
	}
	end = run(text, end, min(limit, end+2), isLetter) // The letter of a literal: f"…".
	if end >= limit || text[end] != text[at] {
		return at
	}
	return end + 1
}

// isAdding says whether c is a sign between two literals that become one text.
func isAdding(c byte) bool { return c == '+' || c == '.' || c == '&' || c == ',' || c == '|' }
