package index

import (
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	mostText  = 16 * 1024 // mostText is how much of a query counts.
	mostUnits = 512       // mostUnits is how many words of a query are looked up.
)

// unit is one thing that a query asks for.
type unit struct {
	shown  string   // shown is the word or the phrase as it was asked.
	parts  []string // parts are its words in their order.
	whole  string   // whole is a name in one, "" where it has one part only.
	names  []string // names are parts of a path or name that are wholes themselves.
	phrase bool     // phrase says that the parts must stand in this order, next to each other.
	stop   bool     // stop says that the word says nothing by itself.
}

// asked is a query taken apart.
type asked struct {
	Query
	units   []unit   // units are what is searched for, each once.
	exclude []unit   // exclude is what must not stand there.
	paths   []string // paths are the paths among the words.
	side    []string // side are the kinds of items that say what is to be done rather than what is known, and are not asked for.
	idle    bool     // idle says that there are several words, none of which says anything.
}

// parse takes a query apart. Whatever is in it, it is never wrong: what is pasted from elsewhere is full of quotes, of
// words behind a minus and of words before a colon that nobody meant to say anything to a search.
func parse(q Query) asked {
	a := asked{Query: q}
	if a.Limit <= 0 {
		a.Limit = 20
	}
	var all []unit
	seen := map[string]bool{}
	tokens := tokensOf(q.Text)
	words := excluding(tokens)
	for i, t := range tokens {
		if len(all) >= mostUnits {
			break
		}
		switch {
		case i >= words && t.minus:
			a.exclude = append(a.exclude, phraseOf(t.word)...)
		case t.quoted && !q.loose:
			all = addUnits(all, seen, phraseOf(t.word))
		case !t.quoted && !t.minus && a.narrow(t.word):
		default:
			all = addUnits(all, seen, unitsOf(t.word))
			a.paths = appendPath(a.paths, t.word)
		}
	}
	a.units, a.idle = withoutStops(all)
	a.side = sideKinds(strings.ToLower(q.Text), a.Kinds)
	return a
}

// token is a word of a query, or a phrase in double quotes.
type token struct {
	word          string
	quoted, minus bool
}

// tokensOf takes a text apart, up to a bound.
func tokensOf(text string) []token {
	text = strings.ToValidUTF8(text, " ")
	if len(text) > mostText {
		text = text[:cutText(text, mostText)]
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

// excluding returns where the words end that a query asks for. A minus excludes a word only behind all of them: anywhere else
// it begins a flag of a program, or stands for a dash. Where there are none, nothing is excluded.
func excluding(tokens []token) int {
	var none asked
	for i, t := range slices.Backward(tokens) {
		if !t.minus && (t.quoted || !none.narrow(t.word)) {
			return i + 1
		}
	}
	return len(tokens)
}

// cutText returns the length of what fits into limit bytes without cutting a character.
func cutText(text string, limit int) int {
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return limit
}

// nextWord cuts off the next word, or the next phrase in double quotes. A quote that is not closed is no quote.
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

// phraseOf returns one unit for words that must stand next to each other.
func phraseOf(text string) []unit {
	units := unitsOf(text)
	if len(units) < 2 {
		return units
	}
	all := unit{phrase: true}
	for _, u := range units {
		all.shown = strings.TrimSpace(all.shown + " " + u.shown)
		all.parts = append(all.parts, u.parts...)
	}
	return []unit{all}
}

// unitsOf returns the units of a text.
func unitsOf(text string) []unit {
	var units []unit
	var l lexeme
	for {
		var chunk string
		if chunk, text = nextChunk(text); chunk == "" {
			return units
		}
		l.read(chunk)
		units = append(units, l.unit(chunk))
	}
}

// unit is what a query asks for with a lexeme.
func (l *lexeme) unit(chunk string) unit {
	u := unit{shown: string(appendFolded(nil, strings.TrimRight(chunk, `_-./\:@#+'’`)))}
	if u.shown == "" || signed(chunk) != "" {
		u.shown = chunk
	}
	for _, s := range l.parts {
		u.parts = append(u.parts, string(l.text(s)))
	}
	u.whole = string(l.text(l.whole))
	for _, s := range l.names {
		if s != l.whole {
			u.names = append(u.names, string(l.text(s)))
		}
	}
	u.stop = stopWord(strings.NewReplacer("'", "", "’", "").Replace(u.shown))
	return u
}

// addUnits appends the units that are not there yet.
func addUnits(all []unit, seen map[string]bool, more []unit) []unit {
	for _, u := range more {
		key := strings.Join(u.parts, " ") + "\n" + u.whole
		if u.phrase {
			key += "\n"
		}
		if !seen[key] && len(u.parts) > 0 {
			seen[key] = true
			all = append(all, u)
		}
	}
	return all
}

// withoutStops leaves out the words that say nothing. One alone may be a name; of several, nothing is left to ask for.
func withoutStops(all []unit) (kept []unit, idle bool) {
	for _, u := range all {
		if !u.stop {
			kept = append(kept, u)
		}
	}
	if len(kept) == 0 {
		return all, len(all) > 1
	}
	return kept, false
}
