package redact_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// secretToken returns one GitHub token, put together at run time.
func secretToken() string { return "gh" + "p_" + strings.Repeat("a1B2c3", 6) }

// place is what a test compares of a finding.
type place struct {
	Rule, Path string
	InName     bool
	Start, End int
}

func placesOf(fs []redact.Finding) []place {
	var all []place
	for _, f := range fs {
		all = append(all, place{f.Rule, f.Path, f.InName, f.Start, f.End})
	}
	return all
}

// SPEC.
func TestScan_places(t *testing.T) {
	t.Parallel()

	token := secretToken()
	tests := map[string]struct {
		doc  string
		want []place
	}{
		"clean":          {`{"goal": "ship it", "n": [1, true, null, -2.5e3]}`, nil},
		"whole document": {`"@"`, []place{{"github-token", "", false, 0, 40}}},
		"nested value":   {`{"a": [{"b": "x @"}]}`, []place{{"github-token", "/a/0/b", false, 2, 42}}},
		"unknown member": {
			`{"zz": {"yy": [["@"]]}}`,
			[]place{{"github-token", "/zz/yy/0/0", false, 0, 40}},
		},
		"name": {`{"a": {"@": 1}}`, []place{{"github-token", "/a", true, 0, 40}}},
		"below a name": {
			`{"@": "@"}`,
			[]place{
				{"github-token", "", true, 0, 40},
				{"github-token", "/[REDACTED:github-token]", false, 0, 40},
			},
		},
		"doubled member": {`{"a": "@", "a": "ok"}`, []place{{"github-token", "/a", false, 0, 40}}},
		"escaped letters": {
			`{"a": "g\u0068p` + strings.TrimPrefix(token, "ghp") + `"}`,
			[]place{{"github-token", "/a", false, 0, 40}},
		},
		"escaped slashes": {`{"a": "\/Users\/alice\/x"}`, []place{{"home-path", "/a", false, 0, 14}}},
		"escaped pointer": {`{"a/b~c": "@"}`, []place{{"github-token", "/a~1b~0c", false, 0, 40}}},
		"lone surrogate": {
			`{"a": "\ud800\u0067hp` + strings.TrimPrefix(token, "ghp") + `"}`,
			[]place{{"github-token", "/a", false, 3, 43}},
		},
		"named password": {
			`{"db": {"password": "tiger77!x"}}`,
			[]place{{"secret-assignment", "/db/password", false, 0, 9}},
		},
		"named in a list": {
			`{"passwords": ["tiger77!x"], "apiKey": ["q8w7e6r5t4zz"]}`,
			[]place{
				{"secret-assignment", "/passwords/0", false, 0, 9},
				{"secret-assignment", "/apiKey/0", false, 0, 12},
			},
		},
		"named as a header": {
			`{"Authorization": "token q8w7e6r5t4z3u2i1o0"}`,
			[]place{{"authorization-header", "/Authorization", false, 6, 24}},
		},
		"named but prose": {`{"token": "the JWT we pass", "secret": "required"}`, nil},
		"document order": {
			`{"b": "@", "a": "/tmp/x @"}`,
			[]place{{"github-token", "/b", false, 0, 40}, {"github-token", "/a", false, 7, 47}},
		},
		"long way": {
			`{"` + strings.Repeat("n", 200) + `": "@"}`,
			[]place{{"github-token", "/" + strings.Repeat("n", 64) + "…", false, 0, 40}},
		},
		"in a place": {
			`["/home/bob/@/x"]`,
			[]place{{"home-path", "/0", false, 0, 52}, {"github-token", "/0", false, 10, 50}},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fs, err := redact.BuiltIn().Scan([]byte(strings.ReplaceAll(test.doc, "@", token)))
			if err != nil {
				t.Fatalf("Scan: %v", err)
			}
			if diff := cmp.Diff(test.want, placesOf(fs)); diff != "" {
				t.Errorf("findings differ (-want +got):\n%s", diff)
			}
			for _, f := range fs {
				if strings.Contains(f.String()+f.Path+f.Mask, token[4:]) {
					t.Errorf("a finding of %s at %q shows the secret", f.Rule, f.Path[:0])
				}
			}
		})
	}
}

// SPEC.
func TestScan_refuses(t *testing.T) {
	t.Parallel()

	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	tests := map[string]struct {
		doc  string
		want error
	}{
		"empty":            {"", redact.ErrSyntax},
		"truncated":        {`{"a": "b`, redact.ErrSyntax},
		"two values":       {`{} {}`, redact.ErrSyntax},
		"not UTF-8":        {"\"\xff\"", redact.ErrEncoding},
		"at the limit":     {deep(redact.MaxDepth), nil},
		"over the limit":   {deep(redact.MaxDepth + 1), redact.ErrDepth},
		"byte order mark":  {"\ufeff{}", redact.ErrSyntax},
		"blanks and value": {" \r\n\t{ \"a\" :\t[ ] , \"b\" : { } } \n", nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := redact.BuiltIn().Scan([]byte(test.doc)); !errors.Is(err, test.want) {
				t.Errorf("Scan: error %v, want %v", err, test.want)
			}
			if _, _, err := redact.BuiltIn().Mask([]byte(test.doc)); !errors.Is(err, test.want) {
				t.Errorf("Mask: error %v, want %v", err, test.want)
			}
		})
	}
}

// SPEC.
func TestFinding_String(t *testing.T) {
	t.Parallel()

	fs, err := redact.BuiltIn().Scan(
		[]byte(`{"attempts": [{"tried": "` + secretToken() + `"}], "` + secretToken() +
			`": "see /home/bob/x"}`))
	if err != nil {
		t.Fatalf("Scan: %v", err)
	}
	want := []string{
		"/attempts/0/tried: github-token (ghp_…): looks like a GitHub token",
		"(member name): github-token (ghp_…): looks like a GitHub token",
		"/[REDACTED:github-token]: home-path (/home/…): looks like a path in the home directory of a user",
	}
	var got []string
	for _, f := range fs {
		got = append(got, f.String())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines differ (-want +got):\n%s", diff)
	}
}

func TestRules(t *testing.T) {
	t.Parallel()

	seen := map[string]bool{}
	for _, r := range redact.BuiltIn().Rules() {
		if r.ID == "" || r.Why == "" || r.Advice == "" ||
			(r.Severity != redact.Warn && r.Severity != redact.Block) {
			t.Errorf("rule %q is incomplete", r.ID)
		}
		if seen[r.ID] {
			t.Errorf("rule %q stands twice", r.ID)
		}
		seen[r.ID] = true
		if fs := redact.ScanText("password=[REDACTED:" + r.ID + "] is [REDACTED:" + r.ID + "#2]"); len(fs) >
			0 {
			t.Errorf("the label of rule %q is found as %q", r.ID, fs[0].Rule)
		}
	}
}
