package transcript

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
)

// values yields the objects of one JSON document that lie so deep that they are single records: the value of a member of the
// document, and in each element of a list what the element is and what it holds. Where an object is too long it is passed over, in
// bounded memory. A value is valid until the next one is asked for.
func values(r io.Reader) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		in, s := bufio.NewReaderSize(r, 64<<10), splitter{}
		for {
			c, err := in.ReadByte()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(nil, fmt.Errorf("read transcript: %w", err))
				return
			}
			if s.next(c) && !yield(s.value, nil) {
				return
			}
		}
	}
}

// splitter follows the depth of a document byte by byte.
type splitter struct {
	depth           int
	inText, escaped bool
	from            int // the depth at which the value that is gathered began; zero for none
	tooLong         bool
	value           []byte
}

// next takes a byte, and says whether it ends a value.
func (s *splitter) next(c byte) bool {
	switch {
	case s.escaped:
		s.escaped = false
	case s.inText:
		s.escaped, s.inText = c == '\\', c != '"'
	default:
		s.structure(c)
	}
	if s.from == 0 {
		return false
	}
	if s.tooLong = s.tooLong || len(s.value) >= mostLine; !s.tooLong {
		s.value = append(s.value, c)
	}
	if s.depth >= s.from || s.inText || c != '}' {
		return false
	}
	s.from = 0
	return !s.tooLong
}

func (s *splitter) structure(c byte) {
	switch c {
	case '"':
		s.inText = true
	case '[':
		s.depth++
	case ']', '}':
		s.depth--
	case '{':
		// Depth 1 holds what the session is, 3 what a message is, 4 the parts of a message.
		if s.from == 0 && (s.depth == 1 || s.depth == 3 || s.depth == 4) {
			s.from, s.tooLong, s.value = s.depth+1, false, s.value[:0]
		}
		s.depth++
	}
}
