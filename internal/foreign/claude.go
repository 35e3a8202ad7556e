package foreign

import (
	"cmp"
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// forgotten begins the memory that LTM for Claude Code writes in the place of
// one that was to be forgotten. It quotes the beginning of that one.
const forgotten = "[FORGOTTEN]"

// readClaude reads an export of LTM for Claude Code.
func (r *reader) readClaude(data []byte) error {
	o, err := rootOf(data, "memories")
	if err != nil {
		return err
	}
	agent := o.text("agent", "agent_name")
	if a := asObject(o["agent"]); a != nil {
		agent = a.text("name", "id")
	}
	for i, from := range o.objectList("memories") {
		place := r.within("memories", i)
		switch {
		case from == nil:
			r.addProblem(place, "it is no object")
		case from.text("superseded_by") != "": // As it is where it was forgotten.
			r.addLeft(place, "another one superseded it there, and it is not brought back")
		case isForgotten(from):
			r.addLeft(place, "it was forgotten there, and is not brought back")
		default:
			r.takeClaudeMemory(place, from, agent)
		}
	}
	return nil
}

// isForgotten tells the mark of a memory that was forgotten.
func isForgotten(m object) bool {
	return strings.HasPrefix(strings.TrimSpace(m.text("content")), forgotten) ||
		strings.HasPrefix(strings.TrimSpace(m.text("original_content")), forgotten)
}

// takeClaudeMemory takes in one memory of an export.
func (r *reader) takeClaudeMemory(place string, from object, agent string) {
	m := r.memoryFrom(place, from, packet.KindNote, "created_at", "created")
	m.doc.Text = m.tidyField(from.text("original_content", "content"))
	m.setKind(from.text("kind"))
	m.wide = strings.HasPrefix(strings.ToUpper(from.text("region")), "AGENT")
	m.private = m.wide || strings.EqualFold(from.text("kind"), "EMOTIONAL")
	m.doc.Provenance.Agent = r.mapAuthor(cmp.Or(from.text("agent", "agent_name"), agent))
	r.addMemory(m)
	if compact, _ := tidyText(from.text("content")); compact != "" && compact != m.doc.Text {
		r.addRemark("the short texts there were left out; the originals are read")
	}
}
