package index

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/git-ltm/git-ltm/internal/view"
	"github.com/git-ltm/git-ltm/internal/words"
)

// The constants of BM25, and how much of a query counts.
const (
	saturation   = 1.2  // saturation is how soon more of the same word counts no more.
	lengthEffect = 0.75 // lengthEffect is how much a long item is held back.
	// fewItems is how many items there are at least: the words of fewer do not tell which of them are rare.
	fewItems = 200
	// mostHeaviest is how many units of a query count: the rarest of those that any item has.
	mostHeaviest = 16
	mostTerms    = 64 // mostTerms is how many words these have at most.
	// decisive is how many of the units that an item has say how sure it is that it answers.
	decisive    = 4
	alsoCounts  = 0.7  // alsoCounts is what a word counts that the question itself does not say.
	commonTells = 0.65 // commonTells is how much evidence a common word is.
	partTells   = 0.5  // partTells is how much a part of a name alone is.
	together    = 1.8  // together is how much more words go together than chance would have it.
	ofOne       = 6    // ofOne is how many items speak of one thing.
	usualUnits  = 8    // usualUnits is how many units a query has; of more, more meet an item by chance.
)

// term is a word that items are searched for.
type term struct {
	text  string
	items int      // items is how many items have it.
	lists []string // lists are its postings in each segment.
	idf   float64
	gain  float64 // gain is what it adds to a score at most, but for saturation.
	rare  float64 // rare is how much evidence it is.
}

// weighed is a query whose words were looked up.
type weighed struct {
	asked
	all     float64 // all is how many items there are.
	telling float64 // telling is how many of the heavy units are no common words.
	heavy   []heavyUnit
	counted []string     // counted are the heavy units and those that stand nowhere, as they were asked.
	terms   []term       // terms are the words of the heavy units, each once.
	needed  uint64       // needed are the terms that an item must have, one bit each.
	norms   [256]float32 // norms are what BM25 adds to a count, by the byte of the length of an item.
	// among are the records of each segment that are wanted, as [segment.recordsOf] has them.
	among [][]bool
	// sample is the segment by whose words it is known which are rare; nil where all are looked up. in are the
	// words as they were looked up there.
	sample *segment
	in     map[string]term
	leaf   view.Leaf // leaf is where words are looked up.
}

// heavyUnit is a unit that counts.
type heavyUnit struct {
	unit
	idf   float64 // idf is that of its rarest word that any item has.
	of    uint64  // of are its words among the terms, one bit each.
	spelt uint64  // spelt are its parts; 0 where one of them stands nowhere.
	name  uint64  // name is all of it in one; 0 where that stands nowhere.
}

// weighQuery looks up the words of a query, and keeps the heaviest units of those that any item has:
// what stands nowhere takes nothing away.
func weighQuery(s *snapshot, a asked, filters []int64) (*weighed, error) {
	w := &weighed{asked: a, among: make([][]bool, len(s.segments))}
	if !a.Full { // Else few segments are left to ask.
		if some, err := w.wantRecords(s, filters); err != nil || !some {
			return w, err
		}
	}
	var items int
	var length int
	for _, seg := range s.segments {
		items += seg.Items
		length += seg.Length
	}
	w.all = math.Max(float64(items), fewItems)
	average := math.Max(1, float64(length)) / math.Max(1, float64(items))
	for b := range w.norms {
		w.norms[b] = float32(saturation *
			(1 - lengthEffect + lengthEffect*float64(lengthOf(byte(b)))/
				average)) //nolint:gosec // It is one byte.
	}
	light := map[string]bool{}
	units, err := w.rarestUnits(s, light)
	if err != nil {
		return nil, err
	}
	if a.Full {
		if err := w.dropSegments(s, units); err != nil {
			return nil, err
		}
		if some, err := w.wantRecords(s, filters); err != nil || !some {
			return w, err
		}
	}
	known, err := w.lookUp(s.segments, w.among, units)
	if err != nil {
		return nil, err
	}
	for _, u := range units {
		one := heavyUnit{unit: u}
		for _, text := range u.texts() {
			if t := known[text]; t.items > 0 {
				one.idf = max(one.idf, t.idf)
			}
		}
		if one.idf > 0 {
			w.heavy = append(w.heavy, one)
		} else if a.Full && !u.also {
			return w, nil // No item holds all of them.
		}
	}
	slices.SortStableFunc(w.heavy, func(a, b heavyUnit) int {
		switch {
		case a.also == b.also:
			return cmp.Compare(b.idf, a.idf)
		case a.also:
			return 1
		default:
			return -1
		}
	})
	left := map[bool]int{false: mostHeaviest, true: mostHeaviest}
	w.heavy = slices.DeleteFunc(w.heavy, func(u heavyUnit) bool {
		left[u.also]--
		light[u.Shown] = left[u.also] < 0
		return light[u.Shown]
	})
	for _, u := range a.units {
		if !light[u.Shown] && !u.also {
			w.counted = append(w.counted, u.Shown)
		}
	}
	places := map[string]int{}
	for i := range w.heavy {
		u := &w.heavy[i]
		for _, text := range u.texts() {
			at, ok := places[text]
			if !ok && len(w.terms) < mostTerms && known[text].items > 0 {
				at, ok = len(w.terms), true
				places[text] = at
				t := known[text]
				if t.gain = t.idf * (saturation + 1); u.also {
					t.gain *= alsoCounts
				}
				w.terms = append(w.terms, t)
			}
			if !ok {
				continue
			}
			u.of |= 1 << at
			if text == u.Whole() {
				u.name |= 1 << at
			}
		}
		if !words.IsCommon(u.texts()[0]) {
			w.telling++
		}
		u.spelt = bitsOf(u.Parts, places)
		if a.Full && !u.also && bits.OnesCount64(u.of) == 1 {
			w.needed |= u.of
		}
	}
	return w, nil
}

// wantRecords finds which records of each segment that is not dropped are wanted, and tells whether some are.
func (w *weighed) wantRecords(s *snapshot, filters []int64) (some bool, err error) {
	for n, seg := range s.segments {
		if w.among[n] == nil {
			if w.among[n], err = seg.recordsOf(filters); err != nil {
				return false, err
			}
		}
		some = some || w.among[n] == nil || len(w.among[n]) > 0
	}
	return some, nil
}

// dropSegments wants no record of a segment in which no item has all of some units: the rarest leave few items,
// and mostly none after two or three of them.
func (w *weighed) dropSegments(s *snapshot, units []unit) error {
	plain := slices.DeleteFunc(slices.Clone(units), func(u unit) bool { return u.also || len(u.texts()) > 1 })
	slices.SortStableFunc(plain, func(a, b unit) int { return cmp.Compare(w.in[a.Parts[0]].items, w.in[b.Parts[0]].items) })
	for n, seg := range s.segments {
		var left []int
		for i, u := range plain {
			_, list, err := w.readPosting(seg, u.Parts[0])
			if err != nil {
				return err
			}
			d, had, item := decoder{rest: list}, left, -1
			left = nil
			for d.rest != "" {
				item, _ = d.decodePosting(item, seg.Items)
				for len(had) > 0 && had[0] < item {
					had = had[1:]
				}
				if i == 0 || len(had) > 0 && had[0] == item {
					left = append(left, item)
				}
			}
			if d.bad {
				return errDecode
			}
			if len(left) == 0 {
				w.among[n] = []bool{}
				break
			}
		}
	}
	return nil
}

// manyItems is of how many times as many items as the largest segment has the words are not all looked up.
const manyItems = 4

// rarestUnits are the units of a query that may be among the heaviest, and notes the others. Of many items the
// largest segment says which these are: the words of a long prompt stand nearly all in each segment, and those
// that count little have the longest postings.
func (w *weighed) rarestUnits(s *snapshot, light map[string]bool) ([]unit, error) {
	if len(s.segments) == 0 {
		return w.units, nil
	}
	sample := slices.MaxFunc(s.segments, func(a, b *segment) int { return a.Items - b.Items })
	if w.all < float64(manyItems*sample.Items) {
		return w.units, nil
	}
	type rated struct {
		unit
		idf float64
	}
	w.sample = sample
	var err error
	if w.in, err = w.lookUp([]*segment{sample}, nil, w.units); err != nil {
		return nil, err
	}
	var common []rated
	left := map[bool]int{false: mostHeaviest, true: mostHeaviest}
	for _, u := range w.units {
		one, missing := rated{unit: u}, 0
		for _, text := range u.texts() {
			t := w.in[text]
			if one.idf = max(one.idf, t.idf); t.items == 0 {
				missing++
			}
		}
		switch missing {
		case 0:
			common = append(common, one)
		case len(u.texts()):
			left[u.also]--
		}
	}
	slices.SortStableFunc(common, func(a, b rated) int { return cmp.Compare(b.idf, a.idf) })
	for _, u := range common {
		left[u.also]--
		light[u.Shown] = left[u.also] < 0
	}
	return slices.DeleteFunc(slices.Clone(w.units), func(u unit) bool { return light[u.Shown] }), nil
}

// bitsOf are some words among the terms, one bit each; 0 where one is missing.
func bitsOf(words []string, places map[string]int) (all uint64) {
	for _, text := range words {
		at, ok := places[text]
		if !ok {
			return 0
		}
		all |= 1 << at
	}
	return all
}

// isIn reports whether an item with some terms has a unit: as a whole, or all its parts.
func (u *heavyUnit) isIn(terms uint64) bool {
	return terms&u.name != 0 || u.spelt != 0 && terms&u.spelt == u.spelt
}

// lookUp finds which items of some segments have the words of some units. Of a segment in which no record is
// wanted it is about known how many these are, where there is a sample. Words are looked up in the order in which
// they lie.
func (w *weighed) lookUp(segments []*segment, among [][]bool, units []unit) (map[string]term, error) {
	var texts []string
	for _, u := range units {
		texts = append(texts, u.texts()...)
	}
	slices.Sort(texts)
	texts = slices.Compact(texts)
	terms := make([]term, len(texts))
	for n, seg := range segments {
		dropped := w.sample != nil && n < len(among) && among[n] != nil && len(among[n]) == 0
		for i, text := range texts {
			t := &terms[i]
			if n == 0 {
				*t = term{text: text, lists: make([]string, len(segments))}
			}
			if dropped {
				t.items += (2*w.in[text].items + 1) * seg.Items / (2 * w.sample.Items)
				continue
			}
			items, list, err := w.readPosting(seg, text)
			if err != nil {
				return nil, err
			}
			t.items, t.lists[n] = t.items+items, list
		}
	}
	found := make(map[string]term, len(terms))
	for i, text := range texts {
		t := terms[i]
		t.idf, t.rare = inverseFrequency(w.all, t.items), inverseFrequency(w.all, t.items)
		if words.IsCommon(text) {
			t.rare *= commonTells
		}
		found[text] = t
	}
	return found, nil
}

// readPosting reads in how many items of a segment a word stands, and in which.
func (w *weighed) readPosting(seg *segment, text string) (items int, list string, err error) {
	if t, ok := w.in[text]; ok && seg == w.sample {
		return t.items, t.lists[0], nil
	}
	value, ok, err := seg.GetInto(&w.leaf, keyOf(keyTerm, text))
	if err != nil || !ok {
		return 0, "", err
	}
	d := decoder{rest: string(value)}
	if items = d.atMost(seg.Items); d.bad {
		return 0, "", errDecode
	}
	return items, d.rest, nil
}

// inverseFrequency says how rare a word is that so many of all items have.
func inverseFrequency(all float64, items int) float64 {
	some := math.Min(float64(items), all)
	return math.Log(1 + (all-some+0.5)/(some+0.5))
}

// candidate is an item that has words of a query.
type candidate struct {
	segment *segment
	item    int
	score   float32
	terms   uint64 // terms are those that it has, one bit each.
}

// before orders the candidates of one segment: the best first, and of equal ones the newest.
func (c candidate) before(other candidate) int {
	return cmp.Or(cmp.Compare(other.score, c.score), cmp.Compare(other.item, c.item))
}

// sums adds up what the words of a query weigh in the items of one segment after another.
type sums struct {
	places  []int32 // places say where each item stands among those that have any word, from 1 on.
	met     []sum
	lengths view.Leaf
}

// sum is what words weigh in an item, and which it has, one bit each.
type sum struct {
	item  int32
	score float32
	terms uint64
}

// bestItems returns the n best items of each segment, the best first, with all that are as good as the last.
func (w *weighed) bestItems(s *snapshot, n int) ([]candidate, error) {
	var all []candidate
	most := 0
	for _, seg := range s.segments {
		most = max(most, seg.Items)
	}
	sums := sums{places: make([]int32, most)}
	for at, seg := range s.segments {
		among, items := w.among[at], itemTable{segment: seg}
		if among != nil && len(among) == 0 {
			continue
		}
		if err := sums.addSegment(w, at, seg); err != nil {
			return nil, err
		}
		top := foremost{most: n}
		for _, met := range sums.met {
			c := candidate{seg, int(met.item), met.score, met.terms}
			if c.terms&w.needed != w.needed || top.full && c.before(top.list[top.most-1]) > 0 {
				continue
			}
			if among != nil {
				record, _, err := items.itemAt(c.item)
				if err != nil {
					return nil, err
				}
				if record >= len(among) || !among[record] {
					continue
				}
			}
			top.add(c)
		}
		all = append(all, top.cutToBest()...)
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	for n < len(all) && n > 0 && all[n].score == all[n-1].score {
		n++
	}
	return all[:min(n, len(all))], nil
}

// addSegment adds up the items of a segment. Where all words are needed, the rarest says which these are.
func (s *sums) addSegment(w *weighed, at int, seg *segment) error {
	for _, met := range s.met {
		s.places[met.item] = 0
	}
	s.met = s.met[:0]
	for left := w.needed; left != 0; left &= left - 1 {
		if w.terms[bits.TrailingZeros64(left)].lists[at] == "" {
			return nil // No item here has all of them.
		}
	}
	var lengths []byte
	had := uint64(0)
	for i := range w.terms {
		list := w.terms[i].lists[at]
		if list != "" && lengths == nil {
			var err error
			if lengths, err = seg.itemLengths(&s.lengths); err != nil {
				return err
			}
		}
		if had == 0 { // A posting takes a byte at least. To grow step by step touches twice as much memory.
			s.met = slices.Grow(s.met, min(len(list), len(lengths)-len(s.met)))
		}
		weight, bit, item, some := float32(w.terms[i].gain), uint64(1)<<i, -1, false
		for d := (decoder{rest: list}); d.rest != ""; {
			var often int
			if item, often = d.decodePosting(item, len(lengths)); d.bad {
				return errDecode
			}
			place := s.places[item]
			if place == 0 && had == 0 {
				s.met = append(s.met, sum{item: int32(item)}) //nolint:gosec // It is below a length.
				place = int32(len(s.met))                     //nolint:gosec // And there are no more.
				s.places[item] = place
			}
			if place == 0 || s.met[place-1].terms&had != had {
				continue
			}
			some = true
			m, count := &s.met[place-1], float32(often)
			m.terms |= bit
			m.score += weight * count / (count + w.norms[lengths[item]])
		}
		if had |= bit & w.needed; bit&w.needed != 0 && !some {
			break
		}
	}
	return nil
}

// decodePosting reads the item of a posting that follows another one, below a bound, and how often it has the
// word.
func (d *decoder) decodePosting(last, bound int) (item, often int) {
	step, often := d.decodeNumber(), 1
	if step&1 != 0 { // It stands there more than once.
		often = int(d.decodeNumber()) //nolint:gosec // It is a count.
	}
	item = last + int(step>>1) //nolint:gosec // It is bounded below.
	if step < 2 || item >= bound || item < 0 {
		d.bad, d.rest = true, ""
	}
	return item, often
}

// foremost keeps the best of many candidates of one segment.
type foremost struct {
	most int
	list []candidate // list are up to twice as many as are kept.
	full bool        // full says that the last of those that are kept is known.
}

func (f *foremost) add(c candidate) {
	if f.list = append(f.list, c); len(f.list) >= 2*f.most {
		f.cutToBest()
	}
}

// cutToBest leaves the best, in their order.
func (f *foremost) cutToBest() []candidate {
	slices.SortFunc(f.list, candidate.before)
	f.list = f.list[:min(len(f.list), f.most)]
	f.full = len(f.list) == f.most
	return f.list
}

// evidenceOf says how unlikely it is that any item has by chance what one has of a query: how rare
// the rarest of its units are, by what is expected of the best of all items. No word speaks for two units.
func (w *weighed) evidenceOf(c candidate) float64 {
	sum, left, alone := 0.0, c.terms, true
	for n := range decisive {
		most, of := 0.0, -1
		for i := range w.heavy {
			if told := w.rarityOf(&w.heavy[i], c.terms, left); told > most {
				most, of = told, i
			}
		}
		if of < 0 {
			break
		}
		alone = n == 0 && w.heavy[of].also
		sum, left = sum+most, left&^w.heavy[of].of
	}
	if alone { // One word that the question does not say is chance.
		return 0
	}
	return sum / (together*math.Log(w.all/ofOne) + math.Log(math.Max(w.telling, usualUnits)/usualUnits))
}

// rarityOf is how rare what an item with some terms has of a unit is, of those that are left.
func (w *weighed) rarityOf(u *heavyUnit, terms, left uint64) float64 {
	most, sum := 0.0, 0.0
	for of := left & u.of; of != 0; of &= of - 1 {
		t := w.terms[bits.TrailingZeros64(of)]
		if most = max(most, t.rare); slices.Contains(u.Parts, t.text) {
			sum += t.rare
		}
	}
	if u.isIn(terms) { // A name is all its parts at once.
		most = max(most, sum)
	} else {
		most *= partTells
	}
	if u.also {
		most *= alsoCounts
	}
	return most
}
