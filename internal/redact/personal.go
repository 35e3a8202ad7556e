package redact

import (
	"slices"
	"strings"
)

// findEmail finds an address around its sign. Addresses that belong to
// machines, to roles or to examples are left out.
func findEmail(text string, keyword span) (span, bool) {
	at := keyword.end
	end := run(text, at, min(len(text), at+2*maxSegment), func(c byte) bool { return isAlnum(c) || c == '-' || c == '.' })
	host := strings.TrimRight(text[at:end], ".-")
	end = at + len(host)
	if !isMailHost(strings.ToLower(host)) || isAddressed(text, end) {
		return span{}, false
	}
	start := back(text, at-1, max(0, at-1-maxSegment), func(c byte) bool { return isDotted(c) || c == '+' })
	start = run(text, start, at-1, func(c byte) bool { return c == '.' || c == '-' || c == '+' })
	before := byteBefore(text, start)
	if start == at-1 || before == '/' || before == '@' || before == ':' && !mailFields.has(strings.ToLower(wordBefore(text, start))) || isRole(strings.ToLower(text[start:at-1])) {
		return span{}, false
	}
	return span{start, end}, true
}

// isAddressed says whether what follows an address makes it the place of a
// file on a host, or a call.
func isAddressed(text string, end int) bool {
	switch after := byteAt(text, end); after {
	case '/', '(', '[', '_', '@':
		return true
	case ':':
		next := byteAt(text, end+1)
		return next != 0 && !isSpace(next)
	default:
		return false
	}
}

// isMailHost says whether host, in small letters, is a public domain that is
// not set apart for examples or machines.
func isMailHost(host string) bool {
	labels := strings.Split(host, ".")
	top := labels[len(labels)-1]
	if len(labels) < 2 || len(top) < 2 || len(top) > 18 || run(top, 0, len(top), isLetter) < len(top) && !strings.HasPrefix(top, "xn--") || extensions.has(top) {
		return false
	}
	return !slices.Contains(labels, "") && !noMailDomains.has(top) && !sampleMailHosts.has(host) && !sampleHostParts.within(host)
}

// isRole says whether name, in small letters, is no person.
func isRole(name string) bool {
	name, _, _ = strings.Cut(name, "+")
	bare := strings.ReplaceAll(strings.ReplaceAll(name, "-", ""), "_", "")
	return roles.has(name) || isHomeless(name) || strings.HasPrefix(bare, "noreply") || strings.HasPrefix(bare, "donotreply") || strings.HasSuffix(name, "-bot")
}
