package redact

import (
	"strings"
)

// findWalletKey looks for a private key near its name, mostly behind it.
func findWalletKey(text string, keyword span) (span, bool) {
	const reach, reachBack = 64, 100
	if !isWhole(text, keyword) {
		return span{}, false
	}
	behind := text[keyword.end:min(len(text), keyword.end+reach+130)]
	if secret, ok := walletKeyIn(behind, reach); ok && speaksOfKey(text, keyword, keyword.end+secret.start) {
		return span{keyword.end + secret.start, keyword.end + secret.end}, true
	}
	if c := fold(text[keyword.start]); c != 'p' && c != 'd' { // A comment behind the value.
		return span{}, false
	}
	from := max(0, keyword.start-reachBack)
	before := text[from:keyword.start]
	line := strings.LastIndexByte(before, '\n') + 1
	secret, ok := walletKeyIn(before[line:], len(before)-line)
	return span{from + line + secret.start, from + line + secret.end},
		ok && strings.Contains(before[line:][secret.end:], "//")
}

// speaksOfKey says whether the words around the name of a chain or of an
// account speak of a key, and not of a transaction or an address.
func speaksOfKey(text string, keyword span, to int) bool {
	return !words("chain-word").withinFold(text[keyword.start:to]) &&
		words("wallet-word").withinFold(text[max(0, keyword.start-32):to])
}

// isWhole says whether a keyword of few letters is a word by itself.
func isWhole(text string, keyword span) bool {
	return keyword.end-keyword.start > 3 ||
		!isLetter(byteBefore(text, keyword.start)) && !isLetter(byteAt(text, keyword.end))
}

// walletKeyIn returns the first private key that begins within reach.
func walletKeyIn(text string, reach int) (span, bool) {
	for at := 0; at < min(len(text), reach); {
		if !isAlnum(text[at]) {
			at++
			continue
		}
		end := run(text, at, len(text), isAlnum)
		if isWalletKey(text[at:end]) && !placeholder(text[at:end]) {
			return span{at, end}, !words("harmless-gap").within(text[:at])
		}
		at = end
	}
	return span{}, false
}

// isWalletKey says whether s is written as a private key is: 32 or 64 bytes in
// hexadecimal digits, or base58 of one of the lengths in use.
func isWalletKey(s string) bool {
	digits := strings.TrimPrefix(s, "0x")
	if len(digits) == 64 || len(digits) == 128 {
		return run(digits, 0, len(digits), isHex) == len(digits)
	}
	n := classesOf(s)
	if run(s, 0, len(s), isBase58) < len(s) || n.digit == 0 || n.upper == 0 || n.lower == 0 {
		return false
	}
	switch len(s) {
	case 51, 52:
		return strings.IndexByte("5KLc9", s[0]) >= 0
	case 29:
		return s[0] == 's' // A seed of Ripple.
	case 86, 87, 88:
		return true
	default:
		return false
	}
}
