package redact

import (
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact/lex"

	_ "embed"
)

// An index finds every keyword of some rules in one pass over a text. It is one string of bytes, so that
// the one of the built-in rules lies in the program as it is used, and nothing is made when a process starts:
//
//	filters  of all keywords, and of those of rules that look at text which was decoded or put together
//	chains   for each hash of a head, where its chain begins; behind them, where the last one ends
//	then     the chains: for each keyword its length, the number of its rule in two bytes, and the keyword
//
// The head of a keyword is its first four bytes, or all where it has fewer. A filter has one bit for each
// pair of bytes that is a head, then for each hash of heads of three bytes, and of four: it is asked at every
// byte of a text, so that it has to be small, and chains mix what has one hash. All is in small letters.
type index string

const (
	threeBits, longBits, chainBits = 16, 17, 14

	threesAt   = 1 << 16 / 8
	longAt     = threesAt + 1<<threeBits/8
	filterSize = longAt + 1<<longBits/8
	chainsAt   = 2 * filterSize
	recordsAt  = chainsAt + 4<<chainBits + 4
	maxHead    = 4 // Bytes of a keyword that tell its chain.
)

// keywordIndex is the index of the built-in rules. TestKeywordIndex makes it.
//
//go:embed keywords.bin
var keywordIndex index

// hashOf returns so many bits of some bytes, of which the first is the lowest.
func hashOf(head uint32, bits int) uint32 { return head * 0x9E3779B1 >> (32 - bits) }

// eachKeyword calls ask for every keyword that stands in text, in the order of the text: where derived is
// true for those of rules that look at text which was decoded or put together, and for some others.
func (x index) eachKeyword(derived bool, text string, ask func(rule int, keyword lex.Span)) {
	filter := x[:filterSize]
	if derived {
		filter = x[filterSize:chainsAt]
	}
	pairs, threes, long := filter[:threesAt], filter[threesAt:longAt], filter[longAt:]
	var head uint32
	for i := range min(maxHead-1, len(text)) {
		head |= uint32(lex.Folded[text[i]]) << (8 * (i + 1))
	}
	for i := range len(text) {
		if head >>= 8; i+maxHead <= len(text) {
			head |= uint32(lex.Folded[text[i+maxHead-1]]) << 24
		}
		if long.hasBit(hashOf(head, longBits)) {
			x.askChain(head, maxHead, text[i:], i, ask)
		}
		if pair := head & 0xFFFF; pairs.hasBit(pair) {
			x.askChain(pair, 2, text[i:], i, ask)
		}
		if three := head & 0xFFFFFF; threes.hasBit(hashOf(three, threeBits)) {
			x.askChain(three, 3, text[i:], i, ask)
		}
	}
}

func (x index) hasBit(bit uint32) bool { return x[bit>>3]>>(bit&7)&1 != 0 }

// askChain calls ask for the keywords of a head that text begins with, which stands at i.
func (x index) askChain(head uint32, size int, text string, i int, ask func(rule int, keyword lex.Span)) {
	chain := chainsAt + 4*int(hashOf(head, chainBits))
	for at, end := x.wordAt(chain), x.wordAt(chain+4); at < end; {
		length, rule := int(x[at]), int(x[at+1])|int(x[at+2])<<8
		at += 3
		if length <= len(text) && min(length, maxHead) == size &&
			(x.wordAt(at)^int(head))&(1<<(8*size)-1) == 0 && hasFold(text, string(x[at:at+length])) {
			ask(rule, lex.Between(i, i+length))
		}
		at += length
	}
}

// wordAt returns the number of four bytes, of which the first is the lowest.
func (x index) wordAt(at int) int {
	return int(x[at]) | int(x[at+1])<<8 | int(x[at+2])<<16 | int(x[at+3])<<24
}

// hasFold says whether text, which has the head of keyword, begins with it in any case of letters.
func hasFold(text, keyword string) bool {
	for i := maxHead; i < len(keyword); i++ {
		if lex.Folded[text[i]] != keyword[i] {
			return text[i] >= 0x80 && strings.EqualFold(text[:len(keyword)], keyword)
		}
	}
	return true
}
