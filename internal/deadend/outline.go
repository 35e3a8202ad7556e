package deadend

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
)

// Form is the number of the form of outlines. Whoever keeps some makes them anew where it is another one.
const Form = 8

// Outline says what an action has at least that meets a rule, for each way in which the rule may be met. It
// is small, and made to be kept beside many others.
type Outline struct{ ways []way }

// way is one way to meet a rule: so much weight of its parts has to be there.
type way struct {
	parts []part // what is likely to be rare comes first
	least int
	spare int // the weight of the parts that come first and may be missing; it is not kept
}

// part is what an action may have of a rule, by either of two traits.
type part struct {
	trait, other Trait
	weight       int // in halves of a word
}

// Outline returns the outline of a rule.
func (r Rule) Outline() Outline {
	all := New([]Rule{r})
	var o Outline
	for _, c := range all.commands {
		var needed []string
		for _, f := range c.forms {
			needed = append(needed, f.program+" ")
			for _, word := range slices.Concat(f.plain, f.values, slices.Sorted(maps.Keys(f.options))) {
				needed = append(needed, f.program+" "+word)
			}
		}
		slices.Sort(needed)
		o.ways = append(o.ways, wayOf(ofCommand, slices.Compact(needed)))
	}
	for _, a := range all.adds {
		if a.key != "" {
			o.ways = append(o.ways, wayOf(ofInstall, []string{a.key}))
		} else if keys := a.wordKeys(); len(keys) > 0 {
			slices.Sort(keys)
			o.ways = append(o.ways, wayOf(ofWord, slices.Compact(keys)))
		}
	}
	for _, p := range all.paths {
		plain := slices.DeleteFunc(pathSegments(p.glob), func(s string) bool {
			return strings.ContainsAny(s,
				"*?")
		})
		o.ways = append(o.ways, wayOf(ofPath, append(plain, "")))
	}
	for i := range all.words {
		o.ways = append(o.ways, all.words[i].wayOfWords())
	}
	return o
}

// Rare returns traits of which every action that meets the rule has one at least: those that are likely to be
// rare.
func (o Outline) Rare() []Trait {
	var found []Trait
	for _, w := range o.ways {
		left := w.spare
		for _, p := range w.parts {
			found = append(found, p.trait, p.other)
			if left -= p.weight; left < 0 { // Without all of these the rule is not met.
				break
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// wayOf is a way of which every part must be there, the longest text first.
func wayOf(sort string, texts []string) way {
	slices.SortStableFunc(texts, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	w := way{least: len(texts)}
	for _, text := range texts {
		w.parts = append(w.parts, part{traitOf(sort, text), traitOf(sort, text), 1})
	}
	return w
}

// wayOfWords is the words, as far as enough of them must be there.
func (w *wordRule) wayOfWords() way {
	units := slices.Clone(w.units)
	slices.SortStableFunc(units, func(a, b unit) int {
		return cmp.Or(cmp.Compare(b.tellsMuch(), a.tellsMuch()), cmp.Compare(len(b.key), len(a.key)))
	})
	found := way{}
	found.least, found.spare = w.leastWeight()
	for _, u := range units {
		p := part{traitOf(ofWord, u.key), traitOf(ofWord, u.key), inHalves(u.weight)}
		if len(u.parts) > 0 { // A name is there, too, where all its parts are.
			long := slices.MaxFunc(u.parts, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
			p.other = traitOf(ofWord, long)
		}
		found.parts = append(found.parts, p)
	}
	return found
}

// tellsMuch is above 0 for a word that tells something.
func (u unit) tellsMuch() int {
	if u.light {
		return 0
	}
	return 1
}

// inHalves is a weight in halves of a word.
func inHalves(weight float64) int { return int(math.Round(2 * weight)) }

// leastWeight are the weight of words, in halves, below which never enough of the rule is there, and the
// weight of those that tell something and may be left unsaid.
func (w *wordRule) leastWeight() (least, spare int) {
	telling, most := 0, 0
	for _, u := range w.units {
		if !u.light {
			telling += inHalves(u.weight)
			most = max(most, inHalves(u.weight))
		}
	}
	switch {
	case w.every || w.all.weighty == 0:
		return inHalves(w.all.weight), 0
	case w.all.weighty == 1:
		return telling + w.all.count/2, 0 // Half of the others too.
	case w.all.weighty == 2:
		return max(telling, w.shareOf(leastOfShort)), 0
	case w.all.weighty <= 4:
		return max(telling-most, w.shareOf(leastOfShort)), most
	default:
		least = w.shareOf(leastShare)
		if w.all.numbers > 0 {
			least = w.shareOf(leastOfShort)
		}
		return least, inHalves(w.all.weight) - least
	}
}

// leastOfShort is how much of the weight of a short rule must be met.
const leastOfShort = 0.6

// shareOf is a part of the weight of the whole rule, in halves of a word.
func (w *wordRule) shareOf(part float64) int {
	const rounding = 0.001
	return int(math.Ceil(2*w.all.weight*part - rounding))
}
