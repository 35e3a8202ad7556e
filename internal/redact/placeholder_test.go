package redact_test

import (
	"testing"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// TestWarnings_placeholder holds that what would be a secret, did no word in it stand for any, is mentioned
// once and blocks nothing.
func TestWarnings_placeholder(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"password=sample-x8Kq2-zT7":                                   1,
		"token: fake-x8Kq2zT7b and api_key = dummy-77b3x8Kq":          1,
		"password=example and token=<your-token> and secret=changeme": 0,
		"see example-2024-11-20 in the log":                           0,
	} {
		found := redact.ScanText(text)
		if got := redact.Warnings(found); len(got) != want || len(redact.Blocking(found)) > 0 {
			t.Errorf("%q: %v, want %d warnings", text, found, want)
		}
	}
}
