// Package rank says how much a record counts: for a question that somebody
// asks, and without one, when a session starts.
//
// Every score is a product of a few bounded factors, and every factor says in
// plain words where it comes from. Age puts records into another order and
// never takes one away: with the unified preset, a record more than 2.32 times as
// relevant as another always ranks higher, whatever age, use and confidence.
//
// The package is pure: the time is an argument, and nothing is remembered. It
// never decides whether a record may be shown; the gates before it do.
package rank

import (
	"fmt"
	"math"
	"time"
)

// Preset names one way to weigh records.
type Preset string

// The presets. Unified is what a caller takes who was told nothing.
const (
	Unified Preset = "unified" // strength with floors by impact, bounded use
	Memento Preset = "memento" // half-life of seven days, unbounded below
	Lerim   Preset = "lerim"   // confidence that falls over 180 days
	LTM     Preset = "ltm"     // impact before kind before time
	None    Preset = "none"    // relevance alone
)

// PresetError is a word that names no preset.
type PresetError struct{ Word string }

// Error names the word and those that would do.
func (e *PresetError) Error() string {
	return fmt.Sprintf("unknown ranking %q: it is unified, memento, lerim, ltm or none", e.Word)
}

// ParsePreset returns the preset that a word names; the empty word is Unified.
func ParsePreset(word string) (Preset, error) {
	switch p := Preset(word); p {
	case "":
		return Unified, nil
	case Unified, Memento, Lerim, LTM, None:
		return p, nil
	default:
		return "", &PresetError{Word: word}
	}
}

// Subject is what is known about a record that is to be weighed.
type Subject struct {
	Kind       string    // of a note or an item; only LTM looks at it
	Impact     string    // low, medium, high or critical; anything else counts as medium
	Confidence float64   // above 0 and up to 1; 0 means that nobody said: 0.7
	Created    time.Time // required
	Confirmed  time.Time // when somebody last confirmed it; zero: nobody did
	Used       time.Time // when it was last used, not merely shown; zero: never
	Uses       float64   // how often it was used, as of Used (see AddUse)
	Shown      int       // how often it was put before a session
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
	Factors []Factor `json:"factors"` // their product is the value, but for LTM, where they are steps of an order
}

// Found weighs a record that a question found. Relevance lies between 0 and 1;
// what lies outside is moved to the nearer end.
func (p Preset) Found(relevance float64, s Subject, now time.Time) Score {
	found := relevanceFactor(between(relevance, 0, 1))
	switch p {
	case Memento:
		return product(found, mementoRecency(s, now), mementoAccess(s), recentUse(s, now))
	case Lerim:
		return product(found, lerimConfidence(s, now))
	case LTM:
		return ltmFound(found, s, now)
	case None:
		return product(found)
	default:
		return unifiedFound(found, s, now)
	}
}

// Standing weighs a record that nobody asked for.
func (p Preset) Standing(s Subject, now time.Time) Score {
	switch p {
	case Memento:
		return product(mementoRecency(s, now), mementoAccess(s), recentUse(s, now))
	case Lerim:
		return product(lerimConfidence(s, now))
	case LTM:
		return ltmStanding(s, now)
	case None:
		return product(Factor{Name: "none", Value: 1, Why: "no ranking: every record counts the same"})
	default:
		return unifiedStanding(s, now)
	}
}

func relevanceFactor(relevance float64) Factor {
	return Factor{"relevance", relevance, fmt.Sprintf("meets the question to %s of 1", digits(relevance))}
}

// product is the score whose value is the product of its factors.
func product(factors ...Factor) Score {
	s := Score{Value: 1, Factors: factors}
	for _, f := range factors {
		s.Value *= f.Value
	}
	return s
}

// between moves v into low..high. What is no number becomes low.
func between(v, low, high float64) float64 {
	if math.IsNaN(v) {
		return low
	}
	return min(max(v, low), high)
}

// halved is 1 after no time and half as much after each half-life.
func halved(elapsed, halfLife float64) float64 {
	return math.Exp2(-elapsed / halfLife)
}
