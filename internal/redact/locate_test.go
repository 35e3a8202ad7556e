package redact_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// TestScan_place looks up in the document what a finding tells of its place.
func TestScan_place(t *testing.T) {
	t.Parallel()
	token := secretToken()
	docs := map[string]string{
		"in one line":            `{"goal": "é ` + token + `."}`,
		"on a later line":        "{\n  \"goal\": \"x\",\n  \"ü\": [\n    \"a " + token + "\"\n  ]\n}\n",
		"behind escapes":         `{"goal": "a\n\t\"\u00e9\ud83d\ude00\/ ` + token + ` b"}`,
		"in a name":              "{\n\"x " + token + "\": 1}",
		"twice in one string":    `["` + token + " and " + token + `x9"]`,
		"with a lone surrogate":  `["\ud800 ` + token + `"]`,
		"with an escaped letter": `["` + strings.Replace(token, "_", `\u005f`, 1) + `"]`,
	}
	for name, doc := range docs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fs, err := redact.BuiltIn().Scan([]byte(doc))
			if err != nil || len(fs) == 0 {
				t.Fatalf("Scan: %v, error %v, want a finding", fs, err)
			}
			for _, f := range fs {
				if f.EndLine != f.Line {
					t.Fatalf("lines %d to %d, want one line", f.Line, f.EndLine)
				}
				line := []rune(strings.Split(doc, "\n")[f.Line-1])
				var got string
				if err := json.Unmarshal([]byte(`"`+string(line[f.Column-1:f.EndColumn-1])+`"`), &got); err !=
					nil || !strings.HasPrefix(got, token[:20]) {
					t.Errorf("line %d, columns %d to %d hold other text, want the token", f.Line, f.Column,
						f.EndColumn)
				}
			}
		})
	}
}

// TestFinding_Fingerprint holds what the name of a finding depends on.
func TestFinding_Fingerprint(t *testing.T) {
	t.Parallel()
	token, other := secretToken(), strings.Replace(secretToken(), "a", "Z", 1)
	weak := "Summer" + "2024!"
	name := func(text, subject string) string {
		t.Helper()
		fs := redact.Blocking(redact.ScanText(text))
		if len(fs) != 1 {
			t.Fatalf("%d findings in a text of %d bytes, want one", len(fs), len(text))
		}
		return fs[0].Fingerprint(subject)
	}
	if got, want := name("a\nb "+token, "x"), name(token, "x"); got != want {
		t.Errorf("a token that moved is %s, want %s", got, want)
	}
	// Each is found in the text and in what its escape decodes to.
	for _, f := range redact.ScanText(strings.Repeat(token+" is one.\n", 20) + "%41") {
		if got, want := f.Fingerprint("x"), name(token, "x"); got != want {
			t.Errorf("a token among others is %s, want %s", got, want)
		}
	}
	if got, not := name("a "+other, "x"), name("a "+token, "x"); got == not {
		t.Error("another token at the same place has the same name")
	}
	if got, not := name(token, "y"), name(token, "x"); got == not {
		t.Error("the same token in another subject has the same name")
	}
	if got, want := name(`password="`+weak+`"`, "x"),
		name(`password="`+strings.ToLower(weak)+`"`, "x"); got != want {
		t.Errorf("a weak password is named %s and another %s: the name tells one from the other", got, want)
	}
	words := "correct-horse-" + "battery-staple"
	link := "postgres:" + "//admin:" + words + "@db/x"
	if got, want := name(strings.Replace(link, "staple", "stapla", 1), "x"), name(link, "x"); got != want {
		t.Errorf("a password of words is named %s and another %s: a list of words tells which", got, want)
	}
	if got, not := name(` password="`+weak+`"`, "x"), name(`password="`+weak+`"`, "x"); got == not {
		t.Error("a weak password that moved keeps its name")
	}
}
