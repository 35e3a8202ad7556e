package redact_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// TestScan_broken puts secrets where only what stands beside them gives them away. SPEC.
func TestScan_broken(t *testing.T) {
	t.Parallel()
	token := "gh" + "p_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
	password := "Xk29" + "vLq8Zp71"
	block := strings.Split(newMaker().block("RSA PRIVATE"+" KEY"), "\n")
	tests := map[string]struct {
		doc  any
		want []string // Pointers.
	}{
		"a token over two items": {
			[]any{"use " + token[:12], token[12:] + " for it"},
			[]string{"/0", "/1"},
		},
		"a token over three items": {map[string]any{"a": []any{
			"x", token[:12], token[12:25],
			token[25:],
		}}, []string{"/a/1", "/a/2", "/a/3"}},
		"a key over items": {
			[]any{block[0], block[1], block[2], block[3]},
			[]string{"/0", "/1", "/2", "/3"},
		},
		"a value beside its name": {
			map[string]any{"name": "DB_PASSWORD", "value": password},
			[]string{"/value"},
		},
		"a value below its name": {
			map[string]any{"password": map[string]any{"value": password}},
			[]string{"/password/value"},
		},
		"a number as a password":      {map[string]any{"password": 83749201}, []string{"/password"}},
		"a number as an id":           {map[string]any{"id": 83749201, "tokens": 4096}, nil},
		"items that do not go on":     {[]any{"see section 12345678", "abcdefgh12345678 is a build"}, nil},
		"a value beside another name": {map[string]any{"name": "CACHE_DIR", "value": "var-cache-2"}, nil},
		"a token beside a second array": {
			map[string]any{"a": []any{token[:12]}, "b": []any{token[12:]}},
			nil,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doc, err := json.Marshal(test.doc)
			if err != nil {
				t.Fatal(err)
			}
			fs, err := redact.BuiltIn().Scan(doc)
			if err != nil {
				t.Fatalf("Scan: %v", err)
			}
			var got []string
			for _, f := range redact.Blocking(fs) {
				got = append(got, f.Path)
			}
			if strings.Join(got, " ") != strings.Join(test.want, " ") {
				t.Errorf("findings at %v, want %v", got, test.want)
			}
			masked, _, err := redact.BuiltIn().Mask(doc)
			if err != nil {
				t.Fatalf("Mask: %v", err)
			}
			assertMasked(t, masked)
		})
	}
}
