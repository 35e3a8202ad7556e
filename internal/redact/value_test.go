package redact_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// TestScan_longName holds that words in front of what a machine made do not hide it.
func TestScan_longName(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	const (
		hex   = "0123456789abcdef"
		mixed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	)
	for _, made := range []struct {
		signs        string
		length, most int
	}{{hex, 16, 100}, {hex, 32, 100}, {mixed, 16, 100}, {mixed, 24, 100}} {
		for _, name := range []string{"acme-production-", "acme-production-billing-service-account-"} {
			found := 0
			for range made.most {
				var value strings.Builder
				value.WriteString(name)
				for range made.length {
					value.WriteByte(made.signs[random.IntN(len(made.signs))])
				}
				doc := []byte(`{"goal": "api_key = ` + value.String() + `"}`)
				if all, err := redact.BuiltIn().Scan(doc); err == nil && len(redact.Blocking(all)) > 0 {
					found++
				}
			}
			if found < made.most*9/10 {
				t.Errorf("%d signs of %d kinds behind %q: %d of %d are found", made.length, len(made.signs),
					name, found, made.most)
			}
		}
	}
}
