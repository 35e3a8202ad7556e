package rank

import (
	"fmt"
	"math"
	"time"
)

// fading is how a record loses strength, in days.
type fading struct{ grace, halfLife, floor float64 }

func fadingOf(impact string) fading {
	switch impact {
	case Low:
		return fading{grace: 1, halfLife: 7, floor: 0.05}
	case High:
		return fading{grace: 30, halfLife: 40, floor: 0.1}
	default:
		return fading{grace: 7, halfLife: 20, floor: 0.1}
	}
}

// strengthOf is how much of a record's confidence is left after the time in which nobody used or confirmed it.
// It lies between the floor of its impact and its confidence, or is the confidence where that is below the
// floor.
func strengthOf(s Subject, now time.Time) Factor {
	left := confidenceOf(s.Confidence)
	said := formatNumber(left)
	if s.Impact == Critical {
		return Factor{"strength", left, "critical impact: it keeps its confidence of " + said}
	}
	last, did := s.Created, "written"
	if s.Used.After(last) {
		last, did = s.Used, "used"
	}
	if s.Confirmed.After(last) {
		last, did = s.Confirmed, "confirmed"
	}
	idle, f := daysSince(last, now), fadingOf(s.Impact)
	if left > f.floor {
		left = f.floor + (left-f.floor)*math.Exp2(-max(0, idle-f.grace)/f.halfLife)
	}
	return Factor{"strength", left, fmt.Sprintf("%s impact, %s %s ago: %s is left of a confidence of %s",
		impactOf(s.Impact), did, ageInWords(idle), formatNumber(left), said)}
}

// daysSince is how many days lie between a time and now. A time in the future lies 0 days back: the clock of
// another clone may be ahead.
func daysSince(t, now time.Time) float64 { return max(0, now.Sub(t).Hours()/24) }

// ageInWords says an age in words.
func ageInWords(days float64) string {
	switch {
	case days < 1:
		return "less than a day"
	case days < 2:
		return "1 day"
	default:
		return fmt.Sprintf("%d days", int(days))
	}
}
