package redact

import (
	"slices"
	"strings"
)

// keyRules are private keys in the forms in which files hold them.
func keyRules() []Rule {
	const advice = "replace the key pair everywhere it is trusted, then leave it out of the packet"
	return []Rule{
		{
			ID: "private-key", Severity: Block, shape: true,
			Why: "looks like a private key", Advice: advice,
			keywords: []string{"begin ", "begin\n", "-end ", "- end ", "\u2014end ", "\u2013end "}, find: findPEM,
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
			keywords: slices.Concat(derKeywords(), bodyKeywords()), find: findKeyBody,
		},
		{
			ID: "private-key-hex", Severity: Block, shape: true,
			Why: "looks like a private key in hexadecimal digits", Advice: advice,
			keywords: []string{"3082", "3081", "30 82", "30 81", "30:82", "30:81", "302e0201", "30510201", "30410201", "30470201", "30310201", "30770201", "30740201", "0x30, 0x8", "0x30,0x8", "6f70656e7373682d6b65792d76"},
			find:     findKeyHex,
		},
	}
}

func isAgeKey(c byte) bool { return isUpperNum(c) || c == '-' }

// maxPuTTY bounds what is read of a key file of PuTTY.
const maxPuTTY = 16 << 10

// findPuTTY takes the file from its first line to the line of its MAC.
func findPuTTY(text string, keyword span) (span, bool) {
	if !isDigit(byteAt(text, keyword.end)) {
		return span{}, false
	}
	file := text[keyword.start:min(len(text), keyword.start+maxPuTTY)]
	if !strings.Contains(file, "Private-Lines:") {
		return span{}, false
	}
	for _, closing := range [...]string{"Private-MAC:", "Private-Hash:"} {
		if at := strings.Index(file, closing); at >= 0 {
			end := run(text, keyword.start+at+len(closing), len(text), isBlank)
			return span{keyword.start, run(text, end, len(text), isHex)}, true
		}
	}
	return span{keyword.start, keyword.start + len(file)}, true
}

// bodyKeywords begin the base64 of private keys that are not of ASN.1: those
// of OpenSSH, ssh.com, OpenPGP, minisign, signify and Tor, and key stores of
// Java.
func bodyKeywords() []string {
	return []string{
		"b3blbnnzac1rzxktdje", "p2/56waa", "kwybbaharw8baqda", "lqoyb", "lqpgb", "lqo+b", "lqvyb", "lqwgb", "lqcyb", "lqdgb", "lqc+b",
		"rwrty0iy", "rwqaaeiy", "rwrcswaa", "pt0gzwqyntuxoxyxlxnly3jlddog", "/u3+7qaaaai", "zs7ozgaaaai",
	}
}

// findKeyBody takes lines of base64 that begin as a private key does.
func findKeyBody(text string, keyword span) (span, bool) {
	start, ok := keyBodyStart(text, keyword)
	if !ok {
		return span{}, false
	}
	end := run(text, keyword.end, min(len(text), keyword.end+judged), isBase64)
	if end-start < 40 || placeholder(text[keyword.end:end]) {
		return span{}, false
	}
	return span{start, base64Lines(text, run(text, end, len(text), isBase64))}, true
}

// keyBodyStart says where the base64 begins that keyword is a part of, and
// whether its case and structure are those of a private key.
func keyBodyStart(text string, keyword span) (int, bool) {
	word := keyword.of(text)
	switch {
	case len(word) <= 8 && word[0] == 'M':
		return keyword.start, derBase64(text, keyword.start)
	case word == "KwYBBAHaRw8BAQdA": // An ECC key of OpenPGP begins 12 letters before.
		start := keyword.start - 12
		return start, start >= 0 && (text[start] == 'l' || text[start] == 'x' && text[start+1] == 'V') && !isBase64(byteBefore(text, start))
	case strings.HasPrefix(word, "lQ"):
		return keyword.start, !isBase64(byteBefore(text, keyword.start)) && run(text, keyword.start, min(len(text), keyword.start+100), isBase64)-keyword.start >= 60
	}
	for _, exact := range [...]string{
		"b3BlbnNzaC1rZXktdjE", "P2/56wAA", "RWRTY0Iy", "RWQAAEIy", "RWRCSwAA", "PT0gZWQyNTUxOXYxLXNlY3JldDog", "/u3+7QAAAAI", "zs7OzgAAAAI",
	} {
		if word == exact {
			return keyword.start, true
		}
	}
	return 0, false
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
