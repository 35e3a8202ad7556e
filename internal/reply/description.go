package reply

import (
	"fmt"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// Description is text in labelled lines. All that it is given is cleaned.
type Description struct{ strings.Builder }

// Printf writes text as it is.
func (d *Description) Printf(format string, args ...any) {
	_, _ = fmt.Fprintf(&d.Builder, format, args...) // A Builder does not fail.
}

// Put writes a label and a text on one line; nothing where there is no text.
func (d *Description) Put(label, text string) {
	if text = clean.Line(text); text != "" {
		d.Printf("%-11s %s\n", label+":", text)
	}
}

// Block writes a text with its own lines. They stand in by two blanks, so that none of them passes for a label.
func (d *Description) Block(title, text string) {
	if text = clean.Text(text); text == "" {
		return
	}
	d.Printf("\n%s:\n", title)
	for line := range strings.SplitSeq(text, "\n") {
		d.Printf("%s\n", strings.TrimRight("  "+line, " "))
	}
}

// Head writes a heading where something follows, and tells whether it does.
func (d *Description) Head(title string, n int) bool {
	if n > 0 {
		d.Printf("\n%s:\n", title)
	}
	return n > 0
}

// Item writes a text as an item of a list, and notes below it: a label and a text each.
func (d *Description) Item(text string, notes ...string) {
	d.Printf("  - %s\n", clean.Line(text))
	for i := 0; i+1 < len(notes); i += 2 {
		if n := clean.Line(notes[i+1]); n != "" {
			d.Printf("    %s: %s\n", notes[i], n)
		}
	}
}

// List writes texts as items below a heading.
func (d *Description) List(title string, texts []string) {
	if d.Head(title, len(texts)) {
		for _, t := range texts {
			d.Item(t)
		}
	}
}

func (d *Description) unknown(all []packet.Member) {
	if !d.Head("Members that this version does not know", len(all)) {
		return
	}
	for _, x := range all {
		d.Item(x.Path + " = " + x.JSON)
	}
}
