package redact_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// FuzzPlanted plants a token in a value or a name at some depth: a blocking
// finding must cover it, whatever stands around.
// SPEC.
func FuzzPlanted(f *testing.F) {
	f.Add("before ", " after", uint8(3), uint8(1))
	f.Add("", "", uint8(0), uint8(0))
	f.Add("-----BEGIN PRIVATE KEY", "%2F", uint8(9), uint8(255))
	f.Add("password=[REDACTED:", "]", uint8(60), uint8(7))
	f.Fuzz(func(t *testing.T, before, after string, depth, shape uint8) {
		if !utf8.ValidString(before) || !utf8.ValidString(after) {
			return
		}
		all := kinds()
		k := all[int(shape)%len(all)]
		if alone(k) && before != "" {
			before += " "
		}
		if k.rule == "twilio-key" || k.rule == "aws-access-key-id" {
			after = " " + after
		}
		token := newMaker().token(k)
		text := before + token + after
		asName := shape&1 == 1
		var value any = text
		if asName {
			value = map[string]any{text: 1}
		}
		fs, err := redact.BuiltIn().Scan(document(t, value, int(depth)%60))
		if err != nil {
			t.Fatalf("Scan: %v", err)
		}
		for _, found := range redact.Blocking(fs) {
			if found.InName == asName && found.Start <= len(before) && found.End >= len(before)+len(token) {
				return
			}
		}
		t.Errorf("a planted %s between %q and %q is not found", k.rule, before, after)
	})
}

// alone says whether a kind has a prefix so weak that a word may end in it.
func alone(k kind) bool {
	prefix := strings.Join(k.prefix, "")
	return len(prefix) < 4 || strings.HasPrefix(prefix, "sk-") || k.rule == "aws-access-key-id" ||
		k.rule == "npm-token" || k.rule == "groq-key" || k.rule == "databricks-token" ||
		k.rule == "xai-key" || k.rule == "notion-token"
}

// document wraps value in arrays and objects.
func document(t *testing.T, value any, depth int) []byte {
	t.Helper()
	for i := range depth {
		if i%2 == 0 {
			value = []any{"x", value}
		} else {
			value = map[string]any{"x": value}
		}
	}
	doc, err := json.Marshal(value)
	if err != nil {
		t.Fatalf("encode: %v", err)
	}
	return doc
}

// FuzzMask holds that a masked document is valid, scans clean of blocking
// findings, and is not changed by masking again.
func FuzzMask(f *testing.F) {
	for _, p := range positives() {
		f.Add(p.text, "name", p.text)
	}
	f.Add("{\"password\": \"x\"}", "password", "aws_secret_access_key")
	f.Fuzz(func(t *testing.T, one, name, two string) {
		doc, err := json.Marshal([]any{one, map[string]any{name: two, two: one}, one + two})
		if err != nil {
			t.Fatalf("encode: %v", err)
		}
		masked, _, err := redact.BuiltIn().Mask(doc)
		if err != nil {
			t.Fatalf("Mask: %v", err)
		}
		assertMasked(t, masked)
	})
}
