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
	all := o.objectList("memories")
	gone := forgottenOf(all)
	agent := o.text("agent", "agent_name")
	if a := asObject(o["agent"]); a != nil {
		agent = a.text("name", "id")
	}
	for i, from := range all {
		place := r.within("memories", i)
		switch {
		case from == nil:
			r.addProblem(place, "it is no object")
		case gone[i]:
			r.addLeft(place, "it was forgotten there, and is not brought back")
		default:
			r.takeClaudeMemory(place, from, agent)
		}
	}
	return nil
}

// forgottenOf returns the places of what was forgotten: the memories that say
// so, and those in whose place they stand.
func forgottenOf(all []object) map[int]bool {
	marks := map[string]bool{}
	for _, m := range all {
		if isForgotten(m) {
			marks[m.text("id")] = true
		}
	}
	gone := map[int]bool{}
	for i, m := range all {
		if by := m.text("superseded_by"); isForgotten(m) || by != "" && marks[by] {
			gone[i] = true
		}
	}
	return gone
}

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
	if from.text("signature") != "" {
		r.addRemark("the signatures there are made with a key that both sides share; they say nothing here " +
			"and were left out")
	}
	if from.text("previous_memory_id") != "" {
		r.addRemark("the memory before each one is the order of time there, and no link; it was left out")
	}
	r.addMemory(m)
	if by := from.text("superseded_by"); m.own != "" && by != "" {
		r.happened = append(r.happened, happening{
			place: place, event: "supersede", targets: []string{m.own}, by: []string{by}, created: m.created,
			why: "superseded in the source of the import",
		})
	}
	if compact, _ := tidyText(from.text("content")); m.doc.Text != "" && compact != "" && compact != m.doc.Text {
		r.keepDigest(&m, compact)
	}
}

// keepDigest keeps the short text of a memory beside the original.
func (r *reader) keepDigest(m *memory, text string) {
	switch {
	case m.own == "":
		r.addLeft(m.place, "its short text has no name to go by and was left out")
	case !(room{shortText, 2400}).fitsIn(text):
		r.addLeft(m.place, "its short text has more than %d characters and was left out; the original stands",
			shortText)
	default:
		r.happened = append(r.happened, happening{
			place: m.place, event: "digest", targets: []string{m.own}, value: text, created: m.created,
		})
	}
}
