package redact

import "strings"

// findProvided finds the value that is given to a name with the name of a
// service in it, or that a clause about the service and a secret tells.
func findProvided(text string, keyword span) (span, bool) {
	if hasFold(text[keyword.end:], "-token:") { // The header that Postman sends has an id of the request.
		return span{}, false
	}
	if secret, ok := valueNear(text, keyword, judgeProvided(text, keyword)); ok {
		return secret, true
	}
	after := text[keyword.end:min(len(text), keyword.end+32)]
	clause := strings.IndexAny(after, ".\n;")
	if clause >= 0 {
		after = after[:clause]
	}
	if secret, ok := findAttributed(text, keyword); ok {
		return secret, true
	}
	if !hasDigit(text[max(0, keyword.start-maxToldBack):keyword.start]) ||
		!words("secret-word").within(strings.ToLower(after)) {
		return span{}, false
	}
	return valueBefore(text, keyword.start, isGivenKey)
}

// findAttributed finds a value that the words between it and the name of a service
// say to belong there: "… for", "… to call", "…, //".
func findAttributed(text string, keyword span) (span, bool) {
	from := max(0, keyword.start-maxToldBack)
	if !hasDigit(text[from:keyword.start]) {
		return span{}, false
	}
	for at, words := keyword.start, 0; at > from && words < 4; words++ {
		whole := lastWord(text, from, at)
		if whole.start == whole.end {
			break
		}
		word := bareWord(text, whole)
		if value := word.of(text); word.end > word.start && len(value) >= minRandom {
			return word, (words > 0 || byteBefore(text, keyword.start) == '(') && looksRandom(value)
		}
		if !isBelonging(strings.ToLower(whole.of(text))) {
			break
		}
		at = whole.start
	}
	return span{}, false
}

// isBelonging says whether a word may stand between a value and what it is for.
func isBelonging(word string) bool {
	word = strings.Trim(word, "(")
	return word == "" || words("belonging").has(word)
}

// judgeProvided judges a value that follows the name of a service.
func judgeProvided(text string, keyword span) func(at, limit int, how nearness) (span, bool) {
	return func(at, _ int, how nearness) (span, bool) {
		end := run(text, at, min(len(text), at+maxValue), isProvided)
		value := strings.TrimRight(text[at:end], ".:-=")
		if strings.HasSuffix(text[at:end], "=") {
			value = strings.TrimRight(text[at:end], ".:-")
		}
		if isAlnum(byteAt(text, at+len(value))) {
			return span{}, false
		}
		ok := false
		if isHexNumber(value) {
			return span{}, false
		}
		gap := strings.ToLower(text[keyword.end:at])
		valued := how == assigned && strings.HasSuffix(strings.Trim(gap, "\"'=: "), "value")
		switch rest := restOf(text, keyword.end, at); {
		case how == mentioned:
			ok = len(value) >= minDirect && run(value, 0, len(value), isHex) < len(value) && looksRandom(value) &&
				!namesThing(value) && !isResource(value)
		case rest == restKey || how == told || valued:
			ok = isGivenKey(value) && !isResource(value) &&
				(len(value) != 40 || how == told || valued || keyWord(gap) || looksRandom(value))
		case rest == restNone || rest == restOpen:
			ok = looksRandom(value) && !isResource(value) && !namesThing(value) && strings.Count(value, ":") < 2
		}
		return span{at, at + len(value)}, ok
	}
}

// A rest is what follows the name of a service in the name of a value.
type rest int

const (
	restOther rest = iota // A word for something that is no secret.
	restNone              // Nothing.
	restOpen              // A word that says neither, or the id of a client.
	restKey               // A word for a key.
)

// restOf says what the name goes on with behind the name of a service, in front
// of the value at text[at].
func restOf(text string, from, at int) rest {
	end := run(text, from, min(at, from+maxName), func(c byte) bool { return isDotted(c) || c == ' ' })
	name := strings.ToLower(strings.TrimSpace(text[from:end]))
	if open := strings.LastIndexAny(text[from:at], "({"); open >= 0 {
		inner := text[from+open+1 : at]
		if len(inner) > 0 && isQuote(inner[0]) {
			return restNone
		}
		if word := run(inner, 0, len(inner), func(c byte) bool {
			return isDotted(c) || c == ' '
		}); word > 1 && isLetter(inner[word-1]) {
			name = strings.ToLower(strings.TrimSpace(inner[:word]))
		}
	}
	switch {
	case namesKey(name), isQuery(strings.ToLower(text[from:at])),
		isVariable(text, from) && strings.Trim(name, "_-. ") == "":
		return restKey
	case strings.Trim(name, "_-. ") == "" || isQualifier(strings.Trim(name, "_-. ")):
		return restNone
	case strings.HasSuffix(name, "client_id") || strings.HasSuffix(name, "clientid") ||
		strings.HasSuffix(name, "client-id") ||
		!words("numbered").ends(strings.TrimRight(name, "0123456789_-. ")):
		return restOpen
	default:
		return restOther
	}
}

// isVariable says whether the name that ends at text[to] is that of a variable
// of the environment.
func isVariable(text string, to int) bool {
	start := back(text, to, max(0, to-maxName), isUpperNum)
	return to-start >= 4 && !isAlnum(byteBefore(text, start)) && byteBefore(text, start) != '_'
}

// namesKey says whether the end of a name, in small letters, is a word for a
// key, or for an id that comes with one.
func namesKey(name string) bool {
	name = strings.TrimRight(name, "0123456789_-. ")
	if words("service-key-end").ends(name) {
		return true
	}
	for len(name) > 0 {
		cut := strings.LastIndexAny(name, "_-. ")
		if cut < 0 || !isQualifier(name[cut+1:]) {
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
	if before := strings.TrimSuffix(gap, word); isQualifier(word) && len(before) < len(gap) &&
		strings.HasSuffix(before, " for ") {
		return isLinked(strings.TrimSuffix(before, " for "))
	}
	return word == "login" || keyWord(word) || isLinking(word) || word == "是" || word == "は"
}

func isProvided(c byte) bool { return isBase64(c) || c == '.' || c == '~' || c == ':' }

// isGivenKey says whether a value that a service's name and a word for a secret
// stand before is a key, though it could be an id or a digest elsewhere.
func isGivenKey(value string) bool {
	n := classesOf(value)
	switch {
	case len(value) < 12 || isPlaceholder(value) || callOrPath(value) || isIdentifier(value):
		return false
	case isUUID(value) || run(value, 0, len(value), isHex) == len(value):
		return n.digit > 0 && n.lower+n.upper > 0
	default:
		return n.digit > 1 && n.lower+n.upper > 1
	}
}

// findService finds the value that stands with the name of a service. Names
// that are words or parts of words are read with more care.
func findService(text string, keyword span) (span, bool) {
	name := strings.ToLower(keyword.of(text))
	switch word := words("word").has(name); {
	case !word && !words("short").has(name):
		return findProvided(text, keyword)
	case !standsAlone(text, keyword):
		return span{}, false
	case word:
		return findWordProvided(text, keyword)
	default:
		return findProvided(text, keyword)
	}
}

// findWordProvided finds the value that is given to a name which is a word of
// prose, too, where a word for a secret stands beside it.
func findWordProvided(text string, keyword span) (span, bool) {
	if !besideSecret(text, keyword) {
		return span{}, false
	}
	return valueNear(text, keyword, judgeProvided(text, keyword))
}

// standsAlone says whether a keyword is a word by itself, as programs part
// words: by a sign, by a capital, or by a word for a secret that follows.
func standsAlone(text string, keyword span) bool {
	before, first := byteBefore(text, keyword.start), text[keyword.start]
	if isLetter(before) && (!isLower(before) || !isUpper(first)) {
		return false
	}
	after := byteAt(text, keyword.end)
	if !isLetter(after) || isUpper(after) && isLower(text[keyword.end-1]) {
		return true
	}
	return words("secret-behind").beginsFold(text[keyword.end:])
}

// besideSecret says whether a word for a secret stands in the same line,
// shortly before or behind a name.
func besideSecret(text string, name span) bool {
	const reach = 32
	before := text[max(0, name.start-reach):name.start]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	behind := text[name.end:min(len(text), name.end+reach)]
	return words("secret-beside").withinFold(before) || words("secret-beside").withinFold(behind)
}
