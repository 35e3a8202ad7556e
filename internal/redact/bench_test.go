package redact_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// cleanPacket returns a packet of about 5 KB without findings.
func cleanPacket(tb testing.TB) []byte {
	tb.Helper()
	var attempts []map[string]string
	for line := range strings.Lines(harmlessProse + harmlessIDs) {
		if !strings.Contains(line, "~~") {
			attempts = append(attempts, map[string]string{"tried": strings.TrimSpace(line), "learned": "The cache keeps the parsed form."})
		}
	}
	attempts = attempts[:len(attempts)*2/3]
	doc, err := json.Marshal(map[string]any{"goal": "Make the scan fast", "attempts": attempts})
	if err != nil {
		tb.Fatalf("encode: %v", err)
	}
	return doc
}

// TestScan_cleanPacket holds that what the benchmarks measure is clean.
func TestScan_cleanPacket(t *testing.T) {
	t.Parallel()

	doc := cleanPacket(t)
	fs, err := redact.Scan(doc)
	if err != nil || len(fs) > 0 || len(doc) < 4500 {
		t.Errorf("a packet of %d bytes: %v, error %v, want no finding in 4500 bytes or more", len(doc), fs, err)
	}
}

func BenchmarkScan_warm(b *testing.B) {
	doc := cleanPacket(b)
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := redact.Scan(doc); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkScan_cold builds the rules and their index each time, as the
// first scan of a process does.
func BenchmarkScan_cold(b *testing.B) {
	doc := cleanPacket(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := redact.New(redact.Rules()).Scan(doc); err != nil {
			b.Fatal(err)
		}
	}
}

// TestScanText_worstLines gives each keyword a line of 1 MB that holds it as
// often as it can. It ends because no rule reads far before it says no.
func TestScanText_worstLines(t *testing.T) {
	t.Parallel()

	if testing.Short() {
		t.Skip("reads many megabytes")
	}
	const size = 1 << 20
	units := []string{
		"password=", "token: ", "--token a1", "secret=\"a1", "eyJ", "eyJhbGciOiJIUzI1NiJ9.", "://a:", "http://a1:b@", "a@b.com",
		"/home/", "/home/a/b", "/Users/a ", "C:\\a", "\\\\ab\\", "~/a", "10.0.0.1:80 ", "localhost:80", "Bearer ", "Basic YTpi",
		"authorization: ", "arn:aws:", "q~", ":aa", "-----BEGIN ", "-----BEGIN RSA PRIVATE KEY-----", "PuTTY-User-Key-File-2",
		"MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", "IBAAKCA", "ssh-rsa AAAA", "aws_secret", "hooks.slack.com/", "%41", "&#65;", "\u200b",
		"/etc/", "/etc/hosts", "/root", "/root/", "//", "C:/", "C:/a", `c:\`, `C:\Windows\`, "/mnt/c/Users/a", "@x.com", "pass=\"", "&#", "%",
		"a\n", "a\" + \"", "QUFB", "QUFBQUFBQUFBQUFBQUFBQUFBQUFB ", ".internal", "file://", "$HOME/", "[REDACTED:", ".atlasv1.",
	}
	for _, k := range kinds() {
		units = append(units, strings.Join(k.prefix, ""), strings.Join(k.prefix, "")+" ")
	}
	for _, unit := range units {
		redact.ScanText(strings.Repeat(unit, size/len(unit)))
	}
}
