package garden

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// runWords is how many words in a row make one text a copy of another one: fewer meet by chance, and whoever
// says a thing in words of their own has fewer.
const runWords = 12

// fewWords is how many words of their own a text must have beside what it repeats, to say something.
const fewWords = 4

// Runs knows the runs of twelve words of some texts, and whose they are. The zero value knows none.
type Runs struct{ of map[uint64]string }

// Learn adds the runs of the texts of a record, read one behind the other.
func (r *Runs) Learn(owner string, texts []string) {
	if r.of == nil {
		r.of = map[uint64]string{}
	}
	words := placeWords(texts)
	for i := 0; i+runWords <= len(words); i++ {
		if run := runAt(words, i); r.of[run] == "" {
			r.of[run] = owner
		}
	}
}

// A Rest is what is left of a text without what it repeats.
type Rest struct {
	Text     string // with a mark in the place of each run that it repeats
	Repeated bool
	Empty    bool // it repeats something, and has next to no words beside that
}

// Without returns what is left of the texts of a record, and whose runs stood there, each once. The texts are
// read one behind the other, so that a run is found that stands in several of them.
func (r *Runs) Without(texts []string, mark func(owner string) string) (rest []Rest, owners []string) {
	words := placeWords(texts)
	from := make([]string, len(words))
	for i := 0; i+runWords <= len(words); i++ {
		owner := r.of[runAt(words, i)]
		if owner == "" {
			continue
		}
		for j := i; j < i+runWords; j++ {
			if from[j] == "" {
				from[j] = owner
			}
		}
		if !slices.Contains(owners, owner) {
			owners = append(owners, owner)
		}
	}
	rest = make([]Rest, len(texts))
	at := 0
	for n, text := range texts {
		var out strings.Builder
		own, copied := 0, 0
		for at < len(words) && words[at].text == n {
			first := at
			for at < len(words) && words[at].text == n && from[at] == from[first] {
				at++
			}
			if from[first] == "" {
				own += at - first
				continue
			}
			out.WriteString(text[copied:words[first].start] + mark(from[first]))
			copied, rest[n].Repeated = words[at-1].end, true
		}
		out.WriteString(text[copied:])
		rest[n].Text, rest[n].Empty = out.String(), rest[n].Repeated && own < fewWords
	}
	return rest, owners
}

// A place is a word of one of several texts.
type place struct {
	digest           uint64
	text, start, end int
}

// placeWords returns the words of texts, one behind the other: letters and digits without anything between
// them. Case, characters that do not show and letters that look like others make no difference, and each
// letter of a script that does not part words is one. A mark parts words, unlike in [eachWord]: else
// whoever puts one in the place of each blank copies what has none.
func placeWords(texts []string) []place {
	var all []place
	for n, text := range texts {
		var word strings.Builder
		start, end := 0, 0
		flush := func() {
			if word.Len() > 0 {
				all = append(all, place{wordDigest(word.String()), n, start, end})
				word.Reset()
			}
		}
		for i, r := range text {
			plain := string(r)
			if r >= utf8.RuneSelf {
				plain = redact.Plain(plain)
			}
			c, _ := utf8.DecodeRuneInString(plain)
			switch {
			case plain == "" || unicode.IsMark(c): // It stands on a letter, or is not seen.
			case !unicode.IsLetter(c) && !unicode.IsDigit(c):
				flush()
			case isUnparted(c):
				flush()
				all = append(all, place{wordDigest(plain), n, i, i + utf8.RuneLen(r)})
			default:
				if word.Len() == 0 {
					start = i
				}
				word.WriteRune(unicode.ToLower(c))
				end = i + utf8.RuneLen(r)
			}
		}
		flush()
	}
	return all
}

// IsRun tells whether texts have as many words as make one a copy of another one.
func IsRun(texts []string) bool { return len(placeWords(texts)) >= runWords }

// isUnparted tells a letter of a script that does not part words.
func isUnparted(c rune) bool {
	return c >= 0x2E80 ||
		unicode.In(c, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
			unicode.Tai_Le, unicode.New_Tai_Lue,
			unicode.Tai_Tham, unicode.Balinese)
}

// runAt is the digest of the run that begins with a word.
func runAt(words []place, i int) uint64 {
	sum := uint64(0)
	for _, w := range words[i : i+runWords] {
		sum = sum*1099511628211 + w.digest
	}
	return sum
}
