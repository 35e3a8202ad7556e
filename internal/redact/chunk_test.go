package redact_test

import (
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// TestScanText_long puts secrets around the places where a long text is read in parts. Each is found once,
// whole.
func TestScanText_long(t *testing.T) {
	t.Parallel()
	token, password := secretToken(), "Xk29"+"vLq8Zp71"
	secret := "é db_password = " + password + ", " + token + "!"
	for _, at := range []int{0, 60_000, 65_500, 65_530, 65_536, 73_700, 73_728, 131_050, 139_264, 200_000} {
		text := strings.Repeat("wörds and ", 1+at/11)[:at]
		text = strings.ToValidUTF8(text, "") + " " + secret + strings.Repeat(" more words", 8000)
		got := redact.Blocking(redact.ScanText(text))
		if len(got) != 2 || text[got[0].Start:got[0].End] != password ||
			!strings.HasPrefix(text[got[1].Start:got[1].End], token) {
			t.Errorf("at byte %d: %d findings, want the password and the token", at, len(got))
		}
	}
}
