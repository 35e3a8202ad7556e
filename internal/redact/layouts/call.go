package layouts

import (
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
	lists := [...]string{"hashing", "pairing", "connecting"} // By the number of the argument.
	var last lex.Span
	call, until, n := strings.ToLower(keyword.Of(text)), ")\n", 0
	if rules.Words("connecting").Ends(call) {
		until = ")"
	}
	at := keyword.End // The arguments begin there, or at a quote in the keyword.
	if quote := strings.IndexByte(keyword.Of(text), '"'); quote >= 0 {
		at = keyword.Start + quote
	} else if text[at-1] == '\'' {
		at--
	}
	limit := min(len(text), keyword.End+maxArguments)
	for at < limit && strings.IndexByte(until, text[at]) < 0 {
		if !lex.IsQuote(text[at]) {
			at++
			continue
		}
		size := strings.IndexByte(text[at+1:limit], text[at])
		if size < 0 {
			break
		}
		argument := lex.Between(at+1, at+1+size)
		value, placed := argument.Of(text), n < len(lists) && rules.Words(lists[n]).Ends(call)
		if n++; judge.Chosen.Accepts(value) &&
			(placed || judge.CountMarks(value) > 0 ||
				lex.HasLetter(value) && !judge.IsIdentifier(value) && !judge.CallOrPath(value)) ||
			placed && judge.IsChosenWord(value) ||
			n > 1 && judge.IsPhrase(value) && strings.IndexByte(value, '_') < 0 {
			last = argument
		}
		at = argument.End + 1
	}
	return last, last.End > 0
}
