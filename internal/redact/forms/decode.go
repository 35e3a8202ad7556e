package forms

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"html"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/redact/lex"
)

// Bounds of what is decoded from one text.
const (
	minEncoded = 24
	maxEncoded = MaxChunk + Overlap
	maxTried   = 8 // places in a segment with a readable beginning, from which the rest of it is decoded
)

// decodeLong returns what the long segments of base64 and hexadecimal digits in text decode to, where that is
// readable. A finding stands for its whole segment.
func decodeLong(text string) []Form {
	var all []Form
	for at := minEncoded - 1; at < len(text); at += minEncoded { // None lies between two places.
		if !isEncoded(text[at]) {
			continue
		}
		s := lex.Between(lex.Back(text, at, 0, isEncoded), lex.Run(text, at, len(text), isEncoded))
		at = s.End
		if s.End-s.Start < minEncoded {
			continue
		}
		plain, ok := decodeInside(text[s.Start:min(s.End, s.Start+maxEncoded)])
		if !ok {
			continue
		}
		s.End = lex.Run(text, s.End, min(len(text), s.End+2), func(c byte) bool { return c == '=' })
		all = append(all, Form{Text: plain, whole: s, nested: true})
	}
	return all
}

func isEncoded(c byte) bool { return parts[c]&ofEncoded != 0 }

// decodeDumps returns what pairs and fours of digits in text stand for.
func decodeDumps(text string) []Form {
	var all []Form
	for at := 0; at < len(text); at++ {
		end := lex.Run(text, at, len(text), isEncoded)
		if n := end - at; n == 2 || n == 4 {
			f, next := decodePairs(text, at)
			if f.Text != "" {
				all = append(all, f)
			}
			end = max(end, next-1)
		}
		at = end
	}
	return all
}

// decodeInside decodes base64 of any dialect, base32 or hexadecimal digits in a segment to readable text: from
// its beginning, or from behind one of the signs that are digits of base64 and also part words, or behind 0x.
func decodeInside(s string) (string, bool) {
	lastURLSafe := strings.LastIndexAny(s, "-_")
	for from, tried := 0, 0; len(s)-from >= minEncoded && tried < maxTried; from++ {
		if from > 0 && strings.IndexByte("-_/+", s[from-1]) < 0 && !strings.HasSuffix(s[:from], "0x") {
			continue
		}
		rest := s[from:]
		if lex.Run(rest, 0, len(rest), lex.IsHex) == len(rest) {
			return readText(hex.DecodeString(rest[:len(rest)&^1]))
		}
		if lex.Run(rest, 0, len(rest), lex.IsBase32) == len(rest) {
			encoding := base32.StdEncoding.WithPadding(base32.NoPadding)
			if plain, ok := readText(encoding.DecodeString(rest[:len(rest)&^7])); ok {
				return plain, true
			}
		}
		encoding := base64.RawStdEncoding
		if from <= lastURLSafe {
			encoding = base64.RawURLEncoding
		}
		// The beginning decides for most words, which are no base64.
		if _, ok := readText(encoding.DecodeString(rest[:minEncoded/8*4])); !ok {
			continue
		}
		tried++
		if plain, ok := readText(encoding.DecodeString(rest)); ok {
			return plain, true
		}
	}
	return "", false
}

// readText returns what was decoded, if that is readable. Of two bytes a character, where each second byte is
// zero, it returns the first.
func readText(decoded []byte, err error) (string, bool) {
	if len(decoded) >= 4 && decoded[1] == 0 && decoded[3] == 0 {
		narrowed := make([]byte, 0, len(decoded)/2)
		for i := 0; i < len(decoded); i += 2 {
			narrowed = append(narrowed, decoded[i])
		}
		decoded = narrowed
	}
	return string(decoded), err == nil && lex.IsReadable(decoded)
}

// minPairs is the least number of pairs of digits that are taken as a dump.
const minPairs = 12

// decodePairs returns what pairs or fours of hexadecimal digits with blanks, colons or commas
// between them stand for, as in a dump of bytes. It continues at next.
func decodePairs(text string, at int) (f Form, next int) {
	var bytes []byte
	start, end := at, at
	for {
		pair := end
		if len(bytes) > 0 {
			pair = lex.Run(text, end, min(len(text), end+3), isPairGap)
			if len(bytes)%16 == 0 && pair > end+1 {
				pair = nextDumped(text, pair)
			}
			if pair == end {
				break
			}
		}
		if strings.HasPrefix(text[pair:], "0x") || strings.HasPrefix(text[pair:], `\x`) {
			pair += 2
		}
		digits := lex.Run(text, pair, min(len(text), pair+5), lex.IsHex) - pair
		if digits != 2 && digits != 4 || lex.IsAlnum(lex.ByteAt(text, pair+digits)) {
			break
		}
		for i := pair; i < pair+digits; i += 2 {
			bytes = append(bytes, lex.HexValue(text[i])<<4|lex.HexValue(text[i+1]))
		}
		end = pair + digits
	}
	if len(bytes) < minPairs || !lex.IsReadable(bytes) {
		return Form{}, max(end, at+1)
	}
	return Form{Text: string(bytes), whole: lex.Between(start, end), nested: true}, end
}

// nextDumped returns where the pairs of the next line of a dump begin, behind the characters of this one
// and the place of the next, or at where no such line follows.
func nextDumped(text string, at int) int {
	line := at + strings.IndexByte(text[at:min(len(text), at+24)], '\n')
	place := lex.Run(text, line+1, min(len(text), line+9), lex.IsHex)
	if line < at || place-line < 7 {
		return at
	}
	return lex.Run(text, place, min(len(text), place+3), func(c byte) bool { return c == ':' || c == ' ' })
}

func isPairGap(c byte) bool { return lex.IsSpace(c) || c == ':' || c == ',' }

// longRun is how many escapes in a row are taken as one: a secret in them
// takes up all of them.
const longRun = 6

// maxUnescaped bounds how often escapes of escapes are undone.
const maxUnescaped = 3

// unescapeAll returns the text with percent signs, HTML character references,
// quoted-printable bytes and backslash escapes of characters decoded, if there
// are any, and again while that brings new ones to light.
func unescapeAll(text string) []Form {
	var all []Form
	for range maxUnescaped {
		f, ok := unescapeOnce(text)
		if !ok {
			break
		}
		if len(all) > 0 {
			source := all[len(all)-1]
			f = f.ontoSource(&source)
		}
		all = append(all, f)
		text = f.Text
	}
	return all
}

// unescapeOnce undoes the escapes of text once.
func unescapeOnce(text string) (Form, bool) {
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
			plain, size := readEscape(text[end:])
			if size == 0 {
				break
			}
			if count == 0 {
				b.keepBytes(text, lex.Between(kept, i))
				first = len(b.pieces)
			}
			b.addText(plain, lex.Between(end, end+size))
			end += size
			count++
		}
		if count >= longRun && first < len(b.pieces) {
			b.pieces = b.pieces[:first+1]
			b.pieces[first].from = lex.Between(i, end)
		}
		if end == i {
			i++
			continue
		}
		i, kept = end, end
	}
	if kept == 0 {
		return Form{}, false
	}
	b.keepBytes(text, lex.Between(kept, len(text)))
	return b.asForm(), true
}

// quotedPrintable says whether text holds so many bytes in the form of
// quoted-printable that no formula does.
func quotedPrintable(text string) bool {
	n := 0
	for at := strings.IndexByte(text, '='); at >= 0 && n < longRun; at = strings.IndexByte(text, '=') {
		if text = text[at+1:]; len(text) > 1 && lex.IsUpperHex(text[0]) && lex.IsUpperHex(text[1]) {
			n++
		}
	}
	return n >= longRun
}

// readEscape returns what the escape at the beginning of text stands for and how
// long it is, or a length of 0.
func readEscape(text string) (string, int) {
	switch next := lex.ByteAt(text, 1); {
	case strings.IndexByte(`&%=\`, text[0]) < 0:
	case text[0] == '&':
		end := strings.IndexByte(text[:min(len(text), 16)], ';') + 1
		if plain := html.UnescapeString(text[:end]); len(plain) < end {
			return asPlain(plain), end
		}
	case text[0] != '\\' && next != 'u': // A percent sign, or quoted-printable.
		if code, err := hex.DecodeString(text[1:min(len(text), 3)]); err == nil && len(code) == 1 {
			return string(code), 3 // Maybe a byte of a longer character.
		}
	case text[0] == '%' && len(text) >= 6:
		return characterOf(text[2:6], 6)
	case next == '/':
		return "/", 2
	case next == 'u' && lex.ByteAt(text, 2) == '{':
		if end := strings.IndexByte(text[:min(len(text), 12)], '}'); end > 0 {
			return characterOf(text[3:end], end+1)
		}
	case '0' <= next && next <= '3', next == 'x', next == 'u', next == 'U': // A character by its number.
		r, long, rest, err := strconv.UnquoteChar(text[:min(len(text), 10)], 0)
		size := min(len(text), 10) - len(rest)
		switch {
		case err != nil:
		case long:
			return asPlain(string(r)), size
		default:
			return string([]byte{byte(r)}), size
		}
	}
	return "", 0
}

// characterOf returns the character whose number hexadecimal digits tell, of an escape of size bytes.
func characterOf(digits string, size int) (string, int) {
	code, err := strconv.ParseUint(digits, 16, 21)
	if err != nil || digits == "" {
		return "", 0
	}
	return asPlain(string(rune(code))), size
}

// asPlain returns an escaped character as it looks: nothing where it does not show.
func asPlain(character string) string {
	r, size := utf8.DecodeRuneInString(character)
	if plain, ok := plainForm(r); ok && size == len(character) && r >= ' ' {
		return plain
	}
	return character
}
