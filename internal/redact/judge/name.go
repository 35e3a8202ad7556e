package judge

import (
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact/lex"
	"github.com/git-ltm/git-ltm/internal/redact/rules"
)

// A nameKind says what a name makes of its value.
type NameKind int

const (
	Unnamed NameKind = iota // The name speaks of no secret.
	Hinted                  // A key of some kind: the value must look random by itself.
	Keyed                   // The key of something that is named: an id or a digest will do, too.
	Strong                  // A token or key that a machine made.
	Chosen                  // A password that a person chose.
)

// MaxName is how much of a name is read before and behind the word in it.
const MaxName = 64

// NameAround returns the whole name that a naming word is part of. A dot ends it, unless the word behind it
// only says which one it is: "db.password.old".
func NameAround(text string, word lex.Span) lex.Span {
	limit := min(len(text), word.End+MaxName)
	end := lex.Run(text, word.End, limit, lex.IsURLSafe)
	if end+1 < limit && text[end] == '.' && lex.IsLetter(text[end+1]) {
		if next := lex.Run(text, end+1, limit, lex.IsURLSafe); IsQualifier(strings.ToLower(text[end+1 : next])) {
			end = next
		}
	}
	return lex.Between(lex.Back(text, word.Start, max(0, word.Start-MaxName), lex.IsDotted), end)
}

// KindOfName says what the name at s in text makes of its value. Words in
// front of it, with single blanks between, count as in "API key".
func KindOfName(text string, s lex.Span) NameKind {
	words := splitName(s.Of(text))
	if len(words) == 0 {
		return Unnamed
	}
	for before := s.Start; len(words) < 3 && lex.ByteBefore(text, before) == ' '; {
		start := lex.Back(text, before-1, max(0, before-1-24), lex.IsLetter)
		if start == before-1 {
			break
		}
		words = slices.Insert(words, 0, strings.ToLower(text[start:before-1]))
		before = start
	}
	return kindOfWords(words)
}

// IsForeignName says whether a naming word is a word for a password that is a name by itself.
func IsForeignName(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool { return r >= 0x80 }) ||
		rules.Words("foreign-passwords").Has(strings.ToLower(word))
}

// splitName returns the words of a name, in small letters. Of a long name they are the last ones.
func splitName(name string) []string {
	var words []string
	for end := len(name); end > 0 && len(words) < 8; {
		if !lex.IsAlnum(name[end-1]) {
			end--
			continue
		}
		start := wordStart(name, end)
		words = append(words, strings.ToLower(name[start:end]))
		end = start
	}
	slices.Reverse(words)
	return words
}

// wordStart returns where the word that ends at name[end] begins: digits
// belong to the word before them, and a capital begins a word.
func wordStart(name string, end int) int {
	start := lex.Back(name, end, 0, lex.IsDigit)
	if start > 0 && lex.IsUpper(name[start-1]) {
		return lex.Back(name, start, 0, lex.IsUpper)
	}
	start = lex.Back(name, start, 0, lex.IsLower)
	if start > 0 && lex.IsUpper(name[start-1]) && start < end && lex.IsLower(name[start]) {
		start--
	}
	return start
}

// kindOfWords judges the words of a name by the last one that says something.
func kindOfWords(parts []string) NameKind {
	if at := slices.Index(parts, "for"); at > 0 && kindOfWord(parts[len(parts)-1]) == Unnamed { // "password_for_db"
		parts = parts[:at]
	}
	for len(parts) > 1 &&
		(IsQualifier(parts[len(parts)-1]) || rules.Words("services").Has(parts[len(parts)-1])) {
		parts = parts[:len(parts)-1]
	}
	last := strings.TrimRight(parts[len(parts)-1], "0123456789")
	kind, before := kindOfWord(last), ""
	if len(parts) > 1 {
		before = parts[len(parts)-2]
	}
	switch {
	case slices.ContainsFunc(parts[max(0, len(parts)-3):], rules.Words("public-name").Has),
		rules.Words("harmless-owner").Has(before), last == "pass" && before == "by":
		return Unnamed
	case kind != Hinted:
		return kind
	case isKey(last) && rules.Words("key-owner").Has(before):
		return Strong
	case isKey(last) && rules.Words("finding-key").Has(before):
		return Unnamed
	case isKey(last) && before != "" && !rules.Words("article").Has(before):
		return Keyed
	default:
		return Hinted
	}
}

func isKey(word string) bool { return word == "key" || word == "keys" }

// kindOfWord judges one word, which may be several that are written as one.
func kindOfWord(word string) NameKind {
	for kind, list := range [...]string{Hinted: "hinted-name", Strong: "strong-name", Chosen: "chosen-name"} {
		if list != "" && rules.Words(list).Has(word) {
			return NameKind(kind)
		}
	}
	switch owner := strings.TrimSuffix(strings.TrimSuffix(word, "pass"), "pw"); {
	case rules.Words("chosen-end").Ends(word), len(owner) < len(word) &&
		(rules.Words("password-owner").Has(owner) || rules.Words("services").Has(owner)):
		return Chosen
	case rules.Words("strong-end").Ends(word):
		return Strong
	default:
		return Unnamed
	}
}

// IsQualifier says whether a word behind a naming word only says which one.
func IsQualifier(word string) bool {
	word = strings.TrimRight(word, "0123456789")
	return word == "" || rules.Words("qualifier").Has(word)
}

// maxShownName bounds the name that a finding shows.
const maxShownName = 40

// NamedIn returns the name that a secret is given to in its text: the word in front of "=" or ":" before it,
// or of a flag. It is "" where none stands there that is a name.
func NamedIn(text string, start int) string {
	end := lex.Back(text, start, max(0, start-8), func(c byte) bool {
		return lex.IsQuoteOrBlank(c) || strings.IndexByte("=:>(\\", c) >= 0
	})
	from := lex.Back(text, end, max(0, end-maxShownName), lex.IsDotted)
	name := text[from:end]
	if strings.ContainsAny(text[end:start], "=:>(") || strings.HasPrefix(name, "-") {
		return PublicName(strings.Trim(name, "-."))
	}
	return ""
}

// PublicName returns a name that a finding may show, or "". It has no more digits than names have: what
// stands in front of a secret may be another one.
func PublicName(name string) string {
	n := lex.ClassesOf(name)
	if n.Digit > 2 || n.Lower+n.Upper < 2 || lex.Run(name, 0, len(name), lex.IsDotted) < len(name) ||
		len(name) >= maxShownName || IsPlaceholder(name) {
		return ""
	}
	return name
}
