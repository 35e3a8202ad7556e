package layouts

import (
	"slices"
	"strings"
	"unicode"

	"github.com/git-ltm/git-ltm/internal/redact/judge"
	"github.com/git-ltm/git-ltm/internal/redact/lex"
	"github.com/git-ltm/git-ltm/internal/redact/rules"
)

// Bounds of how far from its name a secret may be told.
const (
	maxTold     = 72
	maxToldBack = 56
)

// findTold finds a secret that a sentence tells: "the password is …", "use …
// as the API key".
func findTold(text string, name lex.Span, kind judge.NameKind) (lex.Span, bool) {
	if kind == judge.Hinted || kind == judge.Keyed {
		end := lex.Run(text, min(len(text), name.End+1), min(len(text), name.End+1+judge.MaxValue),
			func(c byte) bool { return !lex.IsSpace(c) })
		word := bareWord(text, lex.Between(min(len(text), name.End+1), end))
		return word, lex.ByteAt(text, name.End) == ' ' && word.End-word.Start >= minDirect &&
			judge.Hinted.Accepts(word.Of(text))
	}
	tells := func(value string) bool {
		return kind.Tells(value, judge.LinkedTo) && (kind == judge.Chosen || judge.LooksRandom(value))
	}
	if kind == judge.Chosen {
		// The word that stands in brackets directly behind the name.
		open := strings.IndexByte("([", lex.ByteAt(text, name.End))
		end := lex.Run(text, name.End, min(len(text), name.End+judge.MaxName),
			func(c byte) bool { return c > ' ' && c != ')' && c != ']' })
		if open >= 0 && lex.ByteAt(text, end) == ")]"[open] && tells(text[name.End+1:end]) {
			return lex.Between(name.End+1, end), true
		}
	}
	if strings.EqualFold(text[max(name.Start, name.End-len("pass")):name.End], "pass") {
		start := lex.Run(text, name.End, min(len(text), name.End+2), lex.IsBlank)
		word := text[start:lex.Run(text, start, min(len(text), start+judge.MaxName), lex.IsLetter)]
		if !rules.Words("said-to-be").Has(strings.ToLower(word)) {
			return lex.Span{}, false // "To pass x", where "the pass is x" tells one.
		}
	}
	if secret, ok := toldAfter(text, name.End, kind); ok {
		return secret, true
	}
	return valueBefore(text, name.Start, "naming-link", tells)
}

// minDirect is the least length of a value that the word "key" stands before.
const minDirect = 24

// toldAfter reads the words behind a name until the sentence is over, or turns out to be about something
// else.
func toldAfter(text string, from int, kind judge.NameKind) (lex.Span, bool) {
	limit := min(len(text), from+maxTold)
	if !lex.HasDigit(text[from:limit]) && kind != judge.Chosen {
		return lex.Span{}, false
	}
	first, before := lex.Run(text, from, limit, lex.IsSpace), ""
	for end := from; ; {
		start := lex.Run(text, end, limit, lex.IsSpace)
		if start >= limit || strings.Contains(text[end:start], "\n") && !isLinking(before) ||
			rules.Words("compound").Has(strings.TrimRight(before, ":,")) || strings.HasSuffix(before, "):") &&
			(before[0] != '(' || rules.Words("glue-word").Has(strings.Trim(before, "():"))) {
			return lex.Span{}, false
		}
		end = lex.Run(text, start, min(len(text), start+judge.MaxValue),
			func(b byte) bool { return !lex.IsSpace(b) })
		whole := text[start:end]
		word := bareWord(text, lex.Between(start, end))
		value := word.Of(text)
		quoted := word.Start > start && lex.IsQuote(text[word.Start-1])
		bond := judge.BesideIt
		switch {
		case strings.Contains(whole, "\":"):
			return lex.Span{}, false
		case rules.Words("said-to-be").Has(before):
			bond = judge.SaidToBe
		case start == first || isLinking(before) || quoted:
			bond = judge.LinkedTo
		}
		said := bond == judge.SaidToBe && kind == judge.Chosen && quoted &&
			lex.ByteAt(text, word.End) == text[word.Start-1] && judge.IsChosenWord(value)
		if start > from && !rules.Words("harmless-gap").Within(before) && (said || kind.Tells(value, bond)) {
			// A question mark may be a part of the password.
			word.End = lex.Run(text, word.End, min(len(text), word.End+1), lex.ClassNamed("?"))
			return word, true
		}
		if endsClause(whole) {
			return lex.Span{}, false
		}
		before = strings.ToLower(whole)
	}
}

// valueBefore looks for a value that the words in front of text[to] say to be
// what stands there: "use … as our", "… is the". Links are the words that say so.
func valueBefore(text string, to int, links string, accepts func(string) bool) (lex.Span, bool) {
	from := max(0, to-maxToldBack)
	linked := lex.ByteBefore(text, to) == '('
	for at := to; at > from; {
		end := lex.Back(text, at, from, lex.IsSpace)
		at = lex.Back(text, end, max(0, end-judge.MaxValue), func(c byte) bool { return !lex.IsSpace(c) })
		word := bareWord(text, lex.Between(at, end))
		if linked && word.End > word.Start && accepts(word.Of(text)) {
			return word, true
		}
		linked = linked && word.End == word.Start || rules.Words(links).Has(strings.ToLower(word.Of(text)))
		if endsClause(text[at:end]) || !linked && links == "belonging" { // Such words follow each other.
			break
		}
	}
	return lex.Span{}, false
}

// bareWord takes the quotes, brackets and signs off a word in a sentence. A phrase in quotes is a word.
func bareWord(text string, s lex.Span) lex.Span {
	word, signs := strings.TrimLeft(s.Of(text), "\"'`([{<*_|“‘«„"), "\"'`)]}>|.,;:?”’»“"
	head := s.Of(text)[:s.End-s.Start-len(word)]
	s.Start += len(head)
	if quote := lex.ByteBefore(head, len(head)); lex.IsQuote(quote) && strings.IndexByte(word, '\\') < 0 {
		rest, _, closed := strings.Cut(text[s.Start:min(len(text), s.Start+judge.MaxValue)], string(quote))
		if closed && rest != "" && (len(rest) < len(word) || judge.IsPhrase(rest)) {
			return lex.Between(s.Start, s.Start+len(rest))
		}
	}
	if strings.ContainsAny(head, "*_") {
		signs += "*_" // Bold type, and no end of a password.
	}
	return lex.Between(s.Start, s.Start+len(strings.TrimRight(word, signs)))
}

// endsClause says whether a sentence or a part of it ends with word.
func endsClause(word string) bool {
	return len(word) > 1 && strings.IndexByte(".;?!", word[len(word)-1]) >= 0
}

// isLinking says whether a word in front of a value says that it is the value.
func isLinking(word string) bool {
	return rules.Words("linking").Has(word) || strings.HasSuffix(word, ":") || strings.HasSuffix(word, "=")
}

// Nearness says how a value belongs to a name in front of it.
type Nearness int

const (
	Assigned  Nearness = iota + 1 // A sign of assignment stands directly before it.
	told                          // It stands in the same clause, which speaks of a secret.
	Mentioned                     // A word links it to the name, and nothing speaks of a secret.
)

// Bounds of how far from a name its value is looked for.
const (
	maxNear  = 96
	MaxTried = 4
)

// ValueNear offers the values that follow a name to judge, the nearest first,
// and returns what is accepted. A value is a run of the characters of
// tokens. How it belongs to the name is told with it.
func ValueNear(text string, keyword lex.Span,
	accepts func(at, limit int, how Nearness) (lex.Span, bool),
) (lex.Span, bool) {
	limit := min(len(text), keyword.End+maxNear)
	for at, tried := keyword.End, 0; at < limit && tried < MaxTried; {
		end := lex.Run(text, at, min(len(text), at+2*judge.MaxValue), lex.IsToken)
		if end-at >= judge.MinNear && at > keyword.End && lex.HasDigit(text[at:end]) {
			tried++
			if how := nearnessOf(text, keyword, at); how != 0 {
				if secret, ok := accepts(at, end, how); ok {
					return secret, true
				}
			}
		}
		// The next value begins behind a sign in this one, or behind it.
		next := lex.Run(text, at, end, func(c byte) bool { return !opensValue(c) })
		at = max(at+1, lex.Run(text, next, end, opensValue))
	}
	return lex.Span{}, false
}

// opensValue says whether c, which can be part of a token, may also stand
// between a name and its value.
func opensValue(c byte) bool { return c == '=' || c == ':' || c == '/' || c == '|' }

// nearnessOf says how the value at text[at] belongs to the name, or 0.
func nearnessOf(text string, keyword lex.Span, at int) Nearness {
	gap := strings.ToLower(text[keyword.End:at])
	if rules.Words("digest-mark").Ends(text[:at]) ||
		rules.Words("harmless-gap").Within(strings.ReplaceAll(gap, "api_hash", "")) {
		return 0
	}
	// The rest of a name, and the glue in front of a value.
	g := readGlue(text, lex.Run(text, keyword.End, min(at, keyword.End+48),
		func(c byte) bool { return lex.IsDotted(c) || lex.IsBlank(c) }))
	assigned := g.signs && g.at == at
	// A call is opened, with strings at most before the value.
	call := strings.IndexByte(gap, '(') > 0 && gap[0] != ' ' && lex.IsQuote(text[at-1]) &&
		!strings.ContainsAny(gap, "\n=;") && strings.LastIndexByte(gap, '(') > strings.LastIndexByte(gap, ')')
	if call || assigned || isCells(gap) || isQuery(gap) ||
		gap == " login " || lex.IsBlank(gap[0]) && len(gap) == 1 && followedByBlank(text, keyword) {
		return Assigned
	}
	if before := text[at-1]; before == '/' || before == '@' || strings.ContainsAny(gap, "\n;=") ||
		strings.Contains(gap, ". ") || strings.Contains(gap, "://") {
		return 0
	}
	// A line may be a name and the value with a blank or a dash between them.
	end := lex.Run(text, at, min(len(text), at+judge.MaxValue), isProvided)
	alone := (keyword.Start == 0 || text[keyword.Start-1] == '\n') && (end == len(text) || text[end] == '\n')
	before := text[max(0, keyword.Start-32):keyword.Start]
	switch {
	case alone && end-at >= minDirect && strings.Trim(gap, " -\t") == "":
		return told
	case !isLinked(gap):
		return 0
	case keyWord(gap), keyWord(strings.ToLower(before[strings.LastIndexAny(before, ".\n;")+1:])):
		return told
	default:
		return Mentioned
	}
}

// isQuery says whether gap is the rest of an address, up to the parameter for a
// key.
func isQuery(gap string) bool {
	name := gap[strings.LastIndexAny(gap, "?&")+1:]
	return len(name) < len(gap) && !strings.ContainsAny(gap, " \t\n\"'`") &&
		rules.Words("query-key").Has(name)
}

// isCells says whether gap is the rest of a cell, and one more at most, of a
// table, or only the end of a line.
func isCells(gap string) bool {
	if strings.IndexByte(gap, '\n') >= 0 {
		return strings.Trim(gap, " \t\n\"'`") == ""
	}
	return len(gap) <= 32 && strings.ContainsAny(gap, ",|\t(") && !rules.Words("secret-word").Within(gap)
}

// keyWord says whether a word of text, which is in small letters, names a
// secret. Other than secretWords it does not take the beginning of one.
func keyWord(text string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	return slices.ContainsFunc(words, rules.Words("key-word").Ends)
}
