package redact

import (
	"slices"
	"strings"
	"sync"
)

// A nameKind says what a name makes of its value.
type nameKind int

const (
	unnamed nameKind = iota // The name speaks of no secret.
	hinted                  // A key of some kind: the value must look random by itself.
	keyed                   // The key of something that is named: an id or a digest will do, too.
	strong                  // A token or key that a machine made.
	chosen                  // A password that a person chose.
)

// maxName is how much of a name is read before and behind the word in it.
const maxName = 64

// nameAround returns the whole name that a naming word is part of.
func nameAround(text string, word span) span {
	return span{
		back(text, word.start, max(0, word.start-maxName), isDotted),
		run(text, word.end, min(len(text), word.end+maxName), isURLSafe),
	}
}

// kindOfName says what the name at s in text makes of its value. Words in
// front of it, with single blanks between, count as in "API key".
func kindOfName(text string, s span) nameKind {
	var words [8]string
	n := splitName(s.of(text), &words)
	if n > 0 && n < 3 {
		before := s.start
		for i := 0; i < 2 && byteBefore(text, before) == ' '; i++ {
			start := back(text, before-1, max(0, before-1-24), isLetter)
			if start == before-1 {
				break
			}
			copy(words[1:], words[:n])
			words[0] = strings.ToLower(text[start : before-1])
			n = min(n+1, len(words))
			before = start
		}
	}
	return kindOfWords(words[:n])
}

// isForeignName says whether a naming word is a word for a password that is a name by itself.
func isForeignName(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool { return r >= 0x80 }) ||
		words("foreign-passwords").has(strings.ToLower(word))
}

// particles stand between a password and its name in languages that write no
// blanks.
func particles() []string { return []string{"是", "为", "為", "は", "が", "을", "는", "은"} }

// splitName puts the words of a name into words, in small letters, and returns
// how many there are. Of a long name it keeps the last ones.
func splitName(name string, words *[8]string) int {
	n := 0
	for end := len(name); end > 0 && n < len(words); {
		if !isAlnum(name[end-1]) {
			end--
			continue
		}
		start := wordStart(name, end)
		n++
		words[len(words)-n] = strings.ToLower(name[start:end])
		end = start
	}
	copy(words[:], words[len(words)-n:])
	return n
}

// wordStart returns where the word that ends at name[end] begins: digits
// belong to the word before them, and a capital begins a word.
func wordStart(name string, end int) int {
	start := back(name, end, 0, isDigit)
	if start > 0 && isUpper(name[start-1]) {
		return back(name, start, 0, isUpper)
	}
	start = back(name, start, 0, isLower)
	if start > 0 && isUpper(name[start-1]) && start < end && isLower(name[start]) {
		start--
	}
	return start
}

// kindOfWords judges the words of a name by the last one that says something.
func kindOfWords(parts []string) nameKind {
	for len(parts) > 1 && isQualifier(parts[len(parts)-1]) {
		parts = parts[:len(parts)-1]
	}
	if len(parts) == 0 {
		return unnamed
	}
	last := strings.TrimRight(parts[len(parts)-1], "0123456789")
	kind := kindOfWord(last)
	if kind == unnamed {
		return unnamed
	}
	if slices.ContainsFunc(parts[max(0, len(parts)-3):], words("public-name").has) {
		return unnamed
	}
	before := ""
	if len(parts) > 1 {
		before = parts[len(parts)-2]
	}
	switch {
	case words("harmless-owner").has(before):
		return unnamed
	case kind == chosen && len(last) == len("pass") && before == "by":
		return unnamed
	case kind != hinted:
		return kind
	case isKey(last) && words("key-owner").has(before):
		return strong
	case isKey(last) && words("finding-key").has(before):
		return unnamed
	case isKey(last) && before != "" && !words("article").has(before):
		return keyed
	default:
		return hinted
	}
}

func isKey(word string) bool { return word == "key" || word == "keys" }

// kindsOfNames are the words that are the name of a secret alone.
//
//nolint:gochecknoglobals // A function that remembers its result; nobody writes to it.
var kindsOfNames = sync.OnceValue(func() map[string]nameKind {
	kinds := map[string]nameKind{}
	for list, kind := range map[string]nameKind{
		"chosen-name": chosen, "hinted-name": hinted,
		"strong-name": strong,
	} {
		for _, word := range words(list).list() {
			kinds[word] = kind
		}
	}
	return kinds
})

// kindOfWord judges one word, which may be several that are written as one.
func kindOfWord(word string) nameKind {
	kind := kindsOfNames()[word]
	switch owner := strings.TrimSuffix(strings.TrimSuffix(word, "pass"), "pw"); {
	case kind != unnamed:
		return kind
	case words("chosen-end").ends(word), len(owner) < len(word) && words("password-owner").has(owner):
		return chosen
	case words("strong-end").ends(word):
		return strong
	default:
		return unnamed
	}
}

// isQualifier says whether a word behind a naming word only says which one.
func isQualifier(word string) bool {
	word = strings.TrimRight(word, "0123456789")
	return word == "" || words("qualifier").has(word)
}

// maxShownName bounds the name that a finding shows.
const maxShownName = 40

// namedIn returns the name that a secret is given to in its text: the word in front of "=" or ":" before it,
// or of a flag. It is "" where none stands there that is a name.
func namedIn(text string, start int) string {
	end := back(text, start, max(0, start-8), func(c byte) bool {
		return isQuoteOrBlank(c) || strings.IndexByte("=:>(\\", c) >= 0
	})
	from := back(text, end, max(0, end-maxShownName), func(c byte) bool {
		return isWord(c) || c == '-' || c == '.'
	})
	name := text[from:end]
	if strings.ContainsAny(text[end:start], "=:>(") || strings.HasPrefix(name, "-") {
		return publicName(strings.Trim(name, "-."))
	}
	return ""
}

// findPlaceholder finds a value that is given to the name of a secret and would be one if no word in it stood
// for any.
func findPlaceholder(text string, keyword span) (span, bool) {
	value := span{
		back(text, keyword.start, max(0, keyword.start-maxName), isDotted),
		run(text, keyword.end, min(len(text), keyword.end+maxName), isDotted),
	}
	name, v := namedIn(text, value.start), value.of(text)
	return value, len(v) >= 12 && classesOf(v).digit > 1 && isPlaceholder(v) &&
		kindOfName(name, span{0, len(name)}) > keyed
}

// publicName returns a name that a finding may show, or "". It has no more digits than names have: what
// stands in front of a secret may be another one.
func publicName(name string) string {
	digits, letters := 0, 0
	for i := range len(name) {
		switch c := name[i]; {
		case isDigit(c):
			digits++
		case isLetter(c):
			letters++
		case c != '_' && c != '-' && c != '.':
			return ""
		}
	}
	if digits > 2 || letters < 2 || len(name) >= maxShownName || isPlaceholder(name) {
		return ""
	}
	return name
}
