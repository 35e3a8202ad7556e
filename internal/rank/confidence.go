package rank

import "math"

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
