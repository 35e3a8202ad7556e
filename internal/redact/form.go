package redact

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/redact/readers"
)

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

// isOriginal says whether the form is the text as it stands.
func (f *form) isOriginal() bool { return f.source == nil && f.pieces == nil && f.whole == span{} }

// originOf returns the bytes of the original that s came from.
func (f *form) originOf(s span) span {
	switch {
	case s.start >= s.end:
	case f.pieces != nil:
		first, last := f.pieceAt(s.start), f.pieceAt(s.end-1)
		s = span{first.bytesAt(s.start).start, last.bytesAt(s.end - 1).end}
	case f.whole != span{}:
		s = f.whole
	}
	if f.source == nil {
		return s
	}
	return f.source.originOf(s)
}

// pieceAt returns the piece that a byte of the form is in.
func (f *form) pieceAt(at int) *piece {
	next := sort.Search(len(f.pieces), func(i int) bool { return f.pieces[i].start > at })
	return &f.pieces[max(0, next-1)]
}

// bytesAt returns the bytes of the source that one byte of the form came from.
func (p *piece) bytesAt(at int) span {
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

// decodeForms returns what the decoder makes of text.
func (d *decoder) decodeForms(text string, has byte) []form {
	if d.parts&has == 0 {
		return nil
	}
	return d.decode(text)
}

// allDecoders lists them in the order of their cost. Each is given the text and
// the forms that the decoders before it found.
func allDecoders() [4]decoder {
	return [...]decoder{
		{ofHidden, normaliseText},
		{ofEscape, unescapeAll},
		{ofSeam, joinSeams},
		{ofLong | ofDump, decodeDigits},
	}
}

// maxNested bounds how often an encoding is looked for inside another.
const maxNested = 2

// decodeAll returns the forms that decoders find in text, and in each other.
func decodeAll(text string) []form {
	has := partsOf(text)
	if has&^ofEncoded == 0 {
		return nil
	}
	var all []form
	for _, d := range allDecoders() {
		known := all
		all = append(all, d.decodeForms(text, has)...)
		for i := range known {
			source := known[i]
			for _, f := range d.decodeForms(source.text, partsOf(source.text)) {
				all = append(all, f.ontoSource(&source))
			}
		}
	}
	for i := range all {
		if all[i].nested {
			all = unwrapNested(all, i, maxNested)
		}
	}
	return all
}

// unwrapNested adds to all the forms that are found inside the form at i. They
// are shorter than it, so that the work is bounded by the depth.
func unwrapNested(all []form, i, depth int) []form {
	if depth == 0 {
		return all
	}
	source := all[i]
	for _, decode := range [...]func(string) []form{unescapeAll, decodeDigits} {
		for _, f := range decode(source.text) {
			all = append(all, f.ontoSource(&source))
			all = unwrapNested(all, len(all)-1, depth-1)
		}
	}
	return all
}

// ontoSource returns f, which was decoded from source, as a form of the original.
func (f *form) ontoSource(source *form) form {
	g := *f
	g.derived = g.derived || source.derived
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
func (b *builder) addText(s string, from span) {
	if s == "" {
		return
	}
	b.pieces = append(b.pieces, piece{len(b.text), from, false})
	b.text = append(b.text, s...)
}

// keepBytes appends the bytes s of text unchanged.
func (b *builder) keepBytes(text string, s span) {
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

func (b *builder) asForm() form { return form{text: string(b.text), pieces: b.pieces} }

// A long text is read in parts, so that what its forms need of memory does not
// grow with it. Each part reaches into the next by the overlap, which is longer
// than what any rule reads in front of a secret.
const (
	maxChunk = 64 << 10
	overlap  = 8 << 10
)

// scanText returns the merged findings of all forms of one string.
func (s *Scanner) scanText(text string) []found {
	all := s.scanInner(text)
	if len(text) <= maxChunk+overlap {
		return mergeFindings(append(all, s.scanChunk(text)...))
	}
	all = s.scanEvents(all, form{text: text}, readers.Tables) // Their head may be in another part.
	// Where the run of digits begins that the part begins in.
	digits := 0
	for from := 0; ; {
		to := min(len(text), from+maxChunk+overlap)
		for to < len(text) && !utf8.RuneStart(text[to]) {
			to++
		}
		for _, hit := range s.scanChunk(text[from:to]) {
			hit.start, hit.end = hit.start+from, hit.end+from
			all = append(all, hit)
		}
		if to == len(text) {
			return mergeFindings(all)
		}
		from, digits = nextPart(text, from, to-overlap, digits)
	}
}

// nextPart returns where a part begins that should begin at want, and where the
// run of digits begins that it is in. A line is not cut if that can be avoided,
// nor are the four digits that stand for three bytes.
func nextPart(text string, last, want, digits int) (from, run int) {
	from = want
	for !utf8.RuneStart(text[from]) {
		from--
	}
	if line := strings.LastIndexByte(text[from-overlap/2:from], '\n'); line >= 0 {
		from += line + 1 - overlap/2
	}
	run = back(text, from, last, isEncoded)
	if run == last {
		run = digits
	}
	return from - (from-run)%4, run
}

// scanChunk returns the merged findings of all forms of a text of bounded length.
func (s *Scanner) scanChunk(text string) []found {
	plain := form{text: text}
	hits := s.scanEvents(s.scanForm(nil, text, plain), plain, readers.Events)
	for _, f := range decodeAll(text) {
		hits = s.scanForm(hits, text, f)
		if !f.derived {
			hits = s.scanEvents(hits, f, readers.Events)
		}
	}
	if len(hits) < 2 {
		return hits
	}
	return mergeFindings(hits)
}

// What a byte can be part of. The tables are strings, which need no start.
const (
	ofEncoded byte = 1 << iota // Base64 or hexadecimal digits.
	ofEscape                   // An escape of some kind.
	ofHidden                   // A character that is not plain ASCII.
	ofSeam                     // The place at which a token was broken.
	ofLong                     // A run of digits long enough to be decoded. No byte has it.
	ofDump                     // Pairs of digits, one behind the other. No byte has it.
)

// folded has the lower case of each byte.
const folded = "" +
	"\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f" +
	"\x20\x21\x22\x23\x24\x25\x26\x27\x28\x29\x2a\x2b\x2c\x2d\x2e\x2f\x30\x31\x32\x33\x34\x35\x36\x37\x38\x39\x3a\x3b\x3c\x3d\x3e\x3f" +
	"\x40\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6a\x6b\x6c\x6d\x6e\x6f\x70\x71\x72\x73\x74\x75\x76\x77\x78\x79\x7a\x5b\x5c\x5d\x5e\x5f" +
	"\x60\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6a\x6b\x6c\x6d\x6e\x6f\x70\x71\x72\x73\x74\x75\x76\x77\x78\x79\x7a\x7b\x7c\x7d\x7e\x7f" +
	"\x80\x81\x82\x83\x84\x85\x86\x87\x88\x89\x8a\x8b\x8c\x8d\x8e\x8f\x90\x91\x92\x93\x94\x95\x96\x97\x98\x99\x9a\x9b\x9c\x9d\x9e\x9f" +
	"\xa0\xa1\xa2\xa3\xa4\xa5\xa6\xa7\xa8\xa9\xaa\xab\xac\xad\xae\xaf\xb0\xb1\xb2\xb3\xb4\xb5\xb6\xb7\xb8\xb9\xba\xbb\xbc\xbd\xbe\xbf" +
	"\xc0\xc1\xc2\xc3\xc4\xc5\xc6\xc7\xc8\xc9\xca\xcb\xcc\xcd\xce\xcf\xd0\xd1\xd2\xd3\xd4\xd5\xd6\xd7\xd8\xd9\xda\xdb\xdc\xdd\xde\xdf" +
	"\xe0\xe1\xe2\xe3\xe4\xe5\xe6\xe7\xe8\xe9\xea\xeb\xec\xed\xee\xef\xf0\xf1\xf2\xf3\xf4\xf5\xf6\xf7\xf8\xf9\xfa\xfb\xfc\xfd\xfe\xff"

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

// partsOf says what the bytes of text can be part of, in one pass: which
// decoders need to look at it.
func partsOf(text string) byte {
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
		case length == 2 || length == 4:
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
