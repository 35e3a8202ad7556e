package deadend

import (
	"slices"
	"strings"
)

// pause is what stands after a word.
type pause int

const (
	noPause pause = iota
	comma
	sentenceEnd
)

// spoken is a word of a prompt.
type spoken struct {
	text  string // without quotes, brackets and punctuation
	stem  string
	pause pause
}

// spokenWords splits prose into words.
func spokenWords(text string) []spoken {
	text = text[:min(len(text), maxText)]
	const blanks = " \t\r\n"
	all := make([]spoken, 0, 1+strings.Count(text, " "))
	for text != "" {
		end := strings.IndexAny(text, blanks)
		if end < 0 {
			end = len(text)
		}
		if end > 0 {
			all = append(all, spokenWord(text[:end]))
		}
		rest := strings.TrimLeft(text[end:], blanks)
		if n := len(all); n > 0 && strings.Contains(text[end:len(text)-len(rest)], "\n") {
			all[n-1].pause = sentenceEnd
		}
		text = rest
	}
	return all
}

// spokenWord takes quotes and punctuation off a word and keeps what they say.
func spokenWord(raw string) spoken {
	core := strings.Trim(raw, "\"'`()[]{}<>*,;:!?“”‘’")
	core = strings.TrimRight(core, ".…")
	core = strings.TrimRight(core, "\"'`)]}>*")
	tail := raw[strings.LastIndex(raw, core)+len(core):]
	w := spoken{text: core, stem: Stem(core)}
	switch {
	case strings.ContainsAny(tail, ".!?;…"):
		w.pause = sentenceEnd
	case strings.ContainsAny(tail, ",:"):
		w.pause = comma
	}
	return w
}

// readPrompt reads the words of a prompt that ask for something to be done.
func readPrompt(text string) *reading {
	r := newReading()
	words := spokenWords(text)
	changes := slices.ContainsFunc(words, func(w spoken) bool { return isListed("changes", w.stem) })
	away, begins, inquiry := false, true, false
	for i, w := range words {
		if begins {
			inquiry = isInquiry(words[i:]) || reportsFailure(words[i:])
		}
		if !inquiry {
			if changes && !away && strings.ContainsAny(w.text, "/.") && len(r.paths) < maxEditPaths {
				r.paths = append(r.paths, w.text)
			}
			r.addWord(w.text, away, true)
		}
		switch why := i > 0 && words[i-1].stem == "why"; { // "Why not" proposes.
		case isListed("away", w.stem), isListed("beside", w.stem), isListed("forbids", w.stem) && !why:
			away = true
		case w.pause > noPause || isListed("clauses", w.stem):
			away = false
		}
		if begins = w.pause == sentenceEnd; begins {
			r.at += sentenceGap
		}
	}
	return r
}

// isInquiry says whether a sentence asks for an answer and not for a deed.
func isInquiry(words []spoken) bool {
	i := 0
	for i < len(words)-1 && words[i].pause < sentenceEnd &&
		(words[i].stem == "" || isListed("polite", words[i].stem)) {
		i++
	}
	return isListed("inquiries", words[i].stem) &&
		(i+1 == len(words) || !isListed("proposals", words[i+1].stem))
}

// reportsFailure says whether a sentence tells that something did not work.
func reportsFailure(words []spoken) bool {
	for i, w := range words {
		if low := strings.ToLower(w.text); isListed("reports", low) ||
			i > 0 && isListed("fails", w.stem) && low != w.stem {
			return true
		}
		if w.pause == sentenceEnd {
			break
		}
	}
	return false
}
