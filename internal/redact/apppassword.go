package redact

import "strings"

// Bounds of a password in groups.
const (
	maxGroups  = 64 // How far from the words for it the password may stand.
	groupSize  = 4
	appLetters = 16
)

// findAppPassword finds 16 small letters, together or in four groups, in the
// same line.
func findAppPassword(text string, keyword span) (span, bool) {
	return groupsAfter(text, keyword.end, isLower, func(groups string, n int) bool {
		letters := strings.NewReplacer(" ", "", "-", "").Replace(groups)
		return len(letters) == appLetters && (n == 1 || n == 4) && !placeholder(letters) && odd(groups)
	})
}

// findAuthenticator finds groups of four characters of base32.
func findAuthenticator(text string, keyword span) (span, bool) {
	if isAlnum(byteBefore(text, keyword.start)) {
		return span{}, false
	}
	return groupsAfter(text, keyword.end, func(c byte) bool { return isLower(c) || isUpper(c) || '2' <= c && c <= '7' }, func(groups string, n int) bool {
		return n >= 4 && !placeholder(groups) && hasDigit(groups) && (strings.ToUpper(groups) == groups || strings.ToLower(groups) == groups)
	})
}

// groupsAfter returns the first groups of four characters, or of sixteen, in
// the line from text[at] on that judge accepts.
func groupsAfter(text string, at int, body func(byte) bool, judge func(groups string, n int) bool) (span, bool) {
	limit := min(len(text), at+maxGroups)
	for at < limit && text[at] != '\n' {
		if !body(text[at]) || isWord(byteBefore(text, at)) {
			at++
			continue
		}
		end, n := groupsAt(text, at, body)
		if n > 0 && judge(text[at:end], n) {
			return span{at, end}, true
		}
		at = max(at+1, run(text, at, limit, isWord))
	}
	return span{}, false
}

// groupsAt returns where the groups end that begin at text[at], and how many
// there are. One run of other length is none.
func groupsAt(text string, at int, body func(byte) bool) (end, n int) {
	const most = 8
	for n < most {
		next := run(text, at, min(len(text), at+appLetters+1), body)
		whole := !isWord(byteAt(text, next))
		if n == 0 && next-at == appLetters && whole {
			return next, 1
		}
		if next-at != groupSize || !whole {
			break
		}
		end = next
		n++
		if c := byteAt(text, next); c != ' ' && c != '-' {
			break
		}
		at = next + 1
	}
	return end, n
}

// odd says whether one of some groups of letters is no word that can be
// spoken.
func odd(groups string) bool {
	for group := range strings.FieldsFuncSeq(groups, func(r rune) bool { return r == ' ' || r == '-' }) {
		if !isSpoken(group) {
			return true
		}
	}
	return false
}
