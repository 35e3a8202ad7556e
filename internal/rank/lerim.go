package rank

import (
	"fmt"
	"time"
)

// The numbers that both forms of Lerim's formula share.
const (
	lerimPeriod = 180
	lerimGrace  = 30
	lerimFloor  = 0.1
)

// LerimDocumented is the confidence that is left after days without access,
// as Lerim documents it: nothing is lost in the first 30 days, then it drops at
// once to what 180 even days leave, and never below 0.1. So it falls by a step at day
// 30, and raises a confidence below 0.1 there; it is kept as published.
func LerimDocumented(c, days float64) float64 {
	if days < lerimGrace {
		return c
	}
	return max(c*(1-min(days/lerimPeriod, 1)), lerimFloor)
}

// LerimPrompted is the same as Lerim's own prompt told it to a model: without
// grace, and with the floor as the least factor.
func LerimPrompted(c, days float64) float64 {
	return c * max(1-max(0, days)/lerimPeriod, lerimFloor)
}

func lerimConfidence(s Subject, now time.Time) Factor {
	idle := daysSince(latest(s.Created, s.Used), now)
	c := confidence(s.Confidence)
	left := LerimDocumented(c, idle)
	return Factor{"confidence", left, fmt.Sprintf("%s is left of %s after %s", digits(left), digits(c), aged(idle))}
}
