package redact

import "iter"

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
}

// origin returns the bytes of the original that s came from.
func (f *form) origin(s span) span {
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

// A decoder yields further forms of a text. It maps back to that text alone.
type decoder func(text string) iter.Seq[form]

// decoders lists them in the order of their cost. Those that may be chained
// come first: what they yield is given to the ones after them.
func decoders() []decoder {
	return []decoder{normalised, unescaped, joined, encoded}
}

// forms yields the text itself, then each form that a decoder finds in it or
// in a form found by a decoder before.
func forms(text string) iter.Seq[form] {
	return func(yield func(form) bool) {
		known := []form{{text: text}}
		if !yield(known[0]) {
			return
		}
		for _, decode := range decoders() {
			for _, source := range known {
				for f := range decode(source.text) {
					f = f.over(&source)
					if !yield(f) {
						return
					}
					known = append(known, f)
				}
			}
		}
	}
}

// over returns f, which was decoded from source, mapped to the original.
func (f form) over(source *form) form {
	f.derived = f.derived || source.derived
	switch {
	case f.at == nil:
		f.whole = source.origin(f.whole)
	case source.at == nil && source.whole == span{}:
	default:
		for i := range f.at {
			f.at[i] = source.origin(f.at[i])
		}
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
