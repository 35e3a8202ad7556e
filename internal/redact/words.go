package redact

import "strings"

// identifier says whether a person named value, as things in programs are
// named, and no machine made it: its letters, digits and signs follow each
// other as in words.
func identifier(value string) bool {
	return hasLetter(value) && run(value, 0, len(value), isNaming) == len(value) && chance(value) < 0
}

// hasLetter says whether value has a letter.
func hasLetter(value string) bool {
	return run(value, 0, len(value), func(c byte) bool { return !isLetter(c) }) < len(value)
}

// isNaming says whether c may stand in the name of something.
func isNaming(c byte) bool { return isAlnum(c) || isJoiner(c) }

func isJoiner(c byte) bool {
	return c == '_' || c == '-' || c == '.' || c == '/' || c == ':' || c == '[' || c == ']' || c == '+'
}

// What generate/bigrams says of its table: of the words that it did not learn
// from, 0.7 % in Markdown, 1 to 4 % in other texts and code and 16 % in Go, whose
// tables of constants are many, reach zero, which is as likely in both. Of the
// secrets of 8 characters 1.1 % do not, of 12 0.4 %, of 16 0.1 %.
const (
	bigramSigns   = "_-./:+="
	bigramSymbols = 26 + 26 + 1 + len(bigramSigns) + 1
	bigramZero    = 'P'
	bigramScale   = 5
)

// chance returns how much likelier the pairs of characters in value are in what
// a machine makes than in words: the mean logarithm, above zero if they are.
func chance(value string) float64 {
	if len(value) < 2 {
		return 0
	}
	sum := 0
	for i := 1; i < len(value); i++ {
		sum += int(bigramTable[bigramSymbol(value[i-1])*(bigramSymbols+1)+bigramSymbol(value[i])]) - bigramZero
	}
	return float64(sum) / bigramScale / float64(len(value)-1)
}

// bigramSymbol returns the row and the column of c in bigramTable.
func bigramSymbol(c byte) int {
	switch {
	case isLower(c):
		return int(c - 'a')
	case isUpper(c):
		return 26 + int(c-'A')
	case isDigit(c):
		return 52
	}
	if i := strings.IndexByte(bigramSigns, c); i >= 0 {
		return 53 + i
	}
	return bigramSymbols - 1
}

// isSpoken says whether a word of at least three letters has vowels and
// consonants as spoken words have them.
func isSpoken(word string) bool {
	if len(word) < 3 {
		return false
	}
	vowels, consonants, most := 0, 0, 0
	for i := range len(word) {
		switch fold(word[i]) {
		case 'a', 'e', 'i', 'o', 'u', 'y':
			vowels++
			consonants = 0
		default:
			consonants++
			most = max(most, consonants)
		}
	}
	return vowels > 0 && vowels*6 >= len(word) && most <= 4 && vowels*4 <= len(word)*3
}
