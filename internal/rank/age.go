package rank

import (
	"fmt"
	"strconv"
	"time"
)

// daysSince is how many days lie between a time and now. A time in the future
// lies 0 days back: the clock of another clone may be ahead.
func daysSince(t, now time.Time) float64 {
	return max(0, now.Sub(t).Hours()/24)
}

// latestOf is the latest of some times.
func latestOf(first time.Time, others ...time.Time) time.Time {
	for _, t := range others {
		if t.After(first) {
			first = t
		}
	}
	return first
}

// agedBy says an age in words.
func agedBy(days float64) string {
	switch {
	case days < 1:
		return "less than a day"
	case days < 2:
		return "1 day"
	default:
		return fmt.Sprintf("%d days", int(days))
	}
}

// formatNumber writes a number with two decimals at most.
func formatNumber(v float64) string {
	s := strconv.FormatFloat(v, 'f', 2, 64)
	for s[len(s)-1] == '0' {
		s = s[:len(s)-1]
	}
	if s[len(s)-1] == '.' {
		s = s[:len(s)-1]
	}
	return s
}
