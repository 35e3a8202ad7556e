package words

import "strings"

// Stem shortens an English word in lower case to its stem, by the rules that Martin Porter
// published in 1980. What is not plain letters stays as it is.
func Stem(word string) string {
	if len(word) < 3 || strings.ContainsFunc(word, func(c rune) bool { return c < 'a' || c > 'z' }) {
		return word
	}
	s := stemmer{[]byte(word)}
	s.cutPlural()
	s.cutPast()
	s.finalY()
	s.swapSuffix(0, doubleSuffixes[:])
	s.swapSuffix(0, fullSuffixes[:])
	s.cutResidue()
	s.finalE()
	return string(s.word)
}

// stemmer holds what is left of a word.
type stemmer struct{ word []byte }

// suffix is an ending and what takes its place.
type suffix struct{ end, by string }

// doubleSuffixes are the endings of the second step.
//
//nolint:gochecknoglobals // A table that nobody writes to.
var doubleSuffixes = [...]suffix{
	{"ational", "ate"},
	{"tional", "tion"},
	{"enci", "ence"},
	{"anci", "ance"},
	{"izer", "ize"},
	{"bli", "ble"},
	{"alli", "al"},
	{"entli", "ent"},
	{"eli", "e"},
	{"ousli", "ous"},
	{"ization", "ize"},
	{"ation", "ate"},
	{"ator", "ate"},
	{"alism", "al"},
	{"iveness", "ive"},
	{"fulness", "ful"},
	{"ousness", "ous"},
	{"aliti", "al"},
	{"iviti", "ive"},
	{"biliti", "ble"},
	{"logi", "log"},
}

// fullSuffixes are the endings of the third step.
//
//nolint:gochecknoglobals // A table that nobody writes to.
var fullSuffixes = [...]suffix{
	{"icate", "ic"},
	{"ative", ""},
	{"alize", "al"},
	{"iciti", "ic"},
	{"ical", "ic"},
	{"ful", ""},
	{"ness", ""},
}

// lastSuffixes are the endings of the fourth step, apart from -ion.
//
//nolint:gochecknoglobals // A table that nobody writes to.
var lastSuffixes = [...]suffix{
	{"al", ""},
	{"ance", ""},
	{"ence", ""},
	{"er", ""},
	{"ic", ""},
	{"able", ""},
	{"ible", ""},
	{"ant", ""},
	{"ement", ""},
	{"ment", ""},
	{"ent", ""},
	{"ou", ""},
	{"ism", ""},
	{"ate", ""},
	{"iti", ""},
	{"ous", ""},
	{"ive", ""},
	{"ize", ""},
}

// isVowel reports whether the letter at i is a vowel: y is one after a consonant.
func (s *stemmer) isVowel(i int) bool {
	switch s.word[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return true
	case 'y':
		return i > 0 && !s.isVowel(i-1)
	default:
		return false
	}
}

// measure counts how often a vowel is followed by a consonant in the first n letters.
func (s *stemmer) measure(n int) int {
	count, before := 0, false
	for i := range n {
		now := s.isVowel(i)
		if before && !now {
			count++
		}
		before = now
	}
	return count
}

// hasVowel reports whether there is a vowel in the first n letters.
func (s *stemmer) hasVowel(n int) bool {
	for i := range n {
		if s.isVowel(i) {
			return true
		}
	}
	return false
}

// isDoubled reports whether the word ends in a consonant twice.
func (s *stemmer) isDoubled() bool {
	n := len(s.word)
	return n > 1 && s.word[n-1] == s.word[n-2] && !s.isVowel(n-1)
}

// isShort reports whether the first n letters end in consonant, vowel and consonant, of which the
// last is not w, x or y.
func (s *stemmer) isShort(n int) bool {
	return n > 2 && !s.isVowel(n-1) && s.isVowel(n-2) && !s.isVowel(n-3) &&
		!strings.ContainsRune("wxy", rune(s.word[n-1]))
}

// ends returns how long the word is without an ending, or -1 where it ends otherwise.
func (s *stemmer) ends(end string) int {
	if len(s.word) <= len(end) || s.word[len(s.word)-1] != end[len(end)-1] ||
		string(s.word[len(s.word)-len(end):]) != end {
		return -1
	}
	return len(s.word) - len(end)
}

// setEnding puts an ending in the place of what follows the first n letters.
func (s *stemmer) setEnding(n int, by string) { s.word = append(s.word[:n], by...) }

// cutPlural takes off what makes a plural.
func (s *stemmer) cutPlural() {
	switch {
	case s.ends("sses") >= 0, s.ends("ies") >= 0:
		s.setEnding(len(s.word)-2, "")
	case s.ends("ss") >= 0:
	case s.ends("s") >= 0:
		s.setEnding(len(s.word)-1, "")
	}
}

// cutPast takes off -eed, -ed and -ing.
func (s *stemmer) cutPast() {
	if n := s.ends("eed"); n >= 0 {
		if s.measure(n) > 0 {
			s.setEnding(n, "ee")
		}
		return
	}
	n := max(s.ends("ed"), s.ends("ing"))
	if n < 0 || !s.hasVowel(n) {
		return
	}
	s.setEnding(n, "")
	switch {
	case s.ends("at") >= 0, s.ends("bl") >= 0, s.ends("iz") >= 0:
		s.setEnding(n, "e")
	case s.isDoubled() && !strings.ContainsRune("lsz", rune(s.word[n-1])):
		s.setEnding(n-1, "")
	case s.measure(n) == 1 && s.isShort(n):
		s.setEnding(n, "e")
	}
}

// finalY makes an i of a y.
func (s *stemmer) finalY() {
	if n := s.ends("y"); n >= 0 && s.hasVowel(n) {
		s.setEnding(n, "i")
	}
}

// swapSuffix replaces the first ending of a list that fits, where what stands before it measures more than
// least.
func (s *stemmer) swapSuffix(least int, list []suffix) {
	for _, one := range list {
		if n := s.ends(one.end); n >= 0 {
			if s.measure(n) > least {
				s.setEnding(n, one.by)
			}
			return
		}
	}
}

// cutResidue takes off what the steps before have left of an ending.
func (s *stemmer) cutResidue() {
	if n := s.ends("ion"); n > 0 && (s.word[n-1] == 's' || s.word[n-1] == 't') {
		if s.measure(n) > 1 {
			s.setEnding(n, "")
		}
		return
	}
	s.swapSuffix(1, lastSuffixes[:])
}

// finalE takes off an e, and one of two letters l.
func (s *stemmer) finalE() {
	if n := s.ends("e"); n >= 0 && (s.measure(n) > 1 || s.measure(n) == 1 && !s.isShort(n)) {
		s.setEnding(n, "")
	}
	if n := len(s.word); s.ends("l") >= 0 && s.isDoubled() && s.measure(n-1) > 1 {
		s.setEnding(n-1, "")
	}
}
