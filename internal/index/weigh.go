package index

import (
	"math"
	"slices"
)

const (
	mostWeighed = 64  // mostWeighed is how many units of a query count: the rarest.
	rareness    = 1.3 // rareness is how much more than in BM25 a rare word weighs.
	wholeWeight = 2   // wholeWeight is how much more a name weighs than its rarest part.
	fewItems    = 100 // fewItems is how many items there are at least for the rareness of words.
)

// weighed is a query whose units have weights.
type weighed struct {
	asked
	average float64        // average is the length of an item on average.
	ids     map[string]int // ids are the places of the words in known.
	known   []word
	weights []float64 // weights are those of the units.
	total   float64   // total is the sum of the weights.
}

// word is a word of a query, in any unit.
type word struct {
	text  string
	items int      // items is how many items have it.
	lists []string // lists are the items of each segment, as they are kept.
	idf   float64
	most  float64 // most is what the weightiest unit weighs that has it.
}

// weigh finds how rare the words of a query are. What no item has weighs most: it is asked for all the same. That a word stands
// in three of ten items says little about how common it is, so that in few items each is as rare as it would be in a hundred.
func weigh(s *snapshot, a asked) (*weighed, error) {
	w := &weighed{asked: a, ids: map[string]int{}}
	items, length := s.size()
	w.average = max(1, float64(length)) / float64(max(1, items))
	for _, list := range [][]unit{w.units, w.exclude} {
		for _, u := range list {
			for _, text := range slices.Concat(u.parts, u.names, []string{u.whole}) {
				if _, ok := w.ids[text]; !ok && text != "" {
					w.ids[text] = len(w.known)
					w.known = append(w.known, word{text: text})
				}
			}
		}
	}
	if err := w.look(s); err != nil {
		return nil, err
	}
	all := math.Max(float64(items), fewItems)
	for i := range w.known {
		df := math.Min(float64(w.known[i].items), float64(items))
		w.known[i].idf = math.Pow(math.Log(1+(all-df+0.5)/(df+0.5)), rareness)
	}
	w.choose()
	return w, nil
}

// look finds which items have each word.
func (w *weighed) look(s *snapshot) error {
	for i := range w.known {
		known := &w.known[i]
		known.lists = make([]string, len(s.segments))
		for n, seg := range s.segments {
			value, _, err := seg.Get(keyOf(keyTerm, known.text))
			if err != nil {
				return err
			}
			d := decoder{rest: value}
			if value != "" {
				known.items += d.atMost(seg.Items)
			}
			if d.bad {
				return errDecode
			}
			known.lists[n] = d.rest
		}
	}
	return nil
}

// choose weighs the units, and keeps the weightiest of many: of those that are in the index, as far as there are enough.
func (w *weighed) choose() {
	if w.OnlyKnown {
		w.units = slices.DeleteFunc(w.units, func(u unit) bool { return !w.isKnown(u) })
	}
	if len(w.units) > mostWeighed {
		slices.SortStableFunc(w.units, func(a, b unit) int {
			known, other := w.isKnown(a), w.isKnown(b)
			switch {
			case known && !other:
				return -1
			case other && !known:
				return 1
			default:
				return compareFloat(w.weight(b), w.weight(a))
			}
		})
		w.units = w.units[:mostWeighed]
	}
	for _, u := range w.units {
		w.weights = append(w.weights, w.weight(u))
		w.total += w.weight(u)
		for _, text := range slices.Concat(u.parts, u.names, []string{u.whole}) {
			if text != "" {
				known := &w.known[w.ids[text]]
				known.most = max(known.most, w.weight(u))
			}
		}
	}
}

// compareFloat orders two numbers that are none of the odd ones.
func compareFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	default:
		return 0
	}
}

// isKnown reports whether an item may hold a unit.
func (w *weighed) isKnown(u unit) bool {
	has := func(text string) bool { return w.known[w.ids[text]].items > 0 }
	if u.phrase {
		return !slices.ContainsFunc(u.parts, func(text string) bool { return !has(text) })
	}
	return slices.ContainsFunc(u.parts, has) || slices.ContainsFunc(u.names, has) || u.whole != "" && has(u.whole)
}

// weight is what a unit weighs: as much as its rarest word, and a phrase as much as its words together.
func (w *weighed) weight(u unit) float64 {
	sum, most := 0.0, 0.0
	for _, text := range u.parts {
		idf := w.known[w.ids[text]].idf
		sum += idf
		most = max(most, idf)
	}
	if u.phrase {
		return sum
	}
	if u.whole != "" {
		if whole := w.known[w.ids[u.whole]]; whole.items > 0 {
			most = max(most, wholeWeight*whole.idf)
		}
	}
	return most
}
