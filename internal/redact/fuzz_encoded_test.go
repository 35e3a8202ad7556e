package redact_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// disguises are ways to write a token so that it does not stand in the text as it is.
func disguises() map[string]func(string) string {
	each := func(format string) func(string) string {
		return func(s string) string {
			var b strings.Builder
			for _, c := range []byte(s) {
				fmt.Fprintf(&b, format, c)
			}
			return b.String()
		}
	}
	split := func(by string) func(string) string {
		return func(s string) string { return s[:len(s)/2] + by + s[len(s)/2:] }
	}
	return map[string]func(string) string{
		"plain":     func(s string) string { return s },
		"base64":    func(s string) string { return base64.StdEncoding.EncodeToString([]byte("use " + s)) },
		"base64url": func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) },
		"base64 twice": func(s string) string {
			return base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString([]byte(s))))
		},
		"hexadecimal":   func(s string) string { return hex.EncodeToString([]byte(s)) },
		"spaced":        func(s string) string { return strings.TrimSpace(each("%02x ")(s)) },
		"percent":       each("%%%02X"),
		"percent twice": each("%%25%02x"),
		"quoted":        each("=%02X"),
		"HTML":          each("&#%d;"),
		"backslash x":   each(`\x%02x`),
		"backslash u":   each(`\u%04x`),
		"octal":         each(`\%03o`),
		"wide": func(s string) string {
			return strings.Map(func(r rune) rune { return r + 0xFEE0 }, s)
		},
		"zero width":     split("\u200b"),
		"soft hyphen":    split("\u00ad"),
		"over lines":     split("\n    "),
		"over literals":  split(`" + "`),
		"with a tag":     split("<wbr>"),
		"in two strings": split("' '"),
	}
}

// FuzzDisguised plants a token in every disguise, in a value or a name at some depth: a blocking finding must
// cover it. SPEC.
func FuzzDisguised(f *testing.F) {
	f.Add("before", "after", uint8(0), uint8(0))
	f.Add("a = ", "; b", uint8(3), uint8(7))
	f.Add("<b>", "%25", uint8(9), uint8(3))
	f.Fuzz(func(t *testing.T, before, after string, depth, shape uint8) {
		if !utf8.ValidString(before) || !utf8.ValidString(after) || len(before)+len(after) > 4096 {
			return
		}
		all := kinds()
		token := newMaker().token(all[int(shape)%len(all)])
		for name, disguise := range disguises() {
			secret := disguise(token)
			before, text := before+" ; ", before+" ; "+secret+" ; "+after
			asName := shape&1 == 1
			var value any = text
			if asName {
				value = map[string]any{text: 1}
			}
			fs, err := redact.BuiltIn().Scan(document(t, value, int(depth)%60))
			if err != nil {
				t.Fatalf("Scan: %v", err)
			}
			if !covers(redact.Blocking(fs), len(before), len(before)+len(strings.TrimRight(secret, "="))) {
				t.Errorf("a planted %s, disguised as %s, between %q and %q is not found whole",
					all[int(shape)%len(all)].rule, name, before, after)
			}
		}
	})
}

// covers says whether the findings together cover the bytes from start to end.
func covers(fs []redact.Finding, start, end int) bool {
	for _, f := range fs {
		if f.Start <= start && start < f.End {
			start = f.End
		}
	}
	return start >= end
}
