package rank

import (
	"fmt"
	"time"
)

// Strength is how much of a record's confidence is left after the time in
// which nobody used or confirmed it. It lies between the floor of its impact
// and its confidence, or is the confidence where that is below the floor.
func Strength(s Subject, now time.Time) float64 {
	c := confidence(s.Confidence)
	if s.Impact == Critical {
		return c
	}
	f := fadingOf(s.Impact)
	if c <= f.floor {
		return c
	}
	idle := daysSince(latestOf(s.Created, s.Used, s.Confirmed), now)
	return f.floor + (c-f.floor)*halvedAfter(max(0, idle-f.grace), f.halfLife)
}

// fading is how strength falls: not at all for grace days, then by half in
// each halfLife days, never below floor.
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

// strengthWhy says in words what a strength comes from.
func strengthWhy(s Subject, strength float64, now time.Time) string {
	c := confidence(s.Confidence)
	if s.Impact == Critical {
		return "critical impact: it keeps its confidence of " + formatNumber(c)
	}
	last, did := s.Created, "written"
	if s.Used.After(last) {
		last, did = s.Used, "used"
	}
	if s.Confirmed.After(last) {
		last, did = s.Confirmed, "confirmed"
	}
	return fmt.Sprintf("%s impact, %s %s ago: %s is left of a confidence of %s",
		impactOf(s.Impact), did, agedBy(daysSince(last, now)), formatNumber(strength), formatNumber(c))
}
