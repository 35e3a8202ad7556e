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
	call, until, n := strings.ToLower(keyword.Of(text)), ")\n", 0
	connects, pairs := rules.Words("connecting").Ends(call), rules.Words("pairing").Ends(call)
	if connects {
		until = ")"
	}
	at := keyword.End // The arguments begin there, or at a quote in the keyword.
	if quote := strings.IndexByte(keyword.Of(text), '"'); quote >= 0 {
		at = keyword.Start + quote
	} else if text[at-1] == '\'' {
		at--
	}
	for argument := range argumentsIn(text[:min(len(text), keyword.End+maxArguments)], at, until) {
		value := argument.Of(text)
		n++
		spoken := judge.IsIdentifier(value) && (judge.IsWordy(value) || lex.ClassesOf(value).Digit > 2)
		named := strings.Contains(value, ";") || judge.CallOrPath(value) || judge.IsNamed(value) ||
			judge.IsVersion(value)
		placed := connects && n == 3 || pairs && n == 2
		if judge.Chosen.Accepts(value) && (!spoken && !named || placed) || placed && judge.IsChosenWord(value) {
			last = argument
		}
	}
	return last, last.End > 0
}

// findKeyArgument finds the first string among the arguments that a machine
// made.
func findKeyArgument(text string, keyword lex.Span) (lex.Span, bool) {
	for argument := range argumentsIn(text[:min(len(text), keyword.End+maxArguments)], keyword.End, "\n") {
		value := argument.Of(text)
		if len(value) >= 12 && !strings.ContainsAny(strings.TrimRight(value, "="), " \t=;{}<>") &&
			lex.HasDigit(value) &&
			judge.IsTokenValue(value) && !judge.IsUUID(value) && !judge.IsNamed(value) &&
			!judge.IsAlgorithm(value) && !judge.CallOrPath(value) {
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

// findOption finds a secret behind an option that is named for it, whatever
// the program is.
func findOption(text string, keyword lex.Span) (lex.Span, bool) {
	name := lex.Back(text, keyword.Start, max(0, keyword.Start-24), isOptionName)
	if before := lex.ByteBefore(text, name); text[name] != '-' ||
		before != 0 && !lex.IsSpace(before) && !lex.IsQuote(before) && before != '[' {
		return lex.Span{}, false
	}
	end := lex.Run(text, keyword.End, min(len(text), keyword.End+16), isOptionName)
	words, option := argumentsAt(text, name), strings.TrimLeft(text[name:end], "-")
	if len(words) == 0 || !rules.Words("store-option").Ends(strings.ToLower(option)) &&
		judge.KindOfName(option, lex.Between(0, len(option))) != judge.Chosen {
		return lex.Span{}, false
	}
	f := flag{name: text[name:end], how: inBoth}
	secret, ok := f.valueAt(text, words, 0)
	const long = 16 // A word of a sentence is rarely so long.
	value := secret.Of(text)
	return secret, ok && (judge.StrongArgument(value) || len(value) >= long && judge.IsChosenWord(value))
}

func isOptionName(c byte) bool { return lex.IsAlnum(c) || c == '-' || c == '_' || c == '.' }
