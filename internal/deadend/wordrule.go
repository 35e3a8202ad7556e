package deadend

import (
	"cmp"
	"slices"
)

// maxUnits is how many words of a rule count, maxRule within how many bytes;
// what a rule says later is seldom about what was done.
const (
	maxUnits = 24
	maxRule  = 1024
)

// unit is a word of a rule, or a name made of several.
type unit struct {
	key    string
	parts  []string // of a name: what it is made of
	weight float64
	light  bool
	number bool
	old    bool // what the attempt replaced

	adopted bool // a name that is taken into use
}

// wordRule is what a rule says in words.
type wordRule struct {
	rule    int
	units   []unit
	heading int  // up, down or neither
	every   bool // the words of a command: each must be there, close together
	doubt   int
	all     tally // of all units
}

// newWordRule reads the words of a rule, up to where it says what it was for.
// A single word is no rule: it would be met by too much.
func newWordRule(i int, text string) (wordRule, bool) {
	w := wordRule{rule: i}
	words := spokenWords(text[:min(len(text), maxRule)])
	m, said := meant, 0
	for i := range words {
		if said >= 2 && endsDeed(words, i) {
			break
		}
		words[i].mark = m
		if _, number := numberOf(words[i].text); number && i > 0 && words[i-1].stem == "from" {
			continue // what it was before
		}
		units := unitsOf(words[i])
		if len(units) == 1 && len(units[0].parts) > 0 && !isPath(words[i].text) {
			units[0].adopted = adopts(words[:i])
		}
		said += w.take(units)
		m = ruleMark(m, words[i])
	}
	w.all = w.sum()
	return w, said >= 2
}

// take adds units that are not there yet and says how many words they are.
func (w *wordRule) take(units []unit) int {
	words := 0
	for _, u := range units {
		if len(w.units) >= maxUnits || slices.ContainsFunc(w.units, func(had unit) bool { return had.key == u.key }) {
			continue
		}
		w.units = append(w.units, u)
		words += 1 + min(1, len(u.parts))
		if h := heading(u.key); h != 0 && w.heading == 0 {
			w.heading = h
		}
	}
	return words
}

// ruleMark says how the words of a rule are meant that follow this one.
func ruleMark(m mark, s spoken) mark {
	switch {
	case isListed("away", s.stem):
		return away
	case s.stem == "instead" || s.stem == "rather":
		return ignored
	case s.stem == "replac" || s.stem == "swap":
		return replaced
	case m == replaced && (s.stem == "with" || s.stem == "by" || s.stem == "for"):
		return meant
	case s.pause > noPause || isListed("clauses", s.stem):
		return meant
	default:
		return m
	}
}

// newCommandWords reads a command as words that a prompt may name.
func newCommandWords(i int, command string) (wordRule, bool) {
	c, ok := ruleCommand(command)
	if !ok {
		return wordRule{}, false
	}
	w := wordRule{rule: i, every: true}
	for _, word := range c.words {
		for _, p := range pieces(word) {
			if p.kind != joinedPiece && len(w.units) < maxUnits {
				w.units = append(w.units, unit{key: p.key, weight: 1})
			}
		}
	}
	w.all = w.sum()
	return w, len(w.units) >= 2
}

// endsDeed says whether a rule begins to say at i what something was for, or
// what came of it.
func endsDeed(words []spoken, i int) bool {
	if i > 0 && words[i-1].pause >= sentenceEnd {
		return true
	}
	next := ""
	if i+1 < len(words) {
		next = words[i+1].stem
	}
	switch stem := words[i].stem; stem {
	case "to":
		return isListed("purposes", next)
	case "so":
		return next == "that"
	case "in":
		return next == "order" || next == "front"
	case "-", "—":
		return i > 0
	default:
		return i > 0 && isListed("reasons", stem)
	}
}

// unitsOf are the units of a word of a rule.
func unitsOf(s spoken) []unit {
	if s.mark == ignored {
		return nil
	}
	found := pieces(s.text)
	var units []unit
	for i := 0; i < len(found); i++ {
		p := found[i]
		switch {
		case p.kind == joinedPiece && namesOne(found[i+1:i+1+p.count]):
			units = append(units, nameUnit(p, found[i+1:i+1+p.count]))
			i += p.count
		case p.kind == joinedPiece || p.kind == plainPiece && isStop(p):
		case p.kind == numberPiece:
			units = append(units, unit{key: p.key, weight: 1, number: true})
		case p.kind == flagPiece:
			units = append(units, unit{key: p.key, weight: 2})
		case isListed("light", p.key):
			units = append(units, unit{key: p.key, weight: 0.5, light: true})
		default:
			units = append(units, unit{key: p.key, weight: 1})
		}
	}
	for i := range units {
		units[i].old = s.mark == replaced
	}
	return lastOfPath(s.text, turned(units, s.mark))
}

// namesOne says whether parts make a name, and not a word with a version.
func namesOne(parts []piece) bool {
	words := 0
	for _, p := range parts {
		if p.kind == plainPiece {
			words++
		}
	}
	return words > 1
}

func nameUnit(whole piece, parts []piece) unit {
	u := unit{key: whole.key, weight: 2}
	for _, p := range parts {
		u.parts = append(u.parts, p.key)
	}
	return u
}

// turned gives units the key of words that are taken back.
func turned(units []unit, m mark) []unit {
	if m != away {
		return units
	}
	for i := range units {
		units[i].key = "!" + units[i].key
		for j, part := range units[i].parts {
			units[i].parts[j] = "!" + part
		}
	}
	return units
}

// lastOfPath keeps the last segment of a path: the directories before it say
// where, not what.
func lastOfPath(text string, units []unit) []unit {
	if len(units) < 2 || len(text) < 2 || text[0] == '-' || !isPath(text) {
		return units
	}
	return units[len(units)-1:]
}

// isPath says whether a word is a path of more than one segment.
func isPath(text string) bool {
	slashes := 0
	for i := range len(text) {
		switch text[i] {
		case '/':
			slashes++
		case '=', '@':
			return false
		}
	}
	return slashes > 1 || slashes == 1 && baseName(text) != "" && slices.Contains([]byte(baseName(text)), '.')
}

// place is where an action is read from.
type place int

const (
	inCommand place = iota
	inPrompt
	inEdit
)

// byWords finds the rules whose words stand close together in an action.
func (r *Rules) byWords(read *reading, from place) []Match {
	if len(read.places)+len(read.installs) == 0 && read.beside == nil {
		return nil
	}
	var found []Match
	for i := range r.words {
		w := &r.words[i]
		if w.every && from == inCommand {
			continue
		}
		m, ok := w.match(read)
		if !ok {
			m, ok = w.installed(read)
		}
		if ok {
			found = append(found, m)
		}
	}
	return found
}

func (w *wordRule) match(read *reading) (Match, bool) {
	places, beside, ok := w.gather(read)
	if !ok {
		return Match{}, false
	}
	best, ok := w.bestWindow(read, places, beside)
	if !ok {
		return Match{}, false
	}
	m := Match{Rule: w.rule, By: ByWords, On: best.texts(), Of: len(w.units), Sure: w.sureness(best)}
	if w.every {
		m.By, m.Of = ByCommand, 0
	}
	return m, true
}

// gather collects where the units stand, and those that stand beside an edit,
// unless too few stand anywhere.
func (w *wordRule) gather(read *reading) (all, beside []placed, ok bool) {
	var t tally
	for i, u := range w.units {
		found := read.occurrencesOf(u)
		if near, fresh, ok := read.besideOf(u); ok && !w.every {
			beside = append(beside, placed{unit: i, occurrence: near, fresh: fresh})
		} else if len(found) == 0 {
			continue
		}
		t.take(u)
		fresh := done(found)
		for _, o := range found {
			all = append(all, placed{unit: i, occurrence: o, fresh: fresh})
		}
	}
	if len(all)+len(beside) == 0 || !w.enough(t) {
		return nil, nil, false
	}
	slices.SortStableFunc(all, func(a, b placed) int { return cmp.Compare(a.at, b.at) })
	return all, beside, true
}

// nearlyAll is the share of a rule that an edit which is sure to meet it has.
const nearlyAll = 0.7

// sureness is high where a skip is met word by word and in one breath.
func (w *wordRule) sureness(best window) Sureness {
	steps := w.doubt
	if w.every || best.count < len(w.units) || best.count < 3 || best.high-best.low > len(w.units)+2 {
		steps++
	}
	if best.edit { // An edit says what it does in code, and seldom with a verb.
		steps = max(1, w.doubt)
		if best.weight < nearlyAll*w.all.weight {
			steps++
		}
	}
	return lower(steps)
}
