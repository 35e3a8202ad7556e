package redact_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/redact"
)

// TestScan_hidden splits a token by every character that is taken out before a text is shown. Each would be
// whole again on the screen, so each must be found. SPEC.
func TestScan_hidden(t *testing.T) {
	t.Parallel()
	head, tail := "gh"+"p_", strings.Repeat("a1B2c3", 6)
	split, step := 0, rune(1)
	for r := rune(0xA0); r <= unicode.MaxRune; r += step {
		if r > 0xFFFF {
			step = 7 // The blocks beyond are longer.
		}
		if 0xD800 <= r && r <= 0xDFFF || clean.Line("a"+string(r)+"b") != "ab" {
			continue
		}
		split++
		if len(redact.Blocking(redact.ScanText(head+tail[:10]+string(r)+tail[10:]))) == 0 {
			t.Fatalf("a token that is split by %U is not found", r)
		}
	}
	if split < 500 {
		t.Errorf("only %d characters were tried", split)
	}
}
