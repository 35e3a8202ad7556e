package redact

// minAcross is the least number of token characters around the end of an item
// for which a token may go on in the next.
const minAcross = 16

// across adds to the hits of items what is found only when they are put
// together: a token that is broken over them.
func (s *Scanner) across(items []item) {
	for first := 0; first < len(items); {
		last := first
		for last+1 < len(items) && continues(items[last].text, items[last+1].text) {
			last++
		}
		if last > first {
			s.chain(items[first : last+1])
		}
		first = last + 1
	}
}

// continues says whether a token may begin at the end of a and go on in b.
func continues(a, b string) bool {
	tail := back(a, len(a), max(0, len(a)-minAcross), isBase64)
	head := run(b, 0, min(len(b), minAcross), isBase64)
	return tail < len(a) && head > 0 && len(a)-tail+head >= minAcross && (hasDigit(a[tail:]) || hasDigit(b[:head]))
}

// chain scans the text that items make together.
func (s *Scanner) chain(items []item) {
	var text []byte
	starts := make([]int, 0, len(items)+1)
	for i := range items {
		starts = append(starts, len(text))
		text = append(text, items[i].text...)
	}
	starts = append(starts, len(text))
	for _, hit := range merge(s.form(nil, string(text), form{text: string(text), derived: true})) {
		for i := range items {
			part := span{max(hit.start, starts[i]), min(hit.end, starts[i+1])}
			if part.start >= part.end || hit.start >= starts[i] && hit.end <= starts[i+1] {
				continue
			}
			part = span{part.start - starts[i], part.end - starts[i]}
			items[i].hits = merge(append(items[i].hits, found{part, hit.rule, hit.severity, false}))
		}
	}
}
