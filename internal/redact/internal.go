package redact

import "strings"

// findInternalHost finds a name under a domain that is not public, where it
// is the host of a URL, has a port, or is written as hosts are.
func findInternalHost(text string, keyword span) (span, bool) {
	after := byteAt(text, keyword.end)
	if isURLSafe(after) || (after == '.' && isAlnum(byteAt(text, keyword.end+1))) {
		return span{}, false
	}
	start := back(text, keyword.start, max(0, keyword.start-2*maxSegment), func(c byte) bool { return isAlnum(c) || c == '-' || c == '.' })
	name := text[start:keyword.end]
	if start == keyword.start || isSameEverywhere(name) {
		return span{}, false
	}
	port := portEnd(text, keyword.end)
	before := byteBefore(text, start)
	found := span{start, max(keyword.end, port)}
	if strings.HasSuffix(text[:start], "://") || before == '@' || port > 0 && before != '/' {
		return found, true
	}
	if isWord(before) || isBeyond(before) || strings.IndexByte("/\\$-.%{}*:", before) >= 0 || strings.IndexByte("(=[{/\\:$", after) >= 0 && after != 0 {
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
	switch labels[0] {
	case "this", "self", "com", "org", "net", "io", "dev", "settings", "config", "app", "application", "docker-compose", "compose", "env", "window", "pkg":
		return false
	}
	if len(labels[0]) < 2 {
		return false
	}
	switch labels[len(labels)-1] {
	case "lan", "corp", "intranet", "arpa":
		return true
	}
	return len(labels) > 2 || isHostCommand(text, start)
}

// isHostCommand says whether the word in front takes the name of a host.
func isHostCommand(text string, start int) bool {
	switch strings.ToLower(wordBefore(text, start)) {
	case "ssh", "ping", "host", "hostname", "curl", "wget", "dig", "nslookup", "telnet", "server", "scp", "rsync", "mosh", "traceroute", "nc", "resolve":
		return true
	default:
		return false
	}
}

// isSameEverywhere says whether name is one that every machine of a platform
// knows, so that it tells nothing of a network.
func isSameEverywhere(name string) bool {
	switch strings.ToLower(name) {
	case "host.docker.internal", "gateway.docker.internal", "kubernetes.docker.internal", "host.containers.internal", "host.minikube.internal",
		"metadata.google.internal", "kubernetes.default.svc.cluster.local", "cluster.local", "svc.cluster.local", "compute.internal",
		"localhost.localdomain", "home.arpa":
		return true
	default:
		return false
	}
}
