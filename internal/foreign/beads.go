package foreign

import (
	"bytes"
	"math"
	"slices"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// readBeads reads the issues and memories of beads: those of issues.jsonl, and
// the list that its program prints. What is closed there is done, and left out.
func (r *reader) readBeads(data []byte) error {
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) {
		o, err := rootOf(data, "issues")
		for i, issue := range o.objectList("issues") {
			r.takeBead(r.within("issues", i), issue)
		}
		return err
	}
	return r.eachLine(data, func(place string, line []byte) {
		o, err := decodeJSON(line)
		if err != nil {
			r.addProblem(place, "%v", err)
			return
		}
		r.takeBead(place, asObject(o))
	})
}

// isSet tells a member that is true, which some exports write as 1.
func isSet(o object, name string) bool {
	n, _ := o.number(name)
	return n == 1 || o[name] == true
}

func (r *reader) takeBead(place string, from object) {
	m := r.memoryFrom(place, from, packet.KindNote, "created_at")
	if from.text("_type") == "memory" {
		m.own, m.doc.Kind = from.text("key"), "fact"
		m.doc.Text = m.tidyField(from.text("value"))
		r.addMemory(m)
		return
	}
	switch status := from.text("status"); {
	case from == nil:
		r.addProblem(place, "it is no object")
		return
	case status == "closed" || status == "tombstone":
		r.addLeft(place, "it is closed there, or deleted")
		r.ids[m.own] = ""
		return
	// Others than these types of work are affairs of its own.
	case !slices.Contains([]string{"", "task", "bug", "feature", "epic", "chore", "decision", "story", "spike"},
		from.text("issue_type", "type")), isSet(from, "is_template"),
		isSet(from, "ephemeral"), slices.Contains(from.textList("labels"), "gt:role"):
		r.addLeft(place, "it is no work, but an affair of beads")
		return
	case status == "deferred":
		m.doc.Status = "paused"
	case status == "blocked":
		m.doc.Category = "waiting_for"
	default:
		m.doc.Status = "active"
	}
	m.doc.Kind = packet.NoteTask
	m.doc.Text = joinParagraphs(m.tidyField(from.text("title")), m.tidyField(from.text("description")))
	for _, part := range []struct{ member, heading string }{
		{"design", "Design: "}, {"acceptance_criteria", "Done when: "}, {"notes", "Notes: "},
	} {
		if text := m.tidyField(from.text(part.member)); text != "" {
			m.doc.Text += "\n\n" + part.heading + text
		}
	}
	// There 0 is the most urgent of five; here it is 10.
	if n, ok := from.number("priority"); ok {
		m.doc.Priority = int(math.Round(min(max(10-2*n, 0), 10)))
	}
	r.setTags(&m, append(from.textList("labels"), from.text("issue_type", "type")))
	m.doc.Provenance.AuthorHuman = r.mapAuthor(from.text("created_by", "owner", "creator"))
	for _, d := range m.capList(from.objectList("dependencies")) {
		r.addLink(&m, d.text("depends_on_id", "id"), d.text("type", "dependency_type"))
	}
	r.addMemory(m)
}
