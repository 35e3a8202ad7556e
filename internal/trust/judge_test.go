package trust_test

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/trust"
)

// SPEC.
func TestReadStatus(t *testing.T) {
	t.Parallel()
	const fine = "[GNUPG:] GOODSIG 0123 Ada <ada@example.com>\n[GNUPG:] VALIDSIG ABCD 2026-01-01 1767225600 0 4 0 22 8 00 ABCD\n"
	tests := []struct {
		name, status string
		want         sign.Standing
	}{
		{"nothing", "", sign.Unknown},
		{"words that are no status", "Good signature from Ada\ngpg: GOODSIG 0123 Ada\n", sign.Unknown},
		{"good and fully valid", fine + "[GNUPG:] TRUST_FULLY 0 pgp\n", sign.Good},
		{"good and marginally valid", fine + "[GNUPG:] TRUST_MARGINAL 0 pgp\n", sign.Good},
		{"good and of no validity", fine + "[GNUPG:] TRUST_UNDEFINED 0 pgp\n", sign.Unknown},
		{"good and never to be trusted", fine + "[GNUPG:] TRUST_NEVER 0 pgp\n", sign.Unknown},
		{"good, and nobody says how valid", fine, sign.Unknown},
		{"bad", "[GNUPG:] BADSIG 0123 Ada\n[GNUPG:] TRUST_ULTIMATE 0 pgp\n", sign.Bad},
		{"bad beside good", fine + "[GNUPG:] TRUST_ULTIMATE 0 pgp\n[GNUPG:] BADSIG 0123 Ada\n", sign.Bad},
		{
			"taken back", "[GNUPG:] REVKEYSIG 0123 Ada\n" + fine + "[GNUPG:] TRUST_ULTIMATE 0 pgp\n",
			sign.Revoked,
		},
		{"expired", "[GNUPG:] EXPKEYSIG 0123 Ada\n[GNUPG:] TRUST_ULTIMATE 0 pgp\n", sign.Unknown},
		{
			"a signature that expired", "[GNUPG:] EXPSIG 0123 Ada\n[GNUPG:] TRUST_ULTIMATE 0 pgp\n",
			sign.Unknown,
		},
		{
			"an unknown key", "[GNUPG:] ERRSIG 0123 22 8 00 1767225600 9 ABCD\n[GNUPG:] NO_PUBKEY 0123\n",
			sign.Unknown,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := trust.ReadStatus(tt.status); got.Standing != tt.want {
				t.Errorf("ReadStatus = %q (%s), want %q", got.Standing, got.Why, tt.want)
			}
		})
	}
}

// FuzzReadStatus states that nothing is good without a line that says so, and one that says how valid the key
// is. SPEC.
func FuzzReadStatus(f *testing.F) {
	f.Add("[GNUPG:] GOODSIG 0123 Ada\n[GNUPG:] TRUST_FULLY 0 pgp\n")
	f.Add("[GNUPG:] GOODSIG\n[GNUPG:] VALIDSIG\n[GNUPG:]\n")
	f.Fuzz(func(t *testing.T, status string) {
		if trust.ReadStatus(status).Standing != sign.Good {
			return
		}
		for _, line := range []string{"[GNUPG:] GOODSIG", "[GNUPG:] TRUST_"} {
			if !strings.Contains(status, line) {
				t.Errorf("%q is called good without %q", status, line)
			}
		}
	})
}

// FuzzRecall states that a verdict comes back from the cache as it was, or without what no line holds, and
// never where the lists are others. SPEC.
func FuzzRecall(f *testing.F) {
	f.Add("good", "SHA256:abc", "ada@example.com", "fine", int64(0))
	f.Add("bad", "", "␟good␟", "a\nb", int64(-5))
	f.Fuzz(func(t *testing.T, standing, key, by, why string, until int64) {
		v := sign.Verdict{Standing: sign.Standing(standing), Key: key, By: by, Why: why}
		if until != 0 {
			v.Until = time.Unix(until, 0)
		}
		if _, ok := trust.Recall(t, v, "fedcba9876543210"); ok {
			t.Fatal("a verdict came back where other lists count")
		}
		got, ok := trust.Recall(t, v, trust.Digest)
		if ended := until != 0 && !v.Until.After(time.Time{}); ok == ended {
			t.Fatalf("it came back: %t, want %t", ok, !ended)
		}
		if ok && !slices.ContainsFunc([]string{standing, key, by, why}, changed) {
			if diff := cmp.Diff(v, got); diff != "" {
				t.Errorf("a verdict of the cache (-want +got):\n%s", diff)
			}
		}
	})
}

// changed tells a text that the cache cannot hold as it is.
func changed(text string) bool {
	return !utf8.ValidString(text) || strings.Contains(text, "\x7f")
}
