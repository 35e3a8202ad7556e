package deadend

import (
	"math/bits"
	"slices"
)

// placed is a place of a unit, or of one of the parts of a name.
type placed struct {
	occurrence
	unit int
	part int // from 1; 0 for the whole
}

// tally sums up units that are met.
type tally struct {
	count   int
	weighty int
	numbers int
	names   int
	weight  float64
	done    float64 // of the weight: of words that the action does
	deeds   int     // words that it does and that tell something, numbers apart
}

func (t *tally) countUnit(u unit) {
	t.count++
	t.weight += u.weight
	if !u.light {
		t.weighty++
	}
	if u.number {
		t.numbers++
	}
	if len(u.parts) > 0 {
		t.names++
	}
}

// window is a stretch of a text in which units of a rule stand.
type window struct {
	tally
	low, high int
	texts     []string // the words as they stand there
}

// bestWindow is the stretch that meets most of the rule, if it meets enough.
func (w *wordRule) bestWindow(read *reading, places, nearby []placed) (best window, found bool) {
	for i := range max(1, len(places)) { // Where there is none, all of it goes, or stands there already.
		if found && best.count == len(w.units) && best.high-best.low < best.count {
			break
		}
		c := w.windowFrom(places[min(i, len(places)):], nearby)
		tighter := found && c.weight == best.weight && c.high-c.low < best.high-best.low
		if (c.weight > best.weight || tighter) && w.isEnough(c.tally) && w.fitsAction(read, c) {
			best, found = c, true
		}
	}
	return best, found
}

// windowFrom takes each unit once, where it first stands within reach, or else beside an edit. A name is
// there where it stands whole, or all its parts do.
func (w *wordRule) windowFrom(places, nearby []placed) window {
	var c window
	var seen [maxUnits]bool
	var parts [maxUnits]uint64
	if len(places) > 0 {
		c.low, c.high = places[0].at, places[0].at
	}
	next, reach := 0, 2*len(w.units)+3
	switch {
	case w.span > 0:
		reach = w.span - 1
	case w.every:
		reach = 2*len(w.units) - 1
	}
	for _, p := range places {
		if p.unit < w.ordered {
			if p.unit > next {
				continue
			}
			next = max(next, p.unit+1)
		}
		if p.at-c.low > reach || c.count == len(w.units) {
			break
		}
		if seen[p.unit] || parts[p.unit]&(1<<p.part) != 0 {
			continue
		}
		c.texts, c.high = append(c.texts, p.text), p.at
		parts[p.unit] |= 1 << p.part
		if p.part == 0 || bits.OnesCount64(parts[p.unit]) == len(w.units[p.unit].parts) {
			seen[p.unit] = true
			c.addUnit(w.units[p.unit], p)
		}
	}
	for _, p := range nearby {
		if !seen[p.unit] {
			c.texts = append(c.texts, p.text)
			c.addUnit(w.units[p.unit], p)
		}
	}
	return c
}

// addUnit takes a unit with its place.
func (c *window) addUnit(u unit, p placed) {
	c.countUnit(u)
	if p.done {
		c.done += u.weight
		if !u.light && !u.number {
			c.deeds++
		}
	}
}

// leastDone is how much of what meets a rule the action must do: what stood there before, the names of the
// files, and comments are no deed, nor is a number that changes in one of these files.
const leastDone = 0.3

// fitsAction refuses a stretch that means another number, and one of which the action does too little.
func (w *wordRule) fitsAction(read *reading, c window) bool {
	if c.numbers < w.all.numbers &&
		(read.edit || slices.ContainsFunc(read.numbers, func(at int) bool {
			return c.low-2 <= at && at <= c.high+3
		})) {
		return false
	}
	return c.done >= leastDone*c.weight && !(read.edit && c.deeds == 0)
}

// leastShare is how much of the weight of a long rule must be met.
const leastShare = 0.7

// isEnough says whether so much of the rule is met that chance is unlikely. Of a
// short rule every word that tells something must be there, but a number may be
// left unsaid, or one word of four beside a name or a number, or of three
// beside two names; of a long one most of them.
func (w *wordRule) isEnough(t tally) bool {
	all := w.all
	if w.every {
		return t.count == all.count
	}
	share := t.weight / all.weight
	switch {
	case all.weighty == 0:
		return t.count == all.count && t.count >= 3
	case all.weighty == 1:
		lights := all.count - 1
		return t.weighty == 1 && 2*(t.count-1) >= lights
	case all.weighty <= 4:
		missing := all.weighty - t.weighty
		unsaid := all.numbers - t.numbers
		named := all.weighty == 4 && t.names+t.numbers > 0 || all.weighty == 3 && t.names > 1
		spared := missing == 1 && (unsaid == 1 && all.weighty >= 3 || unsaid == 0 && named)
		return (missing == 0 || spared) && share >= leastOfShort
	default:
		return share >= leastShare || share >= leastOfShort && t.numbers > 0 && t.numbers == all.numbers
	}
}
