package clean

import (
	"strings"
	"unicode"
)

// Width returns how many columns a terminal gives to s, which is a result of
// Line: two for wide characters of East Asia and emoji, none for marks that
// stand on the character before them.
func Width(s string) int {
	width := 0
	for _, r := range s {
		width += runeWidth(r)
	}
	return width
}

// Truncate returns s if it fits into columns, or else its beginning and "…".
// A character is never parted from its marks.
func Truncate(s string, columns int) string { return TruncateWith(s, columns, "…") }

// TruncateWith does so with another sign, for terminals that lack that one.
func TruncateWith(s string, columns int, sign string) string {
	if columns <= 0 {
		return ""
	}
	room := columns - Width(sign)
	width, end := 0, 0 // The cut that leaves room for the sign.
	for i, r := range s {
		w := runeWidth(r)
		if w > 0 && width <= room {
			end = i
		}
		if width += w; width > columns {
			return strings.TrimRight(s[:end], " ") + sign
		}
	}
	return s
}

func runeWidth(r rune) int {
	switch {
	case r < 0x20:
		return 0
	case r < 0x300, r < 0x1100 && !isMark(r):
		return 1
	case isMark(r):
		return 0
	case isWide(r):
		return 2
	default:
		return 1
	}
}

// isMark says whether r is drawn over the character before it.
func isMark(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me) || 0x1160 <= r && r <= 0x11FF || isInvisible(r)
}

// isWide says whether r takes two columns.
func isWide(r rune) bool {
	for _, block := range wideBlocks {
		if r <= block.last {
			return r >= block.first
		}
	}
	return false
}

// A block is a range of characters.
type block struct{ first, last rune }

// wideBlocks are the blocks of characters with two columns, in order. Small
// gaps of unassigned characters are taken with them.
//
//nolint:gochecknoglobals // A table that nobody writes to.
var wideBlocks = []block{
	{0x1100, 0x115F},
	{0x231A, 0x231B},
	{0x23E9, 0x23EC},
	{0x23F0, 0x23F0},
	{0x23F3, 0x23F3},
	{0x25FD, 0x25FE},
	{0x2614, 0x2615},
	{0x2648, 0x2653},
	{0x267F, 0x267F},
	{0x2693, 0x2693},
	{0x26A1, 0x26A1},
	{0x26AA, 0x26AB},
	{0x26BD, 0x26BE},
	{0x26C4, 0x26C5},
	{0x26CE, 0x26CE},
	{0x26D4, 0x26D4},
	{0x26EA, 0x26EA},
	{0x26F2, 0x26F3},
	{0x26F5, 0x26F5},
	{0x26FA, 0x26FA},
	{0x26FD, 0x26FD},
	{0x2705, 0x2705},
	{0x270A, 0x270B},
	{0x2728, 0x2728},
	{0x274C, 0x274C},
	{0x274E, 0x274E},
	{0x2753, 0x2755},
	{0x2757, 0x2757},
	{0x2795, 0x2797},
	{0x27B0, 0x27B0},
	{0x27BF, 0x27BF},
	{0x2B1B, 0x2B1C},
	{0x2B50, 0x2B50},
	{0x2B55, 0x2B55},
	{0x2E80, 0x303E},
	{0x3041, 0x33FF},
	{0x3400, 0x4DBF},
	{0x4E00, 0xA4CF},
	{0xA960, 0xA97F},
	{0xAC00, 0xD7A3},
	{0xF900, 0xFAFF},
	{0xFE10, 0xFE19},
	{0xFE30, 0xFE6F},
	{0xFF00, 0xFF60},
	{0xFFE0, 0xFFE6},
	{0x16FE0, 0x18DFF},
	{0x1AFF0, 0x1B2FF},
	{0x1F004, 0x1F004},
	{0x1F0CF, 0x1F0CF},
	{0x1F18E, 0x1F18E},
	{0x1F191, 0x1F19A},
	{0x1F200, 0x1F320},
	{0x1F32D, 0x1F335},
	{0x1F337, 0x1F37C},
	{0x1F37E, 0x1F393},
	{0x1F3A0, 0x1F3CA},
	{0x1F3CF, 0x1F3D3},
	{0x1F3E0, 0x1F3F0},
	{0x1F3F4, 0x1F3F4},
	{0x1F3F8, 0x1F43E},
	{0x1F440, 0x1F440},
	{0x1F442, 0x1F4FC},
	{0x1F4FF, 0x1F53D},
	{0x1F54B, 0x1F54E},
	{0x1F550, 0x1F567},
	{0x1F57A, 0x1F57A},
	{0x1F595, 0x1F596},
	{0x1F5A4, 0x1F5A4},
	{0x1F5FB, 0x1F64F},
	{0x1F680, 0x1F6C5},
	{0x1F6CC, 0x1F6CC},
	{0x1F6D0, 0x1F6D2},
	{0x1F6D5, 0x1F6D7},
	{0x1F6DC, 0x1F6DF},
	{0x1F6EB, 0x1F6EC},
	{0x1F6F4, 0x1F6FC},
	{0x1F7E0, 0x1F7EB},
	{0x1F7F0, 0x1F7F0},
	{0x1F90C, 0x1F93A},
	{0x1F93C, 0x1F945},
	{0x1F947, 0x1F9FF},
	{0x1FA70, 0x1FAFF},
	{0x20000, 0x2FFFD},
	{0x30000, 0x3FFFD},
}
