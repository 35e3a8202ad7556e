package layouts

import (
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact/judge"
	"github.com/git-ltm/git-ltm/internal/redact/lex"
	"github.com/git-ltm/git-ltm/internal/redact/rules"
)

// findProvided finds the value that is given to a name with the name of a
// service in it, or that a clause about the service and a secret tells.
func findProvided(text string, keyword lex.Span) (lex.Span, bool) {
	if lex.HasFold(text[keyword.End:], "-token:") { // The header that Postman sends has an id of the request.
		return lex.Span{}, false
	}
	if secret, ok := ValueNear(text, keyword, judgeProvided(text, keyword)); ok {
		return secret, true
	}
	after := text[keyword.End:min(len(text), keyword.End+32)]
	clause := strings.IndexAny(after, ".\n;")
	if clause >= 0 {
		after = after[:clause]
	}
	if secret, ok := findAttributed(text, keyword); ok {
		return secret, true
	}
	if !lex.HasDigit(text[max(0, keyword.Start-maxToldBack):keyword.Start]) ||
		!rules.Words("secret-word").Within(strings.ToLower(after)) {
		return lex.Span{}, false
	}
	return valueBefore(text, keyword.Start, judge.IsGivenKey)
}

// findAttributed finds a value that the words between it and the name of a service
// say to belong there: "… for", "… to call", "…, //".
func findAttributed(text string, keyword lex.Span) (lex.Span, bool) {
	from := max(0, keyword.Start-maxToldBack)
	if !lex.HasDigit(text[from:keyword.Start]) {
		return lex.Span{}, false
	}
	for at, words := keyword.Start, 0; at > from && words < 4; words++ {
		whole := lastWord(text, from, at)
		if whole.Start == whole.End {
			break
		}
		word := bareWord(text, whole)
		if value := word.Of(text); word.End > word.Start && len(value) >= judge.MinRandom {
			return word, (words > 0 || lex.ByteBefore(text, keyword.Start) == '(') && judge.LooksRandom(value)
		}
		if !isBelonging(strings.ToLower(whole.Of(text))) {
			break
		}
		at = whole.Start
	}
	return lex.Span{}, false
}

// isBelonging says whether a word may stand between a value and what it is for.
func isBelonging(word string) bool {
	word = strings.Trim(word, "(")
	return word == "" || rules.Words("belonging").Has(word)
}

// judgeProvided judges a value that follows the name of a service.
func judgeProvided(text string, keyword lex.Span) func(at, limit int, how Nearness) (lex.Span, bool) {
	return func(at, _ int, how Nearness) (lex.Span, bool) {
		end := lex.Run(text, at, min(len(text), at+judge.MaxValue), isProvided)
		value := strings.TrimRight(text[at:end], ".:-=")
		if strings.HasSuffix(text[at:end], "=") {
			value = strings.TrimRight(text[at:end], ".:-")
		}
		if lex.IsAlnum(lex.ByteAt(text, at+len(value))) {
			return lex.Span{}, false
		}
		ok := false
		if judge.IsHexNumber(value) {
			return lex.Span{}, false
		}
		gap := strings.ToLower(text[keyword.End:at])
		valued := how == Assigned && strings.HasSuffix(strings.Trim(gap, "\"'=: "), "value")
		switch rest := RestOf(text, keyword.End, at); {
		case how == Mentioned:
			ok = len(value) >= minDirect && lex.Run(value, 0, len(value), lex.IsHex) < len(value) &&
				judge.LooksRandom(value) &&
				!judge.NamesThing(value) && !judge.IsResource(value)
		case rest == restKey || how == told || valued:
			ok = judge.IsGivenKey(value) && !judge.IsResource(value) &&
				(len(value) != 40 || how == told || valued || keyWord(gap) || judge.LooksRandom(value))
		case rest == restNone || rest == restOpen:
			ok = judge.LooksRandom(value) && !judge.IsResource(value) && !judge.NamesThing(value) &&
				strings.Count(value, ":") < 2
		}
		return lex.Between(at, at+len(value)), ok
	}
}

// A rest is what follows the name of a service in the name of a value.
type rest int

const (
	RestOther rest = iota // A word for something that is no secret.
	restNone              // Nothing.
	restOpen              // A word that says neither, or the id of a client.
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
		if len(inner) > 0 && lex.IsQuote(inner[0]) {
			return restNone
		}
		if word := lex.Run(inner, 0, len(inner), func(c byte) bool {
			return lex.IsDotted(c) || c == ' '
		}); word > 1 && lex.IsLetter(inner[word-1]) {
			name = strings.ToLower(strings.TrimSpace(inner[:word]))
		}
	}
	switch {
	case namesKey(name), isQuery(strings.ToLower(text[from:at])),
		isVariable(text, from) && strings.Trim(name, "_-. ") == "":
		return restKey
	case strings.Trim(name, "_-. ") == "" || judge.IsQualifier(strings.Trim(name, "_-. ")):
		return restNone
	case strings.HasSuffix(name, "client_id") || strings.HasSuffix(name, "clientid") ||
		strings.HasSuffix(name, "client-id") ||
		!rules.Words("numbered").Ends(strings.TrimRight(name, "0123456789_-. ")):
		return restOpen
	default:
		return RestOther
	}
}

// isVariable says whether the name that ends at text[to] is that of a variable
// of the environment.
func isVariable(text string, to int) bool {
	start := lex.Back(text, to, max(0, to-judge.MaxName), lex.IsUpperNum)
	return to-start >= 4 && !lex.IsAlnum(lex.ByteBefore(text, start)) && lex.ByteBefore(text, start) != '_'
}

// namesKey says whether the end of a name, in small letters, is a word for a
// key, or for an id that comes with one.
func namesKey(name string) bool {
	name = strings.TrimRight(name, "0123456789_-. ")
	if rules.Words("service-key-end").Ends(name) {
		return true
	}
	for len(name) > 0 {
		cut := strings.LastIndexAny(name, "_-. ")
		if cut < 0 || !judge.IsQualifier(name[cut+1:]) {
			return false
		}
		if name = strings.TrimRight(name[:cut], "_-. "); namesKey(name) {
			return true
		}
	}
	return false
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
	switch word := rules.Words("word").Has(name); {
	case !word && !rules.Words("short").Has(name):
		return findProvided(text, keyword)
	case !StandsAlone(text, keyword):
		return lex.Span{}, false
	case word:
		return findWordProvided(text, keyword)
	default:
		return findProvided(text, keyword)
	}
}

// findWordProvided finds the value that is given to a name which is a word of
// prose, too, where a word for a secret stands beside it.
func findWordProvided(text string, keyword lex.Span) (lex.Span, bool) {
	if !besideSecret(text, keyword) {
		return lex.Span{}, false
	}
	return ValueNear(text, keyword, judgeProvided(text, keyword))
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

// besideSecret says whether a word for a secret stands in the same line,
// shortly before or behind a name.
func besideSecret(text string, name lex.Span) bool {
	const reach = 32
	before := text[max(0, name.Start-reach):name.Start]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	behind := text[name.End:min(len(text), name.End+reach)]
	return rules.Words("secret-beside").WithinFold(before) || rules.Words("secret-beside").WithinFold(behind)
}
