package foreign

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// readMarkdown reads one note with front matter.
func (r *reader) readMarkdown(data []byte) error {
	text, err := textOf(data)
	if err != nil {
		return err
	}
	front, body, err := cutFront(text)
	switch {
	case err != nil:
		return err
	case len(body) > maxMemory:
		r.addProblem(r.at(1), "it has more than %d bytes, which is a document and no memory", maxMemory)
		return nil
	case front.hasMember(ourMark):
		return r.readNote(front, body)
	case slices.Contains(strings.Split(r.slashed(), "/"), "archived"):
		r.addLeft(r.at(1), "it is archived there")
		return nil
	}
	m := r.beginNote(front)
	topic := front.text("topic")
	if front.hasMember("scope") && !front.hasMember("title") {
		topic = r.readAltimate(&m, front, body)
	} else {
		r.readLerim(&m, front, body)
	}
	m.doc.Topic = r.mapTopic(topic)
	r.setEnd(&m, front.text("expires"))
	r.addMemory(m)
	return nil
}

// textOf returns a text file with line ends as they are here.
func textOf(data []byte) (string, error) {
	if err := checkSize(data, maxText); err != nil {
		return "", err
	}
	if !utf8.Valid(data) {
		return "", errNotUTF8
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n"), nil
}

// beginNote takes in what all memories with front matter have. One without a name
// goes by that of its file.
func (r *reader) beginNote(front object) memory {
	m := r.memoryFrom(r.at(1), front, packet.KindNote, "created", "created_at", "date")
	if m.own == "" {
		m.own = path.Base(r.slashed())
	}
	return m
}

func (r *reader) slashed() string { return strings.ReplaceAll(r.name, `\`, "/") }

// readAltimate reads a block of Altimate Memory. Its name is a path, and is kept as
// the topic.
func (r *reader) readAltimate(m *memory, front object, body string) (topic string) {
	m.doc.Text = m.tidyField(body)
	m.setKind(front.text("kind", "type"))
	m.wide = strings.EqualFold(front.text("scope"), "global")
	for _, c := range m.capList(front.objectList("citations")) {
		line, _ := c.number("line")
		m.addCite(c.text("file", "path"), line, m.tidyField(c.text("note")))
	}
	return strings.ReplaceAll(front.text("id"), ".", "/")
}

// readLerim reads a memory of Lerim, of the old form with an id or of the new one
// with a name and a description; and any other note with front matter.
func (r *reader) readLerim(m *memory, front object, body string) {
	body, why, how := cutReasons(m.tidyField(body))
	if how != "" {
		how = "How to apply: " + how
	}
	m.doc.Why = why
	head := joinParagraphs(m.tidyField(front.text("title", "name")), m.tidyField(front.text("description")))
	if word, ok := claudeType(front); ok {
		about := front.text("description")
		if name := front.text("name"); strings.Contains(name, " ") { // That of most is the name of their file.
			about = name + ": " + about
		}
		head = m.tidyField(strings.TrimRight(about, ".") + ".")
		m.setKind(word)
		m.private = word == "user" // It is about a person.
	} else {
		m.setKind(r.lerimKind(front))
	}
	m.doc.Text = joinParagraphs(joinParagraphs(head, body), how)
}

// claudeType is what Claude Code and Lerim call a memory; false for a file of another form.
func claudeType(front object) (word string, ok bool) {
	word = front.text("type")
	if inner := asObject(front["metadata"]); word == "" && inner != nil {
		word = inner.text("type")
	}
	isOne := front.hasMember("name") && front.hasMember("description") &&
		slices.Contains([]string{"user", "feedback", "project", "reference"}, word)
	return word, isOne
}

// lerimKind returns what the front matter, else the folder, else the name says.
func (r *reader) lerimKind(front object) string {
	if word := front.text("kind", "type"); word != "" {
		return word
	}
	folders, id := strings.Split(path.Dir(r.slashed()), "/"), front.text("id")
	for _, of := range []struct{ folder, prefix, kind string }{
		{"decisions", "dec-", "decision"}, {"learnings", "lrn-", "learning"}, {"summaries", "sum-", "summary"},
	} {
		if slices.Contains(folders, of.folder) || strings.HasPrefix(id, of.prefix) {
			return of.kind
		}
	}
	return ""
}

// cutReasons takes the paragraphs that begin with **Why:** and **How to apply:**
// out of a body. Each lasts until the next of them.
func cutReasons(body string) (rest, why, how string) {
	var sections [3]string
	at := 0
	for line := range strings.Lines(body) {
		for i, mark := range []string{"**Why:**", "**How to apply:**"} {
			if text, ok := strings.CutPrefix(line, mark); ok {
				at, line = i+1, strings.TrimLeft(text, " ")
				if sections[at] != "" {
					line = "\n" + line
				}
			}
		}
		sections[at] += line
	}
	return strings.TrimSpace(sections[0]), strings.TrimSpace(sections[1]), strings.TrimSpace(sections[2])
}

// ourMark is the member of front matter that says the kind of a record of ours.
// All other members are those of the record, but for the one that is the body.
const ourMark = "ltm"

// bodyOf returns the member that stands below the front matter.
func bodyOf(kind packet.Kind) (member string, ok bool) {
	switch kind {
	case packet.KindNote:
		return "text", true
	case packet.KindSkip:
		return "item", true
	default:
		return "", false
	}
}

// readNote reads a note or a skip that [WriteMarkdown] wrote.
func (r *reader) readNote(front object, body string) error {
	kind := front.text(ourMark)
	member, ok := bodyOf(packet.Kind(kind))
	if !ok {
		return fmt.Errorf("the member %q must be note or skip", ourMark)
	}
	delete(front, ourMark)
	front["type"] = kind
	front[member] = strings.TrimSuffix(strings.TrimPrefix(body, "\n"), "\n")
	r.takeOwn(r.at(1), bytes.TrimSpace(encodeJSON(front)))
	return nil
}

// The bounds of front matter.
const (
	fence         = "---"
	maxFront      = 16 << 10 // bytes
	maxFrontNodes = 2000
)

var (
	errNoFront = errors.New("it has no front matter between two lines of ---")
	errFront   = errors.New("the front matter is not YAML that can be read")
	errTricks  = errors.New("the front matter has anchors, aliases or types of its own")
	errMapping = errors.New("the front matter is no mapping of names to values")
	errNodes   = fmt.Errorf("the front matter has more than %d values", maxFrontNodes)
)

// cutFront parts a file into its front matter and its body.
func cutFront(text string) (front object, body string, err error) {
	rest, ok := strings.CutPrefix(text, fence+"\n")
	if !ok {
		return nil, "", errNoFront
	}
	head, body, ok := strings.Cut("\n"+rest, "\n"+fence+"\n")
	if !ok {
		if head, ok = strings.CutSuffix("\n"+rest, "\n"+fence); !ok {
			return nil, "", errNoFront
		}
		body = ""
	}
	front, err = parseFront(head)
	return front, body, err
}

// parseFront reads front matter. It asks the library for the tree alone, in
// which aliases are not followed, and takes none: a few lines of them can stand
// for more than a memory can hold. Every scalar is the string that was written.
func parseFront(head string) (object, error) {
	if len(head) > maxFront {
		return nil, fmt.Errorf("the front matter is %d bytes, at most %d are read", len(head), maxFront)
	}
	var root yaml.Node
	// The error of the library may quote the text.
	if yaml.Unmarshal([]byte(head), &root) != nil {
		return parseLines(head)
	}
	if root.Kind == 0 {
		return object{}, nil
	}
	if root.Kind != yaml.DocumentNode || len(root.Content) != 1 {
		return nil, errMapping
	}
	nodes := 0
	v, err := frontValue(root.Content[0], 0, &nodes)
	if err != nil {
		return nil, err
	}
	o, ok := v.(object)
	if !ok {
		return nil, errMapping
	}
	return o, nil
}

// parseLines reads front matter that is no YAML, because a text in it has a colon and no quotation marks: a name
// and a text a line, and below a name without a text what is indented.
func parseLines(head string) (object, error) {
	all := object{}
	into := all
	for line := range strings.Lines(head) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), ":")
		value = strings.TrimSpace(value)
		switch {
		case strings.TrimSpace(line) == "":
			continue
		case !ok || name == "" || strings.ContainsAny(name, " \t\"'#&*!{[-") || strings.Contains(line, "\t") ||
			value != "" && strings.ContainsAny(value[:1], "[{&*!|>%@\"'"):
			return nil, errFront
		case !isIndented(line):
			into = all
		}
		if into.hasMember(name) {
			return nil, errTwice
		}
		into[name] = value
		if value == "" && !isIndented(line) {
			into = object{}
			all[name] = into
		}
	}
	return all, nil
}

func frontValue(n *yaml.Node, depth int, nodes *int) (any, error) {
	*nodes++
	switch {
	case depth > maxDepth:
		return nil, errDepth
	case *nodes > maxFrontNodes:
		return nil, errNodes
	case n.Kind == yaml.AliasNode || n.Anchor != "" || n.Style&yaml.TaggedStyle != 0:
		return nil, errTricks
	}
	switch n.Kind {
	case yaml.MappingNode:
		o := object{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			name := n.Content[i]
			if name.Kind != yaml.ScalarNode || name.Tag == "!!merge" || name.Anchor != "" ||
				name.Style&yaml.TaggedStyle != 0 {
				return nil, errTricks
			}
			if o.hasMember(name.Value) {
				return nil, errTwice
			}
			v, err := frontValue(n.Content[i+1], depth+1, nodes)
			if err != nil {
				return nil, err
			}
			if text, ok := v.(string); ok && n.Content[i+1].LineComment != "" &&
				slices.Contains([]string{"name", "title", "description"}, name.Value) {
				v = text + " " + n.Content[i+1].LineComment // It is no comment, but a text with a number sign.
			}
			o[name.Value] = v
		}
		return o, nil
	case yaml.SequenceNode:
		list := []any{}
		for _, item := range n.Content {
			v, err := frontValue(item, depth+1, nodes)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, nil
	case yaml.ScalarNode:
		return frontScalar(n), nil
	default:
		return nil, errFront
	}
}

// frontScalar returns a number or a boolean only where it is written as JSON
// writes it, and without quotation marks; else the string.
func frontScalar(n *yaml.Node) any {
	if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return n.Value
	}
	switch n.Tag {
	case "!!null":
		return nil
	case "!!int", "!!float", "!!bool":
		if v, err := decodeJSON([]byte(n.Value)); err == nil {
			return v
		}
	}
	return n.Value
}
