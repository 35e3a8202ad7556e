package redact

import "strings"

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

// privateDomains are domains of which each network may have hosts of its own.
func privateDomains() []string {
	return []string{".internal", ".corp", ".lan", ".local", ".intranet", ".localdomain", ".home.arpa"}
}

// ShortHosts returns text with the first label in the place of each host that only one network knows, as
// [Relative] writes it. It costs next to nothing where none stands there.
func ShortHosts(text string) string {
	var b strings.Builder
	from := 0
	for at := 0; at < len(text); at++ {
		if text[at] != '.' {
			continue
		}
		for _, domain := range privateDomains() {
			if !hasFold(text[at:], domain) {
				continue
			}
			if host, ok := findInternalHost(text, span{at, at + len(domain)}); ok && host.start >= from {
				b.WriteString(text[from:host.start] + shortHost(host.of(text)))
				from = host.end
			}
		}
	}
	return b.String() + text[from:]
}

// shortHost returns the first label of a host, with its port.
func shortHost(host string) string {
	name, port, found := strings.Cut(host, ":")
	name, _, _ = strings.Cut(name, ".")
	if found {
		name += ":" + port
	}
	return name
}

// findInternalHost finds a name under a domain that is not public, where it
// is the host of a URL, has a port, or is written as hosts are.
func findInternalHost(text string, keyword span) (span, bool) {
	after := byteAt(text, keyword.end)
	if isURLSafe(after) || (after == '.' && isAlnum(byteAt(text, keyword.end+1))) {
		return span{}, false
	}
	start := back(text, keyword.start, max(0, keyword.start-2*maxSegment), func(c byte) bool {
		return isAlnum(c) || c == '-' || c == '.'
	})
	name := text[start:keyword.end]
	if start == keyword.start || words("platform-host").has(strings.ToLower(name)) {
		return span{}, false
	}
	port := portEnd(text, keyword.end)
	before := byteBefore(text, start)
	found := span{start, max(keyword.end, port)}
	if strings.HasSuffix(text[:start], "://") || before == '@' || port > 0 && before != '/' {
		return found, true
	}
	if isWord(before) || isBeyond(before) || strings.IndexByte("/\\$-.%{}*:", before) >= 0 ||
		strings.IndexByte("(=[{/\\:$", after) >= 0 && after != 0 {
		return span{}, false
	}
	return found, isHostName(text, start, name)
}

// isHostName says whether a name that stands alone under a domain that is
// not public is a host. Files and members of programs end in the same words,
// so most domains ask for two labels, or for the word of a command in front.
func isHostName(text string, start int, name string) bool {
	labels := strings.Split(name, ".")
	for _, label := range labels {
		if label == "" || label != strings.ToLower(label) {
			return false
		}
	}
	if len(labels[0]) < 2 || words("member-label").has(labels[0]) {
		return false
	}
	switch labels[len(labels)-1] {
	case "lan", "corp", "intranet", "arpa":
		return true
	}
	return len(labels) > 2 || words("host-command").has(strings.ToLower(wordBefore(text, start)))
}

// findPrompt finds "account@machine" in front of a directory.
func findPrompt(text string, keyword span) (span, bool) {
	machine := back(text, keyword.start, max(0, keyword.start-maxSegment), isDotted)
	if machine == keyword.start || byteBefore(text, machine) != '@' {
		return span{}, false
	}
	account := back(text, machine-1, max(0, machine-1-maxSegment), isDotted)
	name, host := text[account:machine-1], text[machine:keyword.start]
	if name == "" || byteBefore(text, account) == '/' || isHomeless(name) || name == "git" ||
		words("any-host").has(strings.ToLower(host)) {
		return span{}, false
	}
	return span{account, keyword.start}, true
}
