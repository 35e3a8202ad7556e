// Package rank says how much a record counts beside its words: how much of it is left after a time in which
// nobody used it, how often it was used, and how near it is to where the work is.
//
// Every score is a product of a few bounded factors, and every factor says in plain words where it comes
// from. Nothing is lost by age alone: strength has a floor.
//
// The package is pure: the time is an argument, and nothing is remembered. It never decides whether a record
// may be shown; the gates before it do.
package rank

import (
	"math"
	"strconv"
	"time"
)

// Subject is what is known about a record that is to be weighed.
type Subject struct {
	Impact     string    // low, medium, high or critical; anything else counts as medium
	Confidence float64   // above 0 and up to 1; 0 means that nobody said: 0.7
	Created    time.Time // required
	Confirmed  time.Time // when somebody last confirmed it; zero: nobody did
	Used       time.Time // when it was last used, not merely shown; zero: never
	Uses       float64   // how often it was used, as of Used (see AddUse)
	Locality   float64   // how near it is to where the work is; 0 means LocalityHere
}

// How near a record is to where the work is.
const (
	LocalityHere      = 1.0 // this branch, or paths that are touched now
	LocalityAncestor  = 0.9 // something that HEAD contains
	LocalityElsewhere = 0.6 // a branch that HEAD does not contain
)

// Factor is one part of a score.
type Factor struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Why   string  `json:"why"` // plain words, ASCII
}

// Score is how much a record counts, and why.
type Score struct {
	Value   float64  `json:"value"`
	Factors []Factor `json:"factors"`
}

// Standing weighs a record by strength, use and how near it is. The value is the product of its factors.
func Standing(s Subject, now time.Time) Score {
	strength, use, near := strengthOf(s, now), useOf(s, now), localityOf(s)
	return Score{strength.Value * use.Value * near.Value, []Factor{strength, use, near}}
}

func localityOf(s Subject) Factor {
	near := clampTo(s.Locality, 0, 1)
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

// clampTo moves v into low..high. What is no number becomes low.
func clampTo(v, low, high float64) float64 {
	if math.IsNaN(v) {
		return low
	}
	return min(max(v, low), high)
}

// formatNumber writes a number with two decimals at most.
func formatNumber(v float64) string { return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64) }
