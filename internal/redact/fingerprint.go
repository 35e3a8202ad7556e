package redact

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
)

// strongBits is how many bits a secret must seem to hold before its digest may
// stand in a report: a digest of less could be guessed.
const strongBits = 80

// Fingerprint names the finding in subject, which is the id of a record or the
// path of a file. It is the same on every machine and in every run. It tells
// nothing of the secret: a token that cannot be guessed is named by its digest,
// so that the name stays when the text around it changes; anything weaker is
// named by its place, and has another name when it moves.
func (f Finding) Fingerprint(subject string) string {
	sum := sha256.New()
	what := f.trace
	if what == "" {
		what = fmt.Sprintf("%d-%d", f.from, f.to)
	}
	for _, part := range []string{"ltm finding 1", subject, f.Rule, what} {
		_, _ = fmt.Fprintf(sum, "%d:%s", len(part), part) // A hash takes whatever comes.
	}
	return "v1:" + hex.EncodeToString(sum.Sum(nil)[:8])
}

// trace returns the digest of a secret that cannot be guessed, or "".
func trace(secret string) string {
	if entropy(secret)*float64(len(secret)) < strongBits {
		return ""
	}
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// entropy returns the Shannon entropy of s in bits a byte.
func entropy(s string) float64 {
	var counts [256]int
	for i := range len(s) {
		counts[s[i]]++
	}
	sum := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(s))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}
