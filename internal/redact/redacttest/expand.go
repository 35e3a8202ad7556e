package redacttest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// An expander replaces the marks of one text.
type expander struct {
	rest   string // What is still to be read.
	random source

	opens, closes []int // Where the secret begins and ends in the result.
}

// expand returns the text up to the end of the mark that is depth marks deep,
// or up to the end of the line for depth 0. Inner marks are replaced first.
func (e *expander) expand(depth int) (string, error) {
	var out strings.Builder
	for e.rest != "" {
		r, size := utf8.DecodeRuneInString(e.rest)
		e.rest = e.rest[size:]
		switch r {
		case '‹':
			inner, err := e.expand(depth + 1)
			if err != nil {
				return "", err
			}
			value, err := e.replace(inner)
			if err != nil {
				return "", err
			}
			out.WriteString(value)
		case '›':
			if depth == 0 {
				return "", errors.New("a mark ends that did not begin")
			}
			return out.String(), nil
		case '⟦', '⟧':
			if depth > 0 {
				return "", errors.New("the secret begins or ends inside a mark")
			}
			e.bound(r, out.Len())
		default:
			out.WriteString(plain(r))
		}
	}
	if depth > 0 {
		return "", errors.New("a mark does not end")
	}
	return out.String(), nil
}

// bound keeps where the secret begins or ends.
func (e *expander) bound(r rune, at int) {
	if r == '⟦' {
		e.opens = append(e.opens, at)
		return
	}
	e.closes = append(e.closes, at)
}

// secret returns the bytes of the secret, or 0 and 0 if the text has none.
func (e *expander) secret() (start, end int, err error) {
	if len(e.opens) == 0 && len(e.closes) == 0 {
		return 0, 0, nil
	}
	if len(e.opens) != 1 || len(e.closes) != 1 {
		return 0, 0, fmt.Errorf("the secret begins %d times and ends %d times", len(e.opens), len(e.closes))
	}
	start, end = e.opens[0], e.closes[0]
	if start >= end {
		return 0, 0, errors.New("the secret is empty or ends before it begins")
	}
	return start, end, nil
}

// plain returns what a character outside of a mark stands for.
func plain(r rune) string {
	switch r {
	case '·':
		return ""
	case '␤':
		return "\n"
	case '␉':
		return "\t"
	case '␍':
		return "\r"
	case '␠':
		return " "
	default:
		return string(r)
	}
}

// replace returns what the mark with the given inner text stands for.
func (e *expander) replace(inner string) (string, error) {
	name, argument, _ := strings.Cut(inner, " ")
	if code, ok := strings.CutPrefix(name, "U+"); ok {
		return codePoint(code)
	}
	if alphabet, ok := alphabets[name]; ok && argument != "" {
		size, err := count(argument)
		if err != nil {
			return "", fmt.Errorf("mark %q: %w", name, err)
		}
		return e.random.body(alphabet, size), nil
	}
	if encode, ok := encodings[name]; ok {
		if argument == "" {
			return "", fmt.Errorf("mark %q has no text", name)
		}
		return encode(argument), nil
	}
	return e.random.value(name, argument)
}

// codePoint returns the character of a code point in hexadecimal digits.
func codePoint(digits string) (string, error) {
	n, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || !utf8.ValidRune(rune(n)) {
		return "", fmt.Errorf("%q is not a code point", digits)
	}
	return string(rune(n)), nil
}

// count returns the size that a mark asks for.
func count(argument string) (int, error) {
	n, err := strconv.Atoi(argument)
	if err != nil || n < 1 || n > 10_000 {
		return 0, fmt.Errorf("%q is not a size", argument)
	}
	return n, nil
}
