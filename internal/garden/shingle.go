package garden

import (
	"slices"
	"unicode"
)

// longText is the number of words from which a text is long: over 820 pairs
// of texts of one project, two that had nothing to do with each other reached
// .3 of their characters from about 1,000 characters on.
const longText = 120

// A texture is what the likeness of texts is told by. Short texts are compared
// by their runs of three characters: one changed word takes three runs of words
// with it, so that what says the same in other words falls to zero, while
// characters forgive an inflection or a turned sentence and work for scripts
// that do not part words. In long texts such runs meet by chance, and so two
// long texts are compared by their runs of three words.
type texture struct {
	runes shingles
	words shingles // nil for a short text
}

// textureOf returns the texture of a text.
func textureOf(s string) texture { return texture{runes: runeShingles(s), words: wordShingles(s)} }

// similarityTo is the part of all runs of two texts that both have.
func (t texture) similarityTo(o texture) float64 {
	if t.words != nil && o.words != nil {
		return t.words.similarityTo(o.words)
	}
	return t.runes.similarityTo(o.runes)
}

// Shingles are numbers that stand for the runs of a text, each once and in order.
type shingles []uint64

// runeShingles returns the runs of three characters of the folded text. Each holds three characters of 21 bits,
// so that no two of them are taken for one.
func runeShingles(s string) shingles {
	const window = 1<<63 - 1
	list, last, n := make(shingles, 0, len(s)+2), uint64(0), 0
	add := func(r rune) {
		last = (last<<21 | uint64(r)&0x1fffff) & window //nolint:gosec // A character is never negative.
		if n++; n >= 3 {
			list = append(list, last)
		}
	}
	add(' ')
	for word := range eachWord(s) {
		for _, c := range word {
			add(unicode.ToLower(c))
		}
		add(' ')
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// wordShingles returns digests of the runs of three words of a long text.
func wordShingles(s string) shingles {
	var list shingles
	var last [3]uint64
	n := 0
	for word := range eachWord(s) {
		last[0], last[1], last[2] = last[1], last[2], wordDigest(word)
		if n++; n >= 3 {
			list = append(list, (last[0]*31+last[1])*31+last[2])
		}
	}
	if n < longText {
		return nil
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// wordDigest returns a number for a word, whatever its case.
func wordDigest(word string) uint64 {
	sum := uint64(14695981039346656037) // FNV-1a over the characters.
	for _, c := range word {
		sum = (sum ^ uint64(unicode.ToLower(c))) * 1099511628211 //nolint:gosec // A character is never negative.
	}
	return sum
}

// similarityTo is the part of all shingles that both have.
func (s shingles) similarityTo(o shingles) float64 {
	both := countShared(s, o)
	return shareOf(both, len(s)+len(o)-both)
}

// shareOf is n of all, and nothing of nothing.
func shareOf(n, all int) float64 {
	if all == 0 {
		return 0
	}
	return float64(n) / float64(all)
}
