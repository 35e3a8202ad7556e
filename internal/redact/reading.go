package redact

// A scanned is one string of a document that has findings, or any name.
type scanned struct {
	literal
	findings []Finding
}

// A reading is one pass over a document. It keeps all member names, which Mask
// needs to keep apart, and the values that have findings.
type reading struct {
	scanner *Scanner
	where   *locator
	texts   []scanned
	items   []item // Strings that follow each other in one array.
}

// An item is a string of an array and what was found in it so far.
type item struct {
	literal
	hits []found
}

// document scans every string of doc.
func (s *Scanner) document(doc []byte) ([]scanned, error) {
	r := &reading{scanner: s, where: newLocator(string(doc))}
	err := walk(doc, r.visit)
	r.flush()
	if err == nil && s.stopped() {
		return nil, ErrStopped
	}
	return r.texts, err
}

// visit scans one string and returns how a name is written in pointers.
func (r *reading) visit(l literal) string {
	hits := r.scanner.literal(l)
	if !l.isName && l.path != nil && l.path.array {
		if len(r.items) > 0 && r.items[0].path.parent != l.path.parent {
			r.flush()
		}
		r.items = append(r.items, item{l, hits})
		return l.text
	}
	r.flush()
	r.keep(l, hits)
	return r.scanner.shown(l.text, hits)
}

// literal returns what the rules find in one string, or in a number that has
// the name of a secret.
func (s *Scanner) literal(l literal) []found {
	var hits []found
	if !l.isNumber {
		hits = s.text(l.text)
	}
	if l.isName || l.name == "" {
		return hits
	}
	named := s.member(l.name, l.text)
	if len(named) == 0 && l.above != "" {
		named = s.memberBelow(l.above, l.text)
	}
	return merge(append(hits, named...))
}

// keep takes down a name, or a value with findings.
func (r *reading) keep(l literal, hits []found) {
	if len(hits) == 0 && !l.isName {
		return
	}
	fs := r.scanner.findings(l.path, l.text, hits)
	raw := rawCursor{raw: l.raw.of(r.where.text)}
	for i := range fs {
		s := span{0, len(raw.raw)}
		if !l.isNumber {
			s = raw.span(span{fs[i].Start, fs[i].End})
		}
		r.where.locate(&fs[i], span{l.raw.start + s.start, l.raw.start + s.end})
	}
	r.texts = append(r.texts, scanned{l, fs})
}

// flush takes down the items of an array that came to its end.
func (r *reading) flush() {
	r.scanner.across(r.items)
	for i := range r.items {
		r.keep(r.items[i].literal, r.items[i].hits)
	}
	r.items = r.items[:0]
}
