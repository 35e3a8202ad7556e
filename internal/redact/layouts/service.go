package layouts

import (
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact/judge"
	"github.com/git-ltm/git-ltm/internal/redact/lex"
	"github.com/git-ltm/git-ltm/internal/redact/rules"
)

// A rest is what follows the name of a service in the name of a value.
type rest int

const (
	RestOther rest = iota // A word for something that is no secret.
	restNone              // Nothing, a word that says neither, or the id of a client.
	restKey               // A word for a key.
)

// RestOf says what the name goes on with behind the name of a service, in front
// of the value at text[at].
func RestOf(text string, from, at int) rest {
	end := lex.Run(text, from, min(at, from+judge.MaxName),
		func(c byte) bool { return lex.IsDotted(c) || c == ' ' })
	name := strings.ToLower(strings.TrimSpace(text[from:end]))
	if open := strings.LastIndexAny(text[from:at], "({"); open >= 0 {
		inner := text[from+open+1 : at]
		word := lex.Run(inner, 0, len(inner), func(c byte) bool { return lex.IsDotted(c) || c == ' ' })
		if word > 1 && lex.IsLetter(inner[word-1]) {
			name = strings.ToLower(strings.TrimSpace(inner[:word]))
		}
	}
	// The name of a variable of the environment.
	start := lex.Back(text, from, max(0, from-judge.MaxName), lex.IsUpperNum)
	variable := from-start >= 4 && !lex.IsWord(lex.ByteBefore(text, start))
	switch {
	case namesKey(name), isQuery(strings.ToLower(text[from:at])),
		variable && strings.Trim(name, "_-. ") == "":
		return restKey
	case judge.IsQualifier(strings.Trim(name, "_-. ")) || rules.Words("client-id").Ends(name) ||
		!rules.Words("numbered").Ends(strings.TrimRight(name, "0123456789_-. ")):
		return restNone
	default:
		return RestOther
	}
}

// namesKey says whether the end of a name, in small letters, is a word for a
// key, or for an id that comes with one.
func namesKey(name string) bool {
	return rules.Words("service-key-end").Ends(strings.TrimRight(name, "0123456789_-. "))
}

// isLinked says whether the last word of gap is one for a secret, or says that
// the value is it.
func isLinked(gap string) bool {
	gap = strings.TrimRight(gap, " \t\"'`*(:")
	word := strings.ToLower(gap[strings.LastIndexAny(gap, " \t\"'`")+1:])
	if before := strings.TrimSuffix(gap, word); judge.IsQualifier(word) && len(before) < len(gap) &&
		strings.HasSuffix(before, " for ") {
		return isLinked(strings.TrimSuffix(before, " for "))
	}
	return word == "login" || keyWord(word) || isLinking(word) || word == "是" || word == "は"
}

func isProvided(c byte) bool { return lex.IsBase64(c) || c == '.' || c == '~' || c == ':' }

// findService finds the value that stands with the name of a service. Names
// that are words or parts of words are read with more care.
func findService(text string, keyword lex.Span) (lex.Span, bool) {
	name := strings.ToLower(keyword.Of(text))
	// A name that is a word of prose, too, has a word for a secret in its line, shortly before or behind it.
	const reach = 32
	word, after := rules.Words("word").Has(name), text[keyword.End:min(len(text), keyword.End+reach)]
	switch {
	case (word || rules.Words("short").Has(name)) && !StandsAlone(text, keyword),
		lex.HasFold(text[keyword.End:], "-token:"): // Postman sends the id of a request in its header.
		return lex.Span{}, false
	}
	secret, ok := ValueNear(text, keyword, func(at, _ int, how Nearness) (lex.Span, bool) {
		end := lex.Run(text, at, min(len(text), at+judge.MaxValue), isProvided)
		value := strings.TrimRight(text[at:end], ".:-")
		if lex.IsAlnum(lex.ByteAt(text, at+len(value))) || judge.IsHexNumber(value) ||
			judge.IsResource(value) || judge.IsPair(value) || isOfBadge(text, at) {
			return lex.Span{}, false
		}
		ok := false
		gap := strings.ToLower(text[keyword.End:at])
		valued := how == Assigned && strings.HasSuffix(strings.Trim(gap, "\"'=: "), "value")
		random := judge.LooksRandom(value) && !judge.NamesThing(value) && strings.Count(value, ":") < 2
		switch rest := RestOf(text, keyword.End, at); {
		case how == Mentioned:
			ok = random && len(value) >= minDirect && lex.Run(value, 0, len(value), lex.IsHex) < len(value)
		case rest == restKey || how == told || valued:
			ok = judge.IsGivenKey(value) &&
				(len(value) != 40 || how == told || valued || keyWord(gap) || judge.LooksRandom(value))
		case rest == restNone:
			ok = random
		}
		return lex.Between(at, at+len(value)), ok
	})
	if ok || word {
		return secret, ok
	}
	if secret, ok := valueBefore(text, keyword.Start, "belonging", judge.LooksRandom); ok &&
		judge.NamedIn(text, secret.Start) != "secure" { // That is encrypted.
		return secret, true
	}
	if lex.ByteBefore(text, keyword.Start) == '(' || !rules.Words("secret-word").Within(strings.ToLower(after)) {
		return lex.Span{}, false
	}
	return valueBefore(text, keyword.Start, "naming-link", judge.IsGivenKey)
}

// StandsAlone says whether a keyword is a word by itself, as programs part
// words: by a sign, by a capital, or by a word for a secret that follows.
func StandsAlone(text string, keyword lex.Span) bool {
	before, first := lex.ByteBefore(text, keyword.Start), text[keyword.Start]
	if lex.IsLetter(before) && (!lex.IsLower(before) || !lex.IsUpper(first)) {
		return false
	}
	after := lex.ByteAt(text, keyword.End)
	if !lex.IsLetter(after) || lex.IsUpper(after) && lex.IsLower(text[keyword.End-1]) {
		return true
	}
	return rules.Words("secret-behind").BeginsFold(text[keyword.End:])
}
