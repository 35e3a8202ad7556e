package index

import (
	"math"
	"strings"
)

// The constants of BM25, and what a word counts by where it stands.
const (
	saturation   = 1.2 // saturation is how soon more of the same word counts no more.
	lengthEffect = 0.3 // lengthEffect is how much a long item is held back.
	whyWeight    = 0.6
	aboveWeight  = 0.6  // aboveWeight is that of what holds for the whole record: its goal, tags and paths.
	partsWeight  = 0.85 // partsWeight is what the parts of a name count where the name itself does not stand.
	steepness    = 1.2  // steepness makes a relevance of .83 of a good match of everything.
)

// tally counts the words of a query in one item or record.
type tally struct {
	counts  []float64 // counts are those of the words.
	phrases []float64 // phrases are those of the units that are phrases.
}

// saturate says how much a word counts that stands so often in an item of that length; once in one of average length is 1.
func (w *weighed) saturate(count float64, length int) float64 {
	if count == 0 {
		return 0
	}
	norm := 1 - lengthEffect + lengthEffect*float64(length)/w.average
	return count * (saturation + 1) / (count + saturation*norm)
}

// newTally makes room for the words of a query.
func (w *weighed) newTally() tally {
	return tally{counts: make([]float64, len(w.known)), phrases: make([]float64, len(w.units)+len(w.exclude))}
}

// reset forgets what was counted, or puts what was counted elsewhere in its place.
func (t *tally) reset(from *tally) {
	if from == nil {
		clear(t.counts)
		clear(t.phrases)
		return
	}
	copy(t.counts, from.counts)
	copy(t.phrases, from.phrases)
}

// line counts the words of a line. What was there before is a bound for what holds for the whole record: to be named
// there often makes an item no better.
func (w *weighed) line(t *tally, line string, weight float64, once bool) {
	for i, u := range w.units {
		if u.phrase {
			t.phrases[i] += weight * phraseIn(line, u.parts)
		}
	}
	for i, u := range w.exclude {
		if u.phrase {
			t.phrases[len(w.units)+i] += phraseIn(line, u.parts)
		}
	}
	for line != "" {
		var text string
		text, line, _ = strings.Cut(line, " ")
		text = strings.TrimPrefix(text, string(nameMark))
		id, ok := w.ids[text]
		switch {
		case !ok:
		case once:
			t.counts[id] = max(t.counts[id], weight)
		default:
			t.counts[id] += weight
		}
	}
}

// phraseIn counts how often words stand next to each other in a line.
func phraseIn(line string, parts []string) float64 {
	if !strings.Contains(line, parts[0]) {
		return 0
	}
	var words []string
	for word := range strings.FieldsSeq(line) {
		if word[0] != nameMark {
			words = append(words, word)
		}
	}
	count := 0.0
	for i := 0; i+len(parts) <= len(words); i++ {
		if equalWords(words[i:i+len(parts)], parts) {
			count++
		}
	}
	return count
}

func equalWords(a, b []string) bool {
	for i := range b {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// judged is what a query makes of one item.
type judged struct {
	relevance float64
	matched   []string
}

// judge says how relevant an item is. It is not ok where a phrase is missing, where something is there that must not be, and
// where nothing is there.
func (w *weighed) judge(t *tally, length int) (judged, bool) {
	for i, u := range w.exclude {
		if u.phrase && t.phrases[len(w.units)+i] > 0 || !u.phrase && w.holds(t, u) {
			return judged{}, false
		}
	}
	if len(w.units) == 0 {
		return judged{relevance: 1}, true
	}
	var out judged
	sum := 0.0
	for i, u := range w.units {
		got := w.saturate(t.phrases[i], length)
		if !u.phrase {
			got = w.achieved(t, u, length)
		}
		if got == 0 && u.phrase {
			return judged{}, false
		}
		if got > 0 {
			out.matched = append(out.matched, u.shown)
			sum += w.weights[i] * got
		}
	}
	if len(out.matched) == 0 || w.total == 0 {
		return judged{}, false
	}
	out.relevance = math.Tanh(steepness * sum / w.total)
	return out, true
}

// holds reports whether an item holds a word that it must not hold: a name as a whole, or all its parts.
func (w *weighed) holds(t *tally, u unit) bool {
	if u.whole != "" && t.counts[w.ids[u.whole]] > 0 {
		return true
	}
	for _, part := range u.parts {
		if t.counts[w.ids[part]] == 0 {
			return false
		}
	}
	return len(u.parts) > 0
}

// achieved says how much of a unit an item has: the name as a whole, or parts of it.
func (w *weighed) achieved(t *tally, u unit, length int) float64 {
	if u.whole == "" && len(u.parts) == 1 {
		return w.saturate(t.counts[w.ids[u.parts[0]]], length)
	}
	got, all := 0.0, 0.0
	for _, list := range [][]string{u.parts, u.names} {
		for _, text := range list {
			id := w.ids[text]
			got += w.known[id].idf * w.saturate(t.counts[id], length)
			all += w.known[id].idf
		}
	}
	best := 0.0
	if all > 0 {
		best = partsWeight * got / all
	}
	if u.whole != "" {
		best = max(best, w.saturate(t.counts[w.ids[u.whole]], length))
	}
	return best
}
