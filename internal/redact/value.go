package redact

import (
	"strings"
)

// accepts says whether a value that stands behind a name of this kind looks
// like a secret, and not like prose, a reference or a filler.
func (k nameKind) accepts(value string) bool {
	switch k {
	case hinted:
		return looksRandom(value) && !namesThing(value)
	case keyed:
		return looksRandom(value) && !namesThing(value) ||
			isGivenKey(value) && (isUUID(value) || run(value, 0, len(value), isHex) == len(value))
	case strong, chosen:
		return secretValue(value, k)
	default:
		return false
	}
}

// minRandom is the least length of a value that gives itself away.
const minRandom = 16

// looksRandom says whether a value looks as if a machine had made it and is none of
// the things that look so and are no secret.
func looksRandom(value string) bool {
	if len(value) < minRandom ||
		strings.ContainsAny(value[:min(len(value), maxValue)], " \t\n(){}<>\"'`,;") || isPlaceholder(value) {
		return false
	}
	value = value[:min(len(value), maxValue)]
	n := classesOf(value)
	switch {
	case isPair(value) || isStandard(value):
		return false
	case n.lower+n.upper < 4 || callOrPath(value) || isIdentifier(value) || isUUID(value) || isULID(value):
		return false
	case run(value, 0, len(value), isHex) == len(value):
		return len(value) == 32 && n.digit >= 4
	case strings.HasPrefix(value, "sha") || strings.HasPrefix(value, "h1:") ||
		strings.Contains(value, "sha256") || isResource(value):
		return false
	case n.digit >= 2:
		return madeScore(value) >= 0
	default:
		return len(value) >= 24-4*n.digit && n.lower > 3 && n.upper > 3 && madeScore(value) >= surelyMade
	}
}

// isDate says whether a value begins as a date does.
func isDate(value string) bool {
	return len(value) >= 10 && value[4] == '-' && value[7] == '-' && run(value, 0, 4, isDigit) == 4 &&
		isDigit(value[5]) && isDigit(value[8])
}

// isPair says whether a value is a name and what is given to it.
func isPair(value string) bool {
	name, given, ok := strings.Cut(value, "=")
	return ok && len(name) > 1 && strings.Trim(given, "=") != "" &&
		run(name, 0, len(name), isDotted) == len(name) && isLetter(name[0])
}

// isStandard says whether a value is the number of a standard, the id of a key
// in capitals, or an amount: "RFC6749", "ERC-721A".
func isStandard(value string) bool {
	letters := run(value, 0, len(value), isUpper)
	digits := run(value, letters, min(len(value), letters+1), func(c byte) bool { return c == '-' })
	end := run(value, digits, len(value), isDigit)
	if letters >= 2 && letters <= 5 && end > digits && len(value)-end <= 1 {
		return true
	}
	return (len(value) == 16 || len(value) == 40) && run(value, 0, len(value), isUpperHex) == len(value)
}

// isResource says whether a value is the id of a thing at a service, or a
// public name: a short word and what follows it, or a key by its type.
func isResource(value string) bool {
	word, id, ok := strings.Cut(value, "-")
	if ok && len(word) <= 12 && run(word, 0, len(word), isLower) == len(word) &&
		run(id, 0, len(id), isHex) == len(id) {
		return true
	}
	if len(value) < 48 && words("resource").begins(value) {
		return true
	}
	if hasFold(value, "sha256:") || hasFold(value, "sha1:") || hasFold(value, "md5:") {
		return true
	}
	version := len(value) > 4 && value[0] == 'v' && isDigit(value[1]) && value[2] == '.'
	return version || strings.HasPrefix(value, "z6Mk") ||
		len(value) == 42 && strings.HasPrefix(value, "0x") ||
		len(value) == 24 && strings.HasPrefix(value, "UC")
}

// namesThing says whether one of the parts of a value is a word, as in the key
// of a cache: "go-mod-3f2a".
func namesThing(value string) bool {
	if at := strings.IndexAny(value, "-_"); at > 0 && words("token-part").has(value[:at]) &&
		run(value, at+1, len(value), isAlnum) == len(value) {
		return false
	}
	for part := range strings.FieldsFuncSeq(value, func(r rune) bool {
		return strings.ContainsRune("-_./:", r)
	}) {
		lower := run(part, 1, len(part), isLower) == len(part) ||
			run(part, 0, len(part), isUpper) == len(part)
		if lower && len(part) >= 3 && len(part) < len(value) && isLetter(part[0]) &&
			pairScore(strings.ToLower(part)) < surelyMade {
			return true
		}
	}
	return false
}

func isUUID(value string) bool {
	if len(value) != 36 {
		return false
	}
	for i := range len(value) {
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash != (value[i] == '-') ||
			!dash && !isHex(value[i]) {
			return false
		}
	}
	return true
}

func isULID(value string) bool {
	return len(value) == 26 && value[0] <= '7' &&
		run(value, 0, len(value), func(c byte) bool {
			return isUpperNum(c) && c != 'I' && c != 'L' && c != 'O' && c != 'U'
		}) == 26
}

// secretValue says whether a value that is given to the name of a secret
// looks like one, and not like prose, a reference or a filler.
func secretValue(value string, kind nameKind) bool {
	if len(value) < 8 && (kind != chosen || len(value) < 6) ||
		strings.ContainsAny(value[:min(len(value), maxValue)], " \t\n") || isPlaceholder(value) {
		return false
	}
	value = value[:min(len(value), maxValue)]
	n := classesOf(value)
	letters := n.lower + n.upper
	switch {
	case kind == strong &&
		(isResource(value) ||
			n.other > 0 && strings.ContainsFunc(value, func(r rune) bool { return r >= 0x80 })):
		return false
	case isAlgorithm(value) || strings.Contains(value, "://") || isDate(value) ||
		kind != chosen && isHexNumber(value):
		return false
	case n.digit > 0 && letters > 0:
		return kind == chosen && !isVersion(value) || !isIdentifier(value)
	case n.digit > 0:
		return (n.digit >= 12 || kind == chosen) && strings.IndexByte(value, '.') < 0
	case n.lower > 0 && n.upper > 0:
		return countMarks(value) > 0 && kind == chosen || !isIdentifier(strings.TrimRight(value, "=")) && len(value) >= 16
	default:
		return isLetterJumble(value) ||
			countMarks(value) >= 2 && letters > 0 && (kind == chosen || isUnpaired(value)) && !isIdentifier(value)
	}
}

// isHexNumber says whether a value is a number of a program that fits into a word of the machine: 0x3f87_9678.
func isHexNumber(value string) bool {
	digits, ok := strings.CutPrefix(strings.ToLower(strings.TrimPrefix(value, "-")), "0x")
	digits = strings.ReplaceAll(digits, "_", "")
	return ok && len(digits) <= 16 && run(digits, 0, len(digits), isHex) == len(digits)
}

// isLetterJumble says whether letters of one case are so many and follow each other so that no word does. In capitals words are
// rarer in what the table learned from, so that they must be less likely.
func isLetterJumble(value string) bool {
	n := classesOf(value)
	if n.digit > 0 || n.other > n.lower/3+n.upper/3 || n.lower > 0 && n.upper > 0 || n.lower+n.upper < 20 {
		return false
	}
	least := 0.0
	if n.upper > 0 {
		least = 0.9
	}
	return pairScore(value) >= least && !isPlaceholder(value)
}

// countMarks counts the signs that stand in passwords and not in identifiers.
func countMarks(value string) int {
	n := 0
	for i := range len(value) {
		if strings.IndexByte("!@#$%^&*+?~|", value[i]) >= 0 {
			n++
		}
	}
	return n
}

// isAlgorithm says whether value names a way to make or keep a secret.
func isAlgorithm(value string) bool {
	if hasFold(value, "argon2") {
		return true
	}
	for _, name := range words("algorithm").list() {
		if hasFold(value, name) && len(value) <= len(name)+8 {
			return true
		}
	}
	return false
}

// isRoute says whether a value is the path of a page: words between slashes.
func isRoute(value string) bool {
	return strings.HasPrefix(value, "/") && strings.Count(value, "/") > 1 && !hasGeneratedPart(value)
}

// isVersion says whether value is a number of parts, with or without a word.
func isVersion(value string) bool {
	digits := run(value, 0, len(value), func(c byte) bool {
		return isDigit(c) || c == '.' || c == '-' || c == 'v'
	})
	return digits == len(value)
}

// isCode says whether a value without quotes is an expression: it begins as a
// variable does, or holds a name with a bracket behind it.
func isCode(value string) bool {
	if len(value) > 1 && value[0] == ':' && (isQuote(value[1]) || isLetter(value[1])) {
		return true // A variable of SQL.
	}
	if len(value) > 1 && strings.IndexByte("$@!", value[0]) >= 0 && countMarks(value[1:]) < 3 &&
		(isLetter(value[1]) || strings.IndexByte("_[{($!", value[1]) >= 0) {
		return true
	}
	if strings.IndexByte("*&", byteAt(value, 0)) >= 0 && isIdentifier(value[1:]) {
		return true // A pointer, or what it points to.
	}
	for i := 3; i < len(value); i++ {
		switch value[i] {
		case '(', '[', '{', '<':
			if run(value, i-3, i, isWord) == i && !insideWord(value[i:]) && !isUnpaired(value) {
				return true
			}
		case ':':
			if value[i-1] == ':' {
				return true
			}
		case '?':
			if strings.HasPrefix(value[i:], "?.") && isWord(value[i-1]) {
				return true
			}
		}
	}
	return false
}

// insideWord says whether a bracket opens something in a word that goes on behind it, as no call does.
func insideWord(value string) bool {
	end := strings.IndexByte(value, ')')
	return value[0] == '(' && end > 0 && isAlnum(byteAt(value, end+1))
}

// callOrPath says whether value is code or a place rather than a secret.
func callOrPath(value string) bool {
	switch {
	case strings.ContainsAny(value, "()"):
		return (classesOf(value).digit < 3 || strings.HasSuffix(value, "()")) &&
			!insideWord(value[strings.IndexAny(value, "()"):]) && !isUnpaired(value)
	case strings.Contains(value, "://"), strings.HasPrefix(value, "./"), strings.HasPrefix(value, "~/"):
		return true
	case strings.Contains(value, `:\`):
		return true
	case strings.HasPrefix(value, "/"):
		return strings.Count(value, "/") > 2 || isIdentifier(value[1:])
	default:
		return strings.HasPrefix(value, "process.env") || strings.HasPrefix(value, "os.") ||
			strings.HasPrefix(value, "ENV[")
	}
}

// isIdentifier says whether a person named value, as things in programs are
// named, and no machine made it: its letters, digits and signs follow each
// other as in words.
func isIdentifier(value string) bool {
	return hasLetter(value) && run(value, 0, len(value), isNaming) == len(value) && madeScore(value) < 0 &&
		!isRespelt(value)
}

// madeScore returns how likely a machine made value, as [chance] does, or made a
// part of it that in a long name the rest would hide.
func madeScore(value string) float64 {
	if strings.IndexByte(value, '_') > 0 && strings.ToUpper(value) == value {
		value = strings.ToLower(value) // A constant: the table knows few words in capitals.
	}
	likely := pairScore(value)
	for at := 0; at < len(value); at++ {
		part := value[at:run(value, at, len(value), isAlnum)]
		if len(part) >= 12 && len(part) < len(value) && hasDigit(part) {
			likely = max(likely, pairScore(part))
		}
		at += len(part)
	}
	return likely
}

// isRespelt says whether digits stand for letters in value, as in passwords: one
// digit with a small letter on either side, more than once.
func isRespelt(value string) bool {
	n := 0
	for i := 1; i+1 < len(value); i++ {
		if isDigit(value[i]) && isLower(value[i-1]) && isLower(value[i+1]) {
			n++
		}
	}
	return n > 1
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
	surelyMade    = 0.5 // The least chance of what no word is.
)

// pairScore returns how much likelier the pairs of characters in value are in what
// a machine makes than in words: the mean logarithm, above zero if they are.
func pairScore(value string) float64 {
	if len(value) < 2 {
		return 0
	}
	sum := 0
	for i := 1; i < len(value); i++ {
		sum += int(bigramTable[bigramSymbol(value[i-1])*(bigramSymbols+1)+bigramSymbol(value[i])]) -
			bigramZero
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

// fewDistinct is how many different characters a value may have and still be
// taken for a filler such as "xxxx-xxxx".
const fewDistinct = 3

// isPlaceholder says whether a value stands for a secret and is none. It reads
// a bounded part of the value.
func isPlaceholder(value string) bool {
	value = value[:min(len(value), 256)]
	if end := strings.IndexByte(value, ']'); strings.HasPrefix(value, labelOpen) && end >= 0 &&
		end+1 < len(value) {
		return isPlaceholder(value[end+1:])
	}
	if n := len(value) - 1; n > 1 && value[0] == '{' && value[n] == '}' && isIdentifier(value[1:n]) {
		return true
	}
	return countDistinct(value) <= fewDistinct || isCounted(value) || isReference(value) || isMarked(value) ||
		fillerWord(value)
}

// isCounted says whether most of a value counts up, as "abcdef123456" does.
func isCounted(value string) bool {
	ups := 0
	for i := 1; i < len(value); i++ {
		if value[i] == value[i-1]+1 || value[i] == '0' && value[i-1] == '9' {
			ups++
		}
	}
	return len(value) >= 8 && len(value) < 32 && ups*10 >= len(value)*7 ||
		strings.Contains(value, "abcdefghijklmnop")
}

// isMarked says whether a value is a word between two equal signs, as templates
// have them: "%db.password%", "@token@", "__KEY__".
func isMarked(value string) bool {
	if len(value) < 3 || strings.IndexByte("%@~_*#", value[0]) < 0 || value[0] != value[len(value)-1] {
		return false
	}
	inner := strings.Trim(value, value[:1])
	return run(inner, 0, len(inner), isDotted) == len(inner) && isIdentifier(inner)
}

// fillerWord says whether value has a part that writers use in place of a
// secret.
func fillerWord(value string) bool {
	if open := strings.IndexByte(value, '<'); open >= 0 &&
		(open == 0 || strings.IndexByte(value[open:], '>') > 0) {
		return true
	}
	for i := range len(value) {
		if strings.IndexByte(fillerInitials, fold(value[i])) < 0 {
			continue
		}
		if words("filler").beginsFold(value[i:]) {
			return true
		}
	}
	return false
}

// fillerInitials are the bytes that filler words begin with.
const fillerInitials = "eprcydx*itg-_.nfsm1\xe2"

// isReference says whether value names where a secret is kept, or is the
// label of one that was masked.
func isReference(value string) bool {
	if strings.HasPrefix(value, labelOpen) {
		end := strings.IndexByte(value, ']')
		return end < 0 || end+1 == len(value) || isReference(value[end+1:]) ||
			classesOf(value[end+1:]).digit == 0
	}
	for _, open := range words("reference").list() {
		if strings.HasPrefix(value, open) && !isUnpaired(value) {
			return open != "${" || !hasDigit(value[strings.LastIndexByte(value, '}')+1:])
		}
	}
	if len(value) > 1 && (value[0] == '$' || value[0] == '%') {
		name := strings.TrimSuffix(value[1:], "%")
		end := run(name, 0, len(name), isWord)
		n := classesOf(name)
		return end == len(name) && (n.lower == 0 || (n.upper == 0 && n.digit == 0))
	}
	return false
}

// isUnpaired says whether a bracket closes in value where another one is open, as in no program or template.
func isUnpaired(value string) bool {
	var open []byte
	for i := range len(value) {
		switch c := value[i]; c {
		case '(', '[', '{':
			open = append(open, c)
		case ')', ']', '}':
			if len(open) == 0 {
				continue
			}
			if c-open[len(open)-1] > 2 { // The closing one is the next or the one after it.
				return true
			}
			open = open[:len(open)-1]
		}
	}
	return false
}

// countDistinct counts the different bytes of value, letters without case, up to
// one more than fewDistinct.
func countDistinct(value string) int {
	var seen [fewDistinct + 1]byte
	n := 0
next:
	for i := range len(value) {
		c := fold(value[i])
		for _, known := range seen[:n] {
			if c == known {
				continue next
			}
		}
		seen[n] = c
		if n++; n > fewDistinct {
			return n
		}
	}
	return n
}
