package redact

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// MaxDepth is how deep the arrays and objects of a document may nest.
const MaxDepth = 64

// Reasons why a document cannot be scanned.
var (
	ErrSyntax   = errors.New("not one valid JSON value")
	ErrEncoding = errors.New("not valid UTF-8")
	ErrDepth    = fmt.Errorf("nests deeper than %d", MaxDepth)
)

// A literal is one string of a document: a value or the name of a member.
type literal struct {
	raw      span     // Bytes of the document, with the quotes.
	text     string   // Decoded.
	path     *pointer // Where it stands.
	isName   bool
	isNumber bool
	naming       // For a value: what it is called.
	object   int // For a name: which object of the document it belongs to.
}

// A naming is what a value is called.
type naming struct {
	name  string // The name that it is given to, mostly that of the nearest member above it.
	above string // The name of a member further up, if that is for a secret.
}

// below returns the naming of what stands in an object with this naming, below
// the member name.
func (n naming) below(name, called string) naming {
	if isValueName(name) {
		return naming{cmp.Or(called, n.name, name), n.above}
	}
	if tail := n.name[max(0, len(n.name)-maxName):]; tail != "" && kindOfName(tail, span{0, len(tail)}) > keyed {
		return naming{name, n.name}
	}
	return naming{name, n.above}
}

// A walker goes through a document that is known to be valid, once, and in
// order. It keeps doubled members, which a decoder into a map would lose.
type walker struct {
	doc     string
	at      int
	objects int
	last    literal // The scalar that was read last, or nothing if that was no scalar.
	// visit receives each string. What it returns for a name stands for that
	// name in pointers.
	visit func(literal) string
	// closed receives the members of each object that are scalars, when the
	// object ends.
	closed func([]member)
}

// A member is a name and a scalar of an object.
type member struct {
	name  string
	value literal
}

// walk calls visit for every string of doc, in the order of the document, and
// closed for every object.
func walk(doc []byte, visit func(literal) string, closed func([]member)) error {
	if !utf8.Valid(doc) {
		return fmt.Errorf("scan document: %w", ErrEncoding)
	}
	if !json.Valid(doc) {
		return fmt.Errorf("scan document: %w", ErrSyntax)
	}
	w := &walker{doc: string(doc), visit: visit, closed: closed}
	if err := w.value(nil, naming{}, 0); err != nil {
		return fmt.Errorf("scan document: %w", err)
	}
	return nil
}

func (w *walker) value(path *pointer, n naming, depth int) error {
	switch w.blank(); w.doc[w.at] {
	case '{':
		return w.object(path, n, depth+1)
	case '[':
		return w.array(path, n, depth+1)
	case '"':
		l, err := w.literal()
		if err != nil {
			return err
		}
		l.path, l.naming = path, n
		w.last = l
		w.visit(l)
	default:
		start := w.at
		for w.at < len(w.doc) && strings.IndexByte(" \t\r\n,]}", w.doc[w.at]) < 0 {
			w.at++
		}
		s := span{start, w.at}
		w.last = literal{raw: s, text: s.of(w.doc), path: path, naming: n, isNumber: true}
		if s.end-s.start >= minNumber && (isDigit(w.doc[start]) || w.doc[start] == '-') {
			w.visit(w.last)
		}
	}
	return nil
}

// minNumber is the least length of a number that may be a password.
const minNumber = 6

// object reads an object.
func (w *walker) object(path *pointer, n naming, depth int) error {
	if depth > MaxDepth {
		return ErrDepth
	}
	object, called := w.objects, ""
	w.objects++
	var members []member
	for w.next('}') {
		l, err := w.literal()
		if err != nil {
			return err
		}
		l.path, l.isName, l.object = &pointer{parent: path, ofName: true}, true, object
		step := &pointer{parent: path, name: w.visit(l)}
		w.blank()
		w.at++ // The colon.
		w.last = literal{}
		if err := w.value(step, n.below(l.text, called), depth); err != nil {
			return err
		}
		if w.last.raw.end > 0 {
			members = append(members, member{l.text, w.last})
		}
		if isNameName(l.text) && !w.last.isNumber {
			called = w.last.text
		}
	}
	w.last = literal{}
	w.closed(members)
	return nil
}

// isNameName says whether a member with this name holds the name of something
// whose value is in a member beside it.
func isNameName(name string) bool { return nameMembers.has(strings.ToLower(name)) }

// isValueName says whether a member with this name holds what is given to a
// name beside or above it.
func isValueName(name string) bool { return valueMembers.has(strings.ToLower(name)) }

func (w *walker) array(path *pointer, n naming, depth int) error {
	if depth > MaxDepth {
		return ErrDepth
	}
	for i := 0; w.next(']'); i++ {
		if err := w.value(&pointer{parent: path, index: i, array: true}, n, depth); err != nil {
			return err
		}
	}
	w.last = literal{}
	return nil
}

// next steps over the opening bracket or a comma and says whether an element
// follows; otherwise it steps over the closing bracket.
func (w *walker) next(closing byte) bool {
	w.blank()
	if w.doc[w.at] != closing {
		w.at++
		w.blank()
	}
	if w.doc[w.at] == closing {
		w.at++
		return false
	}
	return true
}

func (w *walker) blank() {
	for w.at < len(w.doc) && strings.IndexByte(" \t\r\n", w.doc[w.at]) >= 0 {
		w.at++
	}
}

// literal reads the string that begins at the current byte.
func (w *walker) literal() (literal, error) {
	start, escaped := w.at, false
	for w.at++; w.doc[w.at] != '"'; w.at++ {
		if w.doc[w.at] == '\\' {
			escaped = true
			w.at++
		}
	}
	w.at++
	raw := span{start, w.at}
	if !escaped {
		return literal{raw: raw, text: w.doc[start+1 : w.at-1]}, nil
	}
	text, err := unquote(raw.of(w.doc))
	if err != nil {
		return literal{}, fmt.Errorf("decode string at byte %d: %w", start, ErrSyntax)
	}
	return literal{raw: raw, text: text}, nil
}

func unquote(raw string) (text string, err error) {
	err = json.Unmarshal([]byte(raw), &text)
	return text, err
}
