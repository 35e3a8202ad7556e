package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/plot"
)

// Form are the parts of a record as a person writes them in an editor: a title each, and the text behind or
// below it.
type Form []formField

type formField struct {
	title, member string
	ask           string // what stands above it as a comment
	shape         formShape
}

// formShape is how the text of a field becomes a member of the record.
type formShape int

const (
	oneText   formShape = iota
	manyTexts           // one behind each hyphen
	manyWords           // with commas or blanks between them
	oneNumber
	manyItems // as on the command line
)

// FormOf is the form for a kind of record. What has no field keeps its value.
func FormOf(kind packet.Kind) Form {
	tags := formField{"Tags", "tags", "", manyWords}
	switch kind {
	case packet.KindNote:
		return Form{
			{"Text", "text", "One fact, as an instruction to a stranger.", oneText},
			{"Why", "why", "", oneText},
			{"Kind", "kind", strings.Join(packet.NoteKinds(), ", "), oneText},
			{"Topic", "topic", "", oneText},
			{
				"Status", "status",
				"Of a task: active, paused, completed or archived, its priority up to 10, and what comes next.", oneText,
			},
			{"Priority", "priority", "", oneNumber},
			{"Next action", "next_action", "", oneText},
			tags,
		}
	case packet.KindSkip:
		return Form{
			{"Not to be done", "item", "", oneText},
			{"Reason", "reason", "", oneText},
			{"Until", "expires_at", "A time such as 2026-12-24T00:00:00Z.", oneText},
			tags,
		}
	default:
		return Form{
			{"Goal", "goal", "What is the work after? Needed.", oneText},
			{"Next step", "next_step", "What comes next? Needed.", oneText},
			{
				"Decisions", "decisions",
				"What was chosen :: why :: what breaks otherwise. [locked] in front: settled.", manyItems,
			},
			{
				"Attempts", "attempts", "What was tried :: succeeded, failed or partial :: what was learned.",
				manyItems,
			},
			{"Constraints", "constraints", "What bounds the work.", manyTexts},
			{"Open questions", "open_questions", "", manyTexts},
			{"Done when", "success_criteria", "", manyTexts},
			{"Methods", "methods", "What proved useful: its name :: when it helps :: how it goes.", manyItems},
			tags,
		}
	}
}

// lockMark stands in front of a decision that is settled.
const lockMark = "[locked] "

// CommentLines is a text as comments of a form, as wide as most editors are.
func CommentLines(text string) string {
	var out strings.Builder
	for _, line := range plot.WrapText(text, 78) {
		out.WriteString(strings.TrimRight("# "+line, " ") + "\n")
	}
	return out.String()
}

// Write writes members into the form. A line that continues a text stands in, so that it passes for no title
// and no comment.
func (fields Form) Write(members map[string]json.RawMessage) []byte {
	var out bytes.Buffer
	for i, f := range fields {
		if i > 0 {
			out.WriteByte('\n')
		}
		if f.ask != "" {
			out.WriteString(CommentLines(f.ask))
		}
		lines := f.itemLines(members[f.member])
		switch {
		case f.isList():
			fmt.Fprintf(&out, "%s:\n", f.title)
			for _, line := range append(lines, "") {
				out.WriteString(strings.TrimRight("- "+strings.ReplaceAll(line, "\n", "\n  "), " ") + "\n")
			}
		case f.shape == manyWords:
			fmt.Fprintf(&out, "%s: %s\n", f.title, strings.Join(lines, " "))
		default:
			fmt.Fprintf(&out, "%s: %s\n", f.title, strings.ReplaceAll(strings.Join(lines, ""), "\n", "\n  "))
		}
	}
	return out.Bytes()
}

func (f formField) isList() bool {
	return f.shape == manyTexts || f.shape == manyItems
}

// itemLines are the items of a member as the form shows them.
func (f formField) itemLines(raw json.RawMessage) []string {
	switch f.shape {
	case oneText, oneNumber:
		var text string
		if json.Unmarshal(raw, &text) != nil {
			text = string(raw)
		}
		return []string{text}
	case manyTexts, manyWords:
		var all []string
		_ = json.Unmarshal(raw, &all) // Of another shape there is nothing to show.
		return all
	default:
		var all []json.RawMessage
		_ = json.Unmarshal(raw, &all) // As above.
		lines := make([]string, len(all))
		for i, item := range all {
			lines[i] = f.itemLine(item)
		}
		return lines
	}
}

// itemLine is an item as the command line takes it.
func (f formField) itemLine(raw json.RawMessage) string {
	var settled struct{ Locked bool }
	line := itemForms()[f.member].writeItem(raw)
	if json.Unmarshal(raw, &settled) == nil && settled.Locked {
		line = lockMark + line
	}
	return line
}

// Read reads what a person made of the form into the members that it was written from. JSON is taken as it
// is.
func (fields Form) Read(
	text []byte, members map[string]json.RawMessage,
) (map[string]json.RawMessage, error) {
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		var all map[string]json.RawMessage
		err := json.Unmarshal(text, &all)
		return all, err
	}
	said, err := fields.readFields(string(text))
	if err != nil {
		return nil, err
	}
	all := map[string]json.RawMessage{}
	for name, raw := range members {
		all[name] = raw
	}
	var wrong []error
	for _, f := range fields {
		items := said[f.title]
		raw, err := f.encodeItems(items, members[f.member])
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", f.title, err))
		}
		if delete(all, f.member); raw != nil {
			all[f.member] = raw
		}
	}
	return all, errors.Join(wrong...)
}

// readFields parts a form at its titles; each holds its text, or its items.
func (fields Form) readFields(text string) (map[string][]string, error) {
	said := map[string][]string{}
	var in *formField
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		title, rest, _ := strings.Cut(line, ":")
		i := slices.IndexFunc(fields, func(f formField) bool {
			return strings.EqualFold(f.title, title) && strings.Contains(line, ":")
		})
		switch {
		case i >= 0:
			in = &fields[i]
			if rest = strings.TrimSpace(rest); rest != "" || !in.isList() {
				said[in.title] = append(said[in.title], rest)
			}
		case in == nil && strings.TrimSpace(line) == "":
		case in == nil:
			return nil, fmt.Errorf("a line stands below no title such as %q: %q", fields[0].title+":", line)
		case in.isList() && strings.HasPrefix(line, "-"):
			said[in.title] = append(said[in.title], strings.TrimSpace(line[1:]))
		default:
			if len(said[in.title]) == 0 {
				said[in.title] = []string{""}
			}
			last := &said[in.title][len(said[in.title])-1]
			*last += "\n" + strings.TrimPrefix(line, "  ")
		}
	}
	for title, items := range said {
		for i := range items {
			items[i] = strings.TrimSpace(items[i])
		}
		said[title] = slices.DeleteFunc(items, func(item string) bool { return item == "" })
	}
	return said, nil
}

// encodeItems makes a member of what was written. An item whose line is as it was is taken over whole.
func (f formField) encodeItems(items []string, old json.RawMessage) (json.RawMessage, error) {
	if len(items) == 0 {
		return nil, nil
	}
	switch f.shape {
	case oneText:
		return json.Marshal(strings.Join(items, "\n"))
	case oneNumber:
		return json.RawMessage(items[0]), nil
	case manyWords:
		return json.Marshal(strings.FieldsFunc(strings.Join(items, " "), func(r rune) bool {
			return r == ',' || r == ' ' || r == '\n'
		}))
	case manyTexts:
		return json.Marshal(items)
	}
	var before, all []json.RawMessage
	_ = json.Unmarshal(old, &before) // Of another shape nothing is as it was.
	for _, item := range items {
		same := func(raw json.RawMessage) bool {
			return slices.Equal(strings.Fields(f.itemLine(raw)), strings.Fields(item))
		}
		if i := slices.IndexFunc(before, same); i >= 0 {
			all = append(all, before[i])
			continue
		}
		raw, err := f.parseItem(strings.ReplaceAll(item, "\n", " "))
		if err != nil {
			return nil, err
		}
		all = append(all, raw)
	}
	return json.Marshal(all)
}

// parseItem reads an item as the command line does.
func (f formField) parseItem(line string) (json.RawMessage, error) {
	text, locked := line, false
	if f.member == "decisions" {
		text, locked = strings.CutPrefix(line, lockMark)
	}
	item, err := itemForms()[f.member].readItem(text, "")
	if err != nil {
		return nil, fmt.Errorf("%q: write %s", line, f.ask)
	}
	if locked {
		item["locked"] = true
	}
	return json.Marshal(item)
}
