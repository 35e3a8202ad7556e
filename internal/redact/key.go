package redact

import "strings"

// keyRules are private keys in the forms in which files hold them.
func keyRules() []Rule {
	const advice = "replace the key pair everywhere it is trusted, then leave it out of the packet"
	return []Rule{
		{
			ID: "private-key", Severity: Block, shape: true,
			Why: "looks like a private key", Advice: advice,
			keywords: []string{"begin "}, find: findPEM,
			public: []string{"-----BEGIN "},
		},
		{
			ID: "putty-key", Severity: Block, shape: true,
			Why: "looks like a PuTTY private key file", Advice: advice,
			keywords: []string{"putty-user-key-file-"}, find: findPuTTY,
			public: []string{"PuTTY-User-Key-File-"},
		},
		token("age-key", "an age secret key", "by encrypting anew for a new key",
			shape{prefixes: []string{"AGE-SECRET-KEY-", "AGE-PLUGIN-"}, body: isAgeKey, min: 40, digit: true}),
		{
			ID: "private-key-body", Severity: Block, shape: true,
			Why: "looks like the body of a private key without its header", Advice: advice,
			keywords: []string{
				"ibadanbgkqhkig9w0baqefaasc", "aqeaakca", "ibaakca", "b3blbnnzac1rzxktdje",
				"mc4caqawbqydk2vwbciei", "mighageambmgbyqgsm49", "mhccaqeei", "migkageb",
			},
			find: findKeyBody,
		},
	}
}

func isAgeKey(c byte) bool { return isUpperNum(c) || c == '-' }

// findPEM finds a private key block at the word BEGIN in its first line. The
// block reaches to its last line, or else to the end of the text.
func findPEM(text string, keyword span) (span, bool) {
	start := back(text, keyword.start, max(0, keyword.start-2), isBlank)
	dashes := back(text, start, max(0, start-8), isDash)
	if start-dashes < 4 || text[keyword.start:keyword.start+5] != "BEGIN" {
		return span{}, false
	}
	end := run(text, keyword.end, min(len(text), keyword.end+64), isPEMLabel)
	title := strings.TrimRight(text[keyword.end:end], " ")
	if !strings.HasSuffix(title, "PRIVATE KEY") && !strings.HasSuffix(title, "PRIVATE KEY BLOCK") {
		return span{}, false
	}
	if byteAt(text, end) != '-' {
		return span{}, false
	}
	return span{dashes, pemEnd(text, end, title)}, true
}

func isDash(c byte) bool     { return c == '-' }
func isPEMLabel(c byte) bool { return isUpperNum(c) || c == ' ' || c == '_' }

// pemEnd returns where the block whose label ends at from is over.
func pemEnd(text string, from int, title string) int {
	const closing = "END "
	for {
		at := strings.Index(text[from:], closing)
		if at < 0 {
			return len(text)
		}
		from += at + len(closing)
		if strings.HasPrefix(text[from:], title) {
			from += len(title)
			return run(text, run(text, from, len(text), isBlank), len(text), isDash)
		}
	}
}

// findPuTTY takes the file from its first line to the line of its MAC.
func findPuTTY(text string, keyword span) (span, bool) {
	if !isDigit(byteAt(text, keyword.end)) {
		return span{}, false
	}
	for _, closing := range [...]string{"Private-MAC:", "Private-Hash:"} {
		if at := strings.Index(text[keyword.end:], closing); at >= 0 {
			end := run(text, keyword.end+at+len(closing), len(text), isBlank)
			return span{keyword.start, run(text, end, len(text), isHex)}, true
		}
	}
	return span{keyword.start, len(text)}, true
}

// A keyBody is what the base64 of a private key begins with; between its
// parts are a few characters that depend on the length of the key.
type keyBody struct{ begin, then string }

// keyBodies returns PKCS #8 and PKCS #1 with RSA, OpenSSH, and the short forms
// of elliptic curves.
func keyBodies() [8]keyBody {
	return [...]keyBody{
		{"MII", "IBADANBgkqhkiG9w0BAQEFAASC"},
		{"MII", "AQEAAKCA"},
		{"MII", "IBAAKCA"},
		{"", "b3BlbnNzaC1rZXktdjE"},
		{"", "MC4CAQAwBQYDK2VwBCIEI"},
		{"", "MIGHAgEAMBMGByqGSM49"},
		{"", "MHcCAQEEI"},
		{"", "MIGkAgEB"},
	}
}

// findKeyBody takes lines of base64 that begin as a private key does.
func findKeyBody(text string, keyword span) (span, bool) {
	for _, body := range keyBodies() {
		start := keyword.start
		if body.begin != "" {
			start = back(text, start, max(0, start-8), isBase64)
			at := strings.LastIndex(text[start:keyword.start], body.begin)
			if at < 0 {
				continue
			}
			start += at
		}
		if keyword.of(text) != body.then {
			continue
		}
		end := run(text, keyword.end, len(text), isBase64)
		if end-start < 40 {
			return span{}, false
		}
		return span{start, base64Lines(text, end)}, true
	}
	return span{}, false
}

// base64Lines returns the end of the lines of base64 that follow text[end].
func base64Lines(text string, end int) int {
	for {
		next := run(text, end, min(len(text), end+8), isSpace)
		if next == end || !strings.ContainsAny(text[end:next], "\r\n") {
			return end
		}
		after := run(text, next, len(text), isBase64)
		long := after-next >= 40
		last := after-next >= 4 && (after == len(text) || isSpace(text[after])) && strings.HasSuffix(text[next:after], "=")
		if !long && !last {
			return end
		}
		end = after
	}
}

// publicKeyRules are public keys, which name their owner and no more.
func publicKeyRules() []Rule {
	return []Rule{{
		ID: "ssh-public-key", Severity: Warn,
		Why:    "looks like a public SSH key, which names a person or a machine",
		Advice: "leave it out unless the reader needs this very key",
		keywords: []string{
			"ssh-rsa ", "ssh-ed25519 ", "ssh-dss ", "ssh-ecdsa ", "ecdsa-sha2-nistp",
			"sk-ssh-ed25519@openssh.com ", "sk-ecdsa-sha2-nistp256@openssh.com ",
		},
		find:   findPublicKey,
		public: []string{"ssh-rsa", "ssh-ed25519", "ssh-dss", "ssh-ecdsa", "ecdsa-sha2-nistp", "sk-ssh-ed25519@openssh.com"},
	}}
}

func findPublicKey(text string, keyword span) (span, bool) {
	begin := run(text, keyword.end, min(len(text), keyword.end+8), isDigit)
	begin = run(text, begin, min(len(text), begin+8), isBlank)
	if !strings.HasPrefix(text[begin:], "AAAA") {
		return span{}, false
	}
	end := run(text, begin, len(text), isBase64)
	return span{keyword.start, end}, end-begin >= 24
}
