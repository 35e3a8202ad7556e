package redact

import "strings"

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

// findCard finds 14 to 16 digits that a card begins with, in the groups that
// cards have or in none, with a right check digit.
func findCard(text string, keyword span) (span, bool) {
	before := byteBefore(text, keyword.start)
	if isWord(before) || !isDigit(byteAt(text, keyword.end)) ||
		strings.IndexByte(".-+/", before) >= 0 && before != 0 {
		return span{}, false
	}
	const longest = 19
	var digits [16]byte
	n, end := 0, keyword.start
	sign := byte(0)
	for i := keyword.start; i < min(len(text), keyword.start+longest); i++ {
		c := text[i]
		switch {
		case isDigit(c) && n < len(digits):
			digits[n] = c
			n, end = n+1, i+1
			continue
		case (c == ' ' || c == '-') && (sign == 0 && n == 4 || c == sign && isGroup(digits[0], n)):
			sign = c
			continue
		}
		break
	}
	after := byteAt(text, end)
	if isWord(after) || (after == '.' || after == '-') && isAlnum(byteAt(text, end+1)) {
		return span{}, false
	}
	return span{keyword.start, end}, isCard(string(digits[:n])) && luhn(digits[:n])
}

// isGroup says whether a card that begins with first may be parted after n
// digits: after each four, or after four and ten where it begins with a 3.
func isGroup(first byte, n int) bool { return n%4 == 0 || first == '3' && n == 10 }

// isCard says whether digits begin and are as long as those of an issuer.
func isCard(digits string) bool {
	if len(digits) < 14 {
		return false
	}
	switch head := digits[:2]; {
	case head == "34" || head == "37":
		return len(digits) == 15
	case head == "36" || head == "38":
		return len(digits) == 14
	case head == "35":
		return len(digits) == 16 && digits[:4] >= "3528" && digits[:4] <= "3589"
	case head[0] == '2':
		return len(digits) == 16 && digits[:4] >= "2221" && digits[:4] <= "2720"
	case head == "60":
		return len(digits) == 16 && digits[:4] == "6011"
	default:
		return len(digits) == 16
	}
}

// luhn says whether the last digit is the check digit of the others.
func luhn(digits []byte) bool {
	sum := 0
	for i := range digits {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			d = d*2%10 + d/5
		}
		sum += d
	}
	return sum%10 == 0
}

// ibans tells for each country how long its account numbers are.
const ibans = "AD24AE23AL28AT20AZ28BA20BE16BG22BH22BR29BY28CH21CR22CY28CZ24DE22DK18DO28EE20EG29ES24FI18FO18FR27GB22GE22GI23GL18GR27GT28HR21HU28" +
	"IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21MC27MD24ME22MK19MR27MT31MU30NL18NO15PK24PL28PS29PT25QA29RO24RS22SA24SC31SE24SI19" +
	"SK24SM27TN24TR26UA29VA22VG24XK20"

// findIBAN finds an account number by the two digits behind its country.
func findIBAN(text string, keyword span) (span, bool) {
	start := keyword.start - 2
	if start < 0 || !isUpper(text[start+1]) || !isUpper(text[start]) || isWord(byteBefore(text, start)) {
		return span{}, false
	}
	size := ibanSize(text[start:keyword.start])
	var account [34]byte
	n, end := 0, start
	for i := start; i < len(text) && n < size; i++ {
		c := text[i]
		if isUpperNum(c) {
			account[n] = c
			n, end = n+1, i+1
		} else if c != ' ' && c != '-' || n%4 != 0 || !isUpperNum(text[i-1]) {
			return span{}, false
		}
	}
	if size == 0 || n < size || isWord(byteAt(text, end)) {
		return span{}, false
	}
	return span{start, end}, remainder(account[4:n], account[:4]) == 1
}

// ibanSize returns the length of the account numbers of a country, or 0.
func ibanSize(country string) int {
	for at := 0; at < len(ibans); at += 4 {
		if ibans[at:at+2] == country {
			return int(ibans[at+2]-'0')*10 + int(ibans[at+3]-'0')
		}
	}
	return 0
}

// remainder divides the number that the parts spell by 97. A letter is a
// number of two digits, from 10 for A on.
func remainder(parts ...[]byte) int {
	rest := 0
	for _, part := range parts {
		for _, c := range part {
			if isDigit(c) {
				rest = (rest*10 + int(c-'0')) % 97
			} else {
				rest = (rest*100 + int(c-'A') + 10) % 97
			}
		}
	}
	return rest
}
