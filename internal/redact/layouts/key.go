package layouts

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact/judge"
	"github.com/git-ltm/git-ltm/internal/redact/lex"
	"github.com/git-ltm/git-ltm/internal/redact/rules"
)

// maxPuTTY bounds what is read of a key file of PuTTY.
const maxPuTTY = 16 << 10

// findPuTTY takes the file from its first line to the line of its MAC.
func findPuTTY(text string, keyword lex.Span) (lex.Span, bool) {
	if !lex.IsDigit(lex.ByteAt(text, keyword.End)) {
		return lex.Span{}, false
	}
	file := text[keyword.Start:min(len(text), keyword.Start+maxPuTTY)]
	if !strings.Contains(file, "Private-Lines:") {
		return lex.Span{}, false
	}
	for _, closing := range [...]string{"Private-MAC:", "Private-Hash:"} {
		if at := strings.Index(file, closing); at >= 0 {
			end := lex.Run(text, keyword.Start+at+len(closing), len(text), lex.IsBlank)
			return lex.Between(keyword.Start, lex.Run(text, end, len(text), lex.IsHex)), true
		}
	}
	return lex.Between(keyword.Start, keyword.Start+len(file)), true
}

// findKeyBody takes lines of base64 that begin as a private key does.
func findKeyBody(text string, keyword lex.Span) (lex.Span, bool) {
	start, ok := keyBodyStart(text, keyword)
	if !ok {
		return lex.Span{}, false
	}
	end := lex.Run(text, keyword.End, min(len(text), keyword.End+judged), lex.IsBase64)
	if end-start < 40 || judge.IsPlaceholder(text[keyword.End:end]) {
		return lex.Span{}, false
	}
	return lex.Between(start, base64Lines(text, lex.Run(text, end, len(text), lex.IsBase64))), true
}

// keyBodyStart says where the base64 begins that keyword is a part of, and
// whether its case and structure are those of a private key.
func keyBodyStart(text string, keyword lex.Span) (int, bool) {
	word := keyword.Of(text)
	switch {
	case len(word) <= 8 && word[0] == 'M':
		return keyword.Start, derBase64(text, keyword.Start)
	case word == "KwYBBAHaRw8BAQdA": // An ECC key of OpenPGP begins 12 letters before.
		start := keyword.Start - 12
		return start, start >= 0 && (text[start] == 'l' || text[start] == 'x' && text[start+1] == 'V') &&
			!lex.IsBase64(lex.ByteBefore(text, start))
	case strings.HasPrefix(word, "lQ"):
		return keyword.Start, !lex.IsBase64(lex.ByteBefore(text, keyword.Start)) &&
			lex.Run(text, keyword.Start, min(len(text), keyword.Start+100), lex.IsBase64)-keyword.Start >= 60
	}
	return keyword.Start, rules.Words("key-body").Has(word)
}

// base64Lines returns the end of the lines of base64 that follow text[end].
func base64Lines(text string, end int) int {
	for {
		next := lex.Run(text, end, min(len(text), end+8), lex.IsSpace)
		if next == end || !strings.ContainsAny(text[end:next], "\r\n") {
			return end
		}
		after := lex.Run(text, next, len(text), lex.IsBase64)
		long := after-next >= 40
		last := after-next >= 4 && (after == len(text) || lex.IsSpace(text[after])) &&
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
	end := lex.Run(text, at, min(len(text), at+head), lex.IsBase64)
	if end-at < head {
		return false
	}
	if privateDER(decodeHead(text[at:end])) {
		return true
	}
	before := text[max(0, at-40):at]
	return strings.HasPrefix(text[at:], "MII") && !lex.IsAlnum(lex.ByteBefore(text, at)) &&
		rules.Words("key-file").WithinFold(before) &&
		lex.Run(text, at, min(len(text), at+200), lex.IsBase64)-at >= 100
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
func findKeyHex(text string, keyword lex.Span) (lex.Span, bool) {
	start := keyword.Start
	if lex.IsHex(lex.ByteBefore(text, start)) {
		return lex.Span{}, false
	}
	if keyword.End-start > 20 { // The name of the format of OpenSSH.
		end := lex.Run(text, keyword.End, len(text), lex.IsHex)
		return lex.Between(start, end), end-start >= 80
	}
	var head [18]byte
	n, _ := hexBytes(text, start, head[:])
	if n < len(head) || !privateDER(head[:]) {
		return lex.Span{}, false
	}
	const least = 40
	var body [least]byte
	n, end := hexBytes(text, start, body[:])
	if n < least {
		return lex.Span{}, false
	}
	for {
		n, next := hexBytes(text, end, body[:])
		if n == 0 {
			return lex.Between(start, end), true
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
		i := lex.Run(text, at, min(len(text), at+4), func(c byte) bool {
			return lex.IsSpace(c) || c == ':' || c == ','
		})
		if strings.HasPrefix(text[i:], "0x") {
			i += 2
		}
		if i+1 >= len(text) || !lex.IsHex(text[i]) || !lex.IsHex(text[i+1]) {
			break
		}
		b[n] = lex.HexValue(text[i])<<4 | lex.HexValue(text[i+1])
		n++
		at, end = i+2, i+2
	}
	return n, end
}

// maxJOSE bounds the header of a token, which is an object of a few members.
const maxJOSE = 1024

// findJWT finds a header that decodes to a JSON object with an algorithm,
// and at least a payload after it. A token without a signature counts too.
func findJWT(text string, keyword lex.Span) (lex.Span, bool) {
	limit := min(len(text), keyword.Start+maxJOSE)
	end := lex.Run(text, keyword.Start, limit, lex.IsURLSafe)
	if lex.ByteAt(text, end) != '.' || !joseHeader(text[keyword.Start:end]) {
		return lex.Span{}, false
	}
	payload := lex.Run(text, end+1, len(text), lex.IsURLSafe)
	if payload-end < 9 {
		return lex.Span{}, false
	}
	end = payload
	for range 3 { // A signature, or the three further parts of a JWE.
		next := lex.Run(text, min(end+1, len(text)), len(text), lex.IsURLSafe)
		if lex.ByteAt(text, end) != '.' || next == end+1 {
			break
		}
		end = next
	}
	return lex.Between(keyword.Start, end), true
}

func joseHeader(s string) bool {
	decoded, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(s, "="))
	return err == nil && json.Valid(decoded) && slices.ContainsFunc([]string{`"alg"`, `"enc"`, `"typ"`, `"kty"`},
		func(member string) bool { return bytes.Contains(decoded, []byte(member)) })
}

// Bounds of a JSON web key.
const (
	maxJWK    = 2048 // How far a member may stand from the type of its key.
	minMember = 38   // The least size of a secret number of a pair of keys.
	minOctets = 16   // The least size of a shared key.
)

// findJWK finds the value of a member whose object tells the type of a key.
func findJWK(text string, keyword lex.Span) (lex.Span, bool) {
	at := lex.Run(text, keyword.End, min(len(text), keyword.End+6), lex.IsSpace)
	if lex.ByteAt(text, at) != ':' {
		return lex.Span{}, false
	}
	at = lex.Run(text, at+1, min(len(text), at+6), lex.IsSpace)
	at = lex.Run(text, at, min(len(text), at+1), func(c byte) bool { return c == '\\' })
	if c := lex.ByteAt(text, at); c != '"' && c != '\'' {
		return lex.Span{}, false
	}
	secret := lex.Between(at+1, lex.Run(text, at+1, len(text), lex.IsBase64))
	least := minMember
	if lex.Fold(text[keyword.Start+1]) == 'k' {
		least = minOctets
	}
	if secret.End-secret.Start < least || judge.IsPlaceholder(secret.Of(text)) {
		return lex.Span{}, false
	}
	before := text[max(0, keyword.Start-maxJWK):keyword.Start]
	after := text[secret.End:min(len(text), secret.End+maxJWK)]
	return secret, lex.ContainsFold(before, "kty") || lex.ContainsFold(after, "kty")
}
