package redact

import "sort"

// A form is one way to read a text: as it stands, or as a decoder gives it.
type form struct {
	text   string
	source *form   // What it was decoded from; nil for the original text.
	pieces []piece // Where in the source its bytes came from, in their order.
	whole  span    // Without pieces, the answer for every byte.
	// derived is true when the surroundings of a secret are not those that
	// the writer sees, so that only rules for shapes may look at the form.
	derived bool
	nested  bool // An encoding was undone, and may have another inside.
	beside  bool // It is made of the members of an object.
}

// A piece is a part of a form that came from one part of its source.
type piece struct {
	start int  // Where it begins in the form.
	from  span // The bytes of the source.
	same  bool // Its bytes are those of the source, one by one.
}

// original says whether the form is the text as it stands.
func (f *form) original() bool { return f.source == nil && f.pieces == nil && f.whole == span{} }

// origin returns the bytes of the original that s came from.
func (f *form) origin(s span) span {
	switch {
	case s.start >= s.end:
	case f.pieces != nil:
		first, last := f.pieceAt(s.start), f.pieceAt(s.end-1)
		s = span{first.at(s.start).start, last.at(s.end - 1).end}
	case f.whole != span{}:
		s = f.whole
	}
	if f.source == nil {
		return s
	}
	return f.source.origin(s)
}

// pieceAt returns the piece that a byte of the form is in.
func (f *form) pieceAt(at int) *piece {
	next := sort.Search(len(f.pieces), func(i int) bool { return f.pieces[i].start > at })
	return &f.pieces[max(0, next-1)]
}

// at returns the bytes of the source that one byte of the form came from.
func (p *piece) at(at int) span {
	if !p.same {
		return p.from
	}
	return span{p.from.start + at - p.start, p.from.start + at - p.start + 1}
}

// A decoder returns further forms of a text, mapped back to that text alone,
// or nothing if the text does not look as if it held any. It needs to look only
// at a text with one of the parts it undoes.
type decoder struct {
	parts  byte
	decode func(text string) []form
}

// forms returns what the decoder makes of text.
func (d *decoder) forms(text string, has byte) []form {
	if d.parts&has == 0 {
		return nil
	}
	return d.decode(text)
}

// decoders lists them in the order of their cost. Each is given the text and
// the forms that the decoders before it found.
func decoders() [4]decoder {
	return [...]decoder{{ofHidden, normalised}, {ofEscape, unescaped}, {ofSeam, joined}, {ofLong | ofDump, encoded}}
}

// maxNested bounds how often an encoding is looked for inside another.
const maxNested = 2

// decoded returns the forms that decoders find in text, and in each other.
func decoded(text string) []form {
	has := partsOf(text)
	if has&^ofEncoded == 0 {
		return nil
	}
	var all []form
	for _, d := range decoders() {
		known := all
		all = append(all, d.forms(text, has)...)
		for i := range known {
			source := known[i]
			for _, f := range d.forms(source.text, partsOf(source.text)) {
				all = append(all, f.over(&source))
			}
		}
	}
	for i := range all {
		if all[i].nested {
			all = unwrapped(all, i, maxNested)
		}
	}
	return all
}

// unwrapped adds to all the forms that are found inside the form at i. They
// are shorter than it, so that the work is bounded by the depth.
func unwrapped(all []form, i, depth int) []form {
	if depth == 0 {
		return all
	}
	source := all[i]
	for _, decode := range [...]func(string) []form{unescaped, encoded} {
		for _, f := range decode(source.text) {
			all = append(all, f.over(&source))
			all = unwrapped(all, len(all)-1, depth-1)
		}
	}
	return all
}

// over returns f, which was decoded from source, as a form of the original.
func (f *form) over(source *form) form {
	g := *f
	g.derived = g.derived || source.derived
	if g.source == nil {
		g.source = source
		return g
	}
	inner := g.source.over(source)
	g.source = &inner
	return g
}

// A builder puts together a form piece by piece.
type builder struct {
	text   []byte
	pieces []piece
}

// add appends s, each byte of which came from the bytes from.
func (b *builder) add(s string, from span) {
	if s == "" {
		return
	}
	b.pieces = append(b.pieces, piece{len(b.text), from, false})
	b.text = append(b.text, s...)
}

// keep appends the bytes s of text unchanged.
func (b *builder) keep(text string, s span) {
	if s.start == s.end {
		return
	}
	if n := len(b.pieces); n > 0 && b.pieces[n-1].same && b.pieces[n-1].from.end == s.start {
		b.pieces[n-1].from.end = s.end
	} else {
		b.pieces = append(b.pieces, piece{len(b.text), s, true})
	}
	b.text = append(b.text, s.of(text)...)
}

func (b *builder) form() form { return form{text: string(b.text), pieces: b.pieces} }
