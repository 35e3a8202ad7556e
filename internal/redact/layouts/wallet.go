package layouts

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"sort"
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact/lex"
	"github.com/git-ltm/git-ltm/internal/redact/rules"
)

// Sizes of the list of words and of a phrase.
const (
	seedWidth = 8
	seedCount = 2048
	minPhrase = 12
	maxPhrase = 24
)

// findPhrase finds a phrase behind its name, or one whose last word confirms
// the others.
func findPhrase(text string, keyword lex.Span) (lex.Span, bool) {
	if keyword.End-keyword.Start <= 2 {
		return findBarePhrase(text, keyword.Start+1)
	}
	const reach = 48
	for at, limit := keyword.End, min(len(text), keyword.End+reach); at < limit; {
		at = lex.Run(text, at, limit, func(c byte) bool { return !lex.IsLetter(c) })
		words := phraseAt(text, at)
		if n := len(words); n >= minPhrase {
			size := min(maxPhrase, n-n%3)
			return lex.Between(words[0].Start, words[size-1].End), isVaried(text, words)
		}
		at = lex.Run(text, at, len(text), lex.IsLetter)
	}
	return lex.Span{}, false
}

// isVaried says whether words are not all the same few.
func isVaried(text string, words []lex.Span) bool {
	seen := map[string]bool{}
	for _, word := range words {
		seen[word.Of(text)] = true
	}
	return len(seen) >= len(words)/2
}

// findBarePhrase looks for a phrase around the word at text[at].
func findBarePhrase(text string, at int) (lex.Span, bool) {
	end := lex.Run(text, at, min(len(text), at+seedWidth+1), lex.IsLower)
	if !lex.IsSpace(lex.ByteAt(text, end)) || seedNumber(text[at:end]) < 0 {
		return lex.Span{}, false
	}
	for range maxPhrase {
		gap := lex.Back(text, at, max(0, at-8), isBetweenWords)
		start := lex.Back(text, gap, max(0, gap-1-seedWidth), lex.IsLower)
		if gap == at || seedNumber(text[start:gap]) < 0 {
			break
		}
		if strings.IndexByte("scpda", text[start]) >= 0 && start > 0 && lex.IsSpace(text[start-1]) {
			return lex.Span{}, false // The keyword in front of that word has been asked already.
		}
		at = start
	}
	words := phraseAt(text, at)
	for size := maxPhrase; size >= minPhrase; size -= 3 { // The longest phrase whose checksum is right.
		for from := 0; from+size <= len(words); from++ {
			if part := words[from : from+size]; hasChecksum(text, part) && isVaried(text, part) {
				return lex.Between(part[0].Start, part[size-1].End), true
			}
		}
	}
	return lex.Span{}, false
}

// phraseAt returns the words of the list that stand at text[at], up to a few
// more than a phrase has. Numbers, quotes and commas may stand between them.
func phraseAt(text string, at int) []lex.Span {
	var words []lex.Span
	for len(words) < maxPhrase+4 {
		end := lex.Run(text, at, min(len(text), at+seedWidth+1), lex.IsLetter)
		if seedNumber(text[at:end]) < 0 {
			break
		}
		words = append(words, lex.Between(at, end))
		at = lex.Run(text, end, min(len(text), end+8), isBetweenWords)
	}
	return words
}

func isBetweenWords(c byte) bool {
	return lex.IsSpace(c) || lex.IsDigit(c) || strings.IndexByte(`,.;"'-_)(|`, c) >= 0
}

// seedNumber returns the number of a word in the list, or -1.
func seedNumber(word string) int {
	if len(word) < 3 || len(word) > seedWidth {
		return -1
	}
	key := binary.BigEndian.Uint64([]byte(strings.ToLower(word) + "        ")[:seedWidth])
	n, ok := sort.Find(seedCount, func(i int) int {
		at := i*seedWidth + i/16*2 // A line has 16 words, filled up with blanks, and two bytes behind them.
		return cmp.Compare(key, binary.BigEndian.Uint64([]byte(rules.SeedTable[at:at+seedWidth])))
	})
	if !ok {
		return -1
	}
	return n
}

// hasChecksum says whether the last bits of a phrase are the checksum of the
// others.
func hasChecksum(text string, words []lex.Span) bool {
	const bitsOfWord = 11
	var bits [maxPhrase*bitsOfWord/8 + 1]byte
	at := 0
	for _, word := range words {
		number := seedNumber(word.Of(text))
		for i := bitsOfWord - 1; i >= 0; i-- {
			bits[at/8] |= byte(number>>i&1) << (7 - at%8)
			at++
		}
	}
	checked := len(words) / 3 // Bits of the checksum.
	entropy := (len(words)*bitsOfWord - checked) / 8
	sum := sha256.Sum256(bits[:entropy])
	return sum[0]>>(8-checked) == bits[entropy]>>(8-checked)
}
