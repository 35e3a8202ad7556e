// Package forms reads a text in the forms that may hide a secret: without what does not show, with escapes and
// encodings undone, and with what is put together from pieces. Each form knows which bytes of the text its own came from.
package forms

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/redact/lex"
)

// A form is one way to read a text: as it stands, or as a decoder gives it.
type Form struct {
	Text   string
	source *Form    // What it was decoded from; nil for the original text.
	pieces []piece  // Where in the source its bytes came from, in their order.
	whole  lex.Span // Without pieces, the answer for every byte.
	// derived is true when the surroundings of a secret are not those that
	// the writer sees, so that only rules for shapes may look at the form.
	Derived bool
	nested  bool // An encoding was undone, and may have another inside.
	Beside  bool // It is made of the members of an object.
}

// A piece is a part of a form that came from one part of its source.
type piece struct {
	start int      // Where it begins in the form.
	from  lex.Span // The bytes of the source.
	same  bool     // Its bytes are those of the source, one by one.
}

// IsOriginal says whether the form is the text as it stands.
func (f *Form) IsOriginal() bool { return f.source == nil && f.pieces == nil && f.whole == lex.Span{} }

// OriginOf returns the bytes of the original that s came from.
func (f *Form) OriginOf(s lex.Span) lex.Span {
	switch {
	case s.Start >= s.End:
	case f.pieces != nil:
		first, last := f.pieceAt(s.Start), f.pieceAt(s.End-1)
		s = lex.Between(first.bytesAt(s.Start).Start, last.bytesAt(s.End-1).End)
	case f.whole != lex.Span{}:
		s = f.whole
	}
	if f.source == nil {
		return s
	}
	return f.source.OriginOf(s)
}

// IsChanged says whether anything within some bytes around s is not as in what the form was decoded from. What
// depends on nothing else was found there.
func (f *Form) IsChanged(s lex.Span, around int) bool {
	if f.pieces == nil {
		return true
	}
	first, last := f.pieceAt(s.Start-around), f.pieceAt(s.End+around)
	return first != last || !first.same
}

// pieceAt returns the piece that a byte of the form is in.
func (f *Form) pieceAt(at int) *piece {
	next := sort.Search(len(f.pieces), func(i int) bool { return f.pieces[i].start > at })
	return &f.pieces[max(0, next-1)]
}

// bytesAt returns the bytes of the source that one byte of the form came from.
func (p *piece) bytesAt(at int) lex.Span {
	if !p.same {
		return p.from
	}
	return lex.Between(p.from.Start+at-p.start, p.from.Start+at-p.start+1)
}

// maxNested bounds how often an encoding is looked for inside another.
const maxNested = 2

// DecodeAll returns the forms that decoders find in text, and in each other.
func DecodeAll(text string) []Form {
	parts := append(make([]byte, 0, 16), PartsOf(text))
	if parts[0]&^ofEncoded == 0 {
		return nil
	}
	all := []Form{{Text: text}}
	// Decoders return further forms of a text, or nothing if it does not look as if it held any. Each looks only at
	// a text with one of the parts that it undoes, and is given what those before it found. They are in the
	// order of their cost.
	for _, d := range [...]struct {
		parts  byte
		decode func(text string) []Form
	}{
		{OfHidden, NormaliseText},
		{ofEscape, unescapeAll},
		{ofSeam, joinSeams},
		{ofLong, decodeLong},
		{ofDump, decodeDumps},
	} {
		for i := range all {
			if d.parts&parts[i] == 0 {
				continue
			}
			found := d.decode(all[i].Text)
			if len(found) == 0 {
				continue
			}
			source := all[i]
			for _, f := range found {
				all, parts = append(all, f.ontoSource(&source)), append(parts, PartsOf(f.Text))
			}
		}
	}
	for i := range all {
		if all[i].nested {
			all = unwrapNested(all, i, maxNested)
		}
	}
	return all[1:]
}

// unwrapNested adds to all the forms that are found inside the form at i. They
// are shorter than it, so that the work is bounded by the depth.
func unwrapNested(all []Form, i, depth int) []Form {
	if depth == 0 {
		return all
	}
	source := all[i]
	for _, decode := range [...]func(string) []Form{unescapeAll, decodeLong, decodeDumps} {
		for _, f := range decode(source.Text) {
			all = append(all, f.ontoSource(&source))
			all = unwrapNested(all, len(all)-1, depth-1)
		}
	}
	return all
}

// ontoSource returns f, which was decoded from source, as a form of the original.
func (f *Form) ontoSource(source *Form) Form {
	g := *f
	g.Derived = g.Derived || source.Derived
	if g.source == nil {
		g.source = source
		return g
	}
	inner := g.source.ontoSource(source)
	g.source = &inner
	return g
}

// A builder puts together a form piece by piece.
type builder struct {
	text   []byte
	pieces []piece
}

// addText appends s, each byte of which came from the bytes from.
func (b *builder) addText(s string, from lex.Span) {
	if s == "" {
		return
	}
	b.pieces = append(b.pieces, piece{len(b.text), from, false})
	b.text = append(b.text, s...)
}

// keepBytes appends the bytes s of text unchanged.
func (b *builder) keepBytes(text string, s lex.Span) {
	if s.Start == s.End {
		return
	}
	if n := len(b.pieces); n > 0 && b.pieces[n-1].same && b.pieces[n-1].from.End == s.Start {
		b.pieces[n-1].from.End = s.End
	} else {
		b.pieces = append(b.pieces, piece{len(b.text), s, true})
	}
	b.text = append(b.text, s.Of(text)...)
}

func (b *builder) asForm() Form { return Form{Text: string(b.text), pieces: b.pieces} }

// A long text is read in parts, so that what its forms need of memory does not
// grow with it. Each part reaches into the next by the overlap, which is longer
// than what any rule reads in front of a secret.
const (
	MaxChunk = 64 << 10
	Overlap  = 8 << 10
)

// NextPart returns where a part begins that should begin at want, and where the
// run of digits begins that it is in. A line is not cut if that can be avoided,
// nor are the four digits that stand for three bytes.
func NextPart(text string, last, want, digits int) (from, run int) {
	from = want
	for !utf8.RuneStart(text[from]) {
		from--
	}
	if line := strings.LastIndexByte(text[from-Overlap/2:from], '\n'); line >= 0 {
		from += line + 1 - Overlap/2
	}
	run = lex.Back(text, from, last, isEncoded)
	if run == last {
		run = digits
	}
	return from - (from-run)%4, run
}

// What a byte can be part of. The tables are strings, which need no start.
const (
	ofEncoded byte = 1 << iota // Base64 or hexadecimal digits.
	ofEscape                   // An escape of some kind.
	OfHidden                   // A character that is not plain ASCII.
	ofSeam                     // The place at which a token was broken.
	ofLong                     // A run of digits long enough to be decoded. No byte has it.
	ofDump                     // Pairs of digits, one behind the other. No byte has it.
)

// parts has what each byte can be part of.
const parts = "" +
	"\x04\x04\x04\x04\x04\x04\x04\x04\x04\x00\x08\x04\x04\x08\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04" +
	"\x00\x00\x08\x00\x08\x02\x02\x08\x00\x00\x08\x01\x00\x01\x00\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x00\x00\x08\x0a\x00\x00" +
	"\x00\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x00\x0a\x00\x00\x01" +
	"\x08\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x00\x00\x00\x00\x00" +
	"\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04" +
	"\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04" +
	"\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04" +
	"\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04\x04"

// minDump is how many short runs of digits must follow each other to be read as
// a dump of bytes.
const minDump = 4

// PartsOf says what the bytes of text can be part of, in one pass: which
// decoders need to look at it.
func PartsOf(text string) byte {
	var all byte
	length, short := 0, 0
	for i := range len(text) {
		p := parts[text[i]]
		all |= p
		if p&ofEncoded != 0 {
			length++
			continue
		}
		switch {
		case length >= minEncoded:
			all |= ofLong
		case (length == 2 || length == 4) && lex.Run(text, i-length, i, isDumped) == i:
			if short++; short >= minDump {
				all |= ofDump
			}
		case length > 0:
			short = 0
		}
		length = 0
	}
	if length >= minEncoded {
		all |= ofLong
	}
	return all
}

// isDumped says whether c may stand in a pair of digits, with 0x in front of it.
func isDumped(c byte) bool { return lex.IsHex(c) || c|0x20 == 'x' }

// MinAcross is the least number of token characters around the end of an item
// for which a token may go on in the next.
const MinAcross = 16
