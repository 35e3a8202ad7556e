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
