package redact

import (
	"slices"
	"strings"
)

// personalRules are what names a person.
func personalRules() []Rule {
	return []Rule{{
		ID: "email-address", Severity: Warn,
		Why:    "looks like the e-mail address of a person",
		Advice: "name a role rather than a person",
		keywords: []string{
			"a@", "b@", "c@", "d@", "e@", "f@", "g@", "h@", "i@", "j@", "k@", "l@", "m@", "n@", "o@", "p@", "q@", "r@", "s@", "t@", "u@", "v@",
			"w@", "x@", "y@", "z@", "0@", "1@", "2@", "3@", "4@", "5@", "6@", "7@", "8@", "9@", "_@", "-@",
		},
		find: findEmail,
	}}
}

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
	if start == at-1 || before == '/' || before == '@' || before == ':' && !isMailPrefix(text, start) || isRole(strings.ToLower(text[start:at-1])) {
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

// isMailPrefix says whether the colon in front of an address ends the name
// of a field and not that of an account in a URL.
func isMailPrefix(text string, start int) bool {
	switch strings.ToLower(wordBefore(text, start)) {
	case "mailto", "mail", "email", "author", "from", "cc", "bcc", "contact", "by", "sender", "to", "reply":
		return true
	default:
		return false
	}
}

// isMailHost says whether host, in small letters, is a public domain that is
// not set apart for examples or machines.
func isMailHost(host string) bool {
	labels := strings.Split(host, ".")
	top := labels[len(labels)-1]
	if len(labels) < 2 || len(top) < 2 || len(top) > 18 || run(top, 0, len(top), isLetter) < len(top) && !strings.HasPrefix(top, "xn--") || isExtension(top) {
		return false
	}
	if slices.Contains(labels, "") {
		return false
	}
	switch top {
	case "test", "invalid", "localhost", "internal", "lan", "corp", "onion":
		return false
	}
	switch host {
	case "host.com", "domain.com", "email.com", "mail.com", "domain.tld", "company.com", "mycompany.com", "foo.com", "bar.com", "foo.bar",
		"libssh.org", "googlegroups.com", "test.com", "acme.test", "site.com", "server.com", "mydomain.com", "host.tld", "address.com":
		return false
	}
	return !slices.ContainsFunc([]string{
		"example", "noreply", "openssh", "your", "test.", "placeholder", "lists.",
	}, func(word string) bool { return strings.Contains(host, word) })
}

// isRole says whether name, in small letters, is no person.
func isRole(name string) bool {
	name, _, _ = strings.Cut(name, "+")
	switch name {
	case "git", "support", "security", "info", "hello", "hi", "hey", "admin", "administrator", "test", "tester", "testing", "action", "actions", "root",
		"postmaster", "hostmaster", "webmaster", "abuse", "mailer-daemon", "help", "helpdesk", "contact", "sales", "office", "team", "dev",
		"devs", "developers", "ops", "devops", "billing", "accounts", "press", "jobs", "careers", "privacy", "legal", "feedback", "bugs", "bot",
		"service", "services", "system", "daemon", "mail", "email", "news", "newsletter", "notifications", "notification", "alerts", "build",
		"builds", "ci", "deploy", "release", "releases", "license", "licensing", "opensource", "oss", "conduct", "anonymous", "demo", "foo",
		"bar", "a", "b", "x", "first.last", "firstname.lastname", "registry", "api", "app", "enquiries", "marketing", "community", "maintainers":
		return true
	}
	bare := strings.ReplaceAll(strings.ReplaceAll(name, "-", ""), "_", "")
	return isHomeless(name) || strings.HasPrefix(bare, "noreply") || strings.HasPrefix(bare, "donotreply") || strings.HasSuffix(name, "-bot")
}
