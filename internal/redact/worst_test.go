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
//
// A rule can be linear and dear all the same, where it reads a wide window at each keyword. So no text may
// cost more than so many times what prose of its length does, which is measured beside it.
func TestScanText_worstGrowth(t *testing.T) {
	if os.Getenv("LTM_WORST_LINES") == "" {
		t.Log("only make worst compares")
		return
	}
	const quarter, trials, cheap, dear, proses = 1 << 14, 5, 20 * time.Millisecond, 1000, 64
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
	prose := strings.Repeat("The cache keeps the parsed form of all that it has read. ", 4*quarter/57)
	dearest := map[string]time.Duration{}
	for _, unit := range hostileUnits(redact.FirstKeywords()) {
		for trial := 1; ; trial++ {
			whole := used(strings.Repeat(unit, 4*quarter/len(unit)), 1)
			dearest[unit] = whole
			if whole < cheap {
				break
			}
			parts := used(strings.Repeat(unit, quarter/len(unit)), 4)
			plain := used(prose, proses)
			if whole < 5*parts/2 && whole < dear*plain/proses {
				break
			}
			if trial == trials {
				t.Errorf("lines of %q: %v for %d bytes, %v for them in four, %v for as much prose",
					unit, whole, 4*quarter, parts, plain/proses)
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
