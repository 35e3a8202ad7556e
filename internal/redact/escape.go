package redact

import (
	"encoding/hex"
	"strconv"
	"strings"
)

// unescaped returns the text with percent signs, HTML character references
// and backslash escapes of characters decoded, if there are any.
func unescaped(text string) []form {
	var b builder
	kept := 0
	for i := 0; i < len(text); {
		if c := text[i]; c != '%' && c != '&' && c != '\\' {
			i++
			continue
		}
		plain, size := escape(text[i:])
		if size == 0 {
			i++
			continue
		}
		b.keep(text, span{kept, i})
		b.add(plain, span{i, i + size})
		i += size
		kept = i
	}
	if kept == 0 {
		return nil
	}
	b.keep(text, span{kept, len(text)})
	return []form{b.form()}
}

// escape returns what the escape at the beginning of text stands for and how
// long it is, or a length of 0.
func escape(text string) (string, int) {
	switch text[0] {
	case '%':
		return hexEscape(text, 1, 2)
	case '\\':
		if strings.HasPrefix(text, `\u`) {
			return hexEscape(text, 2, 4)
		}
		if strings.HasPrefix(text, `\x`) {
			return hexEscape(text, 2, 2)
		}
		if strings.HasPrefix(text, `\/`) {
			return "/", 2
		}
	case '&':
		return reference(text)
	}
	return "", 0
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
	if end < 0 {
		return "", 0
	}
	name := text[1:end]
	switch name {
	case "amp":
		return "&", end + 1
	case "sol":
		return "/", end + 1
	case "bsol":
		return `\`, end + 1
	case "colon":
		return ":", end + 1
	case "lowbar":
		return "_", end + 1
	case "quot":
		return `"`, end + 1
	}
	base, digits := 10, strings.TrimPrefix(name, "#")
	if digits == name || digits == "" {
		return "", 0
	}
	if digits[0]|0x20 == 'x' {
		base, digits = 16, digits[1:]
	}
	code, err := strconv.ParseInt(digits, base, 32)
	if err != nil {
		return "", 0
	}
	return string(rune(code)), end + 1
}
