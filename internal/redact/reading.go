package redact

import (
	"slices"
	"strings"
)

// A scanned is one string of a document that has findings, or any name.
type scanned struct {
	literal
	findings []Finding
}

// A reading is one pass over a document.
type reading struct {
	scanner *Scanner
	items   []item // All member names, which Mask needs to keep apart, and the values in which something was found.
	array   int    // Where those begin that follow each other in one array, or -1.
}

// An item is a string of a document and what was found in it so far.
type item struct {
	literal
	hits []found
}

// document scans every string of doc.
func (s *Scanner) document(doc []byte) ([]scanned, error) {
	r := &reading{scanner: s, array: -1}
	err := walk(doc, r.visit, r.siblings)
	if err != nil {
		return nil, err
	}
	if s.stopped() {
		return nil, ErrStopped
	}
	r.flush()
	return r.texts(string(doc)), nil
}

// visit scans one string and returns how a name is written in pointers.
func (r *reading) visit(l literal) string {
	hits := r.scanner.literal(l)
	inArray := !l.isName && l.path != nil && l.path.array
	if !inArray || r.array >= 0 && r.items[r.array].path.parent != l.path.parent {
		r.flush()
	}
	if inArray && r.array < 0 {
		r.array = len(r.items)
	}
	if inArray || l.isName || len(hits) > 0 {
		r.items = append(r.items, item{l, hits})
	}
	if l.isName {
		return r.scanner.shown(l.text, hits)
	}
	return l.text
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

// flush looks at the items of an array that came to its end.
func (r *reading) flush() {
	if r.array < 0 {
		return
	}
	r.scanner.across(r.items[r.array:])
	found := slices.DeleteFunc(r.items[r.array:], func(i item) bool { return len(i.hits) == 0 })
	r.items = r.items[:r.array+len(found)]
	r.array = -1
}

// Bounds of what is read of the members of an object together.
const (
	maxMember  = 2048
	maxMembers = 16 << 10
)

// siblings looks at the members of an object together, for the rules that ask
// for that: what a value is may be told by the member beside it.
func (r *reading) siblings(members []member) {
	r.flush()
	var text []byte
	places := make([]span, len(members)) // Where the values stand in text.
	telling := false
	for i, m := range members {
		value := m.value.text
		if len(m.name) > maxName || len(value) > maxMember || len(text) > maxMembers || strings.ContainsAny(value, " \t\n\"'") {
			continue
		}
		text = append(append(append(text, '"'), m.name...), `":"`...)
		if m.value.isNumber {
			text = text[:len(text)-1]
		}
		places[i] = span{len(text), len(text) + len(value)}
		text = append(append(text, value...), `",`...)
		telling = telling || !m.value.isNumber && len(value) >= minNear && hasDigit(value)
	}
	if !telling {
		return
	}
	f := form{text: string(text), beside: true}
	for _, hit := range merge(r.scanner.form(nil, f.text, f)) {
		for i, place := range places {
			if place.start <= hit.start && hit.end <= place.end && place.start < place.end {
				hit.span = span{hit.start - place.start, hit.end - place.start}
				r.items = append(r.items, item{members[i].value, []found{hit}})
				break
			}
		}
	}
}

// texts returns the names of doc and the values in which something was found,
// in their order.
func (r *reading) texts(doc string) []scanned {
	slices.SortStableFunc(r.items, func(a, b item) int { return a.raw.start - b.raw.start })
	where := newLocator(doc)
	var all []scanned
	for i := 0; i < len(r.items); i++ {
		at := r.items[i]
		for i+1 < len(r.items) && r.items[i+1].raw == at.raw {
			i++
			at.hits = merge(append(at.hits, r.items[i].hits...))
		}
		fs := r.scanner.findings(at.path, at.text, at.hits)
		raw := rawCursor{raw: at.raw.of(doc)}
		for i := range fs {
			s := span{0, len(raw.raw)}
			if !at.isNumber {
				s = raw.span(span{fs[i].Start, fs[i].End})
			}
			where.locate(&fs[i], span{at.raw.start + s.start, at.raw.start + s.end})
		}
		all = append(all, scanned{at.literal, fs})
	}
	return all
}
