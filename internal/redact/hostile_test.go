package redact_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// TestScan_hostileDocuments gives documents that are made to cost the square of their size. What is copied for one is
// a bounded number of times its size, because names and pointers are bounded. What of it costs time alone is a line of
// make worst.
//
//nolint:paralleltest // It counts the memory of the whole process.
func TestScan_hostileDocuments(t *testing.T) {
	const mostTimes = 1000
	token := secretToken()
	tests := map[string]struct {
		doc  string
		want int
	}{
		"long name over many values": {`{"` + strings.Repeat("x", 125_000) + `token": [` +
			strings.Repeat(`"a",`, 25_000) + `1]}`, 0},
		"many secrets in one name": {`{"` + strings.Repeat(token+" ", 500) + `": [` +
			strings.Repeat(`"`+token+`",`, 500) + `1]}`, 1_000},
		"one name many times": {`{` + strings.Repeat(`"`+token+`": 1,`, 1_000) + `"a": 1}`, 1_000},
		"alternatives":        {`"` + strings.Repeat("|pass", 5_000) + `"`, 0},
		"names of one value many times": {`{"name":"session","domain":"x",` +
			strings.Repeat(`"value":"a1b2c3d4e5f6g7h8",`, 7_500) + `"a":1}`, 7_500},
		"a table of many columns": {`"` + strings.Repeat("a,", 125_000) + `a\n` +
			strings.Repeat("b,", 125_000) + `c"`, 0},
		"a table of many rows": {`"a,b\n` + strings.Repeat(`c,d\n`, 50_000) + `"`, 0},
		"a head over many rows": {`[[` + strings.Repeat(`"a",`, 25_000) + `"b"]` +
			strings.Repeat(`,["c"]`, 25_000) + `]`, 0},
		"long way to many values": {
			strings.Repeat(`{"`+strings.Repeat("n", 2000)+`":`, 60) + `[` +
				strings.Repeat(`"/root/x",`, 25_000) + `1]` + strings.Repeat("}", 60), 25_000,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			fs, err := redact.BuiltIn().Scan([]byte(test.doc))
			if err != nil || len(fs) != test.want {
				t.Errorf("Scan: %d findings, error %v, want %d", len(fs), err, test.want)
			}
			if _, _, err := redact.BuiltIn().Mask([]byte(test.doc)); err != nil {
				t.Errorf("Mask: %v", err)
			}
			runtime.ReadMemStats(&after)
			if times := (after.TotalAlloc - before.TotalAlloc) / uint64(len(test.doc)); times > mostTimes {
				t.Errorf("%d bytes cost %d times as many of memory, want at most %d", len(test.doc), times, mostTimes)
			}
		})
	}
}
