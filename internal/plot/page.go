// Package plot lays text out for a terminal: pages with styles, wrapped and cut to its width. It is pure.
package plot

import (
	"cmp"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
)

// A Style is how a piece of text looks on a terminal with colours.
type Style string

// The styles. Each is the parameter of an escape sequence.
const (
	Plain   Style = ""
	Title   Style = "1"
	Faint   Style = "2"
	Warning Style = "31"
	Name    Style = "33" // an id, as git shows one
	Kind    Style = "36"
)

// A Page is text for a person at a terminal, cut to its width. Whoever writes to it cleans the text before.
type Page struct {
	strings.Builder

	Columns int  // required
	Colored bool // with escape sequences for styles

	Ellipsis string // stands for what was cut off; "…" where nothing is set
}

// Styled returns a text in a style.
func (p *Page) Styled(s Style, text string) string {
	if !p.Colored || s == Plain || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[m"
}

// Gap writes an empty line, but not at the top.
func (p *Page) Gap() {
	if p.Len() > 0 {
		p.WriteString("\n")
	}
}

// Put writes a text behind a lead, wrapped at the width. Further lines stand below the text.
func (p *Page) Put(lead string, ls Style, text string, s Style) {
	indent := clean.Width(lead)
	if indent > p.Columns/2 {
		indent = 2
	}
	for i, line := range WrapText(text, max(p.Columns-indent, 8)) {
		begin := p.Styled(ls, lead)
		if i > 0 {
			begin = strings.Repeat(" ", indent)
		}
		p.WriteString(strings.TrimRight(begin+p.Styled(s, line), " ") + "\n")
	}
}

// Cell is a piece of a row: cut to its columns and filled up to them.
func (p *Page) Cell(text string, columns int, s Style) string {
	text = clean.TruncateWith(text, columns, cmp.Or(p.Ellipsis, "…"))
	return p.Styled(s, text) + strings.Repeat(" ", max(0, columns-clean.Width(text)))
}

// WrapText parts a text at blanks into lines of so many columns. A word that is longer is parted, too.
func WrapText(text string, columns int) (lines []string) {
	line, width := "", 0
	for word := range strings.FieldsSeq(text) {
		for {
			w := clean.Width(word)
			if line != "" && width+1+w <= columns {
				line, width = line+" "+word, width+1+w
				break
			}
			if line != "" {
				lines, line, width = append(lines, line), "", 0
			}
			if w <= columns {
				line, width = word, w
				break
			}
			head := strings.TrimSuffix(clean.Truncate(word, columns+1), "…")
			if head == "" || len(head) >= len(word) {
				line, width = word, w
				break
			}
			lines, word = append(lines, head), word[len(head):]
		}
	}
	return append(lines, line)
}
