package readers

import (
	"strings"

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
	var given pair
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
		if name.End > 0 {
			if pair, ok := given.withMember(text, name, rest, indent, item); ok {
				give(pair)
			}
		}
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

// A pair is an item of a list with a member for the value and, behind it, one for the name.
type pair struct {
	value  lex.Span
	quoted bool
	indent int
}

// withMember takes in a member of an item, and returns the event once both are known.
func (p *pair) withMember(text string, name, rest lex.Span, indent int, item bool) (Event, bool) {
	content, quoted := bareValue(text, rest)
	switch strings.ToLower(name.Of(text)) {
	case "value", "val", "v":
		if isCandidate(content.Of(text)) {
			*p = pair{content, quoted, indent}
		}
	case "name", "key", "k":
		if p.value.End > 0 && !item && indent <= p.indent+1 && isName(content.Of(text)) {
			e := Event{Name: content, Value: p.value, Quoted: p.quoted}
			*p = pair{}
			return e, true
		}
	}
	return Event{}, false
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

// readAnswers reads a word that stands alone in a line as the answer to the line
// above it: a question, a line that ends in a sign of assignment, or a
// sentence. Several such words are a list, or the lines of something longer.
func readAnswers(text string, give func(Event)) {
	var above lex.Span // The last line that is no such word.
	var found []Event  // The words below it.
	flush := func() {
		if len(found) == 1 {
			if found[0].Name = questionOf(text, above); found[0].Name.End > 0 {
				give(found[0])
			}
		}
		found = found[:0]
	}
	for at := 0; at <= len(text); {
		line := lineAt(text, at)
		at = line.End + 1
		s := trimSet(text, line, blanks)
		if s.Start == s.End {
			continue
		}
		said := s
		if strings.Count(s.Of(text), " ") <= 4 {
			said = afterSpeaker(text, s)
		}
		if at := strings.LastIndexByte(said.Of(text), ' '); at > 0 && strings.Count(said.Of(text), " ") <= 3 {
			if asked := questionOf(text, above); asked.End > 0 && text[asked.End] == '?' {
				said = trimSet(text, lex.Between(said.Start+at, said.End), " .,")
			}
		}
		value, quoted := bareValue(text, said)
		if v := value.Of(text); len(v) < minAnswer || !isCandidate(v) ||
			strings.ContainsAny(v, "=(){}[]/,;") {
			if len(v) >= 2*minAnswer && !strings.Contains(v, " ") {
				found = found[:0] // A line of something longer, such as a key.
			}
			flush()
			above = s
			continue
		}
		found = append(found, Event{Value: value, Quoted: quoted})
	}
	flush()
}

// questionOf returns the end of a line that a word below it may answer, or nothing.
func questionOf(text string, line lex.Span) lex.Span {
	asked := trimSet(text, line, " \t\r?:.!\"'`*|>-")
	sure := asked.End < line.End && strings.IndexByte("?:|>", text[line.End-1]) >= 0
	if at := strings.LastIndexByte(asked.Of(text), '='); at > 0 {
		asked.End, sure = asked.Start+at, true
	}
	if !sure && strings.Count(asked.Of(text), " ") < 2 {
		return lex.Span{}
	}
	return asked
}

// minAnswer is the least length of a word that only the line above it gives away.
const minAnswer = 8

// afterSpeaker steps over the sign of a quotation, or who is speaking.
func afterSpeaker(text string, s lex.Span) lex.Span {
	who, _, ok := strings.Cut(s.Of(text), " ")
	switch strings.ToLower(who) {
	case ">", "a:", "assistant:", "user:", "ai:", "bot:", "answer:", "me:", "agent:", "human:":
		if ok {
			return trimSet(text, lex.Between(s.Start+len(who), s.End), blanks)
		}
	}
	return s
}
