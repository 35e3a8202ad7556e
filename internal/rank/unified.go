package rank

import (
	"fmt"
	"time"
)

// The bounds of what is multiplied with relevance: at least weakest*ignoredBy
// = 0.54, at most mostUsage = 1.25. Their ratio is the 2.32 that the package promises.
const (
	weakest      = 0.6
	mostUsage    = 1.25
	ignoredBy    = 0.9
	ignoredAfter = 10
)

// unifiedFound weighs by relevance first: strength and use only shift it.
func unifiedFound(found Factor, s Subject, now time.Time) Score {
	strength := Strength(s, now)
	factors := []Factor{
		found,
		{"strength", weakest + (1-weakest)*strength, strengthWhy(s, strength, now)},
		{"use", min(mostUsage, 1+0.25*(Usage(s, now)-1)), usageWhy(s, now)},
	}
	return product(append(factors, ignored(s)...)...)
}

// unifiedStanding weighs by strength, use and how near a record is.
func unifiedStanding(s Subject, now time.Time) Score {
	strength := Strength(s, now)
	factors := []Factor{
		{"strength", strength, strengthWhy(s, strength, now)},
		{"use", Usage(s, now), usageWhy(s, now)},
		locality(s),
	}
	return product(append(factors, ignored(s)...)...)
}

// ignored lowers a record a little that was shown often and never used.
func ignored(s Subject) []Factor {
	if s.Shown < ignoredAfter || s.Uses > 0 || !s.Used.IsZero() {
		return nil
	}
	return []Factor{{"ignored", ignoredBy, fmt.Sprintf("shown %d times and never used", s.Shown)}}
}

func locality(s Subject) Factor {
	near := between(s.Locality, 0, 1)
	if near <= 0 {
		near = LocalityHere
	}
	switch {
	case near >= LocalityHere:
		return Factor{"locality", near, "on this branch or about paths at hand"}
	case near >= LocalityAncestor:
		return Factor{"locality", near, "from a commit that this branch contains"}
	default:
		return Factor{"locality", near, "from a branch that is not merged here"}
	}
}
