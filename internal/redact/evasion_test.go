package redact_test

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// TestScanText_evasion keeps the ways by which a token once slipped through. SPEC.
func TestScanText_evasion(t *testing.T) {
	t.Parallel()
	token := "gh" + "p_" + strings.Repeat("a1B2c3", 6)
	coded := base64.StdEncoding.EncodeToString([]byte("use " + token))
	harmless := base64.StdEncoding.EncodeToString([]byte("nothing to see here, move along")) + " "
	password := "Xk29" + "vLq8Zp71"
	for name, text := range map[string]string{
		"behind many harmless segments":       strings.Repeat(harmless, 100) + coded,
		"base64 behind a word and a dash":     "tok-" + coded,
		"base64 behind a path":                "a/" + coded,
		"hexadecimal digits behind 0x":        "0x" + hex.EncodeToString([]byte(token)),
		"aligned assignment":                  "db_password          = " + password,
		"value far behind its sign":           "db_password =            " + password,
		"long password in an address":         "https://u:" + strings.Repeat("0123456789abcdef", 50) + "@host.com/x",
		"split by a private character":        token[:10] + "\ue000" + token[10:],
		"split by a line separator":           token[:10] + "\u2028" + token[10:],
		"split by a mongolian selector":       token[:10] + "\u180b" + token[10:],
		"base64 behind several other dashes":  "a-b-c-" + coded,
		"base64 with the token in the middle": "see " + coded + " for it",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if len(redact.Blocking(redact.ScanText(text))) == 0 {
				t.Error("not found")
			}
		})
	}
}
