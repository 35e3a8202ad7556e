package deadend

import (
	"slices"
	"strings"
)

// The bounds of what is read of an edit.
const (
	maxEdit      = 32 << 10 // bytes of what is written, and as many of what is taken out
	maxEditPaths = 3        // files whose names stand beside what is changed
)

// readEdit reads what an edit changes: the lines that it writes and that were not there. What stays, the
// names of the files and what goes only help. Texts for people, which tell of deeds, are passed over.
func readEdit(a Action) *reading {
	r := newReading()
	if a.Added+a.Removed == "" || onlyTells(a.Paths) {
		return r
	}
	r.edit, r.around = true, map[string]occurrence{}
	for _, path := range a.Paths[:min(len(a.Paths), maxEditPaths)] {
		for _, p := range splitPieces(path) {
			r.around[p.key] = occurrence{text: p.text}
		}
	}
	added, removed := editLines(a.Added), editLines(a.Removed)
	stays, comes := lineSet(removed), lineSet(added)
	for _, line := range removed {
		if comes[line] {
			continue
		}
		for word := range strings.FieldsSeq(line) {
			for _, p := range splitPieces(strings.Trim(word, "\"'`,;")) {
				r.around["-"+p.key] = occurrence{text: p.text, done: commentIn(line) == ""}
			}
		}
	}
	for _, line := range added {
		comment := commentIn(line)
		for _, w := range spokenWords(comment) {
			r.addWord(w.text, false, false)
		}
		if comment != "" || line == "" {
			r.at += sentenceGap
			continue
		}
		for word := range strings.FieldsSeq(line) {
			word = strings.Trim(word, "\"'`,;")
			r.addWord(word, false, !stays[line])
		}
		if stays[line] {
			continue
		}
		r.noteText(line)
		if len(a.Paths) == 1 && isManifest(a.Paths[0]) {
			r.noteInstall(line)
		}
	}
	return r
}

// besideOf is where a unit stands beside what an edit writes. What a rule did away with is there where the
// edit takes it out; its place may be said with it.
func (r *reading) besideOf(u unit) (at occurrence, ok bool) {
	key, undone := strings.CutPrefix(u.key, "!")
	signs := []string{""}
	if undone {
		signs = []string{"-", ""}
	}
	for _, sign := range signs {
		if at, ok = r.around[sign+key]; ok {
			return at, true
		}
		for _, part := range u.parts {
			if at, ok = r.around[sign+strings.TrimPrefix(part, "!")]; !ok {
				break
			}
		}
		if ok {
			return at, true
		}
	}
	return at, false
}

// onlyTells says whether all files are texts for people.
func onlyTells(paths []string) bool {
	return len(paths) > 0 && !slices.ContainsFunc(paths, func(p string) bool {
		name := strings.ToLower(baseName(p))
		return isManifest(p) ||
			!isAmong(".md .mdx .markdown .rst .adoc .txt", name[max(0, strings.LastIndexByte(name, '.')):])
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

// commentIn is what a line tells that is nothing but a comment, with its sign; "" for any other.
func commentIn(line string) string {
	for _, sign := range []string{"//", "/*", "*", "# ", "--", "<!--", ";;", "%%"} {
		if rest, ok := strings.CutPrefix(line, sign); ok && !strings.HasPrefix(rest, "-") {
			return line
		}
	}
	return ""
}
