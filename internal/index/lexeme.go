package index

import (
	"strings"
	"unicode/utf8"
)

const (
	longestWord  = 64  // longestWord is how many bytes of a word count.
	longestName  = 160 // longestName is the longest name or path that is kept as a whole beside its parts.
	mostSegments = 64  // mostSegments bounds the parts of one name or path.
)

// span is a part of a buffer.
type span struct{ from, to int }

// lexeme is one thing that stands between spaces: a word, a name of a program, a path, a number.
type lexeme struct {
	buf   []byte
	parts []span // parts are its words in their order, folded and stemmed.
	names []span // names are wholes within it, such as the file of a path.
	whole span   // whole is all of it in one, where it has more than one part; empty otherwise.

	lines map[string]string // lines are those of what was read lately.
	out   []byte            // out is where records are put together.
}

func (l *lexeme) text(s span) []byte { return l.buf[s.from:s.to] }

// nextChunk cuts the first lexeme off a text. It is empty at the end of the text.
func nextChunk(text string) (chunk, rest string) {
	from, at := -1, 0
	for i, c := range text {
		at = i
		kind := classOf(c)
		switch {
		case from < 0 && (kind == classNone || kind == classJoin):
		case from < 0 && kind == classIdeal:
			return cutIdeal(text[i:])
		case from < 0:
			from = i
		case kind == classNone || kind == classIdeal:
			return text[from:i], text[i:]
		}
	}
	if from < 0 {
		return "", text[min(len(text), at+1):]
	}
	return text[from:], ""
}

// cutIdeal cuts off the characters of scripts without spaces with which a text begins.
func cutIdeal(text string) (chunk, rest string) {
	for i, c := range text {
		if classOf(c) != classIdeal {
			return text[:i], text[i:]
		}
	}
	return text, ""
}

// read takes a chunk apart.
func (l *lexeme) read(chunk string) {
	l.buf, l.parts, l.names, l.whole = l.buf[:0], l.parts[:0], l.names[:0], span{}
	if c, _ := utf8.DecodeRuneInString(chunk); classOf(c) == classIdeal {
		l.pairs(chunk)
		return
	}
	if sign := signed(chunk); sign != "" {
		l.word(sign)
		return
	}
	segments := l.segments(unquoted(strings.TrimRight(chunk, `_-./\:@#+'’`)))
	if len(segments) > 1 {
		l.join(segments)
	}
}

// signed returns the name of a language such as C++ or C#, whose sign tells it from another.
func signed(chunk string) string {
	name := strings.TrimRight(chunk, ".:'")
	if bare := strings.TrimRight(name, "+#"); len(bare) == 1 && len(name) > 1 && len(name) < 4 {
		return name
	}
	return ""
}

// unquoted returns a word such as don't without its apostrophe.
func unquoted(chunk string) string {
	for _, end := range []string{"'t", "’t"} {
		if word, ok := strings.CutSuffix(chunk, end); ok {
			return word + "t"
		}
	}
	return chunk
}

// pairs makes a word of each two neighbours, since nothing shows where words end.
func (l *lexeme) pairs(text string) {
	before := 0
	for i := range text {
		if i == 0 {
			continue
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		l.word(text[before : i+size])
		before = i
	}
	if len(l.parts) == 0 {
		l.word(text)
	}
}

// segments takes a chunk apart at the signs that join names, and returns where its segments stand.
func (l *lexeme) segments(chunk string) []string {
	segments := make([]string, 0, 4)
	from := 0
	for i := 0; i <= len(chunk) && len(segments) < mostSegments; {
		c, size := rune('/'), 1
		if i < len(chunk) {
			c, size = utf8.DecodeRuneInString(chunk[i:])
		}
		if classOf(c) == classJoin && !withinNumber(chunk, i) {
			if i > from && !possessive(chunk, from, i) {
				segments = append(segments, chunk[from:i])
				l.segment(chunk[from:i])
			}
			from = i + size
		}
		i += size
	}
	return segments
}

// withinNumber reports whether a point stands between two digits, as in a version.
func withinNumber(text string, at int) bool {
	digit := func(i int) bool { return i >= 0 && i < len(text) && text[i] >= '0' && text[i] <= '9' }
	return at < len(text) && text[at] == '.' && digit(at-1) && digit(at+1)
}

// possessive reports whether a segment is the s, or another end of one letter, after an apostrophe.
func possessive(text string, from, to int) bool {
	before := text[:from]
	return to-from == 1 && (strings.HasSuffix(before, "'") || strings.HasSuffix(before, "’"))
}

// segment adds the words of a name such as parseHTTPError2.
func (l *lexeme) segment(text string) {
	first := len(l.parts)
	pieces, from := 0, 0
	last, before := classNone, classNone
	cut := func(to int) {
		if pieces++; utf8.RuneCountInString(text[from:to]) > 1 {
			l.word(text[from:to])
		}
		from = to
	}
	for i, c := range text {
		kind := classOf(c)
		if kind == classJoin { // A point within a number.
			kind = classDigit
		}
		switch {
		case i == 0 || kind == last:
		case last == classUpper && kind == classLower:
			// The capital before begins the word, unless there was none before it.
			if _, size := utf8.DecodeLastRuneInString(text[:i]); before == classUpper && i-size > from {
				cut(i - size)
			}
		default:
			cut(i)
		}
		before, last = last, kind
	}
	if from == 0 {
		l.word(text)
		return
	}
	cut(len(text))
	if pieces > 4 && pieces*3 > len(text) { // It is a digest rather than a name.
		l.parts = l.parts[:first]
	}
	if len(l.parts) == first {
		l.word(text)
		return
	}
	l.names = append(l.names, l.add(text))
	l.whole = l.names[len(l.names)-1]
}

// join adds names and the path as wholes.
func (l *lexeme) join(segments []string) {
	size := 0
	for _, s := range segments {
		size += len(s)
	}
	if size > longestName {
		l.whole = span{}
		return
	}
	if n := len(segments); n > 2 { // The file of a path, with its ending.
		l.names = append(l.names, l.add(segments[n-2]+segments[n-1]))
	}
	l.whole = l.add(strings.Join(segments, ""))
	l.names = append(l.names, l.whole)
}

// word adds a part.
func (l *lexeme) word(text string) { l.parts = append(l.parts, l.add(text)) }

// add appends a word to the buffer, folded and stemmed.
func (l *lexeme) add(text string) span {
	from := len(l.buf)
	l.buf = appendFolded(l.buf, text)
	if len(l.buf)-from > longestName {
		l.buf = l.buf[:from+cutRune(l.buf[from:], longestWord)]
	}
	l.buf = l.buf[:from+stem(l.buf[from:])]
	return span{from, len(l.buf)}
}

// cutRune returns the length of what fits into limit bytes without cutting a character.
func cutRune(text []byte, limit int) int {
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return limit
}
