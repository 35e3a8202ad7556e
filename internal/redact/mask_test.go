package redact_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// SPEC.
func TestMask(t *testing.T) {
	t.Parallel()

	one, two := secretToken(), secretToken()+"Zz9"
	pem := strings.ReplaceAll(newMaker().block("RSA PRIVATE KEY"), "\n", `\n`)
	tests := map[string]struct{ doc, want string }{
		"clean stays as it is": {` {"b" : 1.50, "a":"\u0061" } `, ` {"b" : 1.50, "a":"\u0061" } `},
		"warning stays":        {`["/tmp/x"]`, `["/tmp/x"]`},
		"value":                {`{"a": "x 1!1, y"}`, `{"a": "x [REDACTED:github-token], y"}`},
		"same value twice":     {`["1!1", "1!1"]`, `["[REDACTED:github-token]", "[REDACTED:github-token]"]`},
		"two values": {
			`["1!1", "2!2", "1!1"]`,
			`["[REDACTED:github-token]", "[REDACTED:github-token#2]", "[REDACTED:github-token]"]`,
		},
		"earlier label": {
			`["[REDACTED:github-token]", "1!1"]`,
			`["[REDACTED:github-token]", "[REDACTED:github-token#2]"]`,
		},
		"name": {
			`{"1!1": {"1!1": 2}}`,
			`{"[REDACTED:github-token]": {"[REDACTED:github-token]": 2}}`,
		},
		"names that collide": {
			`{"1!1": 1, "1!1": 2}`,
			`{"[REDACTED:github-token]": 1, "[REDACTED:github-token]#2": 2}`,
		},
		"only the password": {`["https://u:1!1@host/x"]`, `["https://u:[REDACTED:github-token]@host/x"]`},
		"a plain password":  {`["redis://:tiger7@cache"]`, `["redis://:[REDACTED:url-credential]@cache"]`},
		"whole key":         {`["a ` + pem + ` z"]`, `["a [REDACTED:private-key] z"]`},
		"markup is kept":    {`["<b>1!1</b> & \u2028"]`, "[\"<b>[REDACTED:github-token]</b> & \u2028\"]"},
		"what was found stands elsewhere, too": {
			`["it said tiger77!x", {"password": "tiger77!x", "tiger77!x": "tiger77!xy"}]`,
			`["it said [REDACTED:secret-assignment]", {"password": "[REDACTED:secret-assignment]", ` +
				`"[REDACTED:secret-assignment]": "[REDACTED:secret-assignment]y"}]`,
		},
		"a word that was found stays elsewhere": {
			`["blue harbour", {"password": "harbour!"}, "harbour!"]`,
			`["blue harbour", {"password": "[REDACTED:secret-assignment]"}, "harbour!"]`,
		},
		"named": {`{"password": "tiger77!x"}`, `{"password": "[REDACTED:secret-assignment]"}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doc := strings.NewReplacer("1!1", one, "2!2", two).Replace(test.doc)
			got, masked, err := redact.BuiltIn().Mask([]byte(doc))
			if err != nil {
				t.Fatalf("Mask: %v", err)
			}
			if diff := cmp.Diff(test.want, string(got)); diff != "" {
				t.Errorf("masked document differs (-want +got):\n%s", diff)
			}
			if changed := string(got) != doc; changed != (len(masked) > 0) {
				t.Errorf("changed %t with %d findings", changed, len(masked))
			}
			assertMasked(t, got)
		})
	}
}

// assertMasked checks what holds for every masked document.
func assertMasked(t *testing.T, doc []byte) {
	t.Helper()
	if !json.Valid(doc) {
		t.Error("masked document is not valid JSON")
	}
	fs, err := redact.BuiltIn().Scan(doc)
	if err != nil {
		t.Fatalf("scan the masked document: %v", err)
	}
	if left := redact.Blocking(fs); len(left) > 0 {
		t.Errorf("masked document still has %q", left[0].Rule)
	}
	again, masked, err := redact.BuiltIn().Mask(doc)
	if err != nil {
		t.Fatalf("mask again: %v", err)
	}
	if string(again) != string(doc) || len(masked) > 0 {
		t.Error("masking again changes the document")
	}
}

// TestMask_corpus masks each planted secret as a value and as a name.
// SPEC.
func TestMask_corpus(t *testing.T) {
	t.Parallel()

	for i, p := range positives() {
		doc, err := json.Marshal(map[string]any{p.text: 1, "v": []string{p.text}})
		if err != nil {
			t.Fatalf("row %d: %v", i, err)
		}
		masked, fs, err := redact.BuiltIn().Mask(doc)
		if err != nil {
			t.Fatalf("row %d, rule %q: %v", i, p.rule, err)
		}
		assertMasked(t, masked)
		quoted, err := json.Marshal(p.secret)
		if err != nil {
			t.Fatalf("row %d: %v", i, err)
		}
		inside := strings.Trim(string(quoted), `"`)
		if len(fs) > 0 && len(inside) > 8 && strings.Contains(string(masked), inside) {
			t.Errorf("row %d, rule %q: the secret is left", i, p.rule)
		}
	}
}
