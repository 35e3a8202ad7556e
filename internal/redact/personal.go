package redact

import (
	"strconv"
	"strings"
)

// isCountry says whether digits begin with the code of a country and are as
// many as it has, as far as that is the same for all of its numbers.
func isCountry(digits string) bool {
	switch {
	case digits[0] == '1':
		return len(digits) == 11 && isAmerican(digits[1:])
	case digits[0] == '7':
		return len(digits) == 11 && strings.IndexByte("34689", digits[1]) >= 0
	case strings.HasPrefix(digits, "33"), strings.HasPrefix(digits, "34"), strings.HasPrefix(digits, "41"):
		return len(digits) == 11
	case strings.HasPrefix(digits, "86"), strings.HasPrefix(digits, "55"):
		return len(digits) >= 12 && len(digits) <= 13
	case strings.HasPrefix(digits, "83"), strings.HasPrefix(digits, "89"), strings.HasPrefix(digits, "28"):
		return false // Nobody has these.
	default:
		return len(digits) <= 14
	}
}

// isAmerican says whether ten digits are a number of North America.
func isAmerican(digits string) bool {
	return len(digits) == 10 && digits[0] >= '2' && digits[3] >= '2' && digits[1:3] != "11" &&
		digits[4:6] != "11"
}

// luhn says whether the last digit is the check digit of the others.
func luhn(digits string) bool {
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
	account := stripped(value)
	if !words("iban").has(account[:2] + strconv.Itoa(len(account))) {
		return false
	}
	rest := 0
	for _, c := range []byte(account[4:] + account[:4]) {
		if isDigit(c) {
			rest = (rest*10 + int(c-'0')) % 97
		} else {
			rest = (rest*100 + int(c-'A') + 10) % 97
		}
	}
	return rest == 1
}
