package deadend

import "slices"

// placed is a place of a unit.
type placed struct {
	occurrence
	unit  int
	fresh bool // it is part of what changes
}

// tally sums up units that are met.
type tally struct {
	count   int
	weighty int
	numbers int
	names   int
	weight  float64
	beside  float64 // of the weight: of words that are not done themselves
	fresh   float64 // of the weight: of words that change
	deeds   int     // words that change and tell something, numbers apart
}

func (t *tally) take(u unit) {
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
	places    []placed // the first place of each unit
	edit      bool     // it stands in an edit
}

// texts are the words of the window as they stand in the action.
func (c *window) texts() []string {
	texts := make([]string, 0, len(c.places))
	for _, p := range c.places {
		texts = append(append(texts, p.text), p.more...)
	}
	return texts
}

// reach is how far apart the first and the last word of a rule may stand.
func (w *wordRule) reach() int {
	if w.every {
		return 2*len(w.units) - 1
	}
	return 2*len(w.units) + 3
}

// bestWindow is the stretch that meets most of the rule, if it meets enough.
func (w *wordRule) bestWindow(read *reading, places, nearby []placed) (window, bool) {
	if len(places) == 0 { // All of it goes, or stands there already.
		c := w.windowFrom(nil, nearby)
		c.edit = true
		return c, w.enough(c.tally) && w.fits(read, c)
	}
	var best window
	found := false
	for i := range places {
		if found && best.count == len(w.units) && best.high-best.low < best.count {
			break
		}
		c := w.windowFrom(places[i:], nearby)
		c.edit = read.beside != nil
		tighter := found && c.weight == best.weight && c.high-c.low < best.high-best.low
		if (c.weight > best.weight || tighter) && w.enough(c.tally) && w.fits(read, c) {
			best, found = c, true
		}
	}
	return best, found
}

// windowFrom takes each unit once, where it first stands within reach, or else
// beside an edit.
func (w *wordRule) windowFrom(places, nearby []placed) window {
	var c window
	if len(places) > 0 {
		c.low, c.high = places[0].at, places[0].at
	}
	var seen [maxUnits]bool
	for _, p := range places {
		if p.at-c.low > w.reach() || c.count == len(w.units) {
			break
		}
		if seen[p.unit] {
			continue
		}
		seen[p.unit] = true
		c.add(w.units[p.unit], p)
		c.high = p.at
	}
	for _, p := range nearby {
		if !seen[p.unit] {
			c.add(w.units[p.unit], p)
		}
	}
	return c
}

// add takes a unit with its place.
func (c *window) add(u unit, p placed) {
	c.take(u)
	if p.mark == beside {
		c.beside += u.weight
	}
	if p.fresh {
		c.fresh += u.weight
		if !u.light && !u.number {
			c.deeds++
		}
	}
	c.places = append(c.places, p)
}

// leastFresh is how much of what meets a rule must change: what stood there
// before, the names of the files, and comments are no deed, nor is a number
// that changes in one of these files.
const leastFresh = 0.3

// fits refuses a stretch that means another number, another direction, or
// something that is to be done instead.
func (w *wordRule) fits(read *reading, c window) bool {
	if c.numbers < w.all.numbers && read.numberNear(c.low, c.high) {
		return false
	}
	if c.fresh < leastFresh*c.weight || c.edit && (c.numbers < w.all.numbers || c.deeds == 0) {
		return false
	}
	if c.beside > c.weight*2/3 || w.turnedRound(c) {
		return false
	}
	return !read.turnsAgainst(w.heading, c.low, c.high)
}

// turnedRound says whether what the rule put in place of something is itself
// replaced in the action.
func (w *wordRule) turnedRound(c window) bool {
	if !slices.ContainsFunc(w.units, func(u unit) bool { return u.old }) {
		return false
	}
	return slices.ContainsFunc(c.places, func(p placed) bool { return p.mark == replaced && !w.units[p.unit].old })
}

// sum tallies the whole rule.
func (w *wordRule) sum() tally {
	var t tally
	for _, u := range w.units {
		t.take(u)
	}
	return t
}

// leastShare is how much of the weight of a long rule must be met.
const leastShare = 0.7

// enough says whether so much of the rule is met that chance is unlikely. Of a
// short rule every word that tells something must be there, but a number may be
// left unsaid, or one word of four beside a name or a number, or of three
// beside two names; of a long one most of them.
func (w *wordRule) enough(t tally) bool {
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
		return (missing == 0 || spared) && share >= 0.6
	default:
		return share >= leastShare
	}
}
