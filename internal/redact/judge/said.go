package judge

import (
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact/lex"
)

// A bond says how a word of a sentence belongs to a name in it.
type Bond int

const (
	BesideIt Bond = iota // They stand in one sentence.
	LinkedTo             // A word or a sign says that it is its value.
	SaidToBe             // A verb says so.
)

// Tells says whether a word of a sentence about a secret is that secret. Only
// what is linked to the name may be weak.
func (k NameKind) Tells(value string, how Bond) bool {
	n, weak := lex.ClassesOf(value), k == Chosen && how != BesideIt
	phrase := weak && IsPhrase(value)
	if weak && n.Digit == 0 && !phrase || !weak && len(value) < MinRandom { // Most words, which are cheap to tell.
		return false
	}
	if len(value) < 6 || value[0] == '/' || value[0] == '-' || !lex.IsASCII(value) ||
		IsPair(value) || IsStandard(value) || IsCode(value) || strings.ContainsAny(value, "()<>{}\"") ||
		CallOrPath(value) || IsPlaceholder(value) || IsNamed(value) {
		return false
	}
	if weak {
		return phrase || n.Digit == len(value) || n.Digit > 0 && n.Lower+n.Upper > 2 && !IsVersion(value) &&
			!IsAlgorithm(value) && (how == SaidToBe || !IsWordy(value))
	}
	if how != BesideIt {
		return Strong.Accepts(value) && !IsIdentifier(value) && !NamesThing(value)
	}
	return LooksRandom(value) && !NamesThing(value)
}

// IsWordy says whether a value is a word with a number behind it, as things in a
// sentence are named: "argon2", "utf-8", "step-2".
func IsWordy(value string) bool {
	return IsIdentifier(value) && lex.ClassesOf(value).Digit < 3 && CountMarks(value) == 0
}

// IsNamed says whether a word is an identifier with a sign inside, a mail
// address or something else that sentences hold.
func IsNamed(value string) bool {
	dot := strings.IndexByte(value, '.')
	member := dot > 2 && dot+3 < len(value) && lex.Run(value, 0, dot, lex.IsLetter) == dot &&
		lex.Run(value, dot+1, dot+3, lex.IsLetter) == dot+3
	return member && !IsPhrase(value) && !LooksRandom(value) ||
		strings.Contains(value, `\`) || strings.Contains(value, "://") ||
		strings.Contains(value, "@") && dot >= 0 || strings.Contains(value, "::") ||
		strings.HasPrefix(value, "#")
}
