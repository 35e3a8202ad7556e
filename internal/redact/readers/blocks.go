package readers

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-ltm/git-ltm/internal/redact/lex"
)

// A level is a name that lines further in belong to.
type level struct {
	indent int
	name   lex.Span
}

// readBlocks reads lines that belong to a name above them: by a section in
// brackets, as in ini and TOML, or by being further in, as in YAML, HCL and
// JSON that is written over lines.
func readBlocks(text string, give func(Event)) {
	var section lex.Span
	var levels []level
	for at := 0; at <= len(text); {
		line := lineAt(text, at)
		at = line.End + 1
		s := trimSet(text, line, blanks)
		indent := s.Start - line.Start
		item := strings.HasPrefix(s.Of(text), "- ")
		if item {
			s = trimSet(text, lex.Between(s.Start+2, s.End), blanks)
			indent++
		}
		if s.Start == s.End || strings.IndexByte("#/;", text[s.Start]) >= 0 || s.End-s.Start > maxValue {
			continue
		}
		for len(levels) > 0 && levels[len(levels)-1].indent >= indent {
			levels = levels[:len(levels)-1]
		}
		above := section
		if len(levels) > 0 {
			above = levels[len(levels)-1].name
		}
		if inner := trimSet(text, s, "[]"); inner.Start > s.Start && inner.End < s.End {
			if isName(inner.Of(text)) {
				section, levels = inner, nil
			}
			continue
		}
		if value, quoted := bareValue(text, trimSet(text, s, ",; ")); quoted && value.Start > s.Start {
			item = true // A string in the brackets of a program.
		}
		name, rest := assignmentIn(text, s)
		switch opens := strings.IndexByte("{[|>:=(", text[s.End-1]) >= 0; {
		case name.End == 0 && opens:
			end := s.Start + len(strings.TrimRight(s.Of(text), "{[|>:=( "))
			word := lex.Back(text, end, s.Start, func(c byte) bool { return !lex.IsSpace(c) })
			if title, _ := bareValue(text, lex.Between(word, end)); word < end {
				levels = append(levels, level{indent, title})
			}
		case name.End > 0 && strings.Trim(rest.Of(text), "{[|>( ") == "":
			levels = append(levels, level{indent, name})
		case name.End == 0 && item && len(levels) > 0:
			value, quoted := bareValue(text, trimSet(text, s, ",; "))
			if isCandidate(value.Of(text)) {
				list := above
				if above = section; len(levels) > 1 {
					above = levels[len(levels)-2].name
				}
				give(Event{above, list, value, quoted})
			}
		case name.End > 0 && above.End > 0:
			value, quoted := bareValue(text, trimSet(text, rest, ",; "))
			if isCandidate(value.Of(text)) {
				give(Event{above, name, value, quoted})
			}
		}
	}
}

// assignmentIn returns the name at the beginning of a line that gives it something, and what that is. The name
// is empty where the line does not.
func assignmentIn(text string, line lex.Span) (name, rest lex.Span) {
	end := strings.IndexAny(line.Of(text)[:min(maxName, line.End-line.Start)], ":=")
	if end < 0 {
		return lex.Span{}, lex.Span{}
	}
	end += line.Start
	name, _ = bareValue(text, lex.Between(line.Start, end))
	if n := name.Of(text); !isName(n) || strings.Contains(n, " ") ||
		text[end] == ':' && end+1 < line.End && text[end+1] != ' ' {
		return lex.Span{}, lex.Span{}
	}
	return name, lex.Between(end+1, line.End)
}

// maxTalk is how many lines before an answer in a dialogue may say what it is.
const maxTalk = 3

// readAnswers reads a word that stands alone in a line as the answer to the line
// above it: a question, a line that ends in a sign of assignment, or a
// sentence. Several such words are a list, or the lines of something longer. In a dialogue, where somebody
// says the word, a line further up may say what it is.
func readAnswers(text string, give func(Event)) {
	above := make([]lex.Span, 0, maxTalk) // The last lines that are no such word, the nearest first.
	found, spoken := []Event(nil), false  // The words below them, and whether somebody said the last one.
	flush := func() {
		if len(found) == 1 {
			for i, line := range above {
				if found[0].Name = questionOf(text, line); found[0].Name.End > 0 && (i == 0 || spoken) {
					give(found[0])
				}
			}
		}
		found = found[:0]
	}
	for at := 0; at <= len(text); {
		line := lineAt(text, at)
		at = line.End + 1
		s := trimSet(text, line, blanks)
		if n := s.End - 3; s.Start == s.End || n > s.Start+2 && text[n] == ':' && lex.IsDigit(text[n-1]) &&
			lex.IsDigit(text[n+2]) && n < s.Start+maxName { // Who speaks, and when.
			continue
		}
		said, talk := s, false
		if last := strings.LastIndexByte(s.Of(text), ' '); last > 0 && last < maxName && len(above) > 0 {
			word := trimSet(text, lex.Between(s.Start+last, s.End), " .,")
			if bare, _ := bareValue(text, word); isCandidate(bare.Of(text)) {
				words := afterSpeaker(text, s, above)
				asked := questionOf(text, above[0])
				talk = words.Start > s.Start
				if few := strings.Count(words.Of(text), " "); few == 0 ||
					few <= 3 && asked.End > 0 && text[asked.End] == '?' {
					said = word
				}
			}
		}
		value, quoted := bareValue(text, said)
		if v := value.Of(text); len(v) < minAnswer || !isCandidate(v) || strings.ContainsAny(v, "(){}") ||
			!talk && strings.ContainsAny(v, "=[]/,;") {
			if len(v) >= 2*minAnswer && !strings.Contains(v, " ") {
				found = found[:0] // A line of something longer, such as a key.
			}
			flush()
			above = append([]lex.Span{s}, above[:min(len(above), maxTalk-1)]...)
			continue
		}
		spoken = talk
		found = append(found, Event{Value: value, Quoted: quoted})
	}
	flush()
}

// questionOf returns the end of a line that a word below it may answer, or nothing.
func questionOf(text string, line lex.Span) lex.Span {
	asked := trimSet(text, line, " \t\r?:.!\"'`*|>-")
	sure := asked.End < line.End && strings.IndexByte("?:|>", text[line.End-1]) >= 0
	if open := strings.LastIndex(asked.Of(text), " ("); open > 0 && text[asked.End-1] == ')' {
		asked.End = asked.Start + open
	}
	if at := strings.LastIndexByte(asked.Of(text), '='); at > 0 {
		asked.End, sure = asked.Start+at, true
	}
	prompt, _, _ := strings.Cut(line.Of(text), " ")
	few := strings.Count(asked.Of(text), " ")
	label := few == 0 && lex.IsUpper(lex.ByteAt(asked.Of(text), 0)) // Of a field.
	if !sure && !label && few < 2 && strings.IndexByte(">$%#", prompt[len(prompt)-1]) < 0 {
		return lex.Span{}
	}
	return asked
}

// minAnswer is the least length of a word that only the line above it gives away.
const minAnswer = 8

// speaker is how a line of a dialogue begins: with the sign of a prompt or quotation, the role of a speaker, or
// a name, which is its second group, with or without a time, which is its first.
//
//nolint:gochecknoglobals // A function that remembers its result; nobody writes to it.
var speaker = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(?:>+|=>|Out ?\[\d+\]:|\$\d+ =|` +
		`(?i:a|assistant|user|ai|bot|answer|me|agent|human):) |(\[?\d[\d.:/, -]{3,20}\]?(?: -)? )?` +
		`(<[@+ ]?[\w.-]{2,20}>|\*{0,2}\pL[\pL\d. _-]{1,20}:\*{0,2}) )`)
})

// afterSpeaker steps over the sign of a quotation, or who is speaking. A word with a colon is only a name where
// a time stands in front, or where another spoke before and somebody asked.
func afterSpeaker(text string, s lex.Span, above []lex.Span) lex.Span {
	if !strings.ContainsAny(s.Of(text), ":>=") {
		return s
	}
	at := speaker().FindStringSubmatchIndex(s.Of(text))
	if at == nil || at[4] == 0 && (!speaker().MatchString(above[0].Of(text)) ||
		!slices.ContainsFunc(above, func(line lex.Span) bool { return strings.HasSuffix(line.Of(text), "?") })) {
		return s
	}
	return trimSet(text, lex.Between(s.Start+at[1], s.End), blanks)
}
