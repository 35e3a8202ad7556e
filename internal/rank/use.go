package rank

import (
	"fmt"
	"math"
	"time"
)

// useHalfLife is after how many days a use counts half.
const useHalfLife = 90

// AddUse is the number of uses at now, this one included, of a record that was
// used so often as of last. Callers keep it with now as the time of last use.
func AddUse(uses float64, last, now time.Time) float64 {
	return usesAt(uses, last, now) + 1
}

// usesAt is what is left of uses that were counted as of last.
func usesAt(uses float64, last, now time.Time) float64 {
	return counted(uses) * halvedAfter(daysSince(last, now), useHalfLife)
}

// counted is a number of uses as one can count with it.
func counted(uses float64) float64 {
	return between(uses, 0, math.MaxFloat64)
}

// Usage is how much the real uses of a record raise it: 1 where there were
// none, never above 3. How often it was merely shown adds nothing.
func Usage(s Subject, now time.Time) float64 {
	return factorOfUse(usesLeft(s, now)) * recentUse(s, now).Value
}

// usesLeft is what is left of the uses of a record, which were counted as of
// the last one.
func usesLeft(s Subject, now time.Time) float64 {
	last := s.Used
	if last.IsZero() {
		last = s.Created
	}
	return usesAt(s.Uses, last, now)
}

// factorOfUse is what a number of uses adds, up to the double at ten.
func factorOfUse(uses float64) float64 {
	return min(2, 1+0.3*math.Log2(1+uses))
}

// recentUse is what a use of late adds, up to half, half of that after two days.
func recentUse(s Subject, now time.Time) Factor {
	if s.Used.IsZero() {
		return Factor{"recent use", 1, "never used"}
	}
	idle := daysSince(s.Used, now)
	return Factor{"recent use", 1 + 0.5*halvedAfter(idle*24, 48), fmt.Sprintf("last used %s ago", agedBy(idle))}
}

// usageWhy says in words what the usage of a record comes from.
func usageWhy(s Subject, now time.Time) string {
	if s.Used.IsZero() && s.Uses <= 0 {
		return "never used"
	}
	left := formatNumber(usesLeft(s, now))
	if s.Used.IsZero() {
		return fmt.Sprintf("used %s times", left)
	}
	return fmt.Sprintf("used %s times, last %s ago", left, agedBy(daysSince(s.Used, now)))
}
