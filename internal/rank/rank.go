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
	"fmt"
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
	LocalityElsewhere = 0.6 // a branch that HEAD does not contain, or another folder
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
		return Factor{"locality", near, "from a branch that is not merged here, or about another folder"}
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

// The words for how much a record matters.
const (
	Low      = "low"
	Medium   = "medium"
	High     = "high"
	Critical = "critical" // only people give it; no text, kind or count ever leads to it
)

// Nature is what an item is, as far as its impact depends on it.
type Nature struct {
	Kind   string // of an item of a packet, of a note, or skip
	Locked bool   // of a decision
	Failed bool   // of an attempt
}

// DefaultImpact is the impact of an item of which nobody said one. It looks
// at what the item is, never at its words, and is never Critical.
func DefaultImpact(n Nature) string {
	if n.Locked || n.Failed {
		return High
	}
	switch n.Kind {
	// What steers later work, and costs it again where it is forgotten.
	case "decision", "method", "procedure", "pitfall", "preference", "reference", "constraint", "skip":
		return High
	// Who the assistant is to its user changes seldom, and nothing else says it.
	case "identity":
		return High
	// What is over: it tells of the past, and a commit tells it too.
	case "achievement":
		return Low
	// What holds while a piece of work lasts (goal, next step, criterion, task,
	// question, attempts that went well), and what is merely known (learning, fact).
	default:
		return Medium
	}
}

// impactOf is the impact that a word counts as.
func impactOf(word string) string {
	switch word {
	case Low, High, Critical:
		return word
	default:
		return Medium
	}
}

// prior is the confidence of a record of which nobody said one.
const prior = 0.7

// Prior is the confidence that a word stands for: low, medium or high. Any
// other word says nothing.
func Prior(word string) float64 {
	switch word {
	case "low":
		return 0.4
	case "high":
		return 0.9
	default:
		return prior
	}
}

// Confirm is the confidence after somebody confirmed a record.
func Confirm(c float64) float64 {
	c = confidenceOf(c)
	return c + 0.15*(1-c)
}

// Contradict is the confidence after somebody contradicted a record.
func Contradict(c float64) float64 {
	return confidenceOf(c) * 0.5
}

// Outdated is the confidence while the code that a record cites has changed or
// is gone. It is worked out on reading and never stored.
func Outdated(c float64) float64 {
	return confidenceOf(c) * 0.7
}

// confidenceOf moves c into its bounds; what is no confidence at all counts as
// none said.
func confidenceOf(c float64) float64 {
	if math.IsNaN(c) || c <= 0 {
		return prior
	}
	return min(c, 1)
}

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
