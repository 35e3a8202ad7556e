package redacttest_test

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/redact/redacttest"
)

// load writes data to a file and loads it.
func load(t *testing.T, data string) ([]redacttest.Row, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rows.txt")
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	return redacttest.Load(path)
}

// one loads a row with the given text.
func one(t *testing.T, text string) redacttest.Row {
	t.Helper()
	rows, err := load(t, "group/kind\t"+text+"\n")
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 1 {
		t.Fatalf("%q gave %d rows, want 1", text, len(rows))
	}
	return rows[0]
}

func TestLoad_rows(t *testing.T) {
	t.Parallel()
	got, err := load(t, "# A comment.\n\na/one\tid=⟦o·ne⟧;\n#b/two\ttext\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []redacttest.Row{
		{
			Group: "a", Kind: "one", Text: "id=one;", Secret: "one", Start: 3, End: 6, File: "rows.txt",
			Line: 3,
		},
		{Group: "#b", Kind: "two", Text: "text", File: "rows.txt", Line: 4},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

func TestLoad_fixedMarks(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"dot", "a·b", "ab"},
		{"white space", "a␤b␉c␍d␠", "a\nb\tc\rd "},
		{"code point", "a‹U+200B›b‹U+1F511›", "a\u200bb\U0001F511"},
		{"base64", "‹b64 ab c›", "YWIgYw=="},
		{"base64 without padding", "‹b64raw ab c›", "YWIgYw"},
		{"base64 for URLs", "‹b64url ??>>›", "Pz8-Pg"},
		{"base64 twice", "‹b64b64 abc›", "WVdKag=="},
		{"hex", "‹hexof a~›", "617e"},
		{"spaced hex", "‹spaced a~b›", "61 7e 62"},
		{"percent", "‹pct a/ö›", "%61%2F%C3%B6"},
		{"quoted-printable", "‹qp a/›", "=61=2F"},
		{"bytes", "‹x a/›", `\x61\x2f`},
		{"entities", "‹html aö›", "&#97;&#246;"},
		{"escapes", "‹u a‹U+1F511››", `\u0061\ud83d\udd11`},
		{"full width", "‹wide a1 ~ö›", "ａ１　～ö"},
		{"nested", "‹hexof ‹b64 abc››", "59574a6a"},
		{"dot inside a mark", "‹hexof a·b›", "6162"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := one(t, tt.text).Text; got != tt.want {
				t.Errorf("%q gave %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

func TestLoad_randomMarks(t *testing.T) {
	t.Parallel()
	tests := []struct{ mark, want string }{
		{"digit 6", `[0-9]{6}`},
		{"lower 6", `[a-z]{6}`},
		{"upper 6", `[A-Z]{6}`},
		{"hex 9", `[0-9a-f]{9}`},
		{"HEX 9", `[0-9A-F]{9}`},
		{"alnum 9", `[0-9A-Za-z]{9}`},
		{"loweralnum 9", `[0-9a-z]{9}`},
		{"upperalnum 9", `[0-9A-Z]{9}`},
		{"word 9", `[0-9A-Za-z_]{9}`},
		{"urlsafe 9", `[0-9A-Za-z_-]{9}`},
		{"base64 9", `[0-9A-Za-z+/]{9}`},
		{"base32 9", `[A-Z2-7]{9}`},
		{"base58 9", `[1-9A-HJ-NP-Za-km-z]{9}`},
		{"bech32 9", `[02-9ac-hj-np-z]{9}`},
		{"BECH32 9", `[02-9AC-HJ-NP-Z]{9}`},
		{"symbols 9", `[0-9A-Za-z!@#$%^&*]{9}`},
		{"uuid", `[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`},
		{"UUID", `[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}`},
		{"ulid", `01[0-9A-HJKMNP-TV-Z]{24}`},
		{"sha1", `[0-9a-f]{40}`},
		{"sha256", `[0-9a-f]{64}`},
		{"word", `[a-z]+`},
		{"words 3", `[a-z]+ [a-z]+ [a-z]+`},
		{"pem SOME KEY", `-----BEGIN SOME KEY-----\n([0-9A-Za-z+/]{64}\n){3}[0-9A-Za-z+/]{34}==\n-----END SOME KEY-----`},
		{"jwt", `[\w-]+\.[\w-]+\.[\w-]{43}`},
	}
	for _, tt := range tests {
		t.Run(tt.mark, func(t *testing.T) {
			t.Parallel()
			if got := one(t, "‹"+tt.mark+
				"›").Text; !regexp.MustCompile("^(?:" + tt.want + ")$").MatchString(got) {
				t.Errorf("the mark gave %q, want %s", got, tt.want)
			}
		})
	}
}

// A body of four characters has a digit and a letter in each of many lines.
func TestLoad_bodiesAreMixed(t *testing.T) {
	t.Parallel()
	rows, err := load(t, strings.Repeat("group/kind\t‹base32 4›\n", 500))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if !strings.ContainsAny(row.Text, "234567") || strings.Trim(row.Text, "234567") == "" {
			t.Errorf("line %d is %q, want a digit and a letter", row.Line, row.Text)
		}
	}
}

func TestLoad_jwt(t *testing.T) {
	t.Parallel()
	header, _, _ := strings.Cut(one(t, "‹jwt›").Text, ".")
	got, err := base64.RawURLEncoding.DecodeString(header)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"alg":"HS256","typ":"JWT"}`; string(got) != want {
		t.Errorf("the header is %s, want %s", got, want)
	}
}

func TestLoad_sameInEachRun(t *testing.T) {
	t.Parallel()
	const data = "group/kind\t‹alnum 40›\ngroup/kind\t‹alnum 40›\n"
	first, err := load(t, data)
	if err != nil {
		t.Fatal(err)
	}
	second, err := load(t, data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("two runs differ (-first +second):\n%s", diff)
	}
	if first[0].Text == first[1].Text {
		t.Errorf("two lines have the same body %q", first[0].Text)
	}
}

func TestLoad_malformed(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, line, want string }{
		{"no tab", "group/kind text", "no tab"},
		{"no kind", "group\ttext", "not a group"},
		{"unknown mark", "g/k\t‹vigenere abc›", "is unknown"},
		{"unknown mark without text", "g/k\t‹guid›", "is unknown"},
		{"no size", "g/k\t‹alnum›", "is unknown"},
		{"size in words", "g/k\t‹alnum ten›", "not a size"},
		{"size of none", "g/k\t‹words 0›", "not a size"},
		{"nothing to encode", "g/k\t‹b64›", "has no text"},
		{"no code point", "g/k\t‹U+XY›", "not a code point"},
		{"a surrogate", "g/k\t‹U+D800›", "not a code point"},
		{"mark without end", "g/k\t‹b64 ‹alnum 3›", "does not end"},
		{"mark without begin", "g/k\talnum 3›", "did not begin"},
		{"secret inside a mark", "g/k\t‹b64 ⟦a⟧›", "inside a mark"},
		{"two secrets", "g/k\t⟦a⟧ ⟦b⟧", "begins 2 times"},
		{"secret without end", "g/k\t⟦a", "ends 0 times"},
		{"secret backwards", "g/k\t⟧a⟦", "before it begins"},
		{"empty secret", "g/k\t⟦⟧", "is empty"},
		{"not UTF-8", "g/k\t\xff", "not UTF-8"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := load(t, "g/k\tfine\n"+tt.line+"\n")
			if err == nil {
				t.Fatalf("%q is no error", tt.line)
			}
			for _, want := range []string{"rows.txt:2: ", tt.want} {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q gave %q, want it to hold %q", tt.line, err, want)
				}
			}
		})
	}
}

func TestLoad_everyProblem(t *testing.T) {
	t.Parallel()
	_, err := load(t, "one\ng/k\tfine\ntwo\n")
	if err == nil || !strings.Contains(err.Error(), "rows.txt:1: ") ||
		!strings.Contains(err.Error(), "rows.txt:3: ") {
		t.Errorf("the error is %v, want lines 1 and 3", err)
	}
}

func TestLoad_missingFile(t *testing.T) {
	t.Parallel()
	if _, err := redacttest.Load(filepath.Join(t.TempDir(), "none.txt")); err == nil {
		t.Error("a file that does not exist is no error")
	}
}
