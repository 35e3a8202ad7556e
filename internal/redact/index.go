package redact

import "github.com/git-ltm/git-ltm/internal/redact/lex"

// An index finds every keyword of every rule in one pass over a text. It keeps
// a chain of keywords for each three first bytes, and one for each two first
// bytes of keywords that have no more. That costs some microseconds to build: a
// hook pays that on every start, and would pay a hundred times as much for an
// automaton.
type index struct {
	heads [1 << 15]int32 // First entry of the chain, plus one.
	pairs [1 << 10]int32 // The same for keywords of two bytes.
	// One bit for what three bytes begin, to look at first: chains mix letters and signs.
	begun   [1 << 11]uint32
	met     [1 << 9]uint32 // The same for two.
	entries []entry
}

type entry struct {
	keyword string
	rule    int
	next    int32
	fourth  byte // The fourth byte in lower case, or zero where there is none.
}

// addKeyword makes keyword, in any case and at least two bytes long, ask rule.
func (x *index) addKeyword(keyword string, rule int) {
	a, b := lex.Fold(keyword[0]), lex.Fold(keyword[1])
	head, begun, fourth := &x.pairs[pairOf(a, b)], bitOfPair(a, b), byte(0)
	bits := x.met[:]
	if len(keyword) > 2 {
		c := lex.Fold(keyword[2])
		head, begun, bits = &x.heads[tripleOf(a, b, c)], bitOfTriple(a, b, c), x.begun[:]
	}
	if len(keyword) > 3 {
		fourth = lex.Fold(keyword[3])
	}
	bits[begun>>5] |= 1 << (begun & 31)
	x.entries = append(x.entries, entry{keyword, rule, *head, fourth})
	*head = int32(len(x.entries)) //nolint:gosec // A rule file is bounded, and so are its keywords.
}

// eachKeyword calls ask for every keyword that stands in text, in the order of the
// text.
func (x *index) eachKeyword(text string, ask func(rule int, keyword lex.Span)) {
	if x == nil || len(text) < 2 {
		return
	}
	a, b := lex.Folded[text[0]], lex.Folded[text[1]]
	for i := 0; ; i++ {
		if pair := bitOfPair(a, b); x.met[pair>>5]&(1<<(pair&31)) != 0 {
			x.askPairs(x.pairs[pairOf(a, b)], i, a, b, ask)
		}
		if i+2 >= len(text) {
			return
		}
		c := lex.Folded[text[i+2]]
		if triple := bitOfTriple(a, b, c); x.begun[triple>>5]&(1<<(triple&31)) != 0 {
			x.askLonger(x.heads[tripleOf(a, b, c)], i, text, ask)
		}
		a, b = b, c
	}
}

// askPairs calls ask for the keywords of a chain that are the bytes a and b.
func (x *index) askPairs(at int32, i int, a, b byte, ask func(rule int, keyword lex.Span)) {
	for ; at != 0; at = x.entries[at-1].next {
		e := &x.entries[at-1]
		if a == lex.Fold(e.keyword[0]) && b == lex.Fold(e.keyword[1]) {
			ask(e.rule, lex.Between(i, i+2))
		}
	}
}

// askLonger calls ask for the keywords of a chain that stand at text[i].
func (x *index) askLonger(at int32, i int, text string, ask func(rule int, keyword lex.Span)) {
	for ; at != 0; at = x.entries[at-1].next {
		e := &x.entries[at-1]
		if (e.fourth == 0 || i+3 < len(text) && lex.Folded[text[i+3]] == e.fourth) &&
			sameFold(text[i:], e.keyword) {
			ask(e.rule, lex.Between(i, i+len(e.keyword)))
		}
	}
}

// pairOf and tripleOf number the chains. The low bits of letters differ.
func pairOf(a, b byte) int { return int(a&31)<<5 | int(b&31) }

func tripleOf(a, b, c byte) int { return int(a&31)<<10 | int(b&31)<<5 | int(c&31) }

// bitOfPair and bitOfTriple number the bits, which differ for the bytes of ASCII and, mostly, for three of
// them.
func bitOfPair(a, b byte) uint32 { return uint32(a&127)<<7 | uint32(b&127) }

func bitOfTriple(a, b, c byte) uint32 {
	return (uint32(a)<<14 ^ uint32(b)<<7 ^ uint32(c)) * 2654435761 >> 16
}

// sameFold says whether text begins with keyword, whatever the case of both.
func sameFold(text, keyword string) bool {
	if len(text) < len(keyword) {
		return false
	}
	for i := range len(keyword) {
		if lex.Fold(text[i]) != lex.Fold(keyword[i]) {
			return false
		}
	}
	return true
}
