package redact

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact/lex"
	"github.com/git-ltm/git-ltm/internal/redact/rules"
)

// KeywordIndex returns the index of the built-in rules as the program has it, and as their tables give it.
func KeywordIndex() (embedded, made string) { return string(keywordIndex), string(newIndex(builtIn())) }

// New returns a Scanner with some rules alone.
func New(rules []Rule) *Scanner {
	s := newScanner(rules, nil)
	s.index = newIndex(rules)
	return s
}

// maxKeyword is how many bytes a keyword has at most.
const maxKeyword = 255

// newIndex returns the index of some rules.
func newIndex(all []Rule) index {
	out, chains := make([]byte, chainsAt, 4*recordsAt), map[uint32]string{}
	for number := range all {
		r := &all[number]
		filters := [][]byte{out[:filterSize], out[filterSize:]}
		if r.asksNames() {
			filters = filters[:1]
		}
		for _, keyword := range r.listKeywords() {
			folded := []byte(keyword)
			for i, c := range folded {
				folded[i] = lex.Fold(c)
			}
			var bytes [maxHead]byte
			size := copy(bytes[:], folded)
			head := binary.LittleEndian.Uint32(bytes[:])
			bit := [...]uint32{head, 8*threesAt + hashOf(head, threeBits), 8*longAt + hashOf(head, longBits)}[size-2]
			for _, filter := range filters {
				filter[bit>>3] |= 1 << (bit & 7)
			}
			chain := hashOf(head, chainBits)
			entry := append([]byte{byte(len(folded)), byte(number), byte(number >> 8)}, folded...)
			chains[chain] = string(entry) + chains[chain]
		}
	}
	at := uint32(recordsAt)
	for chain := range uint32(1 << chainBits) {
		out = binary.LittleEndian.AppendUint32(out, at)
		at += uint32(len(chains[chain])) //nolint:gosec // A rule file is bounded, and so are its keywords.
	}
	out = binary.LittleEndian.AppendUint32(out, at)
	for chain := range uint32(1 << chainBits) {
		out = append(out, chains[chain]...)
	}
	return index(append(out, 0, 0)) // A word is read at a keyword that may have two bytes.
}

// listKeywords returns literals of two bytes or more. The rule is asked only where one of them stands, in any
// case of letters.
func (r *Rule) listKeywords() []string {
	switch {
	case r.gitleaks != "":
		return rules.WordsOf(strings.Split(r.gitleaks, "\t")[2])
	case r.isToken():
		prefixes, _, _ := strings.Cut(r.row, "\t")
		return rules.WordsOf(prefixes)
	default:
		return keywordsOf(r.lineOf("at"))
	}
}

// Keywords returns what makes the built-in rules look closer.
func Keywords() []string {
	var all []string
	for _, rule := range BuiltIn().Rules() {
		all = append(all, rule.listKeywords()...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// FirstKeywords returns one keyword of each built-in rule.
func FirstKeywords() []string {
	var all []string
	for _, rule := range builtIn() {
		all = append(all, rule.listKeywords()[0])
	}
	slices.Sort(all)
	return slices.Compact(all)
}
