package scan

import (
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// narrowText returns a text in UTF-8 that is written in 16-bit units behind a byte
// order mark, as some programs of Windows write; any other text as it is.
func narrowText(data []byte) []byte {
	var order binary.ByteOrder
	switch {
	case len(data) < 2:
		return data
	case data[0] == 0xFF && data[1] == 0xFE:
		order = binary.LittleEndian
	case data[0] == 0xFE && data[1] == 0xFF:
		order = binary.BigEndian
	default:
		return data
	}
	text := make([]byte, 0, len(data)/2)
	for at := 2; at+1 < len(data); at += 2 {
		r := rune(order.Uint16(data[at:]))
		if utf16.IsSurrogate(r) && at+3 < len(data) {
			r = utf16.DecodeRune(r, rune(order.Uint16(data[at+2:])))
			at += 2
		}
		text = utf8.AppendRune(text, r)
	}
	return text
}
