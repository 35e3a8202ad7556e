package judge

import (
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact/lex"
	"github.com/git-ltm/git-ltm/internal/redact/rules"
)

// Accepts says whether a value that stands behind a name of this kind looks
// like a secret, and not like prose, a reference or a filler.
func (k NameKind) Accepts(value string) bool {
	if k >= Strong {
		read := value[:min(len(value), MaxValue)]
		return (len(value) >= 8 || k == Chosen && len(value) >= 6) && !strings.ContainsAny(read, " \t\n") &&
			isMixed(read, k) && !IsPlaceholder(value) || isNoise(value)
	}
	return k != Unnamed && (isNoise(value) || LooksRandom(value) && !NamesThing(value)) ||
		k == Keyed && isLetterJumble(value) || k == Keyed && IsGivenKey(value) &&
		(IsUUID(value) || lex.Run(value, 0, len(value), lex.IsHex) == len(value))
}

// isNoise says whether a long value is of so many signs that no text or expression is, whatever they are.
func isNoise(value string) bool {
	const least, each, likely = 48, 3, 0.4
	n := lex.ClassesOf(value)
	return len(value) >= least && len(value) <= MaxValue && CountMarks(value) > each && n.Digit >= each &&
		n.Lower >= each && n.Upper >= each && pairScore(value) >= likely && !IsPattern(value) &&
		!strings.Contains(value, "://")
}

// MinRandom is the least length of a value that gives itself away.
const MinRandom = 16

// LooksRandom says whether a value looks as if a machine had made it and is none of
// the things that look so and are no secret.
func LooksRandom(value string) bool {
	if len(value) < MinRandom ||
		strings.ContainsAny(value[:min(len(value), MaxValue)], " \t\n(){}<>\"'`,;") || IsPlaceholder(value) {
		return false
	}
	value = value[:min(len(value), MaxValue)]
	n := lex.ClassesOf(value)
	switch {
	case n.Lower+n.Upper < 4 || IsPair(value) || IsStandard(value) || CallOrPath(value) ||
		IsIdentifier(value) ||
		IsUUID(value) || IsULID(value):
		return false
	case lex.Run(value, 0, len(value), lex.IsHex) == len(value):
		return len(value) == 32 && n.Digit >= 4
	case strings.HasPrefix(value, "sha") || strings.HasPrefix(value, "h1:") ||
		strings.Contains(value, "sha256") || IsResource(value):
		return false
	case n.Digit >= 2:
		return madeScore(value) >= 0
	default:
		return len(value) >= 24-4*n.Digit && n.Lower > 3 && n.Upper > 3 && madeScore(value) >= surelyMade
	}
}

// IsDate says whether a value begins as a date does.
func IsDate(value string) bool {
	return len(value) >= 10 && value[4] == '-' && value[7] == '-' && lex.Run(value, 0, 4, lex.IsDigit) == 4 &&
		lex.IsDigit(value[5]) && lex.IsDigit(value[8])
}

// IsPair says whether a value is a name and what is given to it.
func IsPair(value string) bool {
	name, given, ok := strings.Cut(value, "=")
	n := lex.ClassesOf(name)
	return ok && len(name) > 1 && strings.Trim(given, "=") != "" && lex.IsLetter(name[0]) &&
		lex.Run(name, 0, len(name), lex.IsDotted) == len(name) &&
		(n.Lower == 0 || n.Upper == 0 || IsIdentifier(name))
}

// IsStandard says whether a value is the number of a standard, the id of a key
// in capitals, or an amount: "RFC6749", "ERC-721A".
func IsStandard(value string) bool {
	letters := lex.Run(value, 0, len(value), lex.IsUpper)
	digits := lex.Run(value, letters, min(len(value), letters+1), func(c byte) bool { return c == '-' })
	end := lex.Run(value, digits, len(value), lex.IsDigit)
	if letters >= 2 && letters <= 5 && end > digits && len(value)-end <= 1 {
		return true
	}
	return (len(value) == 16 || len(value) == 40) &&
		lex.Run(value, 0, len(value), lex.IsUpperHex) == len(value)
}

// IsResource says whether a value is the id of a thing at a service, or a
// public name: a short word and what follows it, or a key by its type.
func IsResource(value string) bool {
	word, id, ok := strings.Cut(value, "-")
	short := ok && len(word) <= 12 && lex.Run(word, 0, len(word), lex.IsLower) == len(word) &&
		lex.Run(id, 0, len(id), lex.IsHex) == len(id)
	version := len(value) > 4 && value[0] == 'v' && lex.IsDigit(value[1]) && value[2] == '.'
	_, commit, pinned := strings.Cut(value, "@")
	pinned = pinned && len(commit) == 40 && lex.Run(commit, 0, len(commit), lex.IsHex) == len(commit)
	return short || version || pinned || len(value) < 48 && rules.Words("resource").Begins(value) ||
		rules.Words("public-value").BeginsFold(value) || len(value) == 42 && strings.HasPrefix(value, "0x") ||
		len(value) == 24 && strings.HasPrefix(value, "UC")
}

// NamesThing says whether one of the parts of a value is a word, as in the key
// of a cache: "go-mod-3f2a".
func NamesThing(value string) bool {
	if at := strings.IndexAny(value, "-_"); at > 0 && rules.Words("token-part").Has(value[:at]) &&
		lex.Run(value, at+1, len(value), lex.IsAlnum) == len(value) {
		return false
	}
	for part := range strings.FieldsFuncSeq(value, func(r rune) bool {
		return strings.ContainsRune("-_./:", r)
	}) {
		lower := lex.Run(part, 1, len(part), lex.IsLower) == len(part) ||
			lex.Run(part, 0, len(part), lex.IsUpper) == len(part)
		if lower && len(part) >= 3 && len(part) < len(value) && lex.IsLetter(part[0]) &&
			pairScore(strings.ToLower(part)) < surelyMade {
			return true
		}
	}
	return false
}

func IsUUID(value string) bool {
	return len(value) == 36 && value[8] == '-' && value[13] == '-' && value[18] == '-' && value[23] == '-' &&
		strings.Count(value, "-") == 4 &&
		lex.Run(value, 0, len(value), func(c byte) bool { return c == '-' || lex.IsHex(c) }) == len(value)
}

func IsULID(value string) bool {
	return len(value) == 26 && value[0] <= '7' && !strings.ContainsAny(value, "ILOU") &&
		lex.Run(value, 0, len(value), lex.IsUpperNum) == len(value)
}

// isMixed says whether a value is of the signs of which secrets behind a name of this kind are.
func isMixed(value string, kind NameKind) bool {
	n := lex.ClassesOf(value)
	letters := n.Lower + n.Upper
	switch {
	case kind == Strong && (IsResource(value) || !lex.IsASCII(value)),
		IsAlgorithm(value) || strings.Contains(value, "://") ||
			kind != Chosen && IsHexNumber(value):
		return false
	case n.Digit > 0 && letters > 0:
		return kind == Chosen && !IsVersion(value) || !IsIdentifier(value)
	case n.Digit > 0:
		return (n.Digit >= 12 || kind == Chosen) && strings.IndexByte(value, '.') < 0
	case n.Lower > 0 && n.Upper > 0:
		return CountMarks(value) > 0 && kind == Chosen || !IsIdentifier(value) && len(value) >= 16
	default:
		return isLetterJumble(value) ||
			CountMarks(value) >= 2 && letters > 0 && !IsIdentifier(value) && (kind == Chosen || IsUnpaired(value) ||
				CountMarks(value) > 2 && strings.ContainsAny(value, "!#"))
	}
}

// IsHexNumber says whether a value is a number of a program that fits into a word of the machine:
// 0x3f87_9678.
func IsHexNumber(value string) bool {
	digits, ok := strings.CutPrefix(strings.ToLower(strings.TrimPrefix(value, "-")), "0x")
	digits = strings.ReplaceAll(digits, "_", "")
	return ok && len(digits) <= 16 && lex.Run(digits, 0, len(digits), lex.IsHex) == len(digits)
}

// isLetterJumble says whether letters of one case are so many and follow each other so that no word does. In
// capitals words are rarer in what the table learned from, so that they must be less likely.
func isLetterJumble(value string) bool {
	n := lex.ClassesOf(value)
	if n.Digit > 0 || n.Other > n.Lower/3+n.Upper/3 || n.Lower > 0 && n.Upper > 0 || n.Lower+n.Upper < 20 {
		return false
	}
	return pairScore(value) >= 0 && !IsPlaceholder(value)
}

// CountMarks counts the signs that stand in passwords and not in identifiers.
func CountMarks(value string) int {
	n := 0
	for i := range len(value) {
		if strings.IndexByte("!@#$%^&*+?~|", value[i]) >= 0 {
			n++
		}
	}
	if last := len(value) - 1; last > 0 && value[last] == '_' && lex.IsDigit(value[last-1]) {
		n++ // A name has it in front.
	}
	return n
}

// IsAlgorithm says whether value names a way to make or keep a secret.
func IsAlgorithm(value string) bool {
	return lex.HasFold(value, "argon2") ||
		slices.ContainsFunc(rules.Words("algorithm").List(), func(name string) bool {
			return lex.HasFold(value, name) && len(value) <= len(name)+8
		})
}

// IsRoute says whether a value is the path of a page: words between slashes.
func IsRoute(value string) bool {
	return strings.HasPrefix(value, "/") && strings.Count(value, "/") > 1 && !HasGeneratedPart(value)
}

// IsVersion says whether value is a number of parts, with or without a word.
func IsVersion(value string) bool {
	return strings.Trim(value, "0123456789.-v") == ""
}

// IsCode says whether a value without quotes is an expression: it begins as a
// variable does, or holds a name with a bracket behind it.
func IsCode(value string) bool {
	first, second := lex.ByteAt(value, 0), lex.ByteAt(value, 1)
	variable := strings.IndexByte("$@!", first) >= 0 && CountMarks(value[1:]) < 3 &&
		(lex.IsLetter(second) || second != 0 && strings.IndexByte("_[{($!", second) >= 0)
	query := first == ':' && (lex.IsQuote(second) || lex.IsLetter(second))
	pointer := strings.IndexByte("*&", first) >= 0 && IsIdentifier(value[1:]) // Or what it points to.
	if variable || query || pointer || strings.Contains(value, "?.") || strings.LastIndex(value, "::") > 1 ||
		strings.HasPrefix(value, "self.") || strings.HasPrefix(value, "this.") {
		return true
	}
	for i := 3; i < len(value); i++ {
		if strings.IndexByte("([{<", value[i]) >= 0 && lex.Run(value, i-3, i, lex.IsWord) == i &&
			!insideWord(value[i:]) && !IsUnpaired(value) {
			return true
		}
	}
	return false
}

// insideWord says whether a bracket opens something in a word that goes on behind it, as no call does.
func insideWord(value string) bool {
	end := strings.IndexByte(value, ')')
	return value[0] == '(' && end > 0 && lex.IsAlnum(lex.ByteAt(value, end+1))
}

// CallOrPath says whether value is code or a place rather than a secret.
func CallOrPath(value string) bool {
	switch {
	case strings.Contains(value, "://"), strings.Contains(value, `:\`), strings.HasPrefix(value, "./"),
		strings.HasPrefix(value, "~/"):
		return true
	case strings.ContainsAny(value, "()"):
		return CountMarks(value) < 5 && (lex.ClassesOf(value).Digit < 3 || strings.HasSuffix(value, "()")) &&
			!insideWord(value[strings.IndexAny(value, "()"):]) && !IsUnpaired(value)
	case strings.HasPrefix(value, "/"):
		return strings.Count(value, "/") > 2 || IsIdentifier(value[1:])
	case strings.HasSuffix(value, "}") || strings.Contains(value, "}:") || strings.Contains(value, "}/"):
		return strings.Contains(value, "/{") // A template of addresses, as of RFC 6570.
	default:
		return rules.Words("environment").Begins(value)
	}
}

// IsIdentifier says whether a person named value, as things in programs are
// named, and no machine made it: its letters, digits and signs follow each
// other as in words.
func IsIdentifier(value string) bool {
	return lex.HasLetter(value) && lex.Run(value, 0, len(value), lex.IsNaming) == len(value) &&
		madeScore(value) < 0 && !isRespelt(value)
}

// madeScore returns how likely a machine made value, as [chance] does, or made a
// part of it that in a long name the rest would hide.
func madeScore(value string) float64 {
	if strings.IndexByte(value, '_') > 0 && strings.ToUpper(value) == value {
		value = strings.ToLower(value) // A constant: the table knows few words in capitals.
	}
	likely := pairScore(value)
	for at := 0; at < len(value); at++ {
		part := value[at:lex.Run(value, at, len(value), lex.IsAlnum)]
		if len(part) >= 12 && len(part) < len(value) && lex.HasDigit(part) {
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
		if lex.IsDigit(value[i]) && lex.IsLower(value[i-1]) && lex.IsLower(value[i+1]) {
			n++
		}
	}
	return n > 1
}

// The table was learned once, see generate/README.md. Of the words that it was not learned
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
		sum += int(rules.BigramTable[bigramSymbol(value[i-1])*(bigramSymbols+1)+bigramSymbol(value[i])]) -
			bigramZero
	}
	return float64(sum) / bigramScale / float64(len(value)-1)
}

// bigramSymbol returns the row and the column of c in bigramTable.
func bigramSymbol(c byte) int {
	switch {
	case lex.IsLower(c):
		return int(c - 'a')
	case lex.IsUpper(c):
		return 26 + int(c-'A')
	case lex.IsDigit(c):
		return 52
	}
	if i := strings.IndexByte(bigramSigns, c); i >= 0 {
		return 53 + i
	}
	return bigramSymbols - 1
}

// IsPlaceholder says whether a value stands for a secret and is none. It reads
// a bounded part of the value.
func IsPlaceholder(value string) bool {
	value = value[:min(len(value), 256)]
	if strings.HasPrefix(value, LabelOpen) { // What stands behind a label may be a secret.
		_, rest, _ := strings.Cut(value, "]")
		return rest == "" || IsPlaceholder(rest)
	}
	if n := len(value) - 1; n > 1 && value[0] == '{' && value[n] == '}' && IsIdentifier(value[1:n]) {
		return true
	}
	return lex.CountDistinct(value) <= lex.FewDistinct || isCounted(value) || isReference(value) ||
		isMarked(value) || fillerWord(value)
}

// isCounted says whether most of a value counts up, as "abcdef123456" does.
func isCounted(value string) bool {
	ups := 0
	for i := 1; i < len(value); i++ {
		if value[i] == value[i-1]+1 || value[i] == '0' && value[i-1] == '9' {
			ups++
		}
	}
	return len(value) >= 8 && len(value) < 40 && ups*10 >= len(value)*7 ||
		strings.Contains(value, "abcdefghijklmnop")
}

// isMarked says whether a value is a word between two equal signs, as templates
// have them: "%db.password%", "@token@", "__KEY__".
func isMarked(value string) bool {
	if len(value) < 3 || strings.IndexByte("%@~_*#", value[0]) < 0 || value[0] != value[len(value)-1] {
		return false
	}
	inner := strings.Trim(value, value[:1])
	return lex.Run(inner, 0, len(inner), lex.IsDotted) == len(inner) && IsIdentifier(inner)
}

// fillerWord says whether value has a part that writers use in place of a
// secret.
func fillerWord(value string) bool {
	if open := strings.IndexByte(value, '<'); open == 0 || open > 0 &&
		strings.IndexByte(value[open:], '>') > 0 {
		return true
	}
	for i := range len(value) {
		inWord := i > 0 && lex.HasFold(value[i:], "my") && lex.IsLetter(value[i-1])
		if strings.IndexByte(fillerInitials, lex.Fold(value[i])) >= 0 && !inWord &&
			rules.Words("filler").BeginsFold(value[i:]) {
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
	for _, open := range rules.Words("reference").List() {
		if strings.HasPrefix(value, open) && !IsUnpaired(value) {
			return open != "${" || !lex.HasDigit(value[strings.LastIndexByte(value, '}')+1:])
		}
	}
	if first, second, ok := strings.Cut(value, ":$"); ok && isReference(first) {
		value = "$" + second // Two in a row.
	}
	if name, _, path := strings.Cut(value, "/"); path && len(name) > 2 && name[0] == '$' &&
		strings.ToUpper(name) == name {
		return true // A place below the one that a variable has.
	}
	if len(value) > 1 && (value[0] == '$' || value[0] == '%') {
		name := strings.TrimSuffix(strings.TrimPrefix(value[1:], "$"), "%")
		n := lex.ClassesOf(name)
		return lex.Run(name, 0, len(name), lex.IsWord) == len(name) && (n.Lower == 0 || n.Upper == 0 &&
			n.Digit == 0)
	}
	return false
}

// IsUnpaired says whether a bracket closes in value where another one is open, as in no program or template.
func IsUnpaired(value string) bool {
	var open []byte
	for i := range len(value) {
		switch c := value[i]; c {
		case '(', '[', '{':
			open = append(open, c)
		case ')', ']', '}':
			last := len(open) - 1
			if last >= 0 && c-open[last] > 2 { // The closing one is the next or the one after it.
				return true
			}
			open = open[:max(0, last)]
		}
	}
	return false
}

// MaxValue bounds what is looked at to judge an assigned value.
const MaxValue = 256

// AcceptsWord says whether a quoted word may be what is given to a name of this kind: a password that a
// person chose, or one long word, as people write keys of their own.
func (k NameKind) AcceptsWord(value string) bool {
	const long, repeats = 18, 3
	return k == Chosen && (IsChosenWord(value) ||
		len(value) > lex.FewDistinct && CountMarks(value) == len(value) && !IsPlaceholder(value)) ||
		k == Strong && (IsPassphrase(value, k) || IsNumberedWord(value)) ||
		k == Strong && len(value) >= long && strings.Count(value, value[:4]) < repeats &&
			lex.Run(value, 0, len(value), lex.IsLower) == len(value) && IsChosenWord(value)
}

// IsChosenWord says whether a value is a word that a person may have chosen for a password, and not what
// programs and manuals write there.
func IsChosenWord(value string) bool {
	if IsPhrase(value) {
		return true
	}
	n, word := lex.ClassesOf(value), strings.ToLower(value)
	if signs := strings.Count(value, "_") + CountMarks(value); len(value) < 6 || n.Lower == 0 ||
		n.Lower+n.Upper+signs < len(value) || plainWord(word) || IsForeignName(word) || IsPlaceholder(value) {
		return false
	}
	return len(splitName(value)) == 1 || KindOfName(value, lex.Between(0, len(value))) == Unnamed
}

// IsNumberedWord says whether a value is a word that a person may have chosen, with a number behind it.
func IsNumberedWord(value string) bool {
	word := strings.TrimRight(value, "0123456789")
	return len(value) >= 8 && len(word) < len(value) && lex.Run(word, 0, len(word), lex.IsLetter) == len(word) &&
		IsChosenWord(word)
}

// IsCamel says whether a value is two words or more that only capitals part.
func IsCamel(value string) bool {
	first := lex.Run(value, 1, len(value), lex.IsLower)
	return first > 2 && first < len(value) && lex.Run(value, 0, len(value), lex.IsLetter) == len(value)
}

// HasGeneratedPart says whether a value looks like a place whose last part a machine made, and which is no
// file by its ending: "~/.pgpass" is where a password is kept, and "~/" in front of a password does not make
// it a place.
func HasGeneratedPart(value string) bool {
	slash := strings.LastIndexByte(value, '/')
	if slash < 0 || strings.IndexByte("/~$.", value[0]) < 0 || strings.Contains(value, "://") {
		return false
	}
	last := value[slash+1:]
	return (LooksRandom(last) || madeScore(last) >= 0 && lex.HasDigit(last)) && !NamesThing(last) &&
		!IsPlaceholder(last) &&
		!rules.Words("extension").Has(strings.ToLower(last[strings.LastIndexByte(last, '.')+1:]))
}

// IsPassphrase says whether a value is made of words with a number behind them,
// as people make long passwords.
func IsPassphrase(value string, kind NameKind) bool {
	return kind >= Strong && strings.Count(value, "-")+strings.Count(value, "_") >= 2 &&
		lex.ClassesOf(value).Digit >= 3 &&
		IsIdentifier(value) && !IsPlaceholder(value)
}

// IsPattern says whether a value is an expression that says what a value must be like: it has a class of
// letters in it.
func IsPattern(value string) bool {
	return rules.Words("pattern-sign").Within(value)
}

// LabelOpen begins the label that stands in place of what was masked.
const LabelOpen = "[REDACTED:"

// IsJumbled says whether a body looks made by chance: with letters of both
// cases and digits, or with many digits and letters past f.
func IsJumbled(body string) bool {
	const many = 4
	n := lex.ClassesOf(body)
	return n.Digit > 0 && !IsIdentifier(body) && (n.Upper > 0 && n.Lower > 0 ||
		n.Digit >= many && n.Upper+n.Lower >= many && lex.Run(body, 0, len(body), lex.IsHex) < len(body))
}

// MinNear is the least length of a value that only its name gives away.
const MinNear = 12
