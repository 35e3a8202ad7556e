package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"
)

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

// findKeyBody takes lines of base64 that begin as a private key does.
func findKeyBody(text string, keyword span) (span, bool) {
	start, ok := keyBodyStart(text, keyword)
	if !ok {
		return span{}, false
	}
	end := run(text, keyword.end, min(len(text), keyword.end+judged), isBase64)
	if end-start < 40 || isPlaceholder(text[keyword.end:end]) {
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
		return start, start >= 0 && (text[start] == 'l' || text[start] == 'x' && text[start+1] == 'V') &&
			!isBase64(byteBefore(text, start))
	case strings.HasPrefix(word, "lQ"):
		return keyword.start, !isBase64(byteBefore(text, keyword.start)) &&
			run(text, keyword.start, min(len(text), keyword.start+100), isBase64)-keyword.start >= 60
	}
	return keyword.start, words("key-body").has(word)
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
		last := after-next >= 4 && (after == len(text) || isSpace(text[after])) &&
			strings.HasSuffix(text[next:after], "=")
		if !long && !last {
			return end
		}
		end = after
	}
}

// derBase64 says whether base64 at text[at] begins with a private key, or is
// a structure that the words before it call a file of keys.
func derBase64(text string, at int) bool {
	const head = 24
	end := run(text, at, min(len(text), at+head), isBase64)
	if end-at < head {
		return false
	}
	if privateDER(decodeHead(text[at:end])) {
		return true
	}
	before := text[max(0, at-40):at]
	return strings.HasPrefix(text[at:], "MII") && !isAlnum(byteBefore(text, at)) &&
		words("key-file").withinFold(before) &&
		run(text, at, min(len(text), at+200), isBase64)-at >= 100
}

// decodeHead decodes the beginning of base64 of either alphabet.
func decodeHead(s string) []byte {
	head, err := base64.RawStdEncoding.DecodeString(strings.NewReplacer("-", "+", "_", "/").Replace(s))
	if err != nil {
		return nil
	}
	return head
}

// privateDER says whether b is the beginning of a private key in DER: of RSA,
// DSA or an elliptic curve, wrapped as PKCS #8, encrypted so, or in a PKCS #12
// file.
func privateDER(b []byte) bool {
	content, ok := derContent(b)
	if !ok || len(content) < 4 {
		return false
	}
	if content[0] == 0x02 && content[1] == 0x01 {
		switch version, next := content[2], content[3]; version {
		case 0:
			return next == 0x30 || next == 0x02
		case 1:
			return next == 0x30 || next == 0x04
		case 3:
			return next == 0x30
		default:
			return false
		}
	}
	inner, ok := derContent(content)
	// Followed by 5 for PKCS #5 and 12 for PKCS #12.
	const encryption = "\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01"
	return ok && len(inner) > len(encryption) &&
		(strings.HasPrefix(string(inner), encryption+"\x05") || isPKCS12(string(inner)))
}

// isPKCS12 says whether an algorithm is one of those of PKCS #12.
func isPKCS12(algorithm string) bool {
	return strings.HasPrefix(algorithm, "\x06\x0a\x2a\x86\x48\x86\xf7\x0d\x01\x0c")
}

// derContent returns what follows the length of the sequence that b begins
// with.
func derContent(b []byte) ([]byte, bool) {
	if len(b) < 6 || b[0] != 0x30 {
		return nil, false
	}
	switch {
	case b[1] <= 0x80: // A short length, or one that is told at the end.
		return b[2:], true
	case b[1] == 0x81:
		return b[3:], true
	case b[1] == 0x82:
		return b[4:], true
	default:
		return nil, false
	}
}

// findKeyHex finds a private key in hexadecimal digits, with or without signs
// between its bytes.
func findKeyHex(text string, keyword span) (span, bool) {
	start := keyword.start
	if isHex(byteBefore(text, start)) {
		return span{}, false
	}
	if keyword.end-start > 20 { // The name of the format of OpenSSH.
		end := run(text, keyword.end, len(text), isHex)
		return span{start, end}, end-start >= 80
	}
	var head [18]byte
	n, _ := hexBytes(text, start, head[:])
	if n < len(head) || !privateDER(head[:]) {
		return span{}, false
	}
	const least = 40
	var body [least]byte
	n, end := hexBytes(text, start, body[:])
	if n < least {
		return span{}, false
	}
	for {
		n, next := hexBytes(text, end, body[:])
		if n == 0 {
			return span{start, end}, true
		}
		end = next
	}
}

// hexBytes reads bytes in hexadecimal digits from text[at] on into b and
// returns how many there were and where the last one ends. One or two signs,
// a line end, or 0x may stand between them.
func hexBytes(text string, at int, b []byte) (int, int) {
	end, n := at, 0
	for n < len(b) {
		i := run(text, at, min(len(text), at+4), func(c byte) bool {
			return isSpace(c) || c == ':' || c == ','
		})
		if strings.HasPrefix(text[i:], "0x") {
			i += 2
		}
		if i+1 >= len(text) || !isHex(text[i]) || !isHex(text[i+1]) {
			break
		}
		b[n] = hexValue(text[i])<<4 | hexValue(text[i+1])
		n++
		at, end = i+2, i+2
	}
	return n, end
}

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
	if secret.end-secret.start < least || isPlaceholder(secret.of(text)) {
		return span{}, false
	}
	before := text[max(0, keyword.start-maxJWK):keyword.start]
	after := text[secret.end:min(len(text), secret.end+maxJWK)]
	return secret, containsFold(before, "kty") || containsFold(after, "kty")
}
