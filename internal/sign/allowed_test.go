package sign_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/crypto/ssh"

	"github.com/git-ltm/git-ltm/internal/sign"
)

// SPEC.
func TestParseAllowedSigners(t *testing.T) {
	t.Parallel()
	signer := newSSH(t)
	key := public(signer)
	entry := sign.Entry{
		Principals:  "alice@example.com",
		Fingerprint: ssh.FingerprintSHA256(signer.PublicKey()),
	}
	with := func(change func(*sign.Entry)) *sign.Entry {
		e := entry
		change(&e)
		return &e
	}
	tests := []struct {
		name, line string
		want       *sign.Entry // nil is a problem
	}{
		{"plain", "alice@example.com KEY", with(func(*sign.Entry) {})},
		{"comment behind the key", "alice@example.com KEY Alice, at work", with(func(*sign.Entry) {})},
		{"blanks before and after", " \talice@example.com \t KEY \r", with(func(*sign.Entry) {})},
		{
			"several principals", "alice@example.com,*@example.org,!bob@example.org KEY",
			with(func(e *sign.Entry) {
				e.Principals = "alice@example.com,*@example.org,!bob@example.org"
			}),
		},
		{
			"quoted principals", `"alice smith,bob" KEY`,
			with(func(e *sign.Entry) { e.Principals = "alice smith,bob" }),
		},
		{"quote inside principals", `al"ice b"KEY`, with(func(e *sign.Entry) { e.Principals = "alice b" })},
		{
			"authority", "alice@example.com cert-authority KEY",
			with(func(e *sign.Entry) { e.Authority = true }),
		},
		{
			"options in other letters", `alice@example.com Cert-Authority,NAMESPACES="git" KEY`,
			with(func(e *sign.Entry) {
				e.Authority, e.Namespaces = true, "git"
			}),
		},
		{
			"namespaces", `alice@example.com namespaces="git,file" KEY`,
			with(func(e *sign.Entry) { e.Namespaces = "git,file" }),
		},
		{
			"quote and blank in a value", `alice@example.com namespaces="a\" b" KEY`,
			with(func(e *sign.Entry) { e.Namespaces = `a" b` }),
		},
		{
			"window", `alice@example.com valid-after="20260102Z",valid-before="20270304050607Z" KEY`,
			with(func(e *sign.Entry) {
				e.After = time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
				e.Before = time.Date(2027, 3, 4, 5, 6, 7, 0, time.UTC)
			}),
		},
		{
			"time in UTC by its letters", `alice@example.com valid-after="202601020304UTC" KEY`,
			with(func(e *sign.Entry) {
				e.After = time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC)
			}),
		},
		{"day that runs over", `alice@example.com valid-after="20260230Z" KEY`, with(func(e *sign.Entry) {
			e.After = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
		})},
		{
			"empty items between commas", `alice@example.com ,,cert-authority KEY`,
			with(func(e *sign.Entry) { e.Authority = true }),
		},
		{"comma at the end", `alice@example.com cert-authority, KEY`, nil},
		{"unknown option", `alice@example.com no-touch-required KEY`, nil},
		{"option without quotes", `alice@example.com namespaces=git KEY`, nil},
		{"open quote", `"alice@example.com KEY`, nil},
		{"open quote in an option", `alice@example.com namespaces="git KEY`, nil},
		{"namespaces twice", `alice@example.com namespaces="git",namespaces="git" KEY`, nil},
		{"valid-after twice", `alice@example.com valid-after="20260102Z",valid-after="20260102Z" KEY`, nil},
		{
			"window of no length", `alice@example.com valid-after="20260102Z",valid-before="20260102Z" KEY`,
			nil,
		},
		{
			"window turned round", `alice@example.com valid-after="20270102Z",valid-before="20260102Z" KEY`,
			nil,
		},
		{"time of no length", `alice@example.com valid-after="2026Z" KEY`, nil},
		{"time with letters", `alice@example.com valid-after="2026o102Z" KEY`, nil},
		{"month 13", `alice@example.com valid-after="20261301Z" KEY`, nil},
		{"hour 24", `alice@example.com valid-after="202601012400Z" KEY`, nil},
		{"the first second of all", `alice@example.com valid-after="19700101Z" KEY`, nil},
		{"no principals", "KEY", nil},
		{"no key", "alice@example.com", nil},
		{"type that does not fit", "alice@example.com ssh-rsa " + strings.Fields(key)[1], nil},
		{"key cut short", "alice@example.com " + key[:len(key)-8], nil},
		{"zero byte", "alice@example.com KEY\x00", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			text := "# a comment\n\n" + strings.ReplaceAll(tt.line, "KEY", key) + "\n \t\n"
			got, problems := sign.ParseAllowedSigners([]byte(text))
			var want []sign.Entry
			var wantProblems []int
			if tt.want != nil {
				want = append(want, *tt.want)
			} else {
				wantProblems = []int{3}
			}
			var lines []int
			for _, p := range problems {
				lines = append(lines, p.Line)
			}
			if diff := cmp.Diff(wantProblems, lines); diff != "" {
				t.Errorf("lines with problems (-want +got):\n%s%v", diff, problems)
			}
			if diff := cmp.Diff(want, got.Entries(), cmpopts.IgnoreUnexported(sign.Entry{}),
				cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("entries (-want +got):\n%s", diff)
			}
		})
	}
}

// A time without Z is one of the local zone, in its standard time even in summer.
// SPEC.
func TestParseTime(t *testing.T) {
	t.Parallel()
	tests := []struct {
		zone, text string
		want       time.Time
	}{
		{"UTC", "20260701", time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)},
		{"Europe/Berlin", "20260101", time.Date(2025, 12, 31, 23, 0, 0, 0, time.UTC)},
		{"Europe/Berlin", "20260701", time.Date(2026, 6, 30, 23, 0, 0, 0, time.UTC)},
		{"Australia/Sydney", "20260101", time.Date(2025, 12, 31, 14, 0, 0, 0, time.UTC)},
		{"Europe/Berlin", "20260701z", time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)},
	}
	for _, tt := range tests {
		t.Run(tt.zone+" "+tt.text, func(t *testing.T) {
			t.Parallel()
			zone, err := time.LoadLocation(tt.zone)
			if err != nil {
				t.Skip(err)
			}
			got, err := sign.ParseTime(tt.text, zone)
			if err != nil || !got.Equal(tt.want) {
				t.Errorf("ParseTime(%q in %s) = %v, %v, want %v", tt.text, tt.zone, got.UTC(), err, tt.want)
			}
		})
	}
}
