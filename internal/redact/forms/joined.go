package forms

import (
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact/lex"
)

// joinSeams returns the text with the seams taken out at which a long token may
// have been cut: a line end, a tag, marks of bold type, or the end of one
// string literal that is added to the next. Both sides of a seam must be
// characters of a token, and all that they join must be more than words.
func joinSeams(text string) []Form {
	var b builder
	var chain []lex.Span // Seams with nothing but such characters between them.
	kept, first := 0, 0
	take := func() {
		if len(chain) == 0 {
			return
		}
		last := chain[len(chain)-1].End
		end := lex.Run(text, last, min(len(text), last+minWhole), isJoined)
		size := end - first
		for _, s := range chain {
			size -= s.End - s.Start
		}
		if size >= minWhole || size >= MinAcross && lex.HasDigit(text[first:end]) {
			for _, s := range chain {
				b.keepBytes(text, lex.Between(kept, s.Start))
				kept = s.End
			}
		}
		chain = chain[:0]
	}
	for i, from := 1, 0; i < len(text); i++ {
		if parts[text[i]]&ofSeam == 0 {
			continue
		}
		start := i
		if c := text[i]; c == '\n' || c == '\r' || c == '\\' {
			start = lex.Back(text, i, max(from, i-maxSeam), lex.IsBlank)
		}
		if start == 0 || !lex.IsBase64(text[start-1]) {
			continue
		}
		end := seamEnd(text, i)
		if end == i || end >= len(text) || !lex.IsBase64(text[end]) {
			continue
		}
		if lex.Run(text, from, start, isJoined) < start || len(chain) == 0 {
			take()
			first = lex.Back(text, start, max(from, start-minWhole), isJoined)
		}
		chain = append(chain, lex.Between(start, end))
		i, from = end, end
	}
	take()
	if kept == 0 {
		return nil
	}
	b.keepBytes(text, lex.Between(kept, len(text)))
	f := b.asForm()
	f.Derived = true
	return []Form{f}
}

// minWhole is the least length of what is joined without a digit.
const minWhole = 32

// isJoined says whether c may be part of what is joined: a token, or an address with one.
func isJoined(c byte) bool { return c > ' ' && !lex.IsQuote(c) && c != '\\' && c != '<' }

// maxSeam bounds the bytes of a seam.
const maxSeam = 128

// seamEnd returns where the seam at text[at] ends, or at if there is none.
func seamEnd(text string, at int) int {
	limit := min(len(text), at+maxSeam)
	rest := text[at:limit]
	switch rest[0] {
	case '"', '\'', '`':
		return literalSeam(text, at, limit)
	case '<':
		end := at
		for lex.ByteAt(text, end) == '<' {
			closing := strings.IndexByte(text[end:limit], '>')
			if closing < 0 {
				break
			}
			end += closing + 1
		}
		return end
	case '*', '$': // Bold type, or a literal inside a template.
		for _, mark := range [...]string{"**", `${"`, `${'`} {
			if strings.HasPrefix(rest, mark) {
				return at + len(mark)
			}
		}
		return at
	case '=': // A soft line end of quoted-printable.
		if c := lex.ByteAt(rest, 1); c != '\n' && c != '\r' {
			return at
		}
	case '\\':
		switch lex.ByteAt(rest, 1) {
		case '_', '-': // An escape of Markdown.
			return at + 1
		case '\n', '\r':
		default:
			return at
		}
	}
	return marginEnd(text, lex.Run(text, at+1, limit, lex.IsSpace), limit)
}

// marginEnd steps over the mark that stands in front of each line of a quotation,
// a comment or a patch.
func marginEnd(text string, at, limit int) int {
	mark := lex.Run(text, at, min(limit, at+3), func(c byte) bool {
		return c == '>' || c == '#' || c == '+' || c == '*' || c == '|'
	})
	if mark == at {
		return at
	}
	return lex.Run(text, mark, limit, lex.IsBlank)
}

// literalSeam returns where the next string literal begins that is added to
// the one which ends at text[at], or at if there is none.
func literalSeam(text string, at, limit int) int {
	quote := text[at]
	if lex.IsQuote(lex.ByteAt(text, at+1)) {
		return at + 2
	}
	end := lex.Run(text, at+1, limit, lex.IsSpace)
	if strings.HasPrefix(text[end:limit], "}${") {
		end += len("}${")
	} else if call := callSeam(text, end, limit); call > end {
		end = call
	} else if sign := lex.Run(text, end, min(limit, end+2), isAdding); sign > end {
		end = lex.Run(text, sign, limit, lex.IsSpace)
	}
	end = lex.Run(text, end, min(limit, end+2), lex.IsLetter) // The letter of a literal: f"…".
	if end >= limit || text[end] != quote {
		return at
	}
	return end + 1
}

// isAdding says whether c is a sign that adds one literal to the next, or a bracket of a template.
func isAdding(c byte) bool { return strings.IndexByte("+.&,|<{}", c) >= 0 }

// callSeam returns the end of ".concat(" or ").append(" at text[at], or at.
func callSeam(text string, at, limit int) int {
	dot := lex.Run(text, at, min(limit, at+1), func(c byte) bool { return c == ')' })
	end := lex.Run(text, dot+1, limit, lex.IsLetter)
	if lex.ByteAt(text, dot) != '.' || end == dot+1 || lex.ByteAt(text, end) != '(' {
		return at
	}
	return end + 1
}
