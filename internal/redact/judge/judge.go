// Package judge says what a name makes of its value, and whether a value looks like a secret, for all
// layouts.
//
// It is asked of names and values alone and knows no text around them.
package judge

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact/lex"
	"github.com/git-ltm/git-ltm/internal/redact/rules"
)

// FunctionsByName returns the functions that ruleTable names to judge what an expression finds.
func FunctionsByName() map[string]func(string) bool {
	return map[string]func(string) bool{
		"account":  isAccount,
		"argument": SecretArgument,
		"card":     func(v string) bool { return hasCheckDigit(lex.LettersAndDigits(v)) },
		"civil": func(v string) bool {
			digits, bare := lex.ClassesOf(v).Digit, lex.LettersAndDigits(v)
			return digits >= 7 && digits <= 15 && !rules.Words("filler-number").Within(bare) &&
				!rules.Words("sample-social").Has(bare)
		},
		"digit": lex.HasDigit,
		"encoded": func(v string) bool { // Base64 of something to read, which no word is by chance.
			decoded, err := base64.StdEncoding.DecodeString(v)
			return err == nil && lex.IsReadable(decoded) && !IsPlaceholder(string(decoded))
		},
		"groups": func(v string) bool { return pairScore(lex.LettersAndDigits(v)) >= 0 },
		"hardware": func(v string) bool {
			return !rules.Words("made-hardware").Begins(strings.ToLower(lex.LettersAndDigits(v)))
		},
		"hash": func(v string) bool {
			last := v[strings.LastIndexAny(v, "$:}")+1:]
			return len(last) >= 22 && lex.HasLetter(last) && lex.HasDigit(last)
		},
		"jumble": func(v string) bool {
			n := lex.ClassesOf(v)
			return n.Lower > 0 && n.Upper > 0 && n.Digit+n.Other > 0
		},
		"local-phone": isLocalPhone,
		"login":       IsLogin,
		"login-word":  func(v string) bool { return lex.HasDigit(v) && StrongWord(v) },
		"mixed":       func(v string) bool { return lex.HasDigit(v) && SecretArgument(v) },
		"made":        func(v string) bool { return IsTokenValue(v) && !IsUUID(v) && !CallOrPath(v) },
		"numbers":     func(v string) bool { return strings.Count(v, ",") == 63 },
		"opaque":      IsOpaqueID,
		"pair":        isPairedPassword,
		"phrase":      IsPhrase,
		"phone": func(v string) bool { // With the code of its country.
			digits := lex.LettersAndDigits(v)
			return !rules.Words("filler-number").Within(digits) && (len(digits) > 9 || len(v) > 1+len(digits))
		},
		"plain": func(v string) bool { return SecretArgument(v) && !IsPair(v) && !IsCode(v) },
		"prompt": func(v string) bool {
			account, host, _ := strings.Cut(v, "@")
			return account != "git" && !IsHomeless(account) && !rules.Words("any-host").Has(strings.ToLower(host))
		},
		"registry": func(v string) bool {
			return lex.HasDigit(v) && SecretArgument(v) && !IsIdentifier(v) &&
				!strings.Contains(v, "://") && !IsVersion(v)
		},
		"social": func(v string) bool { return !rules.Words("sample-social").Has(lex.LettersAndDigits(v)) },
		"strong": StrongWord,
		"token":  IsTokenValue,
		"wallet": func(v string) bool {
			return lex.Run(v, 0, len(v), lex.IsHex) == len(v) || v[1] == 'x' || IsJumbled(v)
		},
		"windows-home": func(v string) bool {
			parts := strings.FieldsFunc(v, func(r rune) bool { return r == '/' || r == '\\' })
			user, _, _ := strings.Cut(parts[2], " ")
			return !IsHomeless(user)
		},
		"paired":  func(v string) bool { return Chosen.Tells(v, SaidToBe) && lex.ClassesOf(v).Digit < len(v) },
		"printed": func(v string) bool { return StrongWord(v) && !IsCode(v) && (IsTokenValue(v) || isPairedPassword(v)) },
	}
}

// IsHomeless says whether the name of a home is no user: a page of a site, a directory that all share, a word
// that stands for a name, or the account of an image.
func IsHomeless(name string) bool {
	name = strings.ToLower(name)
	return rules.Words("homeless").Has(name) || rules.Words("page").Has(name) ||
		rules.Words("image-home").Has(name) || strings.HasPrefix(name, "your") ||
		lex.Run(name, 0, len(name), lex.IsDigit) == len(name)
}

// IsPhrase says whether a value is words with one sign between them, such as a dash, that are none that a
// sentence, a form that asks for a password, or a name in a program is made of. With blanks they are four, or
// three with a capital each. It also knows what keychains make: three groups of six.
func IsPhrase(value string) bool {
	const most, longest, group = 24, 12, 6
	at := strings.IndexAny(value[:min(len(value), longest+3)], " -_.")
	if at < 0 {
		return false
	}
	sign, n := value[at], lex.ClassesOf(value)
	words, least, shortest := strings.Split(value, value[at:at+1]), 3, 4
	switch capitals := n.Upper; {
	case len(value) == 3*group+2 && at == group && value[2*group+1] == '-' && n.Other == 2 && n.Digit > 0 && capitals > 0:
		return sign == '-'
	case capitals > 0 && capitals != len(words), n.Lower < capitals, sign == '.' && n.Digit == 0 && len(words) < 4:
		return false
	case sign == ' ' && capitals == 0:
		least, shortest = 4, 3
	}
	return len(words) >= least && len(words) <= most && !slices.ContainsFunc(words, func(word string) bool {
		word = strings.ToLower(strings.TrimRight(word, "0123456789"))
		return len(word) < shortest || len(word) > longest || rules.Words("prose").Has(word) ||
			lex.Run(word, 0, len(word), lex.IsLower) < len(word) || kindOfWord(word) != Unnamed && word != "pepper"
	})
}

// isLocalPhone says whether a value is a number without the code of its country, in groups.
func isLocalPhone(value string) bool {
	digits := lex.LettersAndDigits(value)
	trunk := len(digits) >= 9 && len(digits) <= 12 && digits[0] == '0'
	ten := strings.TrimPrefix(digits, "1") // Of North America.
	return len(value) > len(digits) && !rules.Words("filler-number").Within(digits) &&
		(trunk || len(ten) == 10 && ten[0] >= '2' && ten[3] >= '2' && ten[1:3] != "11" && ten[4:6] != "11")
}

// isPairedPassword says whether a value behind the name of an account and a sign can be its password, and no
// path.
func isPairedPassword(value string) bool {
	n := lex.ClassesOf(value)
	mixed := n.Digit > 0 && n.Lower > 0 && (n.Upper > 0 && !IsIdentifier(value) || CountMarks(value) > 0)
	return (mixed || IsPhrase(value)) && Chosen.Tells(value, LinkedTo)
}

// hasCheckDigit says whether the last digit is the check digit of the others.
func hasCheckDigit(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			d = d*2%10 + d/5
		}
		sum += d
	}
	return sum%10 == 0
}

// isAccount says whether a value is as long as the account numbers of its country, and leaves one when it is
// divided by 97. A letter is a number of two digits, from 10 for A on.
func isAccount(value string) bool {
	account := lex.LettersAndDigits(value)
	if !rules.Words("iban").Has(account[:2] + strconv.Itoa(len(account))) {
		return false
	}
	rest := 0
	for _, c := range []byte(account[4:] + account[:4]) {
		if lex.IsDigit(c) {
			rest = (rest*10 + int(c-'0')) % 97
		} else {
			rest = (rest*100 + int(c-'A') + 10) % 97
		}
	}
	return rest == 1
}
