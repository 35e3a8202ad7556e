package main

import (
	"fmt"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// description is text in labelled lines. All that it is given is cleaned.
type description struct{ strings.Builder }

func (d *description) printf(format string, args ...any) {
	_, _ = fmt.Fprintf(&d.Builder, format, args...) // A Builder does not fail.
}

func (d *description) put(label, text string) {
	if text = clean.Line(text); text != "" {
		d.printf("%-11s %s\n", label+":", text)
	}
}

// block writes a text with its own lines. They stand in by two blanks, so that none of them passes for a label.
func (d *description) block(title, text string) {
	if text = clean.Text(text); text == "" {
		return
	}
	d.printf("\n%s:\n", title)
	for line := range strings.SplitSeq(text, "\n") {
		d.printf("%s\n", strings.TrimRight("  "+line, " "))
	}
}

func (d *description) head(title string, n int) bool {
	if n > 0 {
		d.printf("\n%s:\n", title)
	}
	return n > 0
}

func (d *description) item(text string, notes ...string) {
	d.printf("  - %s\n", clean.Line(text))
	for i := 0; i+1 < len(notes); i += 2 {
		if n := clean.Line(notes[i+1]); n != "" {
			d.printf("    %s: %s\n", notes[i], n)
		}
	}
}

func (d *description) list(title string, texts []string) {
	if d.head(title, len(texts)) {
		for _, t := range texts {
			d.item(t)
		}
	}
}

func (d *description) unknown(all []packet.Member) {
	if !d.head("Members that this version does not know", len(all)) {
		return
	}
	for _, x := range all {
		d.item(x.Path + " = " + x.JSON)
	}
}
