package redact

import (
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact/lex"
)

// An index finds every keyword of every rule in one pass over a text. It keeps a chain of keywords for each
// hash of four first bytes, or of all where there are fewer. That costs some microseconds to build: a
// hook pays that on every start, and would pay a hundred times as much for an automaton.
type index struct {
	heads   [1 << 14]int32 // First entry of the chain, plus one.
	all     filter
	shapes  filter // Of rules that look at text which was decoded or put together.
	entries []entry
}

// A filter has one bit for what two, three or four bytes begin, to look at first: chains mix what has one hash.
type filter [maxHead - 1][1 << 12]uint32

type entry struct {
	keyword string
	rule    int
	next    int32
	head    uint32
}

// addKeyword makes keyword, in any case and at least two bytes long, ask the rule r, of that number.
func (x *index) addKeyword(keyword string, r *Rule, rule int) {
	size := min(maxHead, len(keyword))
	var head uint32
	for i := range size {
		head |= uint32(lex.Fold(keyword[i])) << (8 * i)
	}
	bit := hashOf(head)
	x.all[size-2][bit>>5] |= 1 << (bit & 31)
	if !r.asksNames() {
		x.shapes[size-2][bit>>5] |= 1 << (bit & 31)
	}
	x.entries = append(x.entries, entry{keyword, rule, x.heads[bit>>3], head})
	x.heads[bit>>3] = int32(len(x.entries)) //nolint:gosec // A rule file is bounded, and so are its keywords.
}

// maxHead is how many bytes of a keyword tell its chain.
const maxHead = 4

// hashOf returns 17 bits of the first bytes of a keyword, of which the first is the lowest.
func hashOf(head uint32) uint32 { return uint32(uint64(head) * 0x9E3779B97F4A7C15 >> 47) }

// eachKeyword calls ask for every keyword of begun that stands in text, and for some that are not of it, in the
// order of the text.
func (x *index) eachKeyword(begun *filter, text string, ask func(rule int, keyword lex.Span)) {
	var head uint32
	for i := range min(maxHead-1, len(text)) {
		head |= uint32(lex.Folded[text[i]]) << (8 * (i + 1))
	}
	for i := range len(text) {
		if head >>= 8; i+maxHead <= len(text) {
			head |= uint32(lex.Folded[text[i+maxHead-1]]) << 24
			if bit := hashOf(head); begun[2][bit>>5]>>(bit&31)&1 != 0 {
				x.askChain(head, text, i, ask)
			}
		}
		two, three := hashOf(head&0xFFFF), hashOf(head&0xFFFFFF)
		if begun[0][two>>5]>>(two&31)&1 != 0 {
			x.askChain(head&0xFFFF, text, i, ask)
		}
		if begun[1][three>>5]>>(three&31)&1 != 0 {
			x.askChain(head&0xFFFFFF, text, i, ask)
		}
	}
}

// askChain calls ask for the keywords with this head that stand at text[i].
func (x *index) askChain(head uint32, text string, i int, ask func(rule int, keyword lex.Span)) {
	for at := x.heads[hashOf(head)>>3]; at != 0; at = x.entries[at-1].next {
		if e := &x.entries[at-1]; e.head == head && len(text)-i >= len(e.keyword) && hasFold(text[i:], e.keyword) {
			ask(e.rule, lex.Between(i, i+len(e.keyword)))
		}
	}
}

// hasFold says whether text, which has the head of keyword, begins with it in any case of letters.
func hasFold(text, keyword string) bool {
	for i := maxHead; i < len(keyword); i++ {
		if lex.Folded[text[i]] != lex.Folded[keyword[i]] {
			return text[i] >= 0x80 && strings.EqualFold(text[:len(keyword)], keyword)
		}
	}
	return true
}
