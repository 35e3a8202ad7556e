package rank

import (
	"fmt"
	"time"
)

// LTMThreshold is after how many days a memory of an impact is shortened
// there, counted from when it was written. Critical ones never are.
func LTMThreshold(impact string) (days int, ever bool) {
	switch impact {
	case Low:
		return 1, true
	case High:
		return 30, true
	case Critical:
		return 0, false
	default:
		return 7, true
	}
}

// LTMDue says whether a memory is past the threshold of its impact.
func LTMDue(impact string, created, now time.Time) bool {
	days, ever := LTMThreshold(impact)
	return ever && daysSince(created, now) > float64(days)
}

// ltmStanding puts records into the order in which a session is given them:
// impact, then kind, then the newest first. The factors are the steps.
func ltmStanding(s Subject, now time.Time) Score {
	impact, kind, newer := ltmImpact(s.Impact), ltmKind(s.Kind), ltmNewer(s, now)
	return Score{
		Value: (impact.Value + (kind.Value+newer.Value)/5) / 4,
		Factors: []Factor{
			impact, kind, newer,
		},
	}
}

// ltmFound puts what holds the words asked for into the order of time.
func ltmFound(found Factor, s Subject, now time.Time) Score {
	if found.Value <= 0 {
		return Score{Factors: []Factor{found}}
	}
	newer := ltmNewer(s, now)
	holds := Factor{"relevance", 1, "holds what was asked for; how well does not count"}
	return Score{Value: newer.Value, Factors: []Factor{holds, newer}}
}

// ltmImpact is the step of an impact: 0 to 3.
func ltmImpact(impact string) Factor {
	step := 1.0
	switch impact {
	case Low:
		step = 0
	case High:
		step = 2
	case Critical:
		step = 3
	}
	return Factor{"impact", step, impactOf(impact) + " impact"}
}

// ltmKind is the step of a kind: preferences first (there: emotional), then
// decisions (architectural), learnings and achievements. Others come last.
func ltmKind(kind string) Factor {
	step := 0.0
	switch kind {
	case "preference":
		step = 4
	case "decision":
		step = 3
	case "learning":
		step = 2
	case "achievement":
		step = 1
	}
	return Factor{"kind", step, fmt.Sprintf("step %s of 4 among the kinds", digits(step))}
}

// ltmNewer is 1 for what was written now and falls towards 0, so that it never
// outweighs a step of kind or impact.
func ltmNewer(s Subject, now time.Time) Factor {
	age := daysSince(s.Created, now)
	return Factor{"newest", 1 / (1 + age/365), fmt.Sprintf("written %s ago", aged(age))}
}
