package redact

import (
	"strconv"
	"strings"
)

// networkRules are addresses that mean something only inside one network.
func networkRules() []Rule {
	const advice = "name the service rather than where it ran"
	return []Rule{
		{
			ID: "private-address", Severity: Warn,
			Why: "looks like an address in a private network", Advice: advice,
			keywords: []string{"10.", "192.168.", "172.", "127.0.", "169.254.", "0.0.0.0"},
			find:     findAddress,
		},
		{
			ID: "localhost-url", Severity: Warn,
			Why: "looks like a service on the machine of the writer", Advice: advice,
			keywords: []string{"localhost:", "[::1]:"}, find: findLocal,
			public: []string{"localhost:"},
		},
		{
			ID: "internal-host", Severity: Warn,
			Why: "looks like a host that only one network knows", Advice: advice,
			keywords: []string{".internal", ".corp", ".lan", ".local", ".intranet", ".localdomain"},
			find:     findInternalHost,
		},
	}
}

// findAddress finds a private IPv4 address that has a port or is the host of
// a URL.
func findAddress(text string, keyword span) (span, bool) {
	before := byteBefore(text, keyword.start)
	if isURLSafe(before) || before == '.' {
		return span{}, false
	}
	end := run(text, keyword.start, min(len(text), keyword.start+16), func(c byte) bool { return isDigit(c) || c == '.' })
	if !isPrivate(strings.TrimRight(text[keyword.start:end], ".")) {
		return span{}, false
	}
	port := portEnd(text, end)
	host := strings.HasSuffix(text[:keyword.start], "://") || before == '@'
	return span{keyword.start, max(end, port)}, port > 0 || host
}

// isPrivate says whether address is one of IPv4 that no public network has.
func isPrivate(address string) bool {
	parts := strings.Split(address, ".")
	if len(parts) != 4 {
		return false
	}
	var octets [4]uint64
	for i, part := range parts {
		octet, err := strconv.ParseUint(part, 10, 8)
		if err != nil {
			return false
		}
		octets[i] = octet
	}
	switch octets[0] {
	case 0, 10, 127:
		return true
	case 172:
		return octets[1]&0xF0 == 16
	case 192:
		return octets[1] == 168
	default:
		return octets[0] == 169 && octets[1] == 254
	}
}

// portEnd returns the end of the port that follows at text[at], or 0.
func portEnd(text string, at int) int {
	if byteAt(text, at) != ':' {
		return 0
	}
	end := run(text, at+1, min(len(text), at+7), isDigit)
	if end-at < 3 || end-at > 6 || isWord(byteAt(text, end)) {
		return 0
	}
	return end
}

func findLocal(text string, keyword span) (span, bool) {
	if before := byteBefore(text, keyword.start); isURLSafe(before) || before == '.' {
		return span{}, false
	}
	end := portEnd(text, keyword.end-1)
	return span{keyword.start, end}, end > 0
}

// findInternalHost finds a name under a domain that is not public, where it
// is the host of a URL or has a port.
func findInternalHost(text string, keyword span) (span, bool) {
	if c := byteAt(text, keyword.end); isURLSafe(c) || (c == '.' && isAlnum(byteAt(text, keyword.end+1))) {
		return span{}, false
	}
	start := back(text, keyword.start, max(0, keyword.start-2*maxSegment), func(c byte) bool { return isAlnum(c) || c == '-' || c == '.' })
	if start == keyword.start {
		return span{}, false
	}
	port := portEnd(text, keyword.end)
	before := byteBefore(text, start)
	host := strings.HasSuffix(text[:start], "://") || before == '@'
	return span{start, max(keyword.end, port)}, host || (port > 0 && before != '/')
}
