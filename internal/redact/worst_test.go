//go:build unix

package redact_test

import (
	"cmp"
	"maps"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// TestScanText_worstGrowth gives each rule lines that hold its keyword as often as they can, with
// LTM_WORST_LINES, and compares the CPU time of one text with that of four that are a quarter as long. It is
// the same where a rule costs what its text is long, and four times as much where it costs the square. A text
// is read in parts of 64 KB, so that nothing grows beyond. What is cheap all the same passes.
func TestScanText_worstGrowth(t *testing.T) {
	if os.Getenv("LTM_WORST_LINES") == "" {
		t.Log("only make worst compares")
		return
	}
	const quarter, trials, cheap = 1 << 14, 5, 20 * time.Millisecond
	used := func(text string, times int) time.Duration {
		var before, after syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &before); err != nil {
			t.Fatal(err)
		}
		for range times {
			redact.ScanText(text)
		}
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &after); err != nil {
			t.Fatal(err)
		}
		return time.Duration(after.Utime.Nano() - before.Utime.Nano())
	}
	dearest := map[string]time.Duration{}
	for _, unit := range hostileUnits(redact.FirstKeywords()) {
		for trial := 1; ; trial++ {
			whole := used(strings.Repeat(unit, 4*quarter/len(unit)), 1)
			dearest[unit] = whole
			if whole < cheap {
				break
			}
			parts := used(strings.Repeat(unit, quarter/len(unit)), 4)
			if whole < 5*parts/2 {
				break
			}
			if trial == trials {
				t.Errorf("lines of %q: %v for %d bytes, %v for them in four", unit, whole, 4*quarter, parts)
				break
			}
		}
	}
	units := slices.SortedFunc(maps.Keys(dearest), func(a, b string) int {
		return cmp.Compare(dearest[b], dearest[a])
	})
	for _, unit := range units[:10] {
		t.Logf("%v for %d bytes of %q", dearest[unit], 4*quarter, unit)
	}
}
