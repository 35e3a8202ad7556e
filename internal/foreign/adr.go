package foreign

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// readDecision reads an architecture decision record, in the form of Nygard or of
// MADR. Only what is in force is read: a decision that was replaced, refused or
// not taken yet would mislead.
func (r *reader) readDecision(data []byte) error {
	text, err := textOf(data)
	if err != nil {
		return err
	}
	front, title, sections := outlineOf(text)
	m := r.beginNote(front)
	if title == "" {
		title = front.text("title")
	}
	title, decision := m.tidyField(title), m.tidyField(sections["decision"])
	name := strings.ToLower(path.Base(r.slashed()))
	if strings.Contains(name, "template") || strings.ContainsAny(title, "{}") || decision == "" {
		r.addLeft(r.at(1), "it is a form for decisions, which nobody has filled in")
		return nil
	}
	if why, ok := refusedStatus(front, sections["status"]); ok {
		r.addLeft(r.at(1), "its status is %s: only decisions in force are read", why)
		return nil
	}
	m.doc.Kind = "decision"
	m.doc.Text = joinParagraphs(title, decision)
	if follows := m.tidyField(sections["consequences"]); follows != "" {
		m.doc.Text += "\n\nConsequences: " + follows
	}
	m.doc.Why = m.tidyField(sections["context"])
	if end := cutAt(m.doc.Why, maxWhy); end < len(m.doc.Why) {
		m.doc.Why = strings.TrimSpace(m.doc.Why[:end])
		m.addNote("its context is longer than a reason may be: the end of it was left out")
	}
	for _, who := range []string{"author", "authors", "deciders", "decision-makers"} {
		if all := front.textList(who); m.doc.Provenance.AuthorHuman == "" && len(all) > 0 {
			m.doc.Provenance.AuthorHuman = r.mapAuthor(all[0])
		}
	}
	for name := range sections {
		front[name] = name
	}
	r.addMemory(m)
	return nil
}

// refusedStatus says why a decision is not in force. Of several words the first holds, as in "accepted (was
// proposed)"; but what was replaced is out, unless only a part of it was. Without a status it is in force.
func refusedStatus(front object, section string) (why string, refused bool) {
	if front.text("superseded_by", "superseded-by") != "" || len(front.textList("superseded_by")) > 0 {
		return "superseded", true
	}
	said := dropBetween(strings.ToLower(front.text("status")+" "+section), "~~", "~~")
	words := strings.FieldsFunc(said, func(c rune) bool { return !unicode.IsLetter(c) })
	inPart := slices.Contains(words, "part") || slices.Contains(words, "partly") ||
		slices.Contains(words, "partially")
	first := ""
	for _, word := range words {
		switch word {
		case "superseded", "superceded", "replaced", "obsolete", "obsoleted", "deprecated", "depreciated",
			"withdrawn", "retired":
			if !inPart {
				return word, true
			}
		case "proposed", "draft", "rejected", "declined", "abandoned", "open", "pending", "deferred":
			if first == "" {
				return word, true
			}
		case "accepted", "approved", "adopted", "implemented", "active", "decided", "done", "final", "current":
			first = word
		}
	}
	if first == "" && len(words) > 0 {
		return "no word that says that it is in force", true
	}
	return "", false
}

// dropBetween takes out what stands between two marks, and the marks.
func dropBetween(text, begin, end string) string {
	var kept strings.Builder
	for {
		before, rest, _ := strings.Cut(text, begin)
		_, after, closed := strings.Cut(rest, end)
		if !closed {
			kept.WriteString(text)
			return kept.String()
		}
		kept.WriteString(before)
		text = after
	}
}

// isDecision tells a text with a section about a decision, and one about its context or its status.
func isDecision(text string) bool {
	front, _, sections := outlineOf(strings.ReplaceAll(text, "\r\n", "\n"))
	return sections["decision"] != "" && (sections["context"]+sections["status"] != "" || front.hasMember("status")) &&
		!front.hasMember(ourMark)
}

// outlineOf returns the title of a decision, what is said about it before the first
// section, and the sections by their headings, in lower case and as Nygard has them. A comment, and a heading
// within a code block, is none.
func outlineOf(text string) (front object, title string, sections map[string]string) {
	front, body, err := cutFront(text)
	if err != nil {
		front, body = object{}, text
	}
	body = dropBetween(body, "<!--", "-->")
	sections = map[string]string{}
	at, code := "", false
	for line := range strings.Lines(body) {
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		level := headingLevel(line)
		switch {
		case level == 1 && title == "" && !code:
			title = strings.Trim(line, "# \n")
		case level == 2 && !code:
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
	for name, said := range sections {
		sections[name] = strings.TrimSpace(said)
	}
	return front, title, sections
}
