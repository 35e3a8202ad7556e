package redact

// A form is one way to read a text: as it stands, or as a decoder gives it.
type form struct {
	text string
	// at tells for each byte of text which bytes of the original it came
	// from. When it is nil, whole is the answer for every byte, and when that
	// is empty too the form is the original.
	at    []span
	whole span
	// derived is true when the surroundings of a secret are not those that
	// the writer sees, so that only rules for shapes may look at the form.
	derived bool
	nested  bool // An encoding was undone, and may have another inside.
}

// origin returns the bytes of the original that s came from.
func (f form) origin(s span) span {
	switch {
	case s.start >= s.end:
		return s
	case f.at != nil:
		return span{f.at[s.start].start, f.at[s.end-1].end}
	case f.whole != span{}:
		return f.whole
	default:
		return s
	}
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
			for _, f := range d.forms(known[i].text, partsOf(known[i].text)) {
				all = append(all, f.over(&known[i]))
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

// over returns f, which was decoded from source, mapped to the original.
func (f form) over(source *form) form {
	f.derived = f.derived || source.derived
	if f.at == nil {
		f.whole = source.origin(f.whole)
	}
	for i := range f.at {
		f.at[i] = source.origin(f.at[i])
	}
	return f
}

// A builder puts together a form byte by byte.
type builder struct {
	text []byte
	at   []span
}

// add appends s, each byte of which came from the bytes from.
func (b *builder) add(s string, from span) {
	b.text = append(b.text, s...)
	for range len(s) {
		b.at = append(b.at, from)
	}
}

// keep appends the bytes s of text unchanged.
func (b *builder) keep(text string, s span) {
	b.text = append(b.text, s.of(text)...)
	for i := s.start; i < s.end; i++ {
		b.at = append(b.at, span{i, i + 1})
	}
}

func (b *builder) form() form { return form{text: string(b.text), at: b.at} }
