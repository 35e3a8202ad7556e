package redact

import "strings"

// maxGap bounds the blanks between a name, its sign and its value, as a
// formatter aligns them.
const maxGap = 64

// maxValue bounds what is looked at to judge an assigned value.
const maxValue = 256

// assignmentRules are values that are given to a name for a secret.
func assignmentRules() []Rule {
	return []Rule{{
		ID: "secret-assignment", Severity: Block,
		Why:      "looks like a secret that is given to its name",
		Advice:   "change the secret, and write only where it is kept",
		keywords: namingWords(),
		find:     findAssigned, member: assignedMember,
	}}
}

// namingWords end the names of secrets, such as DB_PASSWORD or clientSecret.
func namingWords() []string {
	return []string{
		"password", "passwd", "passwort", "pwd", "passphrase", "passcode", "secret", "token",
		"api_key", "apikey", "api-key", "api key", "access_key", "accesskey", "access-key", "secret_key", "secretkey", "secret-key",
		"private_key", "privatekey", "auth_key", "authkey", "encryption_key", "encryptionkey",
		"signing_key", "signingkey", "session_key", "sessionkey", "master_key", "masterkey",
		"account_key", "credential", "credentials", "pass", "_pw", "dbpass", "mysql_pwd", "pgpassword",
	}
}

// findAssigned judges what stands after a name and a sign of assignment.
func findAssigned(text string, keyword span) (span, bool) {
	name := span{back(text, keyword.start, max(0, keyword.start-32), isDotted), keyword.end}
	if harmlessName(text[name.start:keyword.start], keyword.of(text)) {
		return span{}, false
	}
	at, sign := assignmentSign(text, keyword.end)
	option := strings.HasPrefix(name.of(text), "--")
	if sign == 0 && (!option || !isBlank(byteAt(text, keyword.end))) {
		return span{}, false
	}
	at = run(text, at, min(len(text), at+maxGap), isBlank)
	kind := kindOf(keyword.of(text))
	if quote := openQuote(text, at); quote > 0 {
		return quotedValue(text, at+quote, kind)
	}
	return bareValue(text, at, kind)
}

// assignmentSign steps over the end of a name and returns what follows its
// sign of assignment, and the sign, or 0.
func assignmentSign(text string, at int) (int, byte) {
	at = run(text, at, min(len(text), at+2), isDigit)
	at = run(text, at, min(len(text), at+maxGap), isNameEnd)
	end := run(text, at, min(len(text), at+3), isSign)
	if end == at {
		return at, 0
	}
	return end, text[at]
}

func isNameEnd(c byte) bool { return isQuoteOrBlank(c) || c == ']' || c == ')' }
func isSign(c byte) bool    { return c == '=' || c == ':' || c == '>' || c == '|' }

// openQuote returns the length of the quote that opens at text[at], or 0.
func openQuote(text string, at int) int {
	end := run(text, at, min(len(text), at+2), func(c byte) bool { return c == '\\' || c == '@' })
	if c := byteAt(text, end); c == '"' || c == '\'' || c == '`' {
		return end + 1 - at
	}
	return 0
}

// quotedValue judges what stands between text[at] and the closing quote.
func quotedValue(text string, at int, kind valueKind) (span, bool) {
	quote := text[at-1]
	limit := min(len(text), at+maxValue)
	end := run(text, at, limit, func(c byte) bool { return c != quote && c != '\n' })
	if end == limit && limit < len(text) {
		end = run(text, end, len(text), func(c byte) bool { return c != quote && c != '\n' })
	}
	value := strings.TrimRight(text[at:end], `\`)
	return span{at, at + len(value)}, secretValue(value, kind)
}

// bareValue judges a value without quotes, which ends at a blank.
func bareValue(text string, at int, kind valueKind) (span, bool) {
	limit := min(len(text), at+maxValue)
	end := run(text, at, limit, inBareValue)
	value := text[at:end]
	if next := strings.IndexByte(value, '&'); next >= 0 && strings.IndexByte(value[next:], '=') > 1 {
		value = value[:next] // The next parameter of a query.
	}
	value, _, _ = strings.Cut(value, "</") // The end of an element.
	value = strings.TrimRight(value, ".,:)]}>!?*\\")
	if callOrPath(value) || identifier(value) || !secretValue(value, kind) {
		return span{}, false
	}
	if end == limit {
		return span{at, run(text, end, len(text), inBareValue)}, true
	}
	return span{at, at + len(value)}, true
}

func inBareValue(c byte) bool {
	return c > ' ' && c != '"' && c != '\'' && c != '`' && c != ';' && c != ',' && c != 0x7f
}

// assignedMember judges a string value whose member is named for a secret.
func assignedMember(name, value string) (span, bool) {
	name = strings.TrimRight(name, "0123456789")
	for _, word := range namingWords() {
		if len(name) < len(word) || !hasFold(name[len(name)-len(word):], word) {
			continue
		}
		if harmlessName(name[:len(name)-len(word)], word) || callOrPath(value) || !secretValue(value, kindOf(word)) {
			return span{}, false
		}
		return span{0, len(value)}, true
	}
	return span{}, false
}

// harmlessName says whether what stands in front of a naming word makes it
// the name of something that is no secret, such as next_page_token, or
// another word, such as bypass.
func harmlessName(before, word string) bool {
	if len(word) == len("pass") && isLetter(byteBefore(before, len(before))) && isLower(word[0]) {
		return true
	}
	before = strings.TrimRight(before, "_-.")
	for _, word := range [...]string{
		"page", "next", "prev", "previous", "continuation", "continue", "cancellation", "cancel", "public",
		"design", "syntax", "sync", "eos", "bos", "pad", "unk", "stop", "max", "sort", "partition",
	} {
		at := len(before) - len(word)
		if at >= 0 && hasFold(before[at:], word) && (!isLetter(byteBefore(before, at)) || isUpper(before[at])) {
			return true
		}
	}
	return false
}
