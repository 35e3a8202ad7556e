package deadend

import (
	"cmp"
	"maps"
	"slices"
	"strings"
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
}

// wordRule is what a rule says in words.
type wordRule struct {
	rule  int
	units []unit
	all   tally // of all units

	every bool // the words of a command: each must be there, close together

	// Of a command as somebody asks for it, which meets prompts alone: so many words stand beside one another,
	// and so many units come first, in this order.
	span, ordered int
	quoted        bool // of a text between backticks, which is no command for sure
}

// newWordRule reads the words of a rule, up to where it says what it was for.
// A single word is no rule: it would be met by too much.
func newWordRule(i int, text string) (wordRule, bool) {
	words := spokenWords(strings.ReplaceAll(text[:min(len(text), maxRule)], ": ", "; "))
	w := wordRule{rule: i, units: make([]unit, 0, min(len(words), maxUnits))}
	said, away, beside := 0, false, false
	for i, s := range words {
		if said >= 2 && endsDeed(words, i) {
			break
		}
		if !beside {
			said += w.takeUnits(unitsOf(s.text, away))
		}
		switch {
		case isListed("away", s.stem):
			away = true
		case isListed("beside", s.stem):
			beside = true
		case s.pause > noPause || isListed("clauses", s.stem):
			away, beside = false, false
		}
	}
	return w, said >= 2
}

// takeUnits adds units that are not there yet and says how many words they are.
func (w *wordRule) takeUnits(units []unit) int {
	words := 0
	for _, u := range units {
		if len(w.units) >= maxUnits ||
			slices.ContainsFunc(w.units, func(had unit) bool { return had.key == u.key }) {
			continue
		}
		w.units = append(w.units, u)
		w.all.countUnit(u)
		words += 1 + min(1, len(u.parts))
	}
	return words
}

// newCommandWords reads a command as words that a prompt may name.
func newCommandWords(i int, command string) (wordRule, bool) {
	w := wordRule{rule: i, every: true}
	if len(command) > maxRule {
		return w, false
	}
	for _, c := range ruleCommands(command) {
		for _, word := range c.words {
			for _, p := range splitPieces(word) {
				if p.kind != joinedPiece && len(w.units) < maxUnits {
					u := unit{key: p.key, weight: 1}
					w.units = append(w.units, u)
					w.all.countUnit(u)
				}
			}
		}
	}
	return w, len(w.units) >= 2
}

// newAskedWords reads a command as somebody asks for it in words: an option is said as what it is called, and
// the program is left unsaid where the rest tells enough ("upgrade react", "install libssl1.1").
func newAskedWords(i int, f form) (wordRule, bool) {
	w := wordRule{rule: i, every: true}
	away, tells := isListed("away", Stem(f.program)), false
	add := func(word string) {
		found := splitPieces(word)
		for n := 0; n < len(found) && len(w.units) < maxUnits; n++ {
			u := unit{key: keyOf(found[n].key, away), weight: 1}
			if found[n].kind == joinedPiece {
				for _, part := range found[n+1 : n+1+found[n].count] {
					u.parts = append(u.parts, keyOf(part.key, away))
				}
				n += found[n].count
			}
			w.takeUnits([]unit{u})
		}
	}
	for _, word := range slices.Concat(f.plain, f.values) {
		add(word)
		tells = tells || !isIn("everyday", word) && !isListed("light", Stem(word)) && len(word) > 2
	}
	w.ordered = len(w.units)
	for _, option := range slices.Sorted(maps.Keys(f.options)) {
		name := strings.TrimLeft(option, "-")
		if away { // Who deletes something does not say how.
			break
		}
		add(name)
		tells = tells || len(f.plain) > 0 && !isIn("tame", option)
	}
	if !away && (!tells || len(w.units) < 2) {
		said := w.units
		w.units, w.all = nil, tally{}
		add(f.program)
		w.ordered += len(w.units)
		w.takeUnits(said)
	}
	for _, u := range w.units {
		w.span += max(1, len(u.parts))
	}
	return w, len(w.units) > 1 || away && len(w.units) > 0 && len(w.units[0].parts) > 1
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
		return i > 0 && (isListed("reasons", stem) || isListed("outcomes", stem) ||
			words[i-1].pause == comma && isListed("subjects", stem))
	}
}

// unitsOf are the units of a word of a rule; those that are taken back have a key of their own.
func unitsOf(text string, away bool) (units []unit) {
	found := splitPieces(text)
	for i := 0; i < len(found); i++ {
		p := found[i]
		u := unit{key: keyOf(p.key, away), weight: 1, number: p.kind == numberPiece}
		switch {
		case p.kind == joinedPiece:
			parts := found[i+1 : i+1+p.count]
			for _, part := range parts {
				u.parts = append(u.parts, keyOf(part.key, away))
			}
			u.weight = 2
			i += p.count
		case p.kind == plainPiece && isStop(p):
			continue
		case p.kind == flagPiece:
			u.weight = 2
		case p.kind == plainPiece && isListed("light", p.key):
			u.weight, u.light = 0.5, true
		}
		units = append(units, u)
	}
	return units
}

// keyOf is the key of a word, or of one that is taken back.
func keyOf(key string, away bool) string {
	if away {
		return "!" + key
	}
	return key
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
	if len(read.places)+len(read.around) == 0 {
		return nil
	}
	var found []Match
	for i := range r.words {
		w := &r.words[i]
		if w.every && !w.quoted && from == inCommand || w.span > 0 && from != inPrompt {
			continue
		}
		places, nearby, ok := w.gatherPlaces(read)
		if !ok {
			continue
		}
		best, ok := w.bestWindow(read, places, nearby)
		if !ok {
			continue
		}
		m := Match{
			Rule: w.rule, By: ByWords, On: best.texts, Of: len(w.units),
			Sure: r.sureOf(w.rule, w.stepsUnsure(best, read.edit, r.all[w.rule].Derived)),
		}
		if w.every {
			m.By, m.Of = ByCommand, 0
		}
		found = append(found, m)
	}
	return found
}

// gatherPlaces collects where the units stand, and those that stand beside an edit, unless too few stand
// anywhere.
func (w *wordRule) gatherPlaces(read *reading) (all, nearby []placed, ok bool) {
	var t tally
	for i, u := range w.units {
		before, there := len(all), len(u.parts)
		for _, o := range read.places[u.key] {
			all = append(all, placed{o, i, 0})
		}
		for n, part := range u.parts {
			for _, o := range read.places[part] {
				all = append(all, placed{o, i, n + 1})
			}
			if len(read.places[part]) > 0 {
				there--
			}
		}
		beside, isBeside := occurrence{}, false
		if read.edit && !w.every {
			if beside, isBeside = read.besideOf(u); isBeside {
				nearby = append(nearby, placed{beside, i, 0})
			}
		}
		switch {
		case len(read.places[u.key]) > 0, len(u.parts) > 0 && there == 0, isBeside:
			t.countUnit(u)
		default:
			all = all[:before] // A part alone is nothing.
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int { return cmp.Compare(a.at, b.at) })
	return all, nearby, len(all)+len(nearby) > 0 && w.isEnough(t)
}

// stepsUnsure is how many steps a match is less than high, which is that of a skip that is met word by word
// and in one breath. An edit says what it does in code, and seldom with a verb.
func (w *wordRule) stepsUnsure(best window, edit, derived bool) int {
	if (edit || w.every) && derived {
		return 0
	}
	if edit || w.every || best.count < len(w.units) || best.count < 3 || best.high-best.low > len(w.units)+2 {
		return 1
	}
	return 0
}
