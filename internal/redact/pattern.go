package redact

import (
	"regexp"
	"sync"
)

// pattern returns a finder that matches expr in the bytes from before the
// keyword to after it. The first group, or else the whole match, is the
// secret; it must hold or touch the keyword's own window only. The expression
// is compiled when a keyword is first seen, never at the start of the
// process.
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
