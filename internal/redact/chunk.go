package redact

import (
	"strings"
	"unicode/utf8"
)

// A long text is read in parts, so that what its forms need of memory does not
// grow with it. Each part reaches into the next by the overlap, which is longer
// than what any rule reads in front of a secret.
const (
	maxChunk = 64 << 10
	overlap  = 8 << 10
)

// text returns the merged findings of all forms of one string.
func (s *Scanner) text(text string) []found {
	if len(text) <= maxChunk+overlap {
		return s.chunk(text)
	}
	var all []found
	digits := 0 // Where the run of digits begins that the part begins in.
	for from := 0; ; {
		to := min(len(text), from+maxChunk+overlap)
		for to < len(text) && !utf8.RuneStart(text[to]) {
			to++
		}
		for _, hit := range s.chunk(text[from:to]) {
			hit.start, hit.end = hit.start+from, hit.end+from
			all = append(all, hit)
		}
		if to == len(text) {
			return merge(all)
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

// chunk returns the merged findings of all forms of a text of bounded length.
func (s *Scanner) chunk(text string) []found {
	hits := s.form(nil, text, form{text: text})
	for _, f := range decoded(text) {
		hits = s.form(hits, text, f)
	}
	if len(hits) < 2 {
		return hits
	}
	return merge(hits)
}
