package redact_test

import (
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// TestScanText_recall holds the share of planted secrets that are found.
// SPEC.
func TestScanText_recall(t *testing.T) {
	t.Parallel()

	all := positives()
	missed, misnamed := 0, 0
	for i, p := range all {
		switch rule, ok := coverage(p); {
		case !ok:
			missed++
			t.Logf("row %d, rule %q: not found, in a text of %d bytes", i, p.rule, len(p.text))
		case p.rule != "" && p.rule != rule:
			misnamed++
			t.Logf("row %d, rule %q: found as %q", i, p.rule, rule)
		}
	}
	recall := 100 * float64(len(all)-missed) / float64(len(all))
	t.Logf("recall %.2f %% of %d, %d under another rule", recall, len(all), misnamed)
	if len(all) < 150 || recall < 98 || misnamed > 0 {
		t.Errorf("recall = %.2f %% of %d with %d misnamed, want at least 98 %% of 150 and none", recall,
			len(all), misnamed)
	}
}

// coverage returns the rule of the finding that covers the planted secret.
func coverage(p planted) (string, bool) {
	at := max(0, strings.Index(p.text, p.secret))
	for _, f := range redact.ScanText(p.text) {
		if f.Start <= at && at+len(p.secret) <= f.End || p.secret == "" {
			return f.Rule, p.rule != "" || f.Severity == redact.Block
		}
		if strings.HasSuffix(p.rule, "-public-key") && f.Rule == p.rule {
			return f.Rule, true
		}
	}
	return "", false
}

// TestScanText_falseAlarms holds the share of harmless texts with a finding.
// SPEC.
func TestScanText_falseAlarms(t *testing.T) {
	t.Parallel()

	all := harmless()
	alarms := 0
	for _, text := range all {
		if fs := redact.ScanText(text); len(fs) > 0 {
			alarms++
			t.Logf("%q: %v", text, fs)
		}
	}
	rate := 100 * float64(alarms) / float64(len(all))
	t.Logf("false alarms %.2f %% of %d", rate, len(all))
	if len(all) < 150 || rate > 1 {
		t.Errorf("false alarms = %.2f %% of %d, want at most 1 %% of 150", rate, len(all))
	}
}
