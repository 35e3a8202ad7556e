package redact_test

import (
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// TestScan_hostileDocuments gives documents of up to 1 MB that are made to cost the
// square of their size. It ends because names and pointers are bounded.
func TestScan_hostileDocuments(t *testing.T) {
	t.Parallel()

	if testing.Short() {
		t.Skip("reads many megabytes")
	}
	token := secretToken()
	tests := map[string]struct {
		doc  string
		want int
	}{
		"long name over many values": {`{"` + strings.Repeat("x", 500_000) + `token": [` +
			strings.Repeat(`"a",`, 100_000) + `1]}`, 0},
		"many secrets in one name": {`{"` + strings.Repeat(token+" ", 2_000) + `": [` +
			strings.Repeat(`"`+token+`",`, 2_000) + `1]}`, 4_000},
		"one name many times": {`{` + strings.Repeat(`"`+token+`": 1,`, 4_000) + `"a": 1}`, 4_000},
		"alternatives":        {`"` + strings.Repeat("|pass", 100_000) + `"`, 0},
		"names of one value many times": {`{"name":"session","domain":"x",` +
			strings.Repeat(`"value":"a1b2c3d4e5f6g7h8",`, 30_000) + `"a":1}`, 30_000},
		"a table of many columns": {`"` + strings.Repeat("a,", 500_000) + `a\n` +
			strings.Repeat("b,", 500_000) + `c"`, 0},
		"a table of many rows": {`"a,b\n` + strings.Repeat(`c,d\n`, 200_000) + `"`, 0},
		"a head over many rows": {`[[` + strings.Repeat(`"a",`, 100_000) + `"b"]` +
			strings.Repeat(`,["c"]`, 100_000) + `]`, 0},
		"long way to many values": {
			strings.Repeat(`{"`+strings.Repeat("n", 2000)+`":`, 60) + `[` +
				strings.Repeat(`"/root/x",`, 100_000) + `1]` + strings.Repeat("}", 60), 100_000,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fs, err := redact.Scan([]byte(test.doc))
			if err != nil || len(fs) != test.want {
				t.Errorf("Scan: %d findings, error %v, want %d", len(fs), err, test.want)
			}
			if _, _, err := redact.Mask([]byte(test.doc)); err != nil {
				t.Errorf("Mask: %v", err)
			}
		})
	}
}
