package redact

import (
	"regexp"
	"sync"
)

// pattern returns a finder that matches expr in a window: some bytes before
// the keyword, the keyword, and some bytes after it. The first group of expr,
// or else the whole match, is the secret. The expression is compiled when a
// keyword is first seen, never at the start of the process.
func pattern(before, after int, expr string) finder {
	compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
	return func(text string, keyword span) (span, bool) {
		from := max(0, keyword.start-before)
		window := text[from:min(len(text), keyword.end+after)]
		match := compiled().FindStringSubmatchIndex(window)
		if match == nil {
			return span{}, false
		}
		secret := span{match[0], match[1]}
		if len(match) > 2 && match[2] >= 0 {
			secret = span{match[2], match[3]}
		}
		if placeholder(secret.of(window)) {
			return span{}, false
		}
		return span{from + secret.start, from + secret.end}, true
	}
}

// following returns find for those keywords that a letter or digit precedes,
// which is far cheaper to see than a match.
func following(find finder) finder {
	return func(text string, keyword span) (span, bool) {
		if !isAlnum(byteBefore(text, keyword.start)) {
			return span{}, false
		}
		return find(text, keyword)
	}
}

// followingDigit returns find for those keywords that a digit precedes.
func followingDigit(find finder) finder {
	return func(text string, keyword span) (span, bool) {
		if !isDigit(byteBefore(text, keyword.start)) {
			return span{}, false
		}
		return find(text, keyword)
	}
}
