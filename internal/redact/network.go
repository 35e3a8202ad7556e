package redact

import (
	"net/netip"
	"strings"
)

// networkRules are addresses that mean something only inside one network.
func networkRules() []Rule {
	const advice = "name the service rather than where it ran"
	return []Rule{
		{
			ID: "private-address", Severity: Warn,
			Why: "looks like an address in a private network", Advice: advice,
			keywords: []string{"10.", "192.168.", "172.", "127.0.", "169.254.", "0.0.0.0", "100."},
			find:     findAddress,
		},
		{
			ID: "private-ipv6-address", Severity: Warn,
			Why: "looks like an address in a private network", Advice: advice,
			keywords: []string{"fd", "fe8", "fe9", "fea", "feb"}, find: findIPv6,
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
			keywords: []string{".internal", ".corp", ".lan", ".local", ".intranet", ".localdomain", ".home.arpa"},
			find:     findInternalHost,
		},
		{
			ID: "mac-address", Severity: Warn,
			Why: "looks like the hardware address of one machine", Advice: advice,
			keywords: []string{"dhcp", "ether", "mac", "hwaddr", "lladdr", "bssid", "arp"}, find: findHardware,
		},
	}
}

// findAddress finds a private IPv4 address, with its port or the length of
// its prefix. The addresses of the machine itself need a port, or a place as
// the host of a URL.
func findAddress(text string, keyword span) (span, bool) {
	before := byteBefore(text, keyword.start)
	if isURLSafe(before) || before == '.' {
		return span{}, false
	}
	end := run(text, keyword.start, min(len(text), keyword.start+16), func(c byte) bool { return isDigit(c) || c == '.' })
	address := strings.TrimRight(text[keyword.start:end], ".")
	ip, err := netip.ParseAddr(address)
	if err != nil || !isPrivate(ip) || address == "169.254.169.254" { // Every cloud has that one.
		return span{}, false
	}
	end = keyword.start + len(address)
	port := portEnd(text, end)
	host := strings.HasSuffix(text[:keyword.start], "://") || before == '@'
	found := span{keyword.start, max(end, port, prefixEnd(text, end))}
	if port > 0 || host {
		return found, true
	}
	return found, !ip.IsLoopback() && !ip.IsUnspecified() && !isBlock(found.of(text)) &&
		!isWord(byteAt(text, end)) && byteAt(text, end) != '-' && !isVersioned(text, keyword.start)
}

// isPrivate says whether ip is an address of IPv4 that no public network has.
func isPrivate(ip netip.Addr) bool {
	octets := ip.As4()
	shared := octets[0] == 100 && octets[1]&0xC0 == 64 // Between a carrier and its customers.
	return ip.IsPrivate() || ip.IsLoopback() || ip.IsLinkLocalUnicast() || octets[0] == 0 || shared
}

// prefixEnd returns the end of the length of a prefix at text[at], or 0.
func prefixEnd(text string, at int) int {
	if byteAt(text, at) != '/' {
		return 0
	}
	end := run(text, at+1, min(len(text), at+4), isDigit)
	if end == at+1 || end > at+3 || isWord(byteAt(text, end)) {
		return 0
	}
	return end
}

// isBlock says whether address is a whole block that standards set apart.
func isBlock(address string) bool {
	switch address {
	case "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10", "10.0.0.0", "172.16.0.0", "192.168.0.0", "169.254.0.0":
		return true
	default:
		return false
	}
}

// isVersioned says whether the word in front shows that four numbers are a
// version.
func isVersioned(text string, start int) bool {
	switch strings.ToLower(wordBefore(text, start)) {
	case "version", "versions", "v", "ver", "release", "build", "oracle", "chrome", "chromium", "driver", "upgrade", "sdk", "windows":
		return true
	default:
		return false
	}
}

// findIPv6 finds a unique local or a link-local address of IPv6.
func findIPv6(text string, keyword span) (span, bool) {
	if before := byteBefore(text, keyword.start); isWord(before) || before == ':' || before == '-' || before == '.' {
		return span{}, false
	}
	end := run(text, keyword.end, min(len(text), keyword.start+40), isHex)
	if end != keyword.start+4 || byteAt(text, end) != ':' {
		return span{}, false
	}
	end = run(text, end, min(len(text), keyword.start+40), func(c byte) bool { return isHex(c) || c == ':' })
	if isWord(byteAt(text, end)) {
		return span{}, false
	}
	address := text[keyword.start:end]
	if strings.HasSuffix(address, ":") && !strings.HasSuffix(address, "::") {
		address = address[:len(address)-1]
	}
	ip, err := netip.ParseAddr(address)
	return span{keyword.start, keyword.start + len(address)}, err == nil && (ip.IsPrivate() || ip.IsLinkLocalUnicast()) && address != "fe80::"
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
