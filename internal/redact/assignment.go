package redact

import "strings"

// maxValue bounds what is looked at to judge an assigned value.
const maxValue = 256

// findAssigned judges what stands after a name and a sign of assignment, or is
// told to be the secret in a sentence.
func findAssigned(text string, keyword span) (span, bool) {
	name, kind := nameOf(text, keyword)
	if kind == unnamed {
		return span{}, false
	}
	g := readGlue(text, name.end)
	if g.at == name.end && !option(text, name) && !isBeyond(byteBefore(text, name.end)) {
		return findTold(text, name, kind)
	}
	form := strings.HasSuffix(text[:name.start], `name="`)
	if g.signs || form || isBeyond(byteBefore(text, name.end)) || g.lines == 0 && option(text, name) {
		if secret, ok := valueAt(text, g, kind); ok {
			if user := strings.IndexByte(secret.of(text), ':'); user > 0 && strings.HasSuffix(name.of(text), "creds") {
				secret.start += user + 1
			}
			return secret, true
		}
	}
	if g.lines > 1 {
		return span{}, false
	}
	return findTold(text, name, kind)
}

// nameOf returns the name that a keyword is a part of, and what it makes of its
// value.
func nameOf(text string, keyword span) (span, nameKind) {
	if !foreign(keyword.of(text)) {
		name := nameAround(text, keyword)
		return name, kindOfName(text, name)
	}
	if isLetter(text[keyword.start]) && isLetter(byteBefore(text, keyword.start)) || isLetter(text[keyword.end-1]) && isLetter(byteAt(text, keyword.end)) {
		return keyword, unnamed // A part of another word.
	}
	for _, particle := range particles() {
		if strings.HasPrefix(text[keyword.end:], particle) {
			keyword.end += len(particle)
		}
	}
	return keyword, chosen
}

// option says whether the name at s is written so that a blank is enough
// between it and its value: as a flag, or behind a command that sets variables.
func option(text string, s span) bool {
	if name := s.of(text); strings.HasPrefix(name, "-") || bareSettings.has(name) {
		return true
	}
	end := back(text, s.start, max(0, s.start-4), isBlank)
	return end < s.start && settingCommands.has(text[back(text, end, max(0, end-8), isDotted):end])
}

// valueAt judges the value that begins behind the glue.
func valueAt(text string, g glue, kind nameKind) (span, bool) {
	if g.quote != 0 {
		at := g.at
		limit := min(len(text), at+maxValue)
		end := run(text, at, limit, func(c byte) bool { return c != g.quote && c != '\n' })
		if end == limit && limit < len(text) {
			end = run(text, end, len(text), func(c byte) bool { return c != g.quote && c != '\n' })
		}
		value := strings.TrimRight(text[at:end], `\ `)
		if callOrPath(value) && kind != chosen || byteAt(value, 0) == '+' {
			return span{}, false
		}
		return span{at, at + len(value)}, kind.accepts(value)
	}
	return bareValue(text, g.at, kind)
}

// minBare is the least length of a token without quotes.
const minBare = 10

// bareValue judges a value without quotes, which ends at a blank.
func bareValue(text string, at int, kind nameKind) (span, bool) {
	limit := min(len(text), at+maxValue)
	end := run(text, at, limit, inBareValue)
	value := text[at:end]
	if next := strings.IndexByte(value, '&'); next >= 0 && strings.IndexByte(value[next:], '=') > 1 {
		value = value[:next] // The next parameter of a query.
	}
	value, _, _ = strings.Cut(value, "</") // The end of an element.
	if byteBefore(text, at) == '\\' || strings.ContainsFunc(value, func(r rune) bool { return r >= 0x80 }) {
		return span{}, false
	}
	if strings.IndexByte("?@&,;.#/", byteAt(text, at)) >= 0 && kind != chosen || byteAt(text, at) == '?' {
		return span{}, false
	}
	whole := strings.TrimRight(value, ".,:)]}>\\")
	value = strings.TrimRight(whole, ".,:)]}>!?*\\")
	if byteAt(value, 0) == '+' || isCode(value) || isPair(value) || isStandard(value) || kind == strong && len(value) < minBare {
		return span{}, false
	}
	tight := byteBefore(text, at) == '=' && kind == chosen && strings.IndexByte(value, '.') < 0
	if callOrPath(value) || identifier(value) && !tight && !passphrase(value, kind) || !kind.accepts(value) {
		return span{}, false
	}
	if end == limit {
		return span{at, run(text, end, len(text), inBareValue)}, true
	}
	return span{at, at + len(whole)}, true
}

// passphrase says whether a value is made of words with a number behind them,
// as people make long passwords.
func passphrase(value string, kind nameKind) bool {
	return kind == chosen && strings.Count(value, "-") >= 2 && classesOf(value).digit >= 3 && identifier(value)
}

func inBareValue(c byte) bool {
	return c > ' ' && c != '"' && c != '\'' && c != '`' && c != ';' && c != ',' && c != 0x7f
}

// assignedMember judges a string value whose member is named for a secret.
func assignedMember(name, value string) (span, bool) {
	kind := kindOfName(name, span{0, len(name)})
	if kind == unnamed || callOrPath(value) || !kind.accepts(value) {
		return span{}, false
	}
	return span{0, len(value)}, true
}
