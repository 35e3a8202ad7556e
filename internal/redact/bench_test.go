package redact_test

import (
	"cmp"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

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
	fs, err := redact.Scan(doc)
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
		if _, err := freshScanner(b).Scan(doc); err != nil {
			b.Fatal(err)
		}
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

// TestScanText_worstLines gives each rule lines that hold its keyword as often as they can. It ends because
// no rule reads far before it says no. With LTM_WORST_LINES it says of which lines four times as many cost
// more than eight times as much, where those that grow with the square of the text cost sixteen times as
// much. It says so only of what does in each of some trials, and tells which lines cost the most.
func TestScanText_worstLines(t *testing.T) {
	t.Parallel()

	units := hostileUnits(redact.FirstKeywords())
	if os.Getenv("LTM_WORST_LINES") == "" {
		for _, unit := range units {
			redact.ScanText(strings.Repeat(unit, (1<<11)/len(unit)))
		}
		return
	}
	const small, trials, often = 1 << 14, 4, 3
	slowest := map[string]time.Duration{}
	for _, unit := range units {
		texts := [...]string{strings.Repeat(unit, small/len(unit)), strings.Repeat(unit, 4*small/len(unit))}
		for trial := 1; ; trial++ {
			least := [2]time.Duration{time.Hour, time.Hour}
			for range often {
				for i, text := range texts {
					start := time.Now()
					redact.ScanText(text)
					least[i] = min(least[i], time.Since(start))
				}
			}
			slowest[unit] = least[1]
			if least[1] < 8*least[0] || least[1] < 20*time.Millisecond {
				break
			}
			if trial == trials {
				t.Errorf("lines of %q: %v for %d bytes, %v for four times as many", unit, least[0], small, least[1])
				break
			}
		}
	}
	worst := slices.SortedFunc(maps.Keys(slowest), func(a, b string) int {
		return cmp.Compare(slowest[b], slowest[a])
	})
	for _, unit := range worst[:10] {
		t.Logf("%v for %d bytes of %q", slowest[unit], 4*small, unit)
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
		"keypair [1,2,", "3082 04a4 0201 ",
	}
	for _, keyword := range keywords {
		units = append(units, keyword, keyword+"=a1", keyword+" ")
	}
	return units
}
