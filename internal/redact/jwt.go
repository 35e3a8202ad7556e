package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"
)

// maxJOSE bounds the header of a token, which is an object of a few members.
const maxJOSE = 1024

// findJWT finds a header that decodes to a JSON object with an algorithm,
// and at least a payload after it. A token without a signature counts too.
func findJWT(text string, keyword span) (span, bool) {
	limit := min(len(text), keyword.start+maxJOSE)
	end := run(text, keyword.start, limit, isURLSafe)
	if byteAt(text, end) != '.' || !joseHeader(text[keyword.start:end]) {
		return span{}, false
	}
	payload := run(text, end+1, len(text), isURLSafe)
	if payload-end < 9 {
		return span{}, false
	}
	end = payload
	for range 3 { // A signature, or the three further parts of a JWE.
		next := run(text, min(end+1, len(text)), len(text), isURLSafe)
		if byteAt(text, end) != '.' || next == end+1 {
			break
		}
		end = next
	}
	return span{keyword.start, end}, true
}

func joseHeader(s string) bool {
	decoded, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(s, "="))
	return err == nil && json.Valid(decoded) &&
		(bytes.Contains(decoded, []byte(`"alg"`)) || bytes.Contains(decoded, []byte(`"enc"`)))
}

// Bounds of a JSON web key.
const (
	maxJWK    = 2048 // How far a member may stand from the type of its key.
	minMember = 38   // The least size of a secret number of a pair of keys.
	minOctets = 16   // The least size of a shared key.
)

// findJWK finds the value of a member whose object tells the type of a key.
func findJWK(text string, keyword span) (span, bool) {
	at := run(text, keyword.end, min(len(text), keyword.end+6), isSpace)
	if byteAt(text, at) != ':' {
		return span{}, false
	}
	at = run(text, at+1, min(len(text), at+6), isSpace)
	at = run(text, at, min(len(text), at+1), func(c byte) bool { return c == '\\' })
	if c := byteAt(text, at); c != '"' && c != '\'' {
		return span{}, false
	}
	secret := span{at + 1, run(text, at+1, len(text), isBase64)}
	least := minMember
	if fold(text[keyword.start+1]) == 'k' {
		least = minOctets
	}
	if secret.end-secret.start < least || placeholder(secret.of(text)) {
		return span{}, false
	}
	before := text[max(0, keyword.start-maxJWK):keyword.start]
	after := text[secret.end:min(len(text), secret.end+maxJWK)]
	return secret, containsFold(before, "kty") || containsFold(after, "kty")
}
