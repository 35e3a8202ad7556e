package redact_test

import (
	"bytes"
	"compress/gzip"
	"encoding/ascii85"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// often applies one encoding several times.
func often(n int, encode func(string) string, text string) string {
	for range n {
		text = encode(text)
	}
	return text
}

func inBase64(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
func inDigits(text string) string { return hex.EncodeToString([]byte(text)) }

func percentSigns(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

func numbers(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		fmt.Fprintf(&b, "%d ", c)
	}
	return b.String()
}

// TestScanText_bounds shows how far the scanner looks behind encodings, as docs/security.md tells it. SPEC
//
func TestScanText_bounds(t *testing.T) {
	t.Parallel()
	token := "gh" + "p_" + strings.Repeat("a1B2c3", 6)
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	_, _ = w.Write([]byte(token))
	_ = w.Close()
	eighty := make([]byte, ascii85.MaxEncodedLen(len(token)))
	eighty = eighty[:ascii85.Encode(eighty, []byte(token))]
	backwards := []byte(token)
	slices.Reverse(backwards)
	long := strings.Repeat("nothing to see here, move along. ", 1000)
	for name, tt := range map[string]struct {
		text string
		want bool
	}{
		"base64":                       {inBase64(token), true},
		"base64 three times":           {often(3, inBase64, token), true},
		"base64 four times":            {often(4, inBase64, token), false},
		"hexadecimal digits in base64": {inBase64(inDigits(token)), true},
		"hexadecimal digits before a slash": {
			"https:/" + "/host.example.com/" + inDigits(token) + "/x",
			false,
		},
		"hexadecimal digits behind a path": {
			"read /srv/data/some-project/Workspace2024/build/out/" + inDigits(token) + ": no",
			true,
		},
		"hexadecimal digits behind a long path": {
			"read /srv" + strings.Repeat("/some-project/build_v2", 40) + "/" + inDigits(token) + ": no",
			true,
		},
		"base64 behind a long path": {strings.Repeat("/srv/data", 40) + "/" + inBase64(token), true},
		"base32":                    {base32.StdEncoding.EncodeToString([]byte(token)), true},
		"base85":                    {string(eighty), false},
		"percent signs three times": {often(3, percentSigns, token), true},
		"percent signs four times":  {often(4, percentSigns, token), false},
		"base64 of 40 KiB":          {inBase64(long[:30<<10] + " " + token), true},
		"base64 of 270 KiB":         {inBase64(strings.Repeat(long, 6) + token + long), true},
		"base64 of 270 KiB in lines": {
			inLines(inBase64(strings.Repeat(long, 6)+token+long), 76),
			true,
		},
		"compressed":     {inBase64(zipped.String()), false},
		"backwards":      {string(backwards), false},
		"over two lines": {token[:20] + "\n" + token[20:], true},
		"over a seam of 40 blanks": {
			token[:20] + "\n" + strings.Repeat(" ", 40) + token[20:],
			true,
		},
		"over a seam of 60 blanks": {
			token[:20] + "\n" + strings.Repeat(" ", 60) + token[20:],
			true,
		},
		"over a seam of 140 blanks": {
			token[:20] + "\n" + strings.Repeat(" ", 140) + token[20:],
			false,
		},
		"over a hard line end":           {token[:20] + "  \n" + token[20:], true},
		"struck through":                 {token[:20] + "\u0336" + token[20:], true},
		"with a word between the halves": {token[:20] + " and " + token[20:], false},
		"at the end of the first 64 KiB": {strings.Repeat("word ", 13100) + token +
			strings.Repeat(" word", 9000), true},
		"one byte each as decimal numbers":        {numbers(token), false},
		"a password of words without a name":      {"log in with correct horse battery staple", false},
		"a token of a form that nobody knows":     {"use qzw" + strings.Repeat("a1B2c3", 6), false},
		"a hexadecimal digest without a name":     {"commit " + strings.Repeat("a1b2c3d4e5", 4), false},
		"letters of another alphabet in its head": {strings.Replace(token, "p_", "\u0440_", 1), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := len(redact.Blocking(redact.ScanText(tt.text))) > 0; got != tt.want {
				t.Errorf("found: %t, want %t", got, tt.want)
			}
		})
	}
}

// TestScan_bounds shows what the scanner puts together of a document, as docs/security.md tells it. SPEC
//
func TestScan_bounds(t *testing.T) {
	t.Parallel()
	token := "gh" + "p_" + strings.Repeat("a1B2c3", 6)
	for name, tt := range map[string]struct {
		doc  any
		want bool
	}{
		"in the name of a member":          {map[string]any{"x": []any{map[string]any{token: 1}}}, true},
		"over two items of a list":         {[]string{token[:20], token[20:]}, true},
		"over two members":                 {map[string]string{"a": token[:20], "b": token[20:]}, false},
		"a number under the name password": {map[string]any{"password": 739154}, true},
		"a short number under that name":   {map[string]any{"password": 73915}, false},
		"a number under another name":      {map[string]any{"count": 739154}, false},
		"a password two members above":     {map[string]any{"password": map[string]any{"value": "k3QzT9mWx2Lp"}}, true},
		"a password three members above":   {map[string]any{"password": map[string]any{"a": map[string]any{"b": "k3QzT9mWx2Lp"}}}, true},
		"a date below a password":          {map[string]any{"password": map[string]any{"changed_at": "2026-11-21T06:27:00Z"}}, false},
		"a word below a password":          {map[string]any{"password": map[string]any{"kind": "argon2id-v19"}}, false},
		"a negative number":                {map[string]any{"DB_PASSWORD": -84729173}, true},
		"a name with a hidden character":   {map[string]any{"db_pass\u200bword": "k3QzT9mWx2Lp"}, true},
		"a name with a letter of another":  {map[string]any{"db_p\u0430ssword": "k3QzT9mWx2Lp"}, true},
		"a name with many blanks": {map[string]any{"DB_PASSWORD" +
			strings.Repeat(" ", 300): "k3QzT9mWx2Lp"}, true},
		"pieces of seven characters": {[]string{
			token[:7], token[7:14], token[14:21], token[21:28],
			token[28:35], token[35:],
		}, true},
		"a password behind a label":          {map[string]any{"password": "[REDACTED:x]k3QzT9mWx2Lp"}, true},
		"a password of words under its name": {map[string]any{"password": "correct-horse-battery"}, true},
		"a password of words of a form":      {map[string]any{"password": "current-password-field"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doc, err := json.Marshal(tt.doc)
			if err != nil {
				t.Fatal(err)
			}
			found, err := redact.BuiltIn().Scan(doc)
			if err != nil {
				t.Fatal(err)
			}
			if got := len(redact.Blocking(found)) > 0; got != tt.want {
				t.Errorf("found: %t, want %t", got, tt.want)
			}
		})
	}
}

func inLines(text string, width int) string {
	var b strings.Builder
	for len(text) > width {
		b.WriteString(text[:width] + "\n")
		text = text[width:]
	}
	return b.String() + text
}
