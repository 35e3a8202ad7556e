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
		if !ok {
			return lex.Span{}, false
		}
		return g.wholeValue(text, secret), true
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
		placed := connects && n == 3 || pairs && n == 2
		if judge.Chosen.Accepts(value) && (placed || !judge.IsIdentifier(value) && !judge.CallOrPath(value)) ||
			placed && judge.IsChosenWord(value) {
			last = argument
		}
	}
	return last, last.End > 0
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
