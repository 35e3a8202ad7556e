package foreign

import (
	"math"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// mementoLists returns the lists of an export of Memento, and of the answers of
// its service.
func mementoLists() []string {
	return []string{"memories", "items", "skip_list", "skips", "entries", "identity", "crystal", "snapshots"}
}

// readMemento reads an export of the Memento Protocol: memories, the items of
// its working memory, what to skip, and who the agent is.
func (r *reader) readMemento(data []byte) error {
	o, err := rootOf(data, "memories")
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(mementoLists(), o.hasMember) {
		o = object{"memories": []any{o}}
	}
	for _, name := range mementoLists() {
		for i, v := range asList(o[name]) {
			r.mementoEntry(name, r.within(name, i), v)
		}
	}
	for name := range o {
		if name == "working_memory" || name == "sections" {
			r.addRemark("the sections of the working memory are plain text and were left out; its items are read")
		}
	}
	return nil
}

func asList(v any) []any {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		return v
	default:
		return []any{v}
	}
}

// mementoEntry reads what stands in a list. An entry of another list is
// recognised by its members.
func (r *reader) mementoEntry(list, place string, v any) {
	from := asObject(v)
	if text, ok := v.(string); ok && (list == "identity" || list == "crystal") {
		from = object{"crystal": text}
	}
	if from == nil {
		r.addProblem(place, "it is no object")
		return
	}
	whole := from.hasMember("item") && from.hasMember("reason")
	identity := list == "identity" || list == "crystal" || list == "snapshots" || from.hasMember("crystal")
	task := !identity && from.hasMember("category") && from.text("category") != "skip_list"
	kind := packet.KindNote
	if !identity && !task && (whole || from.hasMember("category") || strings.HasPrefix(list, "skip")) {
		kind = packet.KindSkip
	}
	m := r.memoryFrom(place, from, kind, "created_at", "added_at", "added", "created")
	switch text := from.text("content", "text"); {
	case identity:
		m.doc.Kind, m.private = packet.NoteIdentity, true
		m.doc.Text = m.tidyField(from.text("crystal", "content", "text"))
	case task:
		m.doc.Kind = packet.NoteTask
		m.doc.Text = joinParagraphs(m.tidyField(from.text("title")), m.tidyField(from.text("content")))
		m.doc.NextAction = m.tidyField(from.text("next_action"))
		m.doc.Category = m.knownWord("category", from.text("category"), packet.TaskCategories())
		m.doc.Status = m.knownWord("status", from.text("status"), packet.TaskStatuses())
		if n, ok := from.number("priority"); ok {
			m.doc.Priority = int(math.Round(min(max(n, 0), 10)))
			if float64(m.doc.Priority) != n {
				m.addNote("the priority became %d: it is a whole number from 0 to 10", m.doc.Priority)
			}
		}
	case m.skips:
		m.doc.Item = m.tidyField(from.text("item", "title", "content"))
		m.doc.Reason = m.tidyField(from.text("reason", "content", "next_action"))
		if m.doc.Reason == "" {
			m.doc.Reason = "not said in the source"
			m.addNote("it gives no reason")
		}
	case from.text("consolidated_into") != "":
		r.addLeft(place, "it was consolidated there into another one")
		r.ids[m.own] = ""
		return
	case strings.HasPrefix(text, "enc:"):
		r.addProblem(place, "it is encrypted")
		return
	default:
		m.doc.Text = m.tidyField(text)
		m.setKind(from.text("type", "kind"))
	}
	r.setEnd(&m, from.text("expires", "expires_at"))
	if !m.skips {
		r.takeLinkages(&m, from.objectList("linkages"))
	}
	if from.hasMember("image_path") || len(from.list("images")) > 0 {
		m.addNote("its images were left out")
	}
	r.addMemory(m)
}

// takeLinkages takes in what a memory names: memories and items become links,
// files become citations.
func (r *reader) takeLinkages(m *memory, links []object) {
	for _, l := range m.capList(links) {
		label := m.tidyField(l.text("label"))
		target := l.text("id", "path")
		switch l.text("type") {
		case "memory", "item":
			r.addLink(m, target, label)
		case "file":
			m.addCite(l.text("path", "id"), 0, label)
		default:
			m.addNote("a link to something of a type that is not known was left out")
		}
	}
}

// capList returns as many of a list as a memory can sensibly have.
func (m *memory) capList(list []object) []object {
	if len(list) <= maxList {
		return list
	}
	m.addNote("it names %d places: only the first %d were read", len(list), maxList)
	return list[:maxList]
}

// addLink takes in that a memory names another one.
func (r *reader) addLink(m *memory, target, label string) {
	m.links = append(m.links, target)
	if label != "" {
		r.addRemark("what links are called was left out")
	}
}

// addCite takes in a citation, if it is of a place within the repository.
func (m *memory) addCite(path string, line float64, note string) {
	p, ok := citePath(path)
	if !ok {
		m.addNote("the file %q is not named from the top of the repository: the citation was left out",
			clean.Truncate(path, maxShown))
		return
	}
	c := packet.Cite{Path: p, Note: note}
	switch {
	case line >= 1 && line <= math.MaxInt32 && line == math.Trunc(line):
		c.Line = int(line)
	case line != 0:
		m.addNote("the citation of %q has no line that can be read", clean.Truncate(p, maxShown))
	}
	if !slices.Contains(m.doc.Cites, c) {
		m.doc.Cites = append(m.doc.Cites, c)
	}
}

// knownWord returns a word of the source if it is one of those that are known.
func (m *memory) knownWord(name, s string, known []string) string {
	s = strings.ToLower(strings.TrimSpace(s))
	if s == "" || slices.Contains(known, s) {
		return s
	}
	m.addNote("the %s is not known and was left out", name)
	return ""
}

// joinParagraphs returns both texts as paragraphs, without the first where the second
// begins with it.
func joinParagraphs(first, second string) string {
	if strings.HasPrefix(second, first) {
		return second
	}
	return strings.TrimSpace(first + "\n\n" + second)
}
