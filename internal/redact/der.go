package redact

import (
	"encoding/base64"
	"strings"
)

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
	return strings.HasPrefix(text[at:], "MII") && !isAlnum(byteBefore(text, at)) && keyFiles.withinFold(before) &&
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
	const encryption = "\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01" // Followed by 5 for PKCS #5 and 12 for PKCS #12.
	return ok && len(inner) > len(encryption) && (strings.HasPrefix(string(inner), encryption+"\x05") || pkcs12(string(inner)))
}

// pkcs12 says whether an algorithm is one of those of PKCS #12.
func pkcs12(algorithm string) bool {
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
		i := run(text, at, min(len(text), at+4), func(c byte) bool { return isSpace(c) || c == ':' || c == ',' })
		if strings.HasPrefix(text[i:], "0x") {
			i += 2
		}
		if i+1 >= len(text) || !isHex(text[i]) || !isHex(text[i+1]) {
			break
		}
		b[n] = hexDigit(text[i])<<4 | hexDigit(text[i+1])
		n++
		at, end = i+2, i+2
	}
	return n, end
}

func hexDigit(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return fold(c) - 'a' + 10
}
