package layouts

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact/judge"
	"github.com/git-ltm/git-ltm/internal/redact/lex"
	"github.com/git-ltm/git-ltm/internal/redact/rules"
)

// findKeyBody takes lines of base64 that begin as a private key does.
func findKeyBody(text string, keyword lex.Span) (lex.Span, bool) {
	start, word := keyword.Start, keyword.Of(text)
	before := lex.IsBase64(lex.ByteBefore(text, start))
	end := lex.Run(text, keyword.End, min(len(text), keyword.End+judged), lex.IsBase64)
	ok := false
	switch {
	case word[0] == 'M':
		ok = derBase64(text, start)
	case word == "KwYBBAHaRw8BAQdA": // An ECC key of OpenPGP begins 12 letters before.
		start -= 12
		ok = start >= 0 && strings.IndexByte("lx", text[start]) >= 0 &&
			!lex.IsBase64(lex.ByteBefore(text, start))
	case strings.HasPrefix(word, "lQ"):
		ok = !before && end-start >= 60
	default:
		ok = rules.Words("key-body").Has(word)
	}
	if !ok || end-start < 40 || judge.IsPlaceholder(text[keyword.End:end]) {
		return lex.Span{}, false
	}
	return lex.Between(start, base64Lines(text, lex.Run(text, end, len(text), lex.IsBase64))), true
}

// base64Lines returns the end of the lines of base64 that follow text[end].
func base64Lines(text string, end int) int {
	for {
		next := lex.Run(text, end, min(len(text), end+8), lex.IsSpace)
		after := lex.Run(text, next, len(text), lex.IsBase64)
		last := after-next >= 4 && text[after-1] == '='
		if next == end || after-next < 40 && !last {
			return end
		}
		end = after
	}
}

// derBase64 says whether base64 at text[at] begins with a private key, or is
// a structure that the words before it call a file of keys.
func derBase64(text string, at int) bool {
	const head = 24
	encoded := text[at:lex.Run(text, at, min(len(text), at+head), lex.IsBase64)]
	decoded, _ := base64.RawStdEncoding.DecodeString(strings.NewReplacer("-", "+", "_", "/").Replace(encoded))
	return len(encoded) == head && privateDER(decoded) ||
		strings.HasPrefix(encoded, "MII") && !lex.IsAlnum(lex.ByteBefore(text, at)) &&
			rules.Words("key-file").WithinFold(text[max(0, at-40):at]) &&
			lex.Run(text, at, min(len(text), at+200), lex.IsBase64)-at >= 100
}

// privateDER says whether b is the beginning of a private key in DER: of RSA,
// DSA or an elliptic curve, wrapped as PKCS #8, encrypted so, or in a PKCS #12
// file.
func privateDER(b []byte) bool {
	content, ok := derContent(b)
	if !ok || len(content) < 4 {
		return false
	}
	// A version, and the tag of what follows it.
	for _, begin := range [...]string{
		"\x02\x01\x00\x30", "\x02\x01\x00\x02", "\x02\x01\x01\x30", "\x02\x01\x01\x04", "\x02\x01\x03\x30",
	} {
		if string(content[:4]) == begin {
			return true
		}
	}
	inner, _ := derContent(content)
	return bytes.HasPrefix(inner, []byte("\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x05")) || // PKCS #5.
		bytes.HasPrefix(inner, []byte("\x06\x0a\x2a\x86\x48\x86\xf7\x0d\x01\x0c")) // PKCS #12.
}

// derContent returns what follows the length of the sequence that b begins
// with: a short one, one that is told at the end, or one of two or three bytes.
func derContent(b []byte) ([]byte, bool) {
	if len(b) < 6 || b[0] != 0x30 || b[1] > 0x82 {
		return nil, false
	}
	return b[2+max(0, int(b[1])-0x80):], true
}

// maxJOSE bounds the header of a token, which is an object of a few members.
const maxJOSE = 1024

// findJWT finds a header that decodes to a JSON object with an algorithm,
// and at least a payload after it. A token without a signature counts too.
func findJWT(text string, keyword lex.Span) (lex.Span, bool) {
	end := lex.Run(text, keyword.Start, min(len(text), keyword.Start+maxJOSE), lex.IsURLSafe)
	payload := lex.Run(text, min(len(text), end+1), min(len(text), end+9), lex.IsURLSafe)
	header, err := base64.RawURLEncoding.DecodeString(text[keyword.Start:end])
	if lex.ByteAt(text, end) != '.' || payload-end < 9 || err != nil || !json.Valid(header) {
		return lex.Span{}, false
	}
	for range 4 { // The payload, and a signature, or the three further parts of a JWE.
		next := lex.Run(text, min(end+1, len(text)), len(text), lex.IsURLSafe)
		if lex.ByteAt(text, end) != '.' || next == end+1 {
			break
		}
		end = next
	}
	return lex.Between(keyword.Start, end), true
}

// Bounds of a JSON web key.
const (
	maxJWK    = 2048 // How far a member may stand from the type of its key.
	minMember = 38   // The least size of a secret number of a pair of keys.
	minOctets = 16   // The least size of a shared key.
)

// findJWK finds the value of a member whose object tells the type of a key.
func findJWK(text string, keyword lex.Span) (lex.Span, bool) {
	at := lex.Run(text, keyword.End, min(len(text), keyword.End+12), func(c byte) bool {
		return lex.IsSpace(c) || lex.IsQuoteOrBlank(c) || c == ':'
	})
	secret := lex.Between(at, lex.Run(text, at, len(text), lex.IsBase64))
	size, octets := secret.End-secret.Start, lex.Fold(text[keyword.Start+1]) == 'k'
	return secret, (size >= minMember || octets && size >= minOctets) &&
		lex.IsQuote(lex.ByteBefore(text, secret.Start)) && !judge.IsPlaceholder(secret.Of(text)) &&
		(lex.ContainsFold(text[max(0, keyword.Start-maxJWK):keyword.Start], "kty") ||
			lex.ContainsFold(text[secret.End:min(len(text), secret.End+maxJWK)], "kty"))
}
