package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/git-ltm/git-ltm/internal/clean"
)

// parseRecord parses a line or a value. One that is cut, no JSON object or too deep is no record.
func parseRecord(data []byte) (gjson.Result, bool) {
	data = bytes.TrimSpace(data)
	if len(data) == 0 || data[0] != '{' || !clean.IsShallow(data) || !gjson.ValidBytes(data) {
		return gjson.Result{}, false
	}
	return gjson.ParseBytes(data), true
}

// parseArgument parses a JSON value that a record holds as text.
func parseArgument(text string) gjson.Result {
	if !clean.IsShallow([]byte(text)) || !gjson.Valid(text) {
		return gjson.Result{}
	}
	return gjson.Parse(text)
}

// joinedText joins the texts of a value: a string, or a list of parts that have one.
func joinedText(v gjson.Result) string {
	var all []string
	for _, part := range v.Array() {
		thought := part.Get("thought").Bool() // The agent says it to nobody.
		if part.IsObject() {
			part = part.Get("text")
		}
		if !thought && part.Type == gjson.String && part.Str != "" {
			all = append(all, part.Str)
		}
	}
	return strings.Join(all, "\n")
}

// firstText returns the first of some members that is a text.
func firstText(v gjson.Result, paths ...string) string {
	for _, p := range paths {
		if m := v.Get(p); m.Type == gjson.String && m.Str != "" {
			return m.Str
		}
	}
	return ""
}

// readValues yields the objects of one JSON document that lie so deep that they are single records: the
// value of a member of the document, and in each element of a list what the element is and what it holds.
// Where an object is too long it is passed over, in bounded memory. A value is valid until the next one is
// asked for.
func readValues(r io.Reader) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		buffer, s := make([]byte, 64<<10), splitter{}
		for {
			n, err := r.Read(buffer)
			for chunk := buffer[:n]; len(chunk) > 0; {
				var whole bool
				if chunk, whole = s.feed(chunk); whole && !yield(s.value, nil) {
					return
				}
			}
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(nil, fmt.Errorf("read transcript: %w", err))
				return
			}
		}
	}
}

// splitter follows the depth of a document byte by byte.
type splitter struct {
	depth           int
	inText, escaped bool
	from            int // the depth inside the value that is gathered; zero for none
	tooLong         bool
	value           []byte
}

// feed takes bytes up to the end of a value, returns the rest, and says whether a value is whole.
func (s *splitter) feed(chunk []byte) (rest []byte, whole bool) {
	start := 0
	for i, c := range chunk {
		if !s.structural(c) {
			continue
		}
		switch c {
		case '[':
			s.depth++
		case '{':
			s.depth++
			// A record begins: what the session is, what a message is, or a part of one.
			if s.from == 0 && (s.depth == 2 || s.depth == 4 || s.depth == 5) {
				s.from, s.tooLong, s.value, start = s.depth, false, s.value[:0], i
			}
		case ']', '}':
			s.depth--
			if s.from > 0 && s.depth < s.from {
				s.keep(chunk[start : i+1])
				s.from = 0
				return chunk[i+1:], !s.tooLong
			}
		}
	}
	if s.from > 0 {
		s.keep(chunk[start:])
	}
	return nil, false
}

// structural says whether a byte stands outside of texts.
func (s *splitter) structural(c byte) bool {
	switch {
	case s.escaped:
		s.escaped = false
	case s.inText:
		s.escaped, s.inText = c == '\\', c != '"'
	case c == '"':
		s.inText = true
	default:
		return true
	}
	return false
}

func (s *splitter) keep(part []byte) {
	if s.tooLong = s.tooLong || len(s.value)+len(part) > mostLine; !s.tooLong {
		s.value = append(s.value, part...)
	}
}
