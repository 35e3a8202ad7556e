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

// parse returns the value of a text, or nil where it holds none.
func parse(text []byte) (root *node, err error) {
	p := &parser{text: text}
	if len(text) > maxText {
		return nil, p.fault(0, "the file is too large")
	}
	if i := invalidUTF8(text); i >= 0 {
		return nil, p.fault(i, "this is not UTF-8")
	}
	if bytes.HasPrefix(text, []byte(mark)) {
		p.at = len(mark)
	}
	if err := p.skip(); err != nil || p.at == len(text) {
		return nil, err
	}
	n, err := p.value()
	if err != nil {
		return nil, err
	}
	if err := p.skip(); err != nil {
		return nil, err
	}
	if p.at < len(text) {
		return nil, p.fault(p.at, "the file should end here")
	}
	return &n, nil
}

// invalidUTF8 finds the first byte that is not UTF-8; -1 for none.
func invalidUTF8(text []byte) int {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// fault is an error at an offset.
func (p *parser) fault(at int, what string) error {
	before := bytes.TrimPrefix(p.text[:min(at, len(p.text))], []byte(mark))
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	return &SyntaxError{
		Line: bytes.Count(before, []byte("\n")) + 1, Column: utf8.RuneCount(line) + 1,
		What: what,
	}
}

// skip passes white space and comments.
func (p *parser) skip() error {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		case '/':
			if err := p.comment(); err != nil {
				return err
			}
		default:
			return nil
		}
	}
	return nil
}

// comment passes one comment. That of a line ends before the line break.
func (p *parser) comment() error {
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
			return p.fault(p.at, "this comment does not end")
		}
		p.at += n + 4
	default:
		return p.fault(p.at, "a value or a comment should stand here")
	}
	p.end = p.at
	return nil
}

// value reads a value that begins here.
func (p *parser) value() (n node, err error) {
	if p.at >= len(p.text) {
		return node{}, p.fault(p.at, "the file ends where a value should stand")
	}
	switch p.text[p.at] {
	case '{':
		n, err = p.container(object, '}')
	case '[':
		n, err = p.container(array, ']')
	case '"':
		n, err = p.quoted()
	default:
		n, err = p.literal()
	}
	p.end = p.at
	return n, err
}

// container reads an object or an array.
func (p *parser) container(k kind, closing byte) (node, error) {
	n := node{kind: k, from: p.at}
	if p.depth++; p.depth > maxDepth {
		return n, p.fault(p.at, "this is nested too deeply")
	}
	defer func() { p.depth-- }()
	p.at++
	p.end = p.at
	names := map[string]bool{}
	for {
		if err := p.skip(); err != nil {
			return n, err
		}
		if p.at < len(p.text) && p.text[p.at] == closing {
			n.last = p.end
			p.at++
			n.to = p.at
			return n, nil
		}
		if len(n.items) > 0 && n.items[len(n.items)-1].comma < 0 {
			return n, p.fault(p.at, "a comma or the closing "+string(closing)+" should stand here")
		}
		it, err := p.item(k)
		if err != nil {
			return n, err
		}
		if k == object && names[it.name] {
			return n, p.fault(it.from, "this member stands here twice")
		}
		names[it.name] = true
		n.items = append(n.items, it)
	}
}

// item reads a member or an element, and the comma behind it.
func (p *parser) item(k kind) (it item, err error) {
	it = item{before: p.end, from: p.at, comma: -1}
	if k == object {
		if it.name, err = p.name(); err != nil {
			return it, err
		}
	}
	if it.value, err = p.value(); err != nil {
		return it, err
	}
	if err := p.skip(); err != nil {
		return it, err
	}
	if p.at < len(p.text) && p.text[p.at] == ',' {
		it.comma = p.at
		p.at++
		p.end = p.at
	}
	return it, nil
}

// name reads the name of a member and the colon.
func (p *parser) name() (string, error) {
	if p.at >= len(p.text) || p.text[p.at] != '"' {
		return "", p.fault(p.at, "the name of a member should stand here")
	}
	n, err := p.quoted()
	if err != nil {
		return "", err
	}
	var name string
	if err := json.Unmarshal(p.text[n.from:n.to], &name); err != nil {
		return "", p.fault(n.from, "this is not a text of JSON")
	}
	if err := p.skip(); err != nil {
		return "", err
	}
	if p.at >= len(p.text) || p.text[p.at] != ':' {
		return "", p.fault(p.at, "a colon should stand here")
	}
	p.at++
	return name, p.skip()
}

// quoted reads a text in quotes.
func (p *parser) quoted() (node, error) {
	from := p.at
	for at := from + 1; at < len(p.text); at++ {
		switch p.text[at] {
		case '\\':
			at++
		case '"':
			p.at = at + 1
			return p.checked(node{from: from, to: p.at}, "this is not a text of JSON")
		case '\n':
			return node{}, p.fault(from, "this text does not end on its line")
		}
	}
	return node{}, p.fault(from, "this text does not end")
}

// literal reads a number, true, false or null.
func (p *parser) literal() (node, error) {
	from := p.at
	for p.at < len(p.text) &&
		(p.text[p.at] >= '0' && p.text[p.at] <= '9' || p.text[p.at] >= 'a' && p.text[p.at] <= 'z' ||
			strings.IndexByte("+-.E", p.text[p.at]) >= 0) {
		p.at++
	}
	return p.checked(node{from: from, to: p.at}, "a value should stand here")
}

// checked lets through what is plain JSON.
func (p *parser) checked(n node, what string) (node, error) {
	if !json.Valid(p.text[n.from:n.to]) {
		return n, p.fault(n.from, what)
	}
	return n, nil
}
