// Package redacttest reads the corpus that measures package redact.
//
// A corpus file holds one row a line: a group, a slash, a kind, a tab and a
// text. Empty lines and lines that begin with "# " are skipped. The text is
// written with marks, so that no file of ours holds anything that looks like a
// secret. Load replaces the marks, and does it in the same way in each run:
//
//	⟦…⟧            around the secret; a row holds one or none
//	‹alnum 36›     36 random characters; see alphabets for the names
//	‹uuid› ‹UUID› ‹ulid› ‹sha1› ‹sha256› ‹jwt› ‹word› ‹words 12›
//	‹pem LABEL›    an armoured block with that label
//	‹b64 …›        the inner text in another form; see encodings for the names
//	‹U+200B›       one character
//	·              nothing; it parts the known beginnings of tokens
//	␤ ␉ ␍ ␠        a newline, a tab, a carriage return, a blank
//
// Marks may stand inside marks, and the inner one is replaced first.
package redacttest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// A Row is one text of the corpus, with its marks replaced.
type Row struct {
	Group, Kind string
	Text        string

	// Secret is Text[Start:End], the bytes that must not travel. It is empty
	// in a row that holds none.
	Secret     string
	Start, End int

	File string // Name of the file, without its directory.
	Line int
}

// Load reads the rows of a corpus file. It reports every malformed row.
func Load(path string) ([]Row, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read corpus: %w", err)
	}
	return parse(filepath.Base(path), string(data))
}

// parse returns the rows of a file of the given name.
func parse(file, data string) ([]Row, error) {
	var rows []Row
	var problems []error
	line := 0
	for text := range strings.SplitSeq(data, "\n") {
		line++
		if text == "" || strings.HasPrefix(text, "# ") {
			continue
		}
		row, err := parseRow(text, newSource(file, line))
		if err != nil {
			problems = append(problems, fmt.Errorf("%s:%d: %w", file, line, err))
			continue
		}
		row.File, row.Line = file, line
		rows = append(rows, row)
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return rows, nil
}

// parseRow returns the row of one line.
func parseRow(line string, random source) (Row, error) {
	if !utf8.ValidString(line) {
		return Row{}, errors.New("the line is not UTF-8")
	}
	name, marked, ok := strings.Cut(line, "\t")
	if !ok {
		return Row{}, errors.New("no tab between kind and text")
	}
	group, kind, ok := strings.Cut(name, "/")
	if !ok || group == "" || kind == "" {
		return Row{}, fmt.Errorf("%q is not a group, a slash and a kind", name)
	}
	row, err := expandMarks(marked, random)
	row.Group, row.Kind = group, kind
	return row, err
}

// Expand returns the row of a text that stands alone, such as the example of a rule.
func Expand(marked string) (Row, error) { return expandMarks(marked, newSource(marked, 0)) }

func expandMarks(marked string, random source) (Row, error) {
	e := expander{rest: marked, random: random}
	text, err := e.expand(0)
	if err != nil {
		return Row{}, err
	}
	row := Row{Text: text}
	if row.Start, row.End, err = e.secret(); err != nil {
		return Row{}, err
	}
	row.Secret = text[row.Start:row.End]
	return row, nil
}
