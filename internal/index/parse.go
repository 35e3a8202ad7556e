package index

import (
	"iter"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/words"
)

const (
	mostText  = 16 * 1024 // mostText is how much of a query counts.
	mostUnits = 40        // mostUnits is how many units of a query are looked up, beside words that say nothing, and of its other words.
)

// unit is one thing that a query asks for: a word, or a phrase.
type unit struct {
	words.Word

	phrase bool // phrase says that the parts must stand in this order, next to each other.
	also   bool // also says that the question itself does not say it.
}

// texts are the words of which each speaks for a unit.
func (u unit) texts() []string { return slices.Concat(u.Parts, u.Names) }

// asked is a query taken apart.
type asked struct {
	Query
	units   []unit // units are what is searched for, each once.
	exclude []unit // exclude is what must not stand there.
	idle    bool   // idle says that there are several words, none of which says anything.
}

// parse takes a query apart. Whatever is in it, it is never wrong: what is pasted from elsewhere is
// full of quotes, of words behind a minus and of words before a colon that nobody meant to say
// anything to a search.
func parse(q Query) asked {
	a := asked{Query: q}
	if a.Limit <= 0 {
		a.Limit = 20
	}
	all := unitSet{seen: map[string]bool{}, most: mostUnits}
	tokens := tokensOf(q.Text, q.Plain)
	end := excluding(tokens)
	for i, t := range tokens {
		if all.full() {
			break
		}
		switch {
		case i >= end && t.minus:
			a.exclude = append(a.exclude, phraseOf(t.word)...)
		case t.quoted && !q.loose:
			all.add(slices.Values(phraseOf(t.word)))
		case !q.Plain && !t.quoted && !t.minus && a.narrow(t.word):
		default:
			all.add(unitsOf(t.word))
		}
	}
	all.most = all.spoken + mostUnits
	for _, text := range q.Also {
		for u := range unitsOf(text[:min(len(text), mostText)]) {
			if u.also = true; !u.IsStop() {
				all.add(slices.Values([]unit{u}))
			}
		}
	}
	a.units, a.idle = all.withoutStops()
	return a
}

// token is a word of a query, or a phrase in double quotes.
type token struct {
	word          string
	quoted, minus bool
}

// tokensOf takes a text apart, up to a bound. A plain one is one token.
func tokensOf(text string, plain bool) []token {
	text = strings.ToValidUTF8(text[:min(len(text), mostText)], " ")
	if plain {
		return []token{{word: text}}
	}
	var tokens []token
	for text != "" {
		var t token
		if t.word, t.quoted, t.minus, text = nextWord(text); t.word != "" {
			tokens = append(tokens, t)
		}
	}
	return tokens
}

// excluding returns where the words end that a query asks for. A minus excludes a word only behind
// all of them: anywhere else it begins a flag of a program, or stands for a dash. Where there are
// none, nothing is excluded.
func excluding(tokens []token) int {
	var none asked
	for i, t := range slices.Backward(tokens) {
		if !t.minus && (t.quoted || !none.narrow(t.word)) {
			return i + 1
		}
	}
	return len(tokens)
}

// nextWord cuts off the next word, or the next phrase in double quotes. A quote that is not closed
// is no quote.
func nextWord(text string) (word string, quoted, minus bool, rest string) {
	text = strings.TrimLeft(text, " \t\r\n\v\f\x00")
	if body, ok := strings.CutPrefix(text, "-"); ok && body != "" && !strings.ContainsAny(body[:1], " \t\r\n-") {
		minus, text = true, body
	}
	if body, ok := strings.CutPrefix(text, `"`); ok {
		if inside, rest, ok := strings.Cut(body, `"`); ok {
			return inside, true, minus, rest
		}
		text = body
	}
	end := strings.IndexAny(text, " \t\r\n\v\f\x00")
	if quote := strings.IndexByte(text, '"'); quote > 0 && (end < 0 || quote < end) && text[quote-1] != ':' {
		end = quote
	} else if quote > 0 && (end < 0 || quote < end) {
		if after := strings.IndexByte(text[quote+1:], '"'); after >= 0 { // kind:"a b"
			end = quote + after + 2
		}
	}
	if end < 0 {
		return text, false, minus, ""
	}
	return text[:end], false, minus, text[end:]
}

// narrow takes a word such as kind:decision for a filter, and reports whether it is one.
func (a *asked) narrow(word string) bool {
	name, value, ok := strings.Cut(word, ":")
	value = strings.Trim(value, `"`)
	if !ok || value == "" || strings.HasPrefix(value, "//") {
		return false
	}
	switch strings.ToLower(name) {
	case "kind":
		kind, ok := kindOf(value)
		if !ok {
			return false
		}
		a.Kinds = append(slices.Clip(a.Kinds), kind)
	case "tag":
		a.Tags = append(slices.Clip(a.Tags), value)
	case "topic":
		a.Topic = value
	case "path":
		a.Path = value
	case "branch":
		a.Branch = value
	case "author":
		a.Author = value
	default:
		return false
	}
	return true
}

// kindOf returns a kind of items or records, or what another word for one means.
func kindOf(word string) (kind string, ok bool) {
	word = strings.ToLower(word)
	switch word {
	case packet.ItemGoal, packet.ItemNext, packet.ItemCriterion, packet.ItemConstraint, packet.ItemQuestion, packet.ItemDecision,
		packet.ItemMethod, packet.ItemAttempt, packet.ItemOutcome, packet.ItemSkip, string(packet.KindPacket), string(packet.KindNote):
		return word, true
	default:
		return packet.NoteKind(word)
	}
}

// phraseOf returns one unit for words that must stand next to each other.
func phraseOf(text string) []unit {
	units := slices.Collect(unitsOf(text))
	if len(units) < 2 {
		return units
	}
	all := unit{phrase: true}
	for _, u := range units {
		all.Shown = strings.TrimSpace(all.Shown + " " + u.Shown)
		all.Parts = append(all.Parts, u.Parts...)
	}
	return []unit{all}
}

// unitsOf yields the units of a text.
func unitsOf(text string) iter.Seq[unit] {
	return func(yield func(unit) bool) {
		for w := range words.All(text) {
			if !yield(unit{Word: w}) {
				return
			}
		}
	}
}

// unitSet is the units of a query, each once, up to a bound.
type unitSet struct {
	list   []unit
	seen   map[string]bool
	spoken int // spoken is how many of them say something.
	most   int // most is how many of these there may be.
}

func (s *unitSet) full() bool { return s.spoken >= s.most }

// add takes in the units that are not there yet.
func (s *unitSet) add(more iter.Seq[unit]) {
	for u := range more {
		if s.full() {
			return
		}
		key := strings.Join(u.Parts, " ") + "\n" + u.Whole()
		if u.phrase {
			key += "\n"
		}
		if s.seen[key] || len(u.Parts) == 0 {
			continue
		}
		s.seen[key] = true
		s.list = append(s.list, u)
		if !u.IsStop() {
			s.spoken++
		}
	}
}

// withoutStops leaves out the words that say nothing. One alone may be a name; of several, nothing
// is left to ask for.
func (s *unitSet) withoutStops() (kept []unit, idle bool) {
	if s.spoken == 0 {
		return s.list, len(s.list) > 1
	}
	return slices.DeleteFunc(s.list, func(u unit) bool { return u.IsStop() }), false
}
