package layouts

import (
	"encoding/base64"
	"encoding/json"

	"github.com/git-ltm/git-ltm/internal/redact/judge"
	"github.com/git-ltm/git-ltm/internal/redact/lex"
)

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
		(lex.IndexFold(text[max(0, keyword.Start-maxJWK):keyword.Start], "kty") >= 0 ||
			lex.IndexFold(text[secret.End:min(len(text), secret.End+maxJWK)], "kty") >= 0)
}
