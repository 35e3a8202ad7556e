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
	paragraphEnd
)

// spoken is a word of a prompt.
type spoken struct {
	text  string // without quotes, brackets and punctuation
	stem  string
	pause pause
	asks  bool // a question mark follows
	mark  mark
}

// spokenWords splits prose into words.
func spokenWords(text string) []spoken {
	text = text[:min(len(text), maxText)]
	var all []spoken
	for start := 0; start < len(text); {
		end := start
		for end < len(text) && strings.IndexByte(" \t\r\n", text[end]) < 0 {
			end++
		}
		if end > start {
			all = append(all, spokenWord(text[start:end]))
		}
		lines := 0
		for end < len(text) && strings.IndexByte(" \t\r\n", text[end]) >= 0 {
			if text[end] == '\n' {
				lines++
			}
			end++
		}
		if n := len(all); n > 0 && lines > 0 {
			all[n-1].pause = max(all[n-1].pause, sentenceEnd)
			if lines > 1 {
				all[n-1].pause = paragraphEnd
			}
		}
		start = end
	}
	return all
}

// spokenWord takes quotes and punctuation off a word and keeps what they say.
func spokenWord(raw string) spoken {
	core := strings.Trim(raw, "\"'`()[]{}<>*,;:!?“”‘’")
	core = strings.TrimRight(core, ".…")
	core = strings.TrimRight(core, "\"'`)]}>*")
	tail := raw[strings.LastIndex(raw, core)+len(core):]
	w := spoken{text: core, stem: Stem(core), asks: strings.Contains(tail, "?")}
	switch {
	case strings.ContainsAny(tail, ".!?;…"):
		w.pause = sentenceEnd
	case strings.ContainsAny(tail, ",:"), core == "-", core == "—", core == "":
		w.pause = comma
	}
	return w
}

// readPrompt reads the words of a prompt that ask for something to be done.
func readPrompt(text string) *reading {
	r := newReading()
	words := spokenWords(text)
	for start := 0; start < len(words); {
		end := start
		for end < len(words)-1 && words[end].pause < sentenceEnd {
			end++
		}
		markSentence(words[start : end+1])
		start = end + 1
	}
	for _, w := range words {
		r.add(w.text, w.mark)
		switch w.pause {
		case sentenceEnd:
			r.at += sentenceGap
		case paragraphEnd:
			r.at += paragraphGap
		case noPause, comma:
		}
	}
	return r
}

// markSentence says of each word of a sentence how it is meant.
func markSentence(words []spoken) {
	inquiry := isInquiry(words)
	for start := 0; start < len(words); {
		end := start + 1
		for end < len(words) && words[end-1].pause == noPause && !isListed("clauses", words[end].stem) {
			end++
		}
		if start > 0 && isListed("clauses", words[start].stem) && words[start].stem != "and" {
			inquiry = false
		}
		switch clause := words[start:end]; {
		case inquiry:
			ignoreAll(clause)
		case reportsFailure(clause):
			ignoreAll(clause)
			if pointsBack(clause) {
				ignoreAll(words[:start])
			}
		default:
			markClause(clause)
		}
		start = end
	}
}

// pointsBack says whether a clause is about what the clause before it says.
func pointsBack(clause []spoken) bool {
	return slices.ContainsFunc(clause, func(w spoken) bool { return w.stem == "it" || w.stem == "thi" || w.stem == "that" })
}

func ignoreAll(words []spoken) {
	for i := range words {
		words[i].mark = ignored
	}
}

// markClause says of each word of a clause that wants something done how it is
// meant.
func markClause(words []spoken) {
	m := meant
	for i := range words {
		words[i].mark = m
		next := ""
		if i+1 < len(words) {
			next = words[i+1].stem
		}
		switch stem := words[i].stem; {
		case stem == "instead" && next == "of", stem == "rather" && next == "than":
			m = beside
		case stem == "replac" || stem == "swap":
			m = replaced
		case m == beside && (stem == "for" || stem == "in" || stem == "on"):
			m = meant
		case m == replaced && (stem == "with" || stem == "by" || stem == "for"):
			m = meant
		case isListed("away", stem), isListed("forbids", stem) && !proposes(words[:i]):
			m = away
		}
	}
}

// proposes says whether a negation after these words is a proposal: "why not",
// "why don't we".
func proposes(before []spoken) bool {
	return len(before) > 0 && before[len(before)-1].stem == "why"
}

// isInquiry says whether a sentence asks for an answer and not for a deed.
func isInquiry(words []spoken) bool {
	i := 0
	for i < len(words)-1 && (words[i].stem == "" || isListed("polite", words[i].stem)) {
		i++
	}
	next := ""
	if i+1 < len(words) {
		next = words[i+1].stem
	}
	if (words[i].stem == "we" || words[i].stem == "i") && next == "try" && strings.EqualFold(words[i+1].text, "tried") {
		return true
	}
	switch stem := words[i].stem; stem {
	case "why":
		return next != "not" && next != "dont"
	case "what":
		return next != "if" && next != "about"
	case "find", "look", "search":
		return isListed("looks", next)
	case "how":
		return isListed("how", next)
	default:
		suggests := slices.ContainsFunc(words, func(w spoken) bool { return isListed("suggests", w.stem) })
		return isListed("inquiries", stem) || isListed("questions", stem) && words[len(words)-1].asks && !suggests
	}
}

// reportsFailure says whether a clause tells that something did not work.
func reportsFailure(words []spoken) bool {
	for i, w := range words {
		next := ""
		if i+1 < len(words) {
			next = words[i+1].stem
		}
		low := strings.ToLower(w.text)
		switch stem := w.stem; {
		case isListed("conditions", stem):
			return false
		case stem == "didnt", stem == "doesnt", stem == "wors", stem == "dead" && next == "end",
			stem == "not" && (next == "help" || next == "work" || next == "fix"):
			return true
		case i > 0 && (stem == "fail" || stem == "crash" || stem == "hang"):
			if strings.HasSuffix(low, "s") || strings.HasSuffix(low, "ed") {
				return true
			}
		}
	}
	return false
}
