package redact

import "strings"

// judges returns the functions that ruleTable names to judge what an expression finds.
func judges() map[string]func(string) bool {
	return map[string]func(string) bool{
		"account":  isAccount,
		"argument": secretArgument,
		"card":     func(v string) bool { return luhn(stripped(v)) },
		"civil":    isCivil,
		"digit":    hasDigit,
		"groups":   isAppPassword,
		"hardware": func(v string) bool {
			return !words("made-hardware").begins(strings.ToLower(stripped(v)))
		},
		"jumble":      isJumble,
		"local-phone": isLocalPhone,
		"login":       isLogin,
		"login-word":  func(v string) bool { return hasDigit(v) && strongWord(v) },
		"mixed":       func(v string) bool { return hasDigit(v) && secretArgument(v) },
		"numbers":     func(v string) bool { return strings.Count(v, ",") == 63 },
		"opaque":      opaque,
		"pair":        isPairedPassword,
		"phone":       isPhone,
		"plain":       func(v string) bool { return secretArgument(v) && !isPair(v) && !isCode(v) },
		"registry": func(v string) bool {
			return hasDigit(v) && secretArgument(v) && !identifier(v) && !strings.Contains(v, "://") && !version(v)
		},
		"social": func(v string) bool { return !words("sample-social").has(stripped(v)) },
		"strong": strongWord,
		"token":  isTokenValue,
		"told": func(v string) bool {
			return chosen.tells(v, linkedTo) && classesOf(v).digit < len(v)
		},
	}
}

// stripped returns the letters and digits of a value that is written in groups.
func stripped(value string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && isAlnum(byte(r)) {
			return r
		}
		return -1
	}, value)
}

// isJumble says whether a value has letters of both cases, and digits or signs.
func isJumble(value string) bool {
	n := classesOf(value)
	return n.lower > 0 && n.upper > 0 && n.digit+n.other > 0
}

// isLogin says whether a value is base64 of a user and a password.
func isLogin(value string) bool {
	password, ok := basicPassword(value)
	return ok && len(password) >= 4 && !urlFiller(password) && !variable(password)
}

// isAppPassword says whether some groups of letters are no words.
func isAppPassword(value string) bool { return chance(stripped(value)) >= 0 }

// isPhone says whether a value is a number with the code of its country.
func isPhone(value string) bool {
	digits := stripped(value)
	return !words("filler-number").within(digits) && isCountry(digits) &&
		(len(digits) > 9 || len(value) > 1+len(digits))
}

// isLocalPhone says whether a value is a number without the code of its country, in groups.
func isLocalPhone(value string) bool {
	digits := stripped(value)
	if len(value) == len(digits) || words("filler-number").within(digits) {
		return false
	}
	trunk := len(digits) >= 9 && len(digits) <= 12 && digits[0] == '0'
	return trunk || isAmerican(digits) || len(digits) == 11 && digits[0] == '1' && isAmerican(digits[1:])
}

// isCivil says whether a value is long enough for the number of a person in a register.
func isCivil(value string) bool {
	digits := classesOf(value).digit
	bare := stripped(value)
	return digits >= 7 && digits <= 15 && !strings.Contains(value, "1234567") &&
		!strings.Contains(value, "0000000") &&
		!words("sample-social").has(bare)
}

// isPairedPassword says whether a value behind the name of an account and a sign can be its password, and no
// path.
func isPairedPassword(value string) bool {
	n := classesOf(value)
	return n.digit > 0 && n.lower > 0 && (n.upper > 0 && !identifier(value) || marks(value) > 0) &&
		chosen.tells(value, linkedTo)
}
