package redact

import "strings"

// A valueKind tells how a secret of a name is usually made.
type valueKind int

const (
	generated valueKind = iota // A token or key that a machine made.
	chosen                     // A password that a person chose.
)

func kindOf(namingWord string) valueKind {
	for _, word := range [...]string{"pass", "pwd", "_pw"} {
		if containsFold(namingWord, word) {
			return chosen
		}
	}
	return generated
}

// secretValue says whether a value that is given to the name of a secret
// looks like one, and not like prose, a reference or a filler.
func secretValue(value string, kind valueKind) bool {
	if len(value) < 8 || strings.ContainsAny(value[:min(len(value), maxValue)], " \t\n") || placeholder(value) {
		return false
	}
	value = value[:min(len(value), maxValue)]
	n := classesOf(value)
	letters := n.lower + n.upper
	switch {
	case algorithm(value) || strings.Contains(value, "://"):
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
	for _, name := range [...]string{
		"argon2", "bcrypt", "scrypt", "pbkdf2", "sha256", "sha512", "sha-256", "sha-512",
		"base64", "oauth2", "utf8", "hs256", "rs256", "es256", "ed25519", "x25519", "aes-",
	} {
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

// identifier says whether value is made of words and short numbers, as names
// of things in programs are.
func identifier(value string) bool {
	words, long := 0, 0
	for at := 0; at < len(value); {
		if isJoiner(value[at]) {
			at++
			continue
		}
		end := wordEnd(value, at)
		if end == at {
			return false
		}
		words++
		if end-at >= 3 {
			long++
		}
		at = end
	}
	return words > 0 && long*2 >= words
}

func isJoiner(c byte) bool {
	return c == '_' || c == '-' || c == '.' || c == '/' || c == ':' || c == '[' || c == ']'
}

// wordEnd returns the end of the word at value[at]: a capital or none, small
// letters, and up to two digits; or capitals alone; or a short number. It
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
	case end > at && (digits-end > 2 || digits > end && isLower(byteAt(value, digits))):
		return at
	case end-at > 24:
		return at
	}
	return digits
}
