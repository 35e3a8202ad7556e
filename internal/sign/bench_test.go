package sign_test

import (
	"testing"

	"github.com/git-ltm/git-ltm/internal/sign"
)

func BenchmarkVerify(b *testing.B) {
	for i, s := range specimens(b) {
		b.Run([]string{"ssh ed25519", "ssh rsa2048", "ssh certificate", "openpgp ed25519"}[i],
			func(b *testing.B) {
				for b.Loop() {
					tag, err := sign.Examine(s.raw, name, object, data)
					if err != nil {
						b.Fatal(err)
					}
					if v, err := s.trust.Verify(tag, now); err != nil || v.Standing != sign.Good {
						b.Fatal(v, err)
					}
				}
			})
	}
}
