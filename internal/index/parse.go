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
	units   []unit // units are what is searched for, each once.
	exclude []unit // exclude is what must not stand there.
}

// parse takes a query apart. Whatever is in it, it is never wrong.
func parse(q Query) asked {
	a := asked{Query: q}
	text := strings.ToValidUTF8(q.Text, " ")
	if len(text) > mostText {
		text = text[:cutText(text, mostText)]
	}
	if a.Limit <= 0 {
		a.Limit = 20
	}
	var all []unit
	seen := map[string]bool{}
	for text != "" && len(all) < mostUnits {
		var word string
		var quoted, minus bool
		word, quoted, minus, text = nextWord(text)
		switch {
		case word == "":
		case minus:
			a.exclude = append(a.exclude, phraseOf(word)...)
		case quoted:
			all = addUnits(all, seen, phraseOf(word))
		case a.narrow(word):
		default:
			all = addUnits(all, seen, unitsOf(word))
		}
	}
	a.units = withoutStops(all)
	return a
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
		a.Kinds = append(slices.Clip(a.Kinds), value)
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

// withoutStops leaves out the words that say nothing, unless there are no others.
func withoutStops(all []unit) []unit {
	var kept []unit
	for _, u := range all {
		if !u.stop {
			kept = append(kept, u)
		}
	}
	if len(kept) == 0 {
		return all
	}
	return kept
}
