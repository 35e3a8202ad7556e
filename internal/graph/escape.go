package graph

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/clean"
)

// shown returns s as one line of at most this many columns, in which nothing
// hides: runs of blanks are one blank, and what a terminal would obey, what
// has no shape or turns the order of the text around is spelled out.
func shown(s string, columns int) string {
	const most = 4 // Marks on one character; where they pile up, they are spelled out.
	var b strings.Builder
	width, marks, gap := 0, 0, false
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		piece, w := visible(r, s[:size])
		s = s[size:]
		if piece == " " {
			gap = b.Len() > 0
			continue
		}
		if gap {
			piece, w, gap = " "+piece, w+1, false
		}
		if marks++; w > 0 {
			marks = 0
		} else if marks > most {
			piece = spelled(r)
			w = len(piece)
		}
		if width+w > columns {
			return cutTo(b.String(), columns-1) + "…"
		}
		b.WriteString(piece)
		width += w
	}
	return b.String()
}

// visible returns how a character is shown and how many columns that takes.
func visible(r rune, raw string) (piece string, columns int) {
	switch {
	case unicode.IsSpace(r) && r != 0x85 && r != 0x2028 && r != 0x2029:
		return " ", 1
	case r == utf8.RuneError && len(raw) == 1:
		piece = fmt.Sprintf(`\x%02x`, raw[0])
	case !strconv.IsPrint(r) || isShapeless(r):
		piece = spelled(r)
	default:
		return raw, clean.Width(string(r))
	}
	return piece, len(piece)
}

// spelled returns the number of a character.
func spelled(r rune) string {
	if r > 0xffff {
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// isShapeless says whether r counts as printable and shows nothing.
func isShapeless(r rune) bool {
	switch {
	case r < 0x34F:
		return false
	case r == 0x34F, r == 0x115F, r == 0x1160, r == 0x3164, r == 0xFFA0, r == 0x2800:
		return true
	case r == 0x17B4, r == 0x17B5, 0x180B <= r && r <= 0x180F:
		return true
	default: // Selectors of variants.
		return 0xFE00 <= r && r <= 0xFE0F || 0xE0100 <= r && r <= 0xE01EF
	}
}

// cutTo returns the beginning of a shown line that fits into the columns.
func cutTo(s string, columns int) string {
	width := 0
	for i, r := range s {
		if width += clean.Width(string(r)); width > columns {
			return strings.TrimRight(s[:i], " ")
		}
	}
	return s
}
