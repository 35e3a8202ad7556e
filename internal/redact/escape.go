package redact

import (
	"encoding/hex"
	"strconv"
	"strings"
)

// longRun is how many escapes in a row are taken as one: a secret in them
// takes up all of them.
const longRun = 6

// maxUnescaped bounds how often escapes of escapes are undone.
const maxUnescaped = 3

// unescaped returns the text with percent signs, HTML character references,
// quoted-printable bytes and backslash escapes of characters decoded, if there
// are any, and again while that brings new ones to light.
func unescaped(text string) []form {
	var all []form
	for range maxUnescaped {
		f, ok := unescape(text)
		if !ok {
			break
		}
		if len(all) > 0 {
			source := all[len(all)-1]
			f = f.over(&source)
		}
		all = append(all, f)
		text = f.text
	}
	return all
}

// unescape undoes the escapes of text once.
func unescape(text string) (form, bool) {
	var b builder
	printable := quotedPrintable(text)
	kept := 0
	for i := 0; i < len(text); {
		if c := text[i]; c != '%' && c != '&' && c != '\\' && (c != '=' || !printable) {
			i++
			continue
		}
		// Appends what the escapes that begin at text[at] stand for, and the text since kept in
		// front of them. It returns the end of the escapes.
		end, first, count := i, 0, 0
		for end < len(text) {
			plain, size := escape(text[end:])
			if size == 0 {
				break
			}
			if count == 0 {
				b.keep(text, span{kept, i})
				first = len(b.pieces)
			}
			b.add(plain, span{end, end + size})
			end += size
			count++
		}
		if count >= longRun && first < len(b.pieces) {
			b.pieces = b.pieces[:first+1]
			b.pieces[first].from = span{i, end}
		}
		if end == i {
			i++
			continue
		}
		i, kept = end, end
	}
	if kept == 0 {
		return form{}, false
	}
	b.keep(text, span{kept, len(text)})
	return b.form(), true
}

// quotedPrintable says whether text holds so many bytes in the form of
// quoted-printable that no formula does.
func quotedPrintable(text string) bool {
	n := 0
	for i := 0; i+2 < len(text) && n < longRun; i++ {
		if text[i] == '=' && isUpperHex(text[i+1]) && isUpperHex(text[i+2]) {
			n++
		}
	}
	return n >= longRun
}

func isUpperHex(c byte) bool { return isDigit(c) || 'A' <= c && c <= 'F' }

// escape returns what the escape at the beginning of text stands for and how
// long it is, or a length of 0.
func escape(text string) (string, int) {
	switch text[0] {
	case '%':
		if len(text) > 5 && text[1] == 'u' {
			return hexEscape(text, 2, 4)
		}
		return hexEscape(text, 1, 2)
	case '=':
		return hexEscape(text, 1, 2)
	case '\\':
		// Decodes the escapes of string literals that stand for a character by its number.
		if len(text) < 2 {
			return "", 0
		}
		switch c := text[1]; {
		case c == 'u' && byteAt(text, 2) == '{':
			end := strings.IndexByte(text[:min(len(text), 12)], '}')
			if end < 0 {
				return "", 0
			}
			return character(text[3:end], 16, end+1)
		case c == 'u':
			return hexEscape(text, 2, 4)
		case c == 'U' && len(text) >= 10:
			return character(text[2:10], 16, 10)
		case c == 'x':
			return hexEscape(text, 2, 2)
		case c == '/':
			return "/", 2
		case '0' <= c && c <= '3' && len(text) >= 4:
			return character(text[1:4], 8, 4)
		default:
			return "", 0
		}
	case '&':
		return reference(text)
	}
	return "", 0
}

// character returns the character whose number digits tell, of an escape of
// size bytes.
func character(digits string, base, size int) (string, int) {
	code, err := strconv.ParseUint(digits, base, 21)
	if err != nil {
		return "", 0
	}
	if hidden(rune(code)) {
		return "", size
	}
	return string(rune(code)), size
}

// hexEscape decodes digits hexadecimal digits that stand after skip bytes.
func hexEscape(text string, skip, digits int) (string, int) {
	if len(text) < skip+digits {
		return "", 0
	}
	code, err := hex.DecodeString(text[skip : skip+digits])
	if err != nil {
		return "", 0
	}
	if len(code) == 2 {
		return string(rune(code[0])<<8 | rune(code[1])), skip + digits
	}
	return string(code), skip + digits // Maybe a byte of a longer character.
}

// reference decodes an HTML character reference to one ASCII character.
func reference(text string) (string, int) {
	end := strings.IndexByte(text[:min(len(text), 12)], ';')
	if end < 2 {
		return "", 0
	}
	name := text[1:end]
	if plain, ok := named(name); ok {
		return plain, end + 1
	}
	switch digits := name[1:]; {
	case name[0] != '#' || digits == "":
		return "", 0
	case digits[0]|0x20 == 'x':
		return character(digits[1:], 16, end+1)
	default:
		return character(digits, 10, end+1)
	}
}

// named returns the character of an HTML reference by name, without those that
// do not show.
func named(name string) (string, bool) {
	names := [...]string{"amp&", "sol/", `bsol\`, "colon:", "lowbar_", `quot"`, "apos'", "equals=", "commat@", "period.", "hyphen-", "dash-", "lt<", "gt>"}
	for _, entry := range names {
		if n := len(entry) - 1; entry[:n] == name {
			return entry[n:], true
		}
	}
	switch name {
	case "shy", "zwj", "zwnj", "ZeroWidthSpace", "NoBreak":
		return "", true
	default:
		return "", false
	}
}
