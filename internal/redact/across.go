package redact

// minAcross is the least number of token characters around the end of an item
// for which a token may go on in the next.
const minAcross = 16

// across adds to the hits of items what is found only when they are put
// together: a token that is broken over them.
func (s *Scanner) across(items []item) {
	for first := 0; first < len(items); {
		last, tail := first, tailOf(items[first].text)
		for last+1 < len(items) && continues(items[last].text[len(items[last].text)-min(tail, len(items[last].text)):], tail, items[last+1].text) {
			last++
			if next := tailOf(items[last].text); next == len(items[last].text) {
				tail += next
			} else {
				tail = next
			}
		}
		if last > first {
			s.chain(items[first : last+1])
		}
		first = last + 1
	}
}

// tailOf returns how many characters of a token a text ends with, up to a few.
func tailOf(text string) int {
	return len(text) - back(text, len(text), max(0, len(text)-minAcross), isBase64)
}

// continues says whether a token of which tail characters stand at the end of an
// item, and of the items before it, may go on in next.
func continues(end string, tail int, next string) bool {
	head := run(next, 0, min(len(next), minAcross), isBase64)
	if tail == 0 || head == 0 {
		return false
	}
	whole := head == len(next) // The items behind it may have more.
	return (tail+head >= minAcross || whole) && (hasDigit(end) || hasDigit(next[:head]))
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
