package foreign

import (
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// The shares of a small record. What is longer is moved into the text, and the
// text into further notes, so that nothing is cut.
const (
	maxCites   = 600 // bytes, as are those below
	maxWhy     = 700
	maxNext    = 300
	leastSpace = 256
)

// splitMemory makes the records that the memory needs: one, or several where it says
// too much for one.
func (m *memory) splitMemory() {
	if m.doc.Type == packet.KindSkip {
		if m.fitsSkip() {
			m.docs = []document{m.doc}
			return
		}
		// Makes a note of what is too long for a skip.
		d := m.doc
		text := d.Item
		if d.Reason != "" {
			text = strings.TrimSpace(text + "\n\nWhy: " + d.Reason)
		}
		m.doc = document{
			Type: packet.KindNote, CreatedAt: d.CreatedAt, Kind: "pitfall", Text: text,
			Tags: d.Tags, ExpiresAt: d.ExpiresAt, Origin: d.Origin, Provenance: d.Provenance, Cites: d.Cites,
		}
		m.addNote("it says too much for a skip and became a pitfall")
	}
	// Moves what is too long for its member into the text.
	d := &m.doc
	kept := d.Cites[:0:0]
	size := 0
	for _, c := range d.Cites {
		size += len(encodeJSON(c)) + 64 // as it is laid out
		if size <= maxCites {
			kept = append(kept, c)
			continue
		}
		d.Text += "\n\nSee " + c.String()
		if c.Note != "" {
			d.Text += " (" + c.Note + ")"
		}
		m.addNote("the citation of %q did not fit and stands in the text", clean.Truncate(c.Path, maxShown))
	}
	d.Cites = kept
	for _, long := range []struct {
		text       *string
		most       int
		word, name string
	}{{&d.Why, maxWhy, "Why", "reason"}, {&d.NextAction, maxNext, "Next", "next action"}} {
		if clean.EncodedLen(*long.text) > long.most {
			d.Text += "\n\n" + long.word + ": " + *long.text
			*long.text = ""
			m.addNote("the %s was too long for its place and stands in the text", long.name)
		}
	}
	// Most memories are far from any bound, and need no measuring.
	if len(encodeJSON(m.doc)) < smallRoom/4 && len(m.links) < 8 && len(m.doc.Tags) < 8 {
		m.docs = []document{m.doc}
		return
	}
	rest := m.restOf()
	texts := splitText(m.doc.Text, m.textRoom(m.doc), m.textRoom(rest))
	for i, text := range texts {
		doc := m.doc
		if i > 0 {
			doc = rest
		}
		doc.Text = text
		m.docs = append(m.docs, doc)
	}
}

// restOf returns what the notes after the first have of it. There is one task and
// one identity, so that what follows them is for reference.
func (m *memory) restOf() document {
	d := m.doc
	d.Why, d.NextAction, d.Cites, d.Links = "", "", nil, nil
	d.Category, d.Status, d.Priority = "", "", 0
	if d.Kind == packet.NoteTask || d.Kind == packet.NoteIdentity {
		d.Kind = "reference"
	}
	return d
}

// textRoom returns for how many bytes of text the record has place beside the rest.
func (m *memory) textRoom(probe document) int {
	probe.Text, probe.ID = "x", packet.DeriveID("", m.created)
	probe.Links = slices.Repeat([]packet.ID{probe.ID}, min(len(m.links)+1, maxLinks))
	space := leastSpace
	if record, err := probe.toRecord(); err == nil {
		space = max(space, smallRoom-len(record.Encode()))
	}
	return space
}

// fitsSkip tells whether a skip has place for what the memory says.
func (m *memory) fitsSkip() bool {
	d := m.doc
	d.ID = packet.DeriveID("", m.created)
	record, err := d.toRecord()
	return err == nil && len(record.Encode()) <= smallRoom
}

// splitText returns text in parts, of which the first has place for so many bytes and each other
// one for others. It parts at paragraphs, else at lines, else at blanks, and
// within a word only where that word is too long. No character but blank space
// between parts is lost.
func splitText(text string, first, others int) []string {
	var parts []string
	for text != "" {
		part := text[:cutAt(text, first)]
		first = others
		text = strings.TrimLeft(text[len(part):], " \t\n")
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// cutAt returns where to part a text that does not fit into a note, or so many bytes of JSON; else where it ends.
func cutAt(text string, space int) int {
	most := fitLength(text, space)
	if most == len(text) {
		return most
	}
	for _, mark := range []string{"\n\n", "\n", ". ", " "} {
		i := strings.LastIndex(text[:most], mark)
		for i > 0 && strings.HasSuffix(strings.TrimSpace(text[:i]), ":") { // That leads to what follows.
			i = strings.LastIndex(text[:i], mark)
		}
		// A part of some size is worth more than a better place.
		if i > most/4 {
			return i + len(mark)
		}
	}
	return most
}

// fitLength returns how many bytes of the text fit, in whole characters and at
// least one.
func fitLength(text string, space int) int {
	runes, size := 0, 0
	for i, c := range text {
		runes++
		size += clean.EncodedLen(string(c))
		if i > 0 && (runes > packet.MaxNoteText || size > space) {
			return i
		}
	}
	return len(text)
}
