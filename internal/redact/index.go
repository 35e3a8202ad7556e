package redact

// An index finds every keyword of every rule in one pass over a text. It
// keeps a chain of keywords for each pair of first bytes, which costs a few
// microseconds to build: a hook pays that on every start, and would pay a
// hundred times as much for an automaton.
type index struct {
	heads   [1 << 14]int // First entry of the chain, plus one.
	entries []entry
}

type entry struct {
	keyword string
	rule    int
	next    int
}

// add makes keyword, in lower case and at least two bytes long, ask rule.
func (x *index) add(keyword string, rule int) {
	pair := pairOf(keyword[0], keyword[1])
	x.entries = append(x.entries, entry{keyword, rule, x.heads[pair]})
	x.heads[pair] = len(x.entries)
}

// each calls ask for every keyword that stands in text, in the order of the
// text.
func (x *index) each(text string, ask func(rule int, keyword span)) {
	for i := 0; i+1 < len(text); i++ {
		for at := x.heads[pairOf(text[i], text[i+1])]; at != 0; at = x.entries[at-1].next {
			e := &x.entries[at-1]
			if hasFold(text[i:], e.keyword) {
				ask(e.rule, span{i, i + len(e.keyword)})
			}
		}
	}
}

func pairOf(a, b byte) int { return int(fold(a)&0x7f)<<7 | int(fold(b)&0x7f) }

// fold returns the lower case of an ASCII letter and other bytes unchanged.
func fold(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | 0x20
	}
	return c
}

// hasFold says whether text begins with keyword, which is in lower case.
func hasFold(text, keyword string) bool {
	if len(text) < len(keyword) {
		return false
	}
	for i := range len(keyword) {
		if fold(text[i]) != keyword[i] {
			return false
		}
	}
	return true
}

// containsFold says whether text holds keyword, which is in lower case.
func containsFold(text, keyword string) bool {
	for i := 0; i+len(keyword) <= len(text); i++ {
		if hasFold(text[i:], keyword) {
			return true
		}
	}
	return false
}
