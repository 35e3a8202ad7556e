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
			attempts = append(attempts,
				map[string]string{
					"tried":   strings.TrimSpace(line),
					"learned": "The cache keeps the parsed form.",
				})
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
	fs, err := redact.BuiltIn().Scan(doc)
	if err != nil || len(fs) > 0 || len(doc) < 4500 {
		t.Errorf("a packet of %d bytes: %v, error %v, want no finding in 4500 bytes or more", len(doc), fs,
			err)
	}
}

func BenchmarkScan_warm(b *testing.B) {
	doc := cleanPacket(b)
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := redact.BuiltIn().Scan(doc); err != nil {
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
		if _, err := freshScanner(b).Scan(doc); err != nil {
			b.Fatal(err)
		}
	}
}

// TestNewWith_lazy holds that a process does not pay for rules that it does not ask: one allocation a rule would
// be 744.
func TestNewWith_lazy(t *testing.T) { //nolint:paralleltest // Allocations of others would count.
	const most = 16
	if n := testing.AllocsPerRun(3, func() {
		if _, err := redact.NewWith(redact.Config{}); err != nil {
			t.Fatal(err)
		}
	}); n > most {
		t.Errorf("a scanner takes %v allocations, want at most %d", n, most)
	}
}

func freshScanner(b *testing.B) *redact.Scanner {
	b.Helper()
	s, err := redact.NewWith(redact.Config{})
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// TestScanText_worstLines gives each rule 2 KB of lines that hold its keyword as often as they can. It ends
// because no rule reads far before it says no; what it costs is compared by TestScanText_worstGrowth.
func TestScanText_worstLines(t *testing.T) {
	t.Parallel()

	const size = 1 << 11
	for _, unit := range hostileUnits(redact.FirstKeywords()) {
		redact.ScanText(strings.Repeat(unit, size/len(unit)))
	}
}

// hostileUnits returns what lines are made of that cost a rule the most.
func hostileUnits(keywords []string) []string {
	units := []string{
		"password=", "token: ", "--token a1", "secret=\"a1", "eyJ", "eyJhbGciOiJIUzI1NiJ9.", "://a:",
		"http://a1:b@", "a@b.com",
		"/home/a/b", "/Users/a ", "C:\\a", "\\\\ab\\", "10.0.0.1:80 ", "Basic YTpi", ":aa",
		"-----BEGIN RSA PRIVATE KEY-----",
		"%41", "&#65;", "\u200b", "/etc/hosts", "//", "C:/a", "/mnt/c/Users/a", "@x.com", "&#", "%", "a\n",
		"a\" + \"",
		"QUFB", "QUFBQUFBQUFBQUFBQUFBQUFBQUFB ", "[REDACTED:", "a1b2 ", "41 ", "0x41,", "=41", "\\x41",
		"<b>a", "a**", "a ", "1 ", "the password ",
		"the token is a1 ", "{\"name\":\"token\",\"value\":\"", "\x1b[", "𝐠", "a.append(\"", "key, key ",
		"mysql -p ", "curl -u a:", "echo a1b2 | ", "<<< a1b2 ", "salad ", "-----END RSA PRIVATE KEY-----",
		"QUFBQUFBQUFBQUFBQUFBQQ==\n-----END RSA PRIVATE KEY-----",
		"\"d\": \"QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE1\"", "x-a-key: ", "sid=a1b2c3d4e5f6g7h8;",
		";pwd=a1b2c3;", "&key=a1b2c3d4e5f6g7h8i9",
		"nats://a1", "a:b1@c.de ", "machine a login ", "mnemonic salad ", "private key a1b2c3 ",
		"keypair [1,2,", "3082 04a4 0201 ", "MII=a1", "p12 MII", "p12=MIIexample", "wif=", "key s1A2b3C ",
		"<rsakeyvalue><d>", "putty-user-key-file-a private-lines", "\" == pass", "|pass", "QUFB/", "QUFBQUFBQUFBQUFB/", "-",
	}
	for _, keyword := range keywords {
		units = append(units, keyword, keyword+"=a1", keyword+" ")
	}
	return units
}
