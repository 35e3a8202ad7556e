package redact

import "strings"

// accepts says whether a value that stands behind a name of this kind looks
// like a secret, and not like prose, a reference or a filler.
func (k nameKind) accepts(value string) bool {
	switch k {
	case hinted:
		return random(value) && !namesThing(value)
	case keyed:
		return random(value) && !namesThing(value) || given(value) && (isUUID(value) || run(value, 0, len(value), isHex) == len(value))
	case strong, chosen:
		return secretValue(value, k)
	default:
		return false
	}
}

// minRandom is the least length of a value that gives itself away.
const minRandom = 16

// random says whether a value looks as if a machine had made it and is none of
// the things that look so and are no secret.
func random(value string) bool {
	if len(value) < minRandom || strings.ContainsAny(value[:min(len(value), maxValue)], " \t\n(){}<>\"'`,;") || placeholder(value) {
		return false
	}
	value = value[:min(len(value), maxValue)]
	n := classesOf(value)
	switch {
	case isPair(value) || isStandard(value):
		return false
	case n.lower+n.upper < 4 || callOrPath(value) || identifier(value) || isUUID(value) || isULID(value):
		return false
	case run(value, 0, len(value), isHex) == len(value):
		return len(value) == 32 && n.digit >= 4
	case strings.HasPrefix(value, "sha") || strings.HasPrefix(value, "h1:") || strings.Contains(value, "sha256") || isResource(value):
		return false
	case n.digit >= 2:
		return entropy(value) >= 3
	default:
		return len(value) >= 24 && n.lower > 3 && n.upper > 3 && strings.IndexByte(value, '.') < 0 && turns(value) > len(value)/3
	}
}

// isDate says whether a value begins as a date does.
func isDate(value string) bool {
	return len(value) >= 10 && value[4] == '-' && value[7] == '-' && run(value, 0, 4, isDigit) == 4 && isDigit(value[5]) && isDigit(value[8])
}

// isPair says whether a value is a name and what is given to it.
func isPair(value string) bool {
	name, given, ok := strings.Cut(value, "=")
	return ok && len(name) > 1 && strings.Trim(given, "=") != "" && run(name, 0, len(name), isDotted) == len(name) && isLetter(name[0])
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
	if ok && len(word) <= 12 && run(word, 0, len(word), isLower) == len(word) && run(id, 0, len(id), isHex) == len(id) {
		return true
	}
	if len(value) < 48 && resources.begins(value) {
		return true
	}
	if hasFold(value, "sha256:") || hasFold(value, "sha1:") || hasFold(value, "md5:") {
		return true
	}
	version := len(value) > 4 && value[0] == 'v' && isDigit(value[1]) && value[2] == '.'
	return version || strings.HasPrefix(value, "z6Mk") || len(value) == 42 && strings.HasPrefix(value, "0x") || len(value) == 24 && strings.HasPrefix(value, "UC")
}

// namesThing says whether one of the parts of a value is a word, as in the key
// of a cache: "go-mod-3f2a".
func namesThing(value string) bool {
	for part := range strings.FieldsFuncSeq(value, func(r rune) bool { return strings.ContainsRune("-_./:", r) }) {
		if run(part, 0, len(part), isLetter) == len(part) && isSpoken(part) && len(part) < len(value) {
			return true
		}
	}
	return false
}

// turns counts how often a value changes between small letters, capitals and
// other bytes.
func turns(value string) int {
	n := 0
	for i := 1; i < len(value); i++ {
		if isLower(value[i]) != isLower(value[i-1]) || isUpper(value[i]) != isUpper(value[i-1]) {
			n++
		}
	}
	return n
}

func isUUID(value string) bool {
	if len(value) != 36 {
		return false
	}
	for i := range len(value) {
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash != (value[i] == '-') || !dash && !isHex(value[i]) {
			return false
		}
	}
	return true
}

func isULID(value string) bool {
	return len(value) == 26 && value[0] <= '7' && run(value, 0, len(value), func(c byte) bool { return isUpperNum(c) && c != 'I' && c != 'L' && c != 'O' && c != 'U' }) == 26
}

// secretValue says whether a value that is given to the name of a secret
// looks like one, and not like prose, a reference or a filler.
func secretValue(value string, kind nameKind) bool {
	if len(value) < 8 && (kind != chosen || len(value) < 6) || strings.ContainsAny(value[:min(len(value), maxValue)], " \t\n") || placeholder(value) {
		return false
	}
	value = value[:min(len(value), maxValue)]
	n := classesOf(value)
	letters := n.lower + n.upper
	switch {
	case kind == strong && (isResource(value) || n.other > 0 && strings.ContainsFunc(value, func(r rune) bool { return r >= 0x80 })):
		return false
	case algorithm(value) || strings.Contains(value, "://") || isDate(value):
		return false
	case n.digit > 0 && letters > 0:
		return kind == chosen && !version(value) || !identifier(value)
	case n.digit > 0:
		return n.digit >= 12 || kind == chosen
	case n.lower > 0 && n.upper > 0:
		return marks(value) > 0 && kind == chosen || !identifier(value) && len(value) >= 16
	default:
		return marks(value) >= 2 && letters > 0 && kind == chosen && !identifier(value)
	}
}

// marks counts the signs that stand in passwords and not in identifiers.
func marks(value string) int {
	n := 0
	for i := range len(value) {
		if strings.IndexByte("!@#$%^&*+?~|", value[i]) >= 0 {
			n++
		}
	}
	return n
}

// algorithm says whether value names a way to make or keep a secret.
func algorithm(value string) bool {
	if hasFold(value, "argon2") {
		return true
	}
	for _, name := range algorithms.list() {
		if hasFold(value, name) && len(value) <= len(name)+8 {
			return true
		}
	}
	return false
}

// version says whether value is a number of parts, with or without a word.
func version(value string) bool {
	digits := run(value, 0, len(value), func(c byte) bool { return isDigit(c) || c == '.' || c == '-' || c == 'v' })
	return digits == len(value)
}

// isCode says whether a value without quotes is an expression: it begins as a
// variable does, or holds a name with a bracket behind it.
func isCode(value string) bool {
	if len(value) > 1 && value[0] == ':' && (isQuote(value[1]) || isLetter(value[1])) {
		return true // A variable of SQL.
	}
	if len(value) > 1 && strings.IndexByte("$@!", value[0]) >= 0 && (isLetter(value[1]) || strings.IndexByte("_[{($", value[1]) >= 0) {
		return true
	}
	for i := 3; i < len(value); i++ {
		switch value[i] {
		case '(', '[', '{', '<':
			if run(value, i-3, i, isWord) == i {
				return true
			}
		case ':':
			if value[i-1] == ':' {
				return true
			}
		}
	}
	return false
}

// callOrPath says whether value is code or a place rather than a secret.
func callOrPath(value string) bool {
	switch {
	case strings.ContainsAny(value, "()"):
		return classesOf(value).digit < 3 || strings.HasSuffix(value, "()")
	case strings.Contains(value, "://"), strings.HasPrefix(value, "./"), strings.HasPrefix(value, "~/"):
		return true
	case strings.Contains(value, `:\`):
		return true
	case strings.HasPrefix(value, "/"):
		return strings.Count(value, "/") > 2 || identifier(value[1:])
	default:
		return strings.HasPrefix(value, "process.env") || strings.HasPrefix(value, "os.") || strings.HasPrefix(value, "ENV[")
	}
}
