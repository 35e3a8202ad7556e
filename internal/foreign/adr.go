package foreign

import "strings"

// readDecision reads an architecture decision record, in the form of Nygard or of
// MADR. Only what is in force is read: a decision that was replaced, refused or
// not taken yet would mislead.
func (r *reader) readDecision(data []byte) error {
	text, err := textOf(data)
	if err != nil {
		return err
	}
	front, title, sections := outlineOf(text)
	status := strings.ToLower(front.text("status") + " " + sections["status"])
	for _, word := range []string{"proposed", "draft", "rejected", "deprecated", "superseded"} {
		if strings.Contains(status, word) {
			r.addLeft(r.at(1), "its status is %s: only decisions in force are read", word)
			return nil
		}
	}
	m := r.beginNote(front)
	m.doc.Kind = "decision"
	m.doc.Text = joinParagraphs(m.tidyField(title), m.tidyField(sections["decision"]))
	if follows := m.tidyField(sections["consequences"]); follows != "" {
		m.doc.Text += "\n\nConsequences: " + follows
	}
	m.doc.Why = m.tidyField(sections["context"])
	for name := range sections {
		front[name] = name
	}
	r.noteUnread(front, "title", "date", "updated", "status", "decision", "consequences", "context")
	r.addMemory(m)
	return nil
}

// isDecision tells a text with a section about the context of a decision, and one
// about the decision.
func isDecision(text string) bool {
	front, _, sections := outlineOf(strings.ReplaceAll(text, "\r\n", "\n"))
	return sections["context"] != "" && sections["decision"] != "" && !front.hasMember(ourMark)
}

// outlineOf returns the title of a decision, what is said about it before the first
// section, and the sections by their headings, in lower case and as Nygard has them.
func outlineOf(text string) (front object, title string, sections map[string]string) {
	front, body, err := cutFront(text)
	if err != nil {
		front, body = object{}, text
	}
	sections = map[string]string{}
	at := ""
	for line := range strings.Lines(body) {
		switch level := headingLevel(line); {
		case level == 1 && title == "":
			title = strings.Trim(line, "# \n")
		case level == 2:
			at = strings.ToLower(strings.Trim(line, "# \n"))
			if nygard, ok := map[string]string{
				"context and problem statement": "context", "decision outcome": "decision",
			}[at]; ok {
				at = nygard
			}
		case at != "":
			sections[at] += line
		default:
			// Such as "* Status: accepted", or "Date: 2026-03-01".
			name, value, ok := strings.Cut(strings.Trim(line, "*- \n"), ":")
			if name = strings.ToLower(strings.Trim(name, "* ")); ok && !strings.Contains(name, " ") {
				front[name] = strings.Trim(value, "* ")
			}
		}
	}
	return front, title, sections
}
