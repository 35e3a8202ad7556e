package settings

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// The bounds of a text.
const (
	maxDepth = 200
	maxText  = 32 << 20
)

// mark is what some editors put before UTF-8.
const mark = "\ufeff"

// parser reads JSON with comments and trailing commas.
type parser struct {
	text  []byte
	at    int
	end   int // the end of the last token, comments among them
	depth int
}

// parseText returns the value of a text, or nil where it holds none.
func parseText(text []byte) (root *node, err error) {
	p := &parser{text: text}
	if len(text) > maxText {
		return nil, p.faultAt(0, "the file is too large")
	}
	for i, size := 0, 0; i < len(text); i += size {
		var r rune
		if r, size = utf8.DecodeRune(text[i:]); r == utf8.RuneError && size == 1 {
			return nil, p.faultAt(i, "this is not UTF-8")
		}
	}
	if bytes.HasPrefix(text, []byte(mark)) {
		p.at = len(mark)
	}
	if err := p.skipSpace(); err != nil || p.at == len(text) {
		return nil, err
	}
	n, err := p.readValue()
	if err != nil {
		return nil, err
	}
	if err := p.skipSpace(); err != nil {
		return nil, err
	}
	if p.at < len(text) {
		return nil, p.faultAt(p.at, "the file should end here")
	}
	return &n, nil
}

// faultAt is an error at an offset.
func (p *parser) faultAt(at int, what string) error {
	before := bytes.TrimPrefix(p.text[:min(at, len(p.text))], []byte(mark))
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	return syntaxError(bytes.Count(before, []byte("\n"))+1, utf8.RuneCount(line)+1, what)
}

// skipSpace passes white space and comments.
func (p *parser) skipSpace() error {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		case '/':
			if err := p.skipComment(); err != nil {
				return err
			}
		default:
			return nil
		}
	}
	return nil
}

// skipComment passes one comment. That of a line ends before the line break.
func (p *parser) skipComment() error {
	rest := p.text[p.at:]
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		n := bytes.IndexByte(rest, '\n')
		if n < 0 {
			n = len(rest)
		}
		p.at += len(bytes.TrimSuffix(rest[:n], []byte("\r")))
	case bytes.HasPrefix(rest, []byte("/*")):
		n := bytes.Index(rest[2:], []byte("*/"))
		if n < 0 {
			return p.faultAt(p.at, "this comment does not end")
		}
		p.at += n + 4
	default:
		return p.faultAt(p.at, "a value or a comment should stand here")
	}
	p.end = p.at
	return nil
}

// readValue reads a value that begins here.
func (p *parser) readValue() (n node, err error) {
	if p.at >= len(p.text) {
		return node{}, p.faultAt(p.at, "the file ends where a value should stand")
	}
	switch p.text[p.at] {
	case '{':
		n, err = p.readContainer(object, '}')
	case '[':
		n, err = p.readContainer(array, ']')
	case '"':
		n, err = p.readQuoted()
	default:
		n, err = p.readLiteral()
	}
	p.end = p.at
	return n, err
}

// readContainer reads an object or an array.
func (p *parser) readContainer(k kind, closing byte) (node, error) {
	n := node{kind: k, from: p.at}
	if p.depth++; p.depth > maxDepth {
		return n, p.faultAt(p.at, "this is nested too deeply")
	}
	defer func() { p.depth-- }()
	p.at++
	p.end = p.at
	names := map[string]bool{}
	for {
		if err := p.skipSpace(); err != nil {
			return n, err
		}
		if p.at < len(p.text) && p.text[p.at] == closing {
			n.last = p.end
			p.at++
			n.to = p.at
			return n, nil
		}
		if len(n.items) > 0 && n.items[len(n.items)-1].comma < 0 {
			return n, p.faultAt(p.at, "a comma or the closing "+string(closing)+" should stand here")
		}
		it, err := item{before: p.end, from: p.at, comma: -1}, error(nil)
		if k == object {
			it.name, err = p.readName()
		}
		if err == nil {
			it.value, err = p.readValue()
		}
		if err == nil {
			err = p.skipSpace()
		}
		if err != nil {
			return n, err
		}
		if p.at < len(p.text) && p.text[p.at] == ',' {
			it.comma = p.at
			p.at++
			p.end = p.at
		}
		if k == object && names[it.name] {
			return n, p.faultAt(it.from, "this member stands here twice")
		}
		names[it.name] = true
		n.items = append(n.items, it)
	}
}

// readName reads the name of a member and the colon.
func (p *parser) readName() (string, error) {
	if p.at >= len(p.text) || p.text[p.at] != '"' {
		return "", p.faultAt(p.at, "the name of a member should stand here")
	}
	n, err := p.readQuoted()
	if err != nil {
		return "", err
	}
	var name string
	if err := json.Unmarshal(p.text[n.from:n.to], &name); err != nil {
		return "", p.faultAt(n.from, "this is not a text of JSON")
	}
	if err := p.skipSpace(); err != nil {
		return "", err
	}
	if p.at >= len(p.text) || p.text[p.at] != ':' {
		return "", p.faultAt(p.at, "a colon should stand here")
	}
	p.at++
	return name, p.skipSpace()
}

// readQuoted reads a text in quotes.
func (p *parser) readQuoted() (node, error) {
	from := p.at
	for at := from + 1; at < len(p.text); at++ {
		switch p.text[at] {
		case '\\':
			at++
		case '"':
			p.at = at + 1
			return p.checkScalar(node{from: from, to: p.at}, "this is not a text of JSON")
		case '\n':
			return node{}, p.faultAt(from, "this text does not end on its line")
		}
	}
	return node{}, p.faultAt(from, "this text does not end")
}

// readLiteral reads a number, true, false or null.
func (p *parser) readLiteral() (node, error) {
	from := p.at
	for p.at < len(p.text) &&
		(p.text[p.at] >= '0' && p.text[p.at] <= '9' || p.text[p.at] >= 'a' && p.text[p.at] <= 'z' ||
			strings.IndexByte("+-.E", p.text[p.at]) >= 0) {
		p.at++
	}
	return p.checkScalar(node{from: from, to: p.at}, "a value should stand here")
}

// checkScalar lets through what is plain JSON.
func (p *parser) checkScalar(n node, what string) (node, error) {
	if !json.Valid(p.text[n.from:n.to]) {
		return n, p.faultAt(n.from, what)
	}
	return n, nil
}
