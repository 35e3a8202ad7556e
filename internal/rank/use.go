package rank

import (
	"fmt"
	"math"
	"time"
)

// useHalfLife is after how many days a use counts half.
const useHalfLife = 90

// AddUse is the number of uses at now, this one included, of a record that was used so often as of last.
// Callers keep it with now as the time of last use.
func AddUse(uses float64, last, now time.Time) float64 { return usesAt(uses, last, now) + 1 }

// usesAt is what is left of uses that were counted as of last.
func usesAt(uses float64, last, now time.Time) float64 {
	return clampTo(uses, 0, math.MaxFloat64) * math.Exp2(-daysSince(last, now)/useHalfLife)
}

// useOf is how much the real uses of a record raise it: 1 where there were none, up to the double at ten, and
// half as much again for one of late, half of that after two days. How often it was merely shown adds nothing.
func useOf(s Subject, now time.Time) Factor {
	last, never := s.Used, s.Used.IsZero()
	if never {
		last = s.Created
	}
	left := usesAt(s.Uses, last, now)
	f := Factor{"use", min(2, 1+0.3*math.Log2(1+left)), "never used"}
	if never && s.Uses <= 0 {
		return f
	}
	if f.Why = fmt.Sprintf("used %s times", formatNumber(left)); !never {
		days := daysSince(last, now)
		f.Value *= 1 + 0.5*math.Exp2(-days/2)
		f.Why += fmt.Sprintf(", last %s ago", ageInWords(days))
	}
	return f
}
