package deadend

import (
	"cmp"
	"slices"
	"strings"
)

// The bounds of what is read of an edit.
const (
	maxEdit      = 32 << 10 // bytes of what is written, and as many of what is taken out
	maxEditPaths = 3        // files whose names stand beside what is changed
)

// surroundings is what an edit is read with: a rule may be met in part by what
// stands there, but never by that alone.
type surroundings struct {
	around  *reading // the names of the files, and the lines that stay
	removed *reading // the lines that go
}

// readEdit reads what an edit changes: the lines that it writes and that were
// not there. Texts for people, which tell of deeds, are passed over.
func readEdit(a Action) *reading {
	r := newReading()
	if a.Added+a.Removed == "" || onlyTells(a.Paths) {
		return r
	}
	r.beside = &surroundings{around: newReading(), removed: newReading()}
	for _, path := range a.Paths[:min(len(a.Paths), maxEditPaths)] {
		r.beside.around.add(path, meant)
	}
	added, removed := editLines(a.Added), editLines(a.Removed)
	stays, comes := lineSet(removed), lineSet(added)
	for _, line := range added {
		if stays[line] {
			r.beside.around.addLine(line)
			continue
		}
		r.addLine(line)
		if len(a.Paths) == 1 && isManifest(a.Paths[0]) {
			r.install(line)
		}
	}
	for _, line := range removed {
		if !comes[line] {
			r.beside.removed.addLine(line)
		}
	}
	r.noteTurn()
	return r
}

// besideOf is where a unit stands beside what an edit writes. What a rule did
// away with is there where the edit takes it out.
func (r *reading) besideOf(u unit) (at occurrence, fresh, ok bool) {
	if r.beside == nil {
		return occurrence{}, false, false
	}
	if gone, ok := u.undone(); ok {
		if found := r.beside.removed.occurrencesOf(gone); len(found) > 0 {
			return found[0], done(found), true
		}
		u = gone // Its place may be said with it.
	}
	if found := r.beside.around.occurrencesOf(u); len(found) > 0 {
		return found[0], false, true
	}
	return occurrence{}, false, false
}

// done says whether a word stands anywhere but in comments.
func done(found []occurrence) bool {
	return slices.ContainsFunc(found, func(o occurrence) bool { return !o.talk })
}

// undone is the unit whose going a rule speaks of: what it replaced or took away.
func (u unit) undone() (unit, bool) {
	if !strings.HasPrefix(u.key, "!") {
		return u, u.old
	}
	plain := unit{key: u.key[1:]}
	for _, part := range u.parts {
		plain.parts = append(plain.parts, strings.TrimPrefix(part, "!"))
	}
	return plain, true
}

// onlyTells says whether all files are texts for people.
func onlyTells(paths []string) bool {
	return len(paths) > 0 && !slices.ContainsFunc(paths, func(p string) bool {
		if isManifest(p) {
			return true
		}
		return !slices.ContainsFunc([]string{
			".md", ".mdx", ".markdown", ".rst", ".adoc", ".txt",
		}, func(ending string) bool { return strings.HasSuffix(strings.ToLower(p), ending) })
	})
}

// editLines are the lines of a text, without the blanks around them.
func editLines(text string) []string {
	lines := strings.Split(text[:min(len(text), maxEdit)], "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	return lines
}

func lineSet(lines []string) map[string]bool {
	set := make(map[string]bool, len(lines))
	for _, line := range lines {
		set[line] = true
	}
	return set
}

// addLine notes the words of a line of code, or of a comment as those of prose.
func (r *reading) addLine(line string) {
	words, comment := commentWords(line)
	if !comment {
		for w := range strings.FieldsSeq(line) {
			r.add(strings.Trim(w, "\"'`,;"), meant)
		}
	}
	if len(words) > 0 {
		markSentence(words)
	}
	r.talk = comment
	for _, w := range words {
		r.add(w.text, w.mark)
	}
	r.talk = false
	if line == "" || comment {
		r.at += sentenceGap
	}
}

// commentWords are the words of a line that is nothing but a comment.
func commentWords(line string) ([]spoken, bool) {
	for _, sign := range []string{"//", "/*", "*", "# ", "--", "<!--", ";;", "%%"} {
		if rest, ok := strings.CutPrefix(line, sign); ok && !strings.HasPrefix(rest, "-") {
			return spokenWords(rest), true
		}
	}
	return nil, false
}

// noteTurn notes the direction of an edit that changes one number.
func (r *reading) noteTurn() {
	was, is := r.beside.removed.figures, r.figures
	if len(was) != len(is) {
		return
	}
	changed := -1
	for i := range is {
		if is[i].text == was[i].text {
			continue
		}
		if changed >= 0 {
			return
		}
		changed = i
	}
	if changed < 0 {
		return
	}
	turned := Stem("raise")
	if compareNumbers(is[changed].text, was[changed].text) < 0 {
		turned = Stem("lower")
	}
	f := is[changed]
	r.note(turned, occurrence{at: f.at, word: f.word, text: f.text, mark: meant})
	r.turns = append(r.turns, turn{f.at, heading(turned)})
}

// compareNumbers compares numbers that have the same unit, by their digits
// before any point.
func compareNumbers(a, b string) int {
	a, _, _ = strings.Cut(strings.TrimLeft(digitsOf(a), "0"), ".")
	b, _, _ = strings.Cut(strings.TrimLeft(digitsOf(b), "0"), ".")
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

// digitsOf is a number without its unit.
func digitsOf(s string) string {
	key, _ := numberOf(s)
	return strings.TrimPrefix(key, "#")
}
