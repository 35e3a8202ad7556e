package redact

// identifier says whether value is made of words, as names of things in
// programs are: words of letters that can be spoken, abbreviations, and short
// numbers behind them.
func identifier(value string) bool {
	var n wordCount
	for at := 0; at < len(value); {
		if isJoiner(value[at]) {
			at++
			continue
		}
		end := wordEnd(value, at)
		if end == at {
			return false
		}
		if capsInside(value[at:end]) && isLetter(byteAt(value, end)) {
			return false
		}
		where := inside
		if isEdge(value, at-1) && isEdge(value, end) {
			where = apart
		}
		n.add(value[at:end], where)
		at = end
	}
	if n.joined == 0 && n.words > 2 && n.numbers > 0 && len(value) >= 14 && !isDigit(value[len(value)-1]) && n.letters < 3*n.words {
		return false
	}
	return n.words > 0 && n.spoken*5 >= n.letters*3 && n.odd*4 <= n.words && n.numbers <= n.joined+1
}

// capsInside says whether a word is four or more capitals and digits, which no
// name has in its middle.
func capsInside(word string) bool {
	return len(word) > 4 && isDigit(word[len(word)-1]) && isUpper(word[0]) && isUpper(word[3])
}

// A wordCount tells what the words of a value are made of.
type wordCount struct {
	words   int
	letters int // Letters of all words.
	spoken  int // Letters of words that can be spoken, or are abbreviations.
	odd     int // Words that cannot.
	numbers int // Words that end in digits, or are digits.
	joined  int // Words with a sign in front and behind.
}

// A seat says where in a value a word stands.
type seat int

const (
	inside seat = iota // Beside another word, without a sign between.
	apart              // Between signs.
)

func (n *wordCount) add(word string, where seat) {
	letters := run(word, 0, len(word), isLetter)
	n.words++
	n.letters += letters
	if letters < len(word) {
		n.numbers++
	}
	if where == apart {
		n.joined++
	}
	switch {
	case letters == 0:
	case isSpoken(word[:letters]), where == apart && (letters <= 5 && letters == len(word) || letters <= 3):
		n.spoken += letters
	case letters >= 3:
		n.odd++
	}
}

func isEdge(value string, at int) bool { return at < 0 || at >= len(value) || isJoiner(value[at]) }

func isJoiner(c byte) bool {
	return c == '_' || c == '-' || c == '.' || c == '/' || c == ':' || c == '[' || c == ']' || c == '+'
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

// wordEnd returns the end of the word at value[at]: a capital or none, small
// letters, and up to three digits; or capitals alone; or a short number. It
// returns at if there is none.
func wordEnd(value string, at int) int {
	capitals := run(value, at, len(value), isUpper)
	end := capitals
	if capitals-at <= 1 {
		end = run(value, capitals, len(value), isLower)
	} else if isLower(byteAt(value, capitals)) {
		return capitals - 1
	}
	digits := run(value, end, len(value), isDigit)
	switch {
	case end == at && (digits-at > 4 || isLetter(byteAt(value, digits))):
		return at
	case end > at && digits-end > 3:
		return at
	case end-at > 24:
		return at
	}
	return digits
}
