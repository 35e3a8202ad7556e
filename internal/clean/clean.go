// Package clean makes hostile text safe to print: on a terminal, in a
// heading, in a report.
//
// What a terminal would obey, what would not be seen, and what would turn the
// order of the text around is taken out: escape sequences and other control
// characters, bidirectional controls, zero-width characters, tags, variation
// selectors, private characters and noncharacters, bytes that are no UTF-8,
// and combining marks beyond the fifth on a letter. What looks like a marker
// of a host or a model, such as <system-reminder> or <|im_start|>, loses its
// bracket. All else stays, letters of every script included.
//
// Emoji that are joined out of several lose their joiners and are shown side
// by side. The package is pure and needs no tables at start.
package clean

import (
	"strings"
	"unicode/utf8"
)

// Line returns s as one line. Line ends, tabs and runs of blanks become one
// blank, and there is none at either end.
func Line(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	gap := false
	for r := range visible(s) {
		if isBlank(r) {
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		b.WriteRune(r)
	}
	return withoutMarkers(b.String())
}

// Text returns s as lines. Other line ends become "\n", tabs become blanks,
// and there is no blank at the end of a line nor an empty line at the end.
func Text(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	blanks, ends := 0, 0
	for r := range visible(s) {
		switch {
		case r == '\n':
			ends++
			blanks = 0
		case isBlank(r):
			blanks++
		default:
			b.WriteString(strings.Repeat("\n", ends))
			b.WriteString(strings.Repeat(" ", blanks))
			b.WriteRune(r)
			blanks, ends = 0, 0
		}
	}
	return withoutMarkers(b.String())
}

// Count returns how many characters Line and Text take out of s, each byte
// that is no UTF-8 counted as one. Line ends and blanks do not count.
func Count(s string) int {
	kept := 0
	for range visible(s) {
		kept++
	}
	return utf8.RuneCountInString(strings.ReplaceAll(s, "\r\n", "\n")) - kept
}

// visible yields the characters of s that may be printed, with "\n" for each
// line end.
func visible(s string) func(yield func(rune) bool) {
	return func(yield func(rune) bool) {
		stacked := 0
		for i := 0; i < len(s); {
			if n := escapeLen(s[i:]); n > 0 {
				i += n
				continue
			}
			r, size := utf8.DecodeRuneInString(s[i:])
			switch {
			case r == utf8.RuneError && size == 1, r != '\r' && IsForbidden(r):
				i += size
				continue
			case isCombining(r):
				if stacked++; stacked > mostCombining {
					i += size
					continue
				}
			default:
				stacked = 0
			}
			if r == '\r' {
				r = '\n'
				if strings.HasPrefix(s[i:], "\r\n") {
					size = 2
				}
			}
			if !yield(r) {
				return
			}
			i += size
		}
	}
}

// isBlank says whether r is a blank or a line end of Line.
func isBlank(r rune) bool {
	switch r {
	case ' ', '\t', '\n', 0x00A0, 0x1680, 0x202F, 0x205F, 0x3000:
		return true
	default:
		return 0x2000 <= r && r <= 0x200A
	}
}
