package layouts

import (
	"iter"
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact/judge"
	"github.com/git-ltm/git-ltm/internal/redact/lex"
	"github.com/git-ltm/git-ltm/internal/redact/rules"
)

// maxArguments bounds what is read of the arguments of a call.
const maxArguments = 200

// findArgument finds the last string among the arguments that can be a
// password, or what follows the words of a statement.
func findArgument(text string, keyword lex.Span) (lex.Span, bool) {
	if text[keyword.End-1] == ' ' {
		g := readGlue(text, keyword.End)
		if g.quote == '\'' {
			g.last = ' ' // The statement gives it a literal.
		}
		secret, ok := valueAt(text, g, judge.Chosen)
		return g.wholeValue(text, secret), ok
	}
	var last lex.Span
	limit := min(len(text), keyword.End+maxArguments)
	connects, until, n := rules.Words("connecting").Ends(strings.ToLower(keyword.Of(text))), ")\n", 0
	if connects {
		until = ")"
	}
	for argument := range argumentsIn(text[:limit], firstArgument(text, keyword), until) {
		value := argument.Of(text)
		if n++; passwordArgument(value) || connects && n == 3 &&
			(judge.Chosen.Accepts(value) || judge.IsChosenWord(value)) {
			last = argument
		}
	}
	return last, last.End > 0
}

// firstArgument returns where the arguments begin: behind the keyword, or at
// the double quote in it or the quote at its end.
func firstArgument(text string, keyword lex.Span) int {
	if quote := strings.IndexByte(keyword.Of(text), '"'); quote >= 0 {
		return keyword.Start + quote
	}
	if text[keyword.End-1] == '\'' {
		return keyword.End - 1
	}
	return keyword.End
}

// passwordArgument says whether a string among arguments is a password.
func passwordArgument(value string) bool {
	if strings.HasSuffix(value, "=") || strings.Contains(value, ";") || judge.CallOrPath(value) ||
		judge.IsNamed(value) ||
		judge.IsVersion(value) {
		return false
	}
	spoken := judge.IsIdentifier(value) && (judge.IsWordy(value) || lex.ClassesOf(value).Digit > 2)
	return judge.Chosen.Accepts(value) && !spoken
}

// findKeyArgument finds the first string among the arguments that a machine
// made.
func findKeyArgument(text string, keyword lex.Span) (lex.Span, bool) {
	return eachArgument(text, keyword.End, func(value string) bool {
		if len(value) < 12 || strings.ContainsAny(value, " \t=;{}<>") && !strings.HasSuffix(value, "=") ||
			judge.IsUUID(value) || judge.IsNamed(value) {
			return false
		}
		return lex.HasDigit(value) && judge.IsTokenValue(value) && !judge.IsAlgorithm(value) &&
			!judge.CallOrPath(value)
	})
}

// eachArgument returns the first string among the arguments from text[at] on
// that is accepted.
func eachArgument(text string, at int, accepts func(string) bool) (lex.Span, bool) {
	for argument := range argumentsIn(text[:min(len(text), at+maxArguments)], at, "\n") {
		if accepts(argument.Of(text)) {
			return argument, true
		}
	}
	return lex.Span{}, false
}

// argumentsIn yields what stands in quotes from text[at] on, up to the first
// of some signs outside of them.
func argumentsIn(text string, at int, until string) iter.Seq[lex.Span] {
	return func(yield func(lex.Span) bool) {
		for at < len(text) && strings.IndexByte(until, text[at]) < 0 {
			if !lex.IsQuote(text[at]) {
				at++
				continue
			}
			end := strings.IndexByte(text[at+1:], text[at])
			if end < 0 || !yield(lex.Between(at+1, at+1+end)) {
				return
			}
			at += end + 2
		}
	}
}

// maxPiped bounds what is read of an option and its value.
const maxPiped = 256

// findOption finds a secret behind an option that is named for it, whatever
// the program is.
func findOption(text string, keyword lex.Span) (lex.Span, bool) {
	name := lex.Back(text, keyword.Start, max(0, keyword.Start-24), isOptionName)
	if before := lex.ByteBefore(text, name); text[name] != '-' ||
		name > 0 && !lex.IsSpace(before) && !lex.IsQuote(before) && before != '[' {
		return lex.Span{}, false
	}
	end := lex.Run(text, keyword.End, min(len(text), keyword.End+16), isOptionName)
	if !namesPassword(strings.ToLower(text[name:end])) {
		return lex.Span{}, false
	}
	limit := min(len(text), end+maxPiped)
	if c := lex.ByteAt(text, end); c == '=' || c == ':' {
		stop, _ := argumentEnd(text, end+1, limit)
		return optionSecret(text, argumentFrom(text, lex.Between(end+1, stop), end+1))
	}
	words := argumentsAt(text, lex.Run(text, end, min(len(text), end+1), lex.IsQuote))
	if len(words) == 0 || words[0].Start == end {
		return lex.Span{}, false
	}
	return optionSecret(text, withoutQuotes(text, words[0]))
}

func isOptionName(c byte) bool { return lex.IsAlnum(c) || c == '-' || c == '_' || c == '.' }

// namesPassword says whether the name of an option ends with a word for a
// password.
func namesPassword(name string) bool {
	name = strings.TrimLeft(name, "-")
	for _, word := range rules.Words("password-option").List() {
		if strings.HasSuffix(name, word) &&
			(len(name) == len(word) || !lex.IsLetter(name[len(name)-len(word)-1]) ||
				strings.HasSuffix(word, "pass")) {
			return name != "bypass" && name != "compass" && !strings.HasPrefix(name, "no-")
		}
	}
	return false
}

func optionSecret(text string, value lex.Span) (lex.Span, bool) {
	if strings.HasPrefix(value.Of(text), "pass:") {
		value.Start += len("pass:")
	}
	s := value.Of(text)
	return value, !rules.Words("option-source").Begins(s) && judge.SecretArgument(s) &&
		judge.StrongArgument(s)
}
