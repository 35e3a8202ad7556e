package settings

import (
	"bytes"
	"slices"
	"strings"
)

// Block is some lines between two comments, at the end of a file in which "#" begins a comment.
type Block struct {
	Name  string   `json:"name"` // required: what the comments call it
	Lines []string `json:"lines"`
}

// beginLine and end are the comments around the lines.
func (b Block) beginLine() string { return "# " + b.Name + ": begin" }
func (b Block) endLine() string   { return "# " + b.Name + ": end" }

// Append puts a block at the end of a text, with an empty line before it.
func (b Block) Append(text []byte) []byte {
	newline := newlineOf(text)
	body := strings.Join(slices.Concat([]string{b.beginLine()}, b.Lines, []string{b.endLine(), ""}), newline)
	switch rest := bytes.TrimPrefix(text, []byte(mark)); {
	case len(rest) == 0:
	case bytes.HasSuffix(rest, []byte("\n")):
		body = newline + body
	default:
		body = newline + newline + body
	}
	return slices.Concat(text, []byte(body))
}

// Within returns the lines of a text between the two comments, whatever they are, and whether the comments
// are there.
func (b Block) Within(text []byte) (lines []string, ok bool) {
	from, to, ok := b.span(text)
	if !ok {
		return nil, false
	}
	lines = strings.Split(strings.TrimSuffix(string(text[from:to]), "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	return lines[1 : len(lines)-1], true
}

// span is where the block stands, its comments among it.
func (b Block) span(text []byte) (from, to int, ok bool) {
	from, at := -1, len(text)-len(bytes.TrimPrefix(text, []byte(mark)))
	for line := range bytes.Lines(text[at:]) {
		switch strings.TrimRight(string(line), "\r\n") {
		case b.beginLine():
			from = at
		case b.endLine():
			if from >= 0 {
				return from, at + len(line), true
			}
		}
		at += len(line)
	}
	return 0, 0, false
}

// Cut takes a block out, whatever stands in it. The ending is what Ending said of the text before the block
// was put in. If nothing else changed since, the text is the one of before. A block that is not there is
// ErrAbsent.
func (b Block) Cut(text []byte, ending string) ([]byte, error) {
	from, to, ok := b.span(text)
	if !ok {
		return nil, ErrAbsent
	}
	before, after := text[:from], text[to:]
	newline := []byte(newlineOf(text))
	if len(bytes.TrimPrefix(before, []byte(mark))) > 0 {
		before = bytes.TrimSuffix(before, newline)
		if ending != "\n" && len(after) == 0 {
			before = bytes.TrimSuffix(before, newline)
		}
	}
	return slices.Concat(before, after), nil
}

// Ending tells Cut how a text ended before a block was put in.
func Ending(text []byte) string {
	if bytes.HasSuffix(text, []byte("\n")) {
		return "\n"
	}
	return ""
}
