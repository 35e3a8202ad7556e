package redact

import "strings"

// findPair finds "name / password" and "name/password" behind a usual name,
// where the password cannot be a path or a number.
func findPair(text string, keyword span) (span, bool) {
	if isToken(byteBefore(text, keyword.start)) {
		return span{}, false
	}
	name := run(text, keyword.start, min(len(text), keyword.start+maxName), isURLSafe)
	at := run(text, name, min(len(text), name+1), isBlank)
	if c := byteAt(text, at); c != '/' && c != ':' || at > name && c == ':' {
		return span{}, false
	}
	at = run(text, at+1, min(len(text), at+2), isBlank)
	end := run(text, at, min(len(text), at+maxValue), func(c byte) bool { return !isSpace(c) })
	word := bareWord(text, span{at, end})
	value := word.of(text)
	n := classesOf(value)
	mixed := n.digit > 0 && n.lower > 0 && (n.upper > 0 && !identifier(value) || marks(value) > 0)
	return withMarks(text, word), mixed && len(value) >= 6 && chosen.tells(value, linkedTo) && strings.IndexByte(value, '/') < 0 && strings.IndexByte(value, '=') < 0
}

// findLogin finds "name / password" and "name:password".
func findLogin(text string, keyword span) (span, bool) {
	start := run(text, keyword.end, min(len(text), keyword.end+4), func(c byte) bool { return isQuoteOrBlank(c) || c == ':' })
	name := run(text, start, min(len(text), start+maxName), func(c byte) bool { return isDotted(c) || c == '@' || c == '\\' })
	if name == start {
		return span{}, false
	}
	at := run(text, name, min(len(text), name+4), isQuoteOrBlank)
	switch c := byteAt(text, at); {
	case c == '/' || c == '|' || c == ',':
	case c == ':' && at == name:
	default:
		return span{}, false
	}
	at = run(text, at+1, min(len(text), at+6), isQuoteOrBlank)
	end := run(text, at, min(len(text), at+maxValue), func(c byte) bool { return !isSpace(c) })
	word := bareWord(text, span{at, end})
	value := word.of(text)
	ok := chosen.tells(value, linkedTo) && classesOf(value).digit < len(value) && strings.IndexByte(value, '/') < 0
	return withMarks(text, word), ok
}

// findNetrc finds the password in "machine host login user password secret".
func findNetrc(text string, keyword span) (span, bool) {
	if !isSpace(byteBefore(text, keyword.start)) && keyword.start > 0 && !isQuoteSign(byteBefore(text, keyword.start)) {
		return span{}, false
	}
	const words, longest = 9, 256
	limit := min(len(text), keyword.end+2*longest)
	previous, named := "", fold(text[keyword.start]) == 'd'
	for at, n := keyword.end, 0; n < words; n++ {
		at = run(text, at, limit, isSpace)
		end := run(text, at, limit, func(c byte) bool { return !isSpace(c) })
		word := unquoted(text, span{at, end})
		switch previous {
		case "login", "user":
			named = true
		case "password":
			return word, named && secretArgument(word.of(text))
		}
		if n%2 == 1 && word.of(text) != "login" && word.of(text) != "password" && word.of(text) != "account" && word.of(text) != "user" && !named {
			return span{}, false
		}
		previous = word.of(text)
		at = end
	}
	return span{}, false
}

// findPgpass finds the last field of "host:port:database:user:password".
func findPgpass(text string, keyword span) (span, bool) {
	start := back(text, keyword.start, max(0, keyword.start-100), func(c byte) bool { return isDotted(c) || c == '*' })
	if start == keyword.start || start > 0 && !isSpace(text[start-1]) && !isQuoteSign(text[start-1]) {
		return span{}, false
	}
	at := keyword.end
	for range 2 {
		end := run(text, at, min(len(text), at+64), func(c byte) bool { return isDotted(c) || c == '*' })
		if end == at || byteAt(text, end) != ':' {
			return span{}, false
		}
		at = end + 1
	}
	end := run(text, at, min(len(text), at+maxValue), func(c byte) bool { return !isSpace(c) && !isQuoteSign(c) })
	return span{at, end}, secretArgument(text[at:end])
}

// findNpmrc finds the value of a setting of npm or yarn that logs in.
func findNpmrc(text string, keyword span) (span, bool) {
	at, end := keyword.end, min(len(text), keyword.end+4)
	if byteBefore(text, at) != '=' {
		at = run(text, at, end, func(c byte) bool { return isQuoteOrBlank(c) || c == '=' || c == ':' })
		if at == keyword.end {
			return span{}, false
		}
	}
	at = run(text, at, min(len(text), at+3), isQuoteOrBlank)
	limit := min(len(text), at+judged)
	secret := span{at, run(text, at, limit, isCookieValue)}
	n := classesOf(secret.of(text))
	if value := secret.of(text); secret.end-at < minToken || n.digit+n.upper == 0 || !secretArgument(value) || isCode(value) || value[0] == '+' {
		return span{}, false
	}
	if secret.end == limit {
		secret.end = run(text, limit, len(text), isCookieValue)
	}
	return secret, true
}

// findDockerAuth finds base64 of a user and a password.
func findDockerAuth(text string, keyword span) (span, bool) {
	at, ok := headerGlue(text, keyword.end)
	if !ok {
		return span{}, false
	}
	end := run(text, at, min(len(text), at+4*judged), isBase64)
	password, ok := basicPassword(text[at:end])
	return span{at, end}, ok && len(password) >= 4 && !urlFiller(password) && !variable(password)
}

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
