// Package words reads texts as everything does here that finds, ranks or matches by words: it cuts
// them into words and names, takes names such as getUserName apart, brings words into the form in
// which they are compared, and tells what a program printed from what people write.
//
// It is pure and deterministic, and its time is bounded by the length of a text. It never decides
// what a text is worth: that is for who asks.
package words

import (
	_ "embed"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	longestWord  = 64  // longestWord is how many bytes of a word count.
	longestName  = 160 // longestName is the longest name or path that is kept as a whole beside its parts.
	mostSegments = 64  // mostSegments bounds the parts of one name or path.
)

// Word is one thing that stands between blanks: a word, a name of a program, a path, a number.
type Word struct {
	Shown string   // Shown is the word as it stands there, in lower case and without marks behind it.
	Parts []string // Parts are the keys of its words in their order.
	// Names are the keys of what several of them are in one, such as the file of a path; the last is all of
	// it.
	Names []string
}

// All yields the words of a text.
func All(text string) iter.Seq[Word] {
	return func(yield func(Word) bool) {
		for {
			var chunk string
			if chunk, text = Next(text); chunk == "" || !yield(Read(chunk)) {
				return
			}
		}
	}
}

// Next cuts off the first thing that stands between blanks. It is empty at the end of the text.
func Next(text string) (chunk, rest string) {
	begins := func(c rune) bool { return classOf(c) != classNone && classOf(c) != classJoin }
	start := strings.IndexFunc(text, begins)
	if start < 0 {
		return "", ""
	}
	text = text[start:]
	c, _ := utf8.DecodeRuneInString(text)
	ideal := classOf(c) == classIdeal // What has no blanks ends where other letters begin.
	end := strings.IndexFunc(text, func(c rune) bool {
		kind := classOf(c)
		return kind == classNone || ideal != (kind == classIdeal)
	})
	if end < 0 {
		return text, ""
	}
	return text[:end], text[end:]
}

// behind are the signs that are no part of a word at its end.
const behind = `_-./\:@#+'’`

// Read takes a word apart.
func Read(chunk string) Word {
	if c, _ := utf8.DecodeRuneInString(chunk); classOf(c) == classIdeal {
		return Word{Shown: Fold(chunk), Parts: neighbourPairs(chunk)}
	}
	if sign := signedName(chunk); sign != "" {
		return Word{Shown: chunk, Parts: []string{Key(sign)}}
	}
	w := Word{Shown: Fold(strings.TrimRight(chunk, behind))}
	segments := Segments(chunk)
	for _, segment := range segments {
		pieces := Pieces(segment)
		some := len(w.Parts)
		for _, piece := range pieces {
			if len(pieces) == 1 || utf8.RuneCountInString(piece) > 1 {
				w.Parts = append(w.Parts, Key(piece))
			}
		}
		if len(w.Parts) == some { // It has single letters and digits alone.
			w.Parts = append(w.Parts, Key(segment))
		} else if len(pieces) > 1 {
			w.Names = append(w.Names, Key(segment))
		}
	}
	if all := strings.Join(segments, ""); len(segments) > 1 && len(all) <= longestName {
		if n := len(segments); n > 2 { // The file of a path, with its ending.
			w.Names = append(w.Names, Key(segments[n-2]+segments[n-1]))
		}
		w.Names = append(w.Names, Key(all))
	}
	return w
}

// Whole is the name in one, or nothing where the word has one part.
func (w Word) Whole() string {
	if len(w.Names) == 0 {
		return ""
	}
	return w.Names[len(w.Names)-1]
}

// IsStop reports whether the word says nothing by itself.
func (w Word) IsStop() bool { return IsStop(w.Shown) }

// Key is the form in which a word or a name is compared: in lower case, without diacritics and
// apostrophes, as its stem.
func Key(text string) string {
	text = withoutApostrophes(Fold(text))
	if len(text) > longestName {
		end := longestWord
		for !utf8.RuneStart(text[end]) {
			end--
		}
		text = text[:end]
	}
	return Stem(text)
}

func withoutApostrophes(word string) string {
	return strings.ReplaceAll(strings.ReplaceAll(word, "'", ""), "’", "")
}

// signedName returns the name of a language such as C++ or C#, whose sign tells it from another.
func signedName(chunk string) string {
	name := strings.TrimRight(chunk, ".:'")
	if bare := strings.TrimRight(name, "+#"); len(bare) == 1 && len(name) > 1 && len(name) < 4 {
		return name
	}
	return ""
}

// neighbourPairs are the pairs of neighbours of a text without blanks, since nothing shows where its words
// end.
func neighbourPairs(text string) (all []string) {
	before := 0
	for i, c := range text {
		if i > 0 {
			all = append(all, Key(text[before:i+utf8.RuneLen(c)]))
		}
		before = i
	}
	if len(all) == 0 {
		all = []string{Key(text)}
	}
	return all
}

// Segments takes a name or a path apart at the signs that join its words: those of
// "refs/my_file.go" are refs, my, file and go.
func Segments(chunk string) (all []string) {
	chunk = strings.TrimRight(chunk, behind)
	for _, end := range []string{"'t", "’t"} { // Such as don't.
		if word, ok := strings.CutSuffix(chunk, end); ok {
			chunk = word + "t"
		}
	}
	from := 0
	for i, c := range chunk + "/" {
		if classOf(c) != classJoin || withinNumber(chunk, i) {
			continue
		}
		// The s of "user's", or another end of one letter, is left out.
		after := strings.HasSuffix(chunk[:from], "'") || strings.HasSuffix(chunk[:from], "’")
		if i > from && (i-from > 1 || !after) && len(all) < mostSegments {
			all = append(all, chunk[from:i])
		}
		from = i + utf8.RuneLen(c)
	}
	return all
}

// withinNumber reports whether a point stands between two digits, as in a version.
func withinNumber(text string, at int) bool {
	digit := func(i int) bool { return i >= 0 && i < len(text) && text[i] >= '0' && text[i] <= '9' }
	return at < len(text) && text[at] == '.' && digit(at-1) && digit(at+1)
}

// Pieces takes a name apart where capitals and digits begin and end: those of parseHTTPError2 are
// parse, HTTP, Error and 2.
func Pieces(name string) (all []string) {
	from := 0
	last, before := classNone, classNone
	cut := func(to int) {
		all = append(all, name[from:to])
		from = to
	}
	for i, c := range name {
		kind := classOf(c)
		if kind == classJoin { // A point within a number.
			kind = classDigit
		}
		switch {
		case i == 0 || kind == last:
		case last == classUpper && kind == classLower:
			// The capital before begins the word, unless there was none before it.
			if _, size := utf8.DecodeLastRuneInString(name[:i]); before == classUpper && i-size > from {
				cut(i - size)
			}
		default:
			cut(i)
		}
		before, last = last, kind
	}
	cut(len(name))
	if len(all) > 4 && len(all)*3 > len(name) { // It is a digest rather than a name.
		return []string{name}
	}
	return all
}

// Fields are the words of a text in lower case, with their apostrophes and without the marks around them.
func Fields(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '\'' && c != '’'
	})
}

// stopTable is the words that say nothing by themselves, each between line breaks.
//
//go:embed stop.txt
var stopTable string

// longestStop is how long a word of the table is at most.
const longestStop = 8

// IsStop reports whether a word in lower case says nothing by itself.
func IsStop(word string) bool {
	word = withoutApostrophes(word)
	return len(word) <= longestStop && strings.Contains(stopTable, "\n"+word+"\n")
}

// commonTable is the thousand most common keys in comments and documents of programs, beside stop
// words, each between line breaks.
//
//go:embed common.txt
var commonTable string

// IsCommon reports whether a key stands in any talk of programs, so that it says little where it is
// rare: a number, a single letter, or one of the thousand that are most common there.
func IsCommon(key string) bool {
	return len(key) < 2 || strings.Trim(key, "0123456789.") == "" ||
		strings.Contains(commonTable, "\n"+key+"\n")
}

// CountEdits is how many letters must be changed, left out, put in or swapped with their neighbour
// to make one word of another.
func CountEdits(a, b string) int {
	row := func() []int { return make([]int, len(b)+1) }
	before, last, now := row(), row(), row()
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		now[0] = i + 1
		for j := range len(b) {
			same := 1
			if a[i] == b[j] {
				same = 0
			}
			now[j+1] = min(last[j]+same, last[j+1]+1, now[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				now[j+1] = min(now[j+1], before[j-1]+1)
			}
		}
		before, last, now = last, now, before
	}
	return last[len(b)]
}
