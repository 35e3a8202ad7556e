package check_test

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/audit"
	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/report"
)

const valid = `{
  "ltm_version": "0.3",
  "id": "01JDMB4W1YNJZQR7K8F3A2H5P9",
  "created_at": "2026-01-02T03:04:05Z",
  "goal": "g",
  "next_step": "n"
}
`

// token returns something that looks like a token and is none.
func token() string { return strings.Join([]string{"gh", "p_", strings.Repeat("a1B2c3", 6)}, "") }

// TestInspect lists what is told of a file, rule by rule with the place. SPEC.
func TestInspect(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, data string
		want       []string
	}{
		{name: "nothing", data: valid},
		{name: "another encoding", data: " " + valid},
		{name: "no JSON", data: "{", want: []string{"record-schema"}},
		{name: "no UTF-8", data: "{\"goal\": \"\xff\"}", want: []string{"record-schema"}},
		{
			name: "too deep to be scanned as JSON",
			data: strings.Repeat("[", 70) + `"` + token() + `"` + strings.Repeat("]", 70),
			want: []string{"record-schema", "github-token"},
		},
		{
			name: "an unknown kind", data: strings.Replace(valid, `"ltm`, `"type": "diary", "ltm`, 1),
			want: []string{"record-schema /type"},
		},
		{
			name: "all problems at once", data: `{"goal":"` + token() + `","next_step":""}`,
			want: []string{"record-schema /next_step", "github-token /goal"},
		},
		{
			name: "too large", data: strings.Replace(valid, `"g"`, `"`+strings.Repeat("g", 33000)+`"`, 1),
			want: []string{"record-size"},
		},
		{
			name: "overridden", data: strings.Replace(valid, "\"n\"\n",
				"\"n\",\n  \"scan\": {\n    \"overridden\": [\n      \"github-token\"\n    ]\n  }\n", 1),
			want: []string{"scan-overridden /scan/overridden"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := check.Inspect(check.Document{Subject: "a.json", Data: []byte(tt.data)})
			if diff := cmp.Diff(tt.want, places(got.Results)); diff != "" {
				t.Errorf("results (-want +got):\n%s", diff)
			}
			checkResults(t, got)
			if text := fmt.Sprintf("%+v", got); strings.Contains(text, token()) {
				t.Error("a result holds the secret")
			}
		})
	}
}

// TestInspect_pointer holds that the pointer of a problem tells no part of a secret in a name, however the
// name is written in it. SPEC.
func TestInspect_pointer(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("k7Qz", 12)
	for name, secret := range map[string]string{
		"whole":              token(),
		"escaped slashes":    "https:" + "//ada:" + body + "@example.com/",
		"cut":                "https:" + "//ada:" + body + body + "@example.com/",
		"hidden characters":  token()[:20] + "\u200b" + token()[20:],
		"a key":              strings.Join([]string{"-----BEGIN PRI", "VATE KEY-----"}, "") + body + body,
		"something before":   strings.Repeat("x ", 20) + token(),
		"a tilde and slash":  "~/ " + token(),
		"two in one pointer": token() + `":{"` + token(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ends := strings.Repeat("}", strings.Count(secret, "{"))
			got := check.Inspect(
				check.Document{Subject: "-", Data: []byte(`{"goal":"","` + secret + `":1e999` + ends + `}`)})
			text := fmt.Sprintf("%+v", got)
			for at := 12; at+12 < len(secret); at++ {
				if part := secret[at : at+12]; !strings.HasPrefix(part, "x x") &&
					strings.Contains(text, part) {
					t.Fatalf("the result holds a part of %d bytes at byte %d: %s", len(part), at, text)
				}
			}
			if all := places(got.Results); !slices.Contains(all, "record-schema /goal") || len(all) < 4 {
				t.Errorf("results %v, want all of them", all)
			}
		})
	}
}

// TestScanFile_wide finds what a program of Windows wrote in units of 16 bits, with its line and column.
func TestScanFile_wide(t *testing.T) {
	t.Parallel()
	text := "\ufeffOne \U0001F511.\r\nkey = " + token() + "\r\n"
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		var data []byte
		for _, unit := range utf16.Encode([]rune(text)) {
			data = order.AppendUint16(data, unit)
		}
		// An odd byte at the end hides nothing.
		for _, data := range [][]byte{data, append(bytes.Clone(data), '\n')} {
			got := check.ScanFile(check.Document{Subject: "a.txt", Data: data}).Results
			if len(got) != 1 || got[0].Rule != "github-token" || got[0].Region.Line != 2 ||
				got[0].Region.Column != 7 {
				t.Errorf("%s: %+v, want a token at 2:7", order, got)
			}
		}
	}
}

func places(results []report.Result) []string {
	var all []string
	for _, r := range results {
		all = append(all, strings.TrimSpace(r.Rule+" "+r.Pointer))
	}
	return all
}

// ruleTable finds the rules of a check by their ids.
var ruleTable = sync.OnceValue(func() map[string]report.Rule {
	rules := map[string]report.Rule{}
	for _, r := range check.Rules(nil) {
		rules[r.ID] = r
	}
	return rules
})

// checkResults holds that each result is whole and names a rule that the report lists.
func checkResults(t *testing.T, c check.Checked) {
	t.Helper()
	for _, r := range c.Results {
		rule, ok := ruleTable()[r.Rule]
		if !ok || r.Area != rule.Area || r.Level != rule.Level {
			t.Errorf("result %+v fits no rule", r)
		}
		if r.Subject != c.Subject || r.Message == "" || r.Advice == "" ||
			!strings.HasPrefix(r.Fingerprint, "v1:") {
			t.Errorf("result %+v is not whole", r)
		}
	}
}

// TestRules_Check holds that each rule is explained, and has its id for itself.
func TestRules_Check(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, r := range check.Rules(nil) {
		if seen[r.ID] || r.ID == "" || r.Area == "" || r.Level == "" || r.Advice == "" ||
			!strings.HasSuffix(r.About, ".") {
			t.Errorf("rule %+v", r)
		}
		seen[r.ID] = true
	}
	if len(seen) < 30 {
		t.Errorf("%d rules, want those for records and those for secrets", len(seen))
	}
}

// TestMemory_Check_fingerprints holds that a record has the same fingerprints in a ref as under any number of
// workers, and that no two results of a store share one. SPEC.
func TestMemory_Check_fingerprints(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	for n := range 150 {
		id := fmt.Sprintf("01JDMX%020d", n)
		text := fmt.Sprintf(
			`{"ltm_version":"0.3","id":%q,"created_at":"2026-01-01T00:00:00Z","goal":"Mail %s","next_step":"","parent_id":"01JDMB4W1YNJZQR7K8F3A2H5P9"}`, id, token())
		r.Git("update-ref", "refs/ltm/packets/"+id, r.Feed(text, "hash-object", "-w", "--stdin"))
	}
	want := checkWith(t, r, 1)
	if len(want) != 150 {
		t.Fatalf("%d subjects, want 150", len(want))
	}
	for _, workers := range []int{2, 5} {
		if diff := cmp.Diff(want, checkWith(t, r, workers)); diff != "" {
			t.Errorf("with %d workers (-one +many):\n%s", workers, diff)
		}
	}
	seen := map[string]bool{}
	for _, c := range want {
		if got := places(c.Results); !slices.Equal(got,
			[]string{"record-schema /next_step", "github-token /goal"}) {
			t.Errorf("%s: %v", c.Subject, got)
		}
		checkResults(t, c)
		for _, r := range c.Results {
			if seen[r.Fingerprint] {
				t.Errorf("fingerprint %s is there twice", r.Fingerprint)
			}
			seen[r.Fingerprint] = true
		}
	}
}

func checkWith(t *testing.T, r *gittest.Repository, workers int) []check.Checked {
	t.Helper()
	m, err := memory.Open(t.Context(),
		memory.Options{Dir: r.Dir, Env: r.Env, Now: time.Now, Entropy: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	var all []check.Checked
	for c, err := range m.Audit().Check(t.Context(), audit.CheckQuery{Workers: workers}) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	return all
}

// FuzzInspect plants a secret in the goal of a record and holds that it is found and not told, whatever
// stands around it, and that a document without a result is a record that is read back as the same bytes.
func FuzzInspect(f *testing.F) {
	f.Add(valid)
	f.Add(`{"goal":"g","x":[1,{"y":null}]}`)
	f.Add("no JSON")
	f.Fuzz(func(t *testing.T, data string) {
		got := check.Inspect(check.Document{Subject: "-", Data: []byte(data)})
		checkResults(t, got)
		if len(got.Results) == 0 && !json.Valid([]byte(data)) {
			t.Errorf("%q passes and is no JSON", data)
		}
		planted := data + " " + token() + " "
		got = check.Inspect(check.Document{Subject: "-", Data: []byte(planted)})
		found := slices.ContainsFunc(got.Results, func(r report.Result) bool {
			return r.Area == report.Secret && r.Level == report.Error
		})
		if !found && len(planted) <= 32768 {
			t.Errorf("no secret was found in %q", planted)
		}
		if strings.Contains(fmt.Sprintf("%+v", got), token()) && !strings.Contains(data, token()) {
			t.Errorf("the result of %q holds the secret", planted)
		}
	})
}
