package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"
)

// maxText bounds a text in bytes. How deep it may be nested encoding/json bounds.
const maxText = 32 << 20

// mark is what some editors put before UTF-8.
const mark = "\ufeff"

// blanks part the tokens of JSON.
const blanks = " \t\r\n"

// document is a text of JSON with comments and trailing commas, and where its values stand. The other texts have
// something else in the place of what encoding/json does not take, so that each offset is the same in all of them.
type document struct {
	text  []byte
	bare  []byte // with slashes in the place of comments
	plain []byte // with blanks there, and in the place of trailing commas: JSON
	root  *node  // nil where there is no value
	style
}

// parseText reads a whole text.
func parseText(text []byte) (*document, error) {
	d := &document{text: text, bare: bytes.Clone(text), plain: bytes.Clone(text)}
	if len(text) > maxText {
		return nil, d.faultAt(0, "the file is too large")
	}
	if !utf8.Valid(text) {
		return nil, d.faultAt(bytes.IndexRune(text, utf8.RuneError), "this is not UTF-8")
	}
	if err := d.blankExtras(); err != nil {
		return nil, err
	}
	if len(bytes.Trim(d.plain, blanks)) > 0 {
		var whole json.RawMessage
		err := json.Unmarshal(d.plain, &whole)
		if fault, ok := errors.AsType[*json.SyntaxError](err); ok {
			return nil, d.faultAt(int(fault.Offset)-1, fault.Error())
		}
		root, err := d.readValue(json.NewDecoder(bytes.NewReader(d.plain)))
		if err != nil {
			return nil, err
		}
		d.root = &root
	}
	d.style = d.findStyle()
	return d, nil
}

// faultAt is an error at an offset.
func (d *document) faultAt(at int, what string) error {
	before := bytes.TrimPrefix(d.text[:max(at, 0)], []byte(mark))
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	return syntaxError(bytes.Count(before, []byte("\n"))+1, utf8.RuneCount(line)+1, what)
}

// blankExtras finds the mark, comments, and commas behind which an object or an array ends.
func (d *document) blankExtras() error {
	cover := func(text []byte, from, to int, with string) { copy(text[from:to], strings.Repeat(with, to-from)) }
	if bytes.HasPrefix(d.text, []byte(mark)) {
		cover(d.bare, 0, len(mark), " ")
		cover(d.plain, 0, len(mark), " ")
	}
	last, comma := byte('['), 0 // what stands before, but for blanks and comments, and the last comma behind a value
	for at := 0; at < len(d.plain); at++ {
		rest := d.plain[at:]
		end := 0 // of a comment
		switch {
		case bytes.HasPrefix(rest, []byte("//")):
			line, _, _ := bytes.Cut(rest, []byte("\n"))
			end = len(bytes.TrimSuffix(line, []byte("\r")))
		case bytes.HasPrefix(rest, []byte("/*")):
			if end = bytes.Index(rest[2:], []byte("*/")) + 4; end < 4 {
				return d.faultAt(at, "this comment does not end")
			}
		case strings.IndexByte(blanks, rest[0]) >= 0:
			continue
		case rest[0] == '"':
			at += quotedLength(rest) - 1
		case rest[0] == ',' && strings.IndexByte("[{,:", last) < 0:
			comma = at
		case (rest[0] == ']' || rest[0] == '}') && last == ',' && comma > 0:
			d.plain[comma] = ' '
		}
		if end == 0 {
			last = rest[0]
			continue
		}
		cover(d.bare, at, at+end, "/")
		cover(d.plain, at, at+end, " ")
		at += end - 1
	}
	return nil
}

// quotedLength is how long a text in quotes is that begins here; one that does not end is all of it.
func quotedLength(rest []byte) int {
	for at := 1; at < len(rest); at++ {
		switch rest[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
	return len(rest)
}

// readValue reads the next value of a text that is JSON.
func (d *document) readValue(dec *json.Decoder) (n node, err error) {
	next := func() int { // where the next token begins
		at := int(dec.InputOffset())
		return at + len(d.plain[at:]) - len(bytes.TrimLeft(d.plain[at:], blanks+",:"))
	}
	n.from = next()
	switch token, _ := dec.Token(); token {
	case json.Delim('{'):
		n.kind = object
	case json.Delim('['):
		n.kind = array
	}
	names := map[string]bool{}
	for n.kind != scalar && dec.More() {
		it := item{from: next()}
		if n.kind == object {
			name, _ := dec.Token()
			if it.name, _ = name.(string); names[it.name] {
				return n, d.faultAt(it.from, "this member stands here twice")
			}
			names[it.name] = true
		}
		if it.value, err = d.readValue(dec); err != nil {
			return n, err
		}
		n.items = append(n.items, it)
	}
	if n.kind != scalar {
		_, _ = dec.Token() // Its end.
	}
	n.to = int(dec.InputOffset())
	return n, nil
}

// endBefore is the end of the last token, or comment, before an offset.
func (d *document) endBefore(at int) int { return len(bytes.TrimRight(d.bare[:at], blanks)) }

// commaBehind is where the comma behind a value stands; -1 for none.
func (d *document) commaBehind(n node) int {
	rest := bytes.TrimLeft(d.bare[n.to:], blanks+"/")
	if !bytes.HasPrefix(rest, []byte(",")) {
		return -1
	}
	return len(d.bare) - len(rest)
}
