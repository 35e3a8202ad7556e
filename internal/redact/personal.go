package redact

import "strings"

// personalRules are what names a person.
func personalRules() []Rule {
	return []Rule{{
		ID: "email-address", Severity: Warn,
		Why:      "looks like the e-mail address of a person",
		Advice:   "name a role rather than a person",
		keywords: []string{".com", ".org", ".net", ".edu", ".io", ".dev", ".co.", ".de", ".fr", ".uk", ".eu", ".me", ".ai", ".ch"},
		find:     findEmail,
	}}
}

// findEmail finds an address at a keyword that ends its domain. Addresses
// that belong to machines or to examples are left out.
func findEmail(text string, keyword span) (span, bool) {
	if c := byteAt(text, keyword.end); isURLSafe(c) && text[keyword.end-1] != '.' || c == '/' || c == ':' {
		return span{}, false
	}
	domain := back(text, keyword.start, max(0, keyword.start-maxSegment), func(c byte) bool { return isAlnum(c) || c == '-' || c == '.' })
	if byteBefore(text, domain) != '@' {
		return span{}, false
	}
	start := back(text, domain-1, max(0, domain-1-maxSegment), func(c byte) bool { return isDotted(c) || c == '+' })
	name, host := strings.ToLower(text[start:domain-1]), text[domain:keyword.end]
	if name == "" || byteBefore(text, start) == ':' || byteBefore(text, start) == '/' {
		return span{}, false
	}
	for _, role := range [...]string{"git", "noreply", "no-reply", "support", "security", "info", "hello", "admin", "user", "name", "you", "someone", "test", "action"} {
		if name == role {
			return span{}, false
		}
	}
	if containsFold(host, "example") || containsFold(host, "noreply") || containsFold(host, "openssh") || containsFold(host, "test.") {
		return span{}, false
	}
	return span{start, run(text, keyword.end, min(len(text), keyword.end+4), isLetter)}, true
}
