package redacttest

import (
	"encoding/base64"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
)

const (
	digits = "0123456789"
	lowers = "abcdefghijklmnopqrstuvwxyz"
	uppers = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	alnums = digits + lowers + uppers

	// crockford is the alphabet of ULIDs.
	crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
)

// alphabets are the marks that make a body of random characters.
var alphabets = map[string]string{
	"digit":      digits,
	"lower":      lowers,
	"upper":      uppers,
	"hex":        digits + "abcdef",
	"HEX":        digits + "ABCDEF",
	"alnum":      alnums,
	"loweralnum": digits + lowers,
	"upperalnum": digits + uppers,
	"word":       alnums + "_",
	"urlsafe":    alnums + "_-",
	"base64":     alnums + "+/",
	"base32":     uppers + "234567",
	"base58":     "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
	"bech32":     "qpzry9x8gf2tvdw0s3jn54khce6mua7l",
	"BECH32":     "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
	"symbols":    alnums + "!@#$%^&*",
}

// A source makes values that look random and are the same in each run.
type source struct{ *rand.Rand }

// newSource returns the source of one line of one file.
func newSource(file string, line int) source {
	h := fnv.New64a()
	h.Write([]byte(file))
	return source{rand.New(rand.NewPCG(h.Sum64(), uint64(line)))}
}

// value returns what a mark that is neither an alphabet nor an encoding
// stands for.
func (s source) value(name, argument string) (string, error) {
	switch {
	case name == "words":
		n, err := count(argument)
		if err != nil {
			return "", fmt.Errorf("mark %q: %w", name, err)
		}
		return s.words(n), nil
	case name == "pem" && argument != "":
		return s.pem(argument), nil
	case argument != "":
		return "", fmt.Errorf("mark %q is unknown", name)
	}
	switch name {
	case "word":
		return s.words(1), nil
	case "uuid":
		return s.uuid(), nil
	case "UUID":
		return strings.ToUpper(s.uuid()), nil
	case "ulid":
		return "01" + s.body(crockford, 24), nil
	case "sha1":
		return s.body(alphabets["hex"], 40), nil
	case "sha256":
		return s.body(alphabets["hex"], 64), nil
	case "jwt":
		return s.jwt(), nil
	default:
		return "", fmt.Errorf("mark %q is unknown", name)
	}
}

// body returns n characters of the alphabet. From four on it holds a digit
// and a letter, if the alphabet has both.
func (s source) body(alphabet string, n int) string {
	b := make([]byte, n)
	for {
		for i := range b {
			b[i] = alphabet[s.IntN(len(alphabet))]
		}
		if n < 4 || mixed(string(b)) || !mixed(alphabet) {
			return string(b)
		}
	}
}

// mixed tells whether text has a digit and a letter.
func mixed(text string) bool {
	return strings.ContainsAny(text, digits) && strings.ContainsAny(text, lowers+uppers)
}

// words returns n common words.
func (s source) words(n int) string {
	chosen := make([]string, n)
	for i := range chosen {
		chosen[i] = vocabulary[s.IntN(len(vocabulary))]
	}
	return strings.Join(chosen, " ")
}

// uuid returns a UUID of version 4.
func (s source) uuid() string {
	h := []byte(s.body(alphabets["hex"], 32))
	h[12], h[16] = '4', "89ab"[s.IntN(4)]
	return string(h[:8]) + "-" + string(h[8:12]) + "-" + string(h[12:16]) + "-" + string(h[16:20]) + "-" +
		string(h[20:])
}

// jwt returns a token with a header, claims and a signature of HS256.
func (s source) jwt() string {
	claims := fmt.Sprintf(`{"sub":%q,"iat":%d}`, s.body(digits, 10), 1_600_000_000+s.IntN(150_000_000))
	encode := base64.RawURLEncoding.EncodeToString
	return encode([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + encode([]byte(claims)) + "." +
		s.body(alphabets["urlsafe"], 43)
}

// pem returns an armoured block.
func (s source) pem(label string) string {
	lines := []string{"-----BEGIN " + label + "-----"}
	for range 3 {
		lines = append(lines, s.body(alphabets["base64"], 64))
	}
	lines = append(lines, s.body(alphabets["base64"], 34)+"==", "-----END "+label+"-----")
	return strings.Join(lines, "\n")
}
