package index

import "slices"

// ownFirst is how relevant an item may be that only inherits the words of a query, beside one of its record that has some itself.
const ownFirst = 0.9

// ordered puts the hits of a record that have words of the query themselves before those that have only what holds for all of it.
// Who names a path asks for what was found out there, whichever item says it.
func (w *weighed) ordered(hits []found) []found {
	best := 0.0
	for _, h := range hits {
		if h.own {
			best = max(best, h.Relevance)
		}
	}
	if best == 0 || len(w.paths) > 0 {
		return hits
	}
	for i := range hits {
		if h := &hits[i]; !h.own {
			h.Relevance = min(h.Relevance, ownFirst*best)
		}
	}
	return slices.DeleteFunc(hits, func(h found) bool { return h.Relevance < w.Floor })
}

// beyond reports whether more of the query was counted than elsewhere.
func (t *tally) beyond(other *tally) bool {
	more := func(counts, others []float64) bool {
		for i, count := range counts {
			if count > others[i] {
				return true
			}
		}
		return false
	}
	return more(t.counts, other.counts) || more(t.phrases, other.phrases)
}
