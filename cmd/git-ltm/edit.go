package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// editHelp stands in the editor above a packet.
const editHelp = `# The record as it is. What you save takes its place; the old one stays in the history.
# Lines that begin with # are left out. Leave it as it is to change nothing.
`

// editOptions are the flags of edit: what is written anew, and what became of the record.
type editOptions struct {
	eventOptions
	answerFlags
	Text, Goal, Next, Kind, Topic, Confidence, Impact, Digest, SupersededBy, Link string
	Hide, Close, Reopen, Confirm, Wrong, Restore                                  bool
	Tags                                                                          []string
}

// editFlag is the flag of edit that says what a deed does; none for rm.
func editFlag(d command.Deed) string {
	switch d.Name {
	case "rm":
		return ""
	case "expire":
		return "until"
	case "supersede":
		return "superseded-by"
	}
	return d.Name
}

func runEdit(ctx context.Context, e *env, o editOptions, args []string) error {
	id, f := args[0], e.line.Flags()
	var deeds []command.Deed
	var happened []gate.Happen
	wrong := o.problems("allow-why")
	for _, d := range command.Deeds() {
		flag := f.Lookup(editFlag(d))
		if flag == nil || !flag.Changed || flag.Value.String() == "false" {
			continue
		}
		said := eventOptions{Why: o.Why, Label: o.Label}
		if flag.Value.Type() == "string" {
			said.By, said.Until = flag.Value.String(), flag.Value.String()
			if d.Valued {
				said.value = flag.Value.String()
			}
		}
		h, err := happeningOf(e, d, said, []string{id})
		if err != nil {
			wrong = append(wrong, err)
		}
		deeds, happened = append(deeds, d), append(happened, h)
	}
	anew := map[string]string{}
	for _, m := range command.EditedMembers {
		if e.isGiven(m.Name) && (m.Name != "why" || len(deeds) == 0) {
			anew[m.Name] = f.Lookup(m.Name).Value.String()
		}
	}
	said := slices.Concat(slices.Collect(maps.Values(anew)), o.Tags)
	if err := readable(said...); err != nil {
		wrong = append(wrong, err)
	}
	if len(deeds) > 0 && len(said) > 0 {
		wrong = append(wrong,
			errors.New("change the text and say what became of the record one after the other"))
	}
	if err := usage(wrong); err != nil {
		return err
	}
	return e.use(ctx, func(m *memory.Memory) error {
		if len(deeds) > 1 {
			o.before = &reply.Changed{}
		}
		for i, d := range deeds {
			if err := storeDeed(ctx, e, m, d, o.eventOptions, happened[i]); err != nil {
				return err
			}
		}
		switch len(deeds) {
		case 0:
			return rewriteRecord(ctx, e, m, o, id, anew)
		case 1:
			return nil
		}
		return e.printResult(o.before, nil)
	})
}

// rewriteRecord stores a record as the flags say or as the person writes it in the editor, and lets it
// take the place of the old one.
func rewriteRecord(ctx context.Context, e *env, m *memory.Memory, o editOptions, spec string,
	anew map[string]string,
) error {
	found, of, err := m.FindAnyWide(ctx, spec)
	if err != nil {
		return err
	}
	e.fromUser(m, of, found)
	old, err := found.MustOpen(replay.Inspected)
	if err != nil {
		return err
	}
	members, err := command.Editable(old)
	if err != nil {
		return err
	}
	file := filepath.Join(of.Repo().GitDir, "ltm", "EDIT_"+string(old.ID))
	if len(anew) > 0 || len(o.Tags) > 0 {
		file = ""
		err := command.ReplaceMembers(members, old.Kind(), anew, slugTags(e, o.Tags))
		if wrong := wrongInput(e, err); wrong != nil {
			return usage(wrong)
		}
	} else if changed, err := editMembers(ctx, e, file, old.Kind(), members); err != nil || !changed {
		return err
	}
	r, change, err := command.Replace(ctx, of, old, members, o.answer())
	if r.ID != "" {
		e.explain(r)
	}
	if err != nil {
		if file != "" {
			e.hint("your text is kept in " + file + "; the same command opens it again")
		}
		if old.Kind() == packet.KindPacket && r.ID == "" {
			return err
		}
		return asSmall(err)
	}
	if file != "" {
		if err := os.Remove(file); err != nil {
			return err
		}
	}
	if e.asJSON {
		shape := reply.ChangedOf(change)
		shape.ID, shape.Undo = string(r.ID), e.undoOf(change.Event, r.ID)
		return e.printJSON(shape)
	}
	e.hintUndo(change.Event, r.ID)
	e.printf("%s takes the place of %s\n", r.ID, old.ID)
	return nil
}

// editMembers lets the person write the members of a record anew, and says whether they did.
func editMembers(
	ctx context.Context, e *env, file string, kind packet.Kind, members map[string]json.RawMessage,
) (bool, error) {
	if !e.terminal(e.stdin) {
		return false, usagef(
			"there is no terminal to edit at; --text, --next, --why and the like change a part of it")
	}
	fields := formOf(kind)
	body := writeForm(fields, members)
	data, err := openEditor(ctx, e, file, "text", func() ([]byte, error) {
		return append([]byte(editHelp), body...), nil
	})
	if err != nil {
		return false, err
	}
	if isUntouched(data, withoutComments(body)) {
		e.hint("nothing was changed")
		return false, os.Remove(file)
	}
	all, err := readForm(fields, data, members)
	if err != nil {
		return false, usagef("%v; your text is kept in %s, and the same command opens it again", err, file)
	}
	clear(members)
	maps.Copy(members, all)
	return true, nil
}

// openEditor lets the person edit a file, which begins as a text unless one is there that was not stored, and
// returns what they wrote without its comments. What they wrote is in the file until the caller removes it;
// word is what the person calls it.
func openEditor(ctx context.Context, e *env, file, word string, begin func() ([]byte, error)) ([]byte, error) {
	if _, err := os.Stat(file); err == nil {
		e.hint("this continues the " + word + " that was not stored")
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("look for a %s: %w", word, err)
	} else if err := startEdit(file, word, begin); err != nil {
		return nil, err
	}
	streams := git.Streams{In: e.stdin, Out: e.stdout, Err: e.stderr}
	if err := git.Edit(ctx, e.dir, e.vars, streams, file); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", word, err)
	}
	return withoutComments(text), nil
}

// startEdit writes what the editor opens.
func startEdit(file, word string, begin func() ([]byte, error)) error {
	text, err := begin()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err !=
		nil { //nolint:gosec // As git makes its directories.
		return fmt.Errorf("write %s: %w", word, err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return fmt.Errorf("write %s: %w", word, err)
	}
	return nil
}

// templateHelp stands above the form in the editor. Lines that begin with a number sign are left out of it.
const templateHelp = `# What the next session needs to go on. Fill in what you know: only the goal and the next step are needed.
# Write instructions, not a log: "Use JWT with a one hour expiry", not "discussed authentication". No secrets.
# Lines that begin with # are left out. Leave all as it is to store nothing.

`

// saveEdited lets the person write the packet. What they wrote is kept until it
// is stored.
func saveEdited(ctx context.Context, e *env, m *memory.Memory, o saveOptions) error {
	file := filepath.Join(m.Repo().GitDir, "ltm", "EDIT_PACKET")
	var body []byte // nothing where a draft is continued
	data, err := openEditor(ctx, e, file, "draft", func() (text []byte, err error) {
		body, err = packetForm(ctx, e, m)
		return append([]byte(templateHelp), body...), err
	})
	if err != nil {
		return err
	}
	if isUntouched(data, withoutComments(body)) {
		e.hint("nothing was written, so nothing was stored")
		return os.Remove(file)
	}
	data, err = filled(data, nil)
	if err == nil {
		err = saveData(ctx, e, m, o, nil, data)
	}
	if err != nil {
		e.hint("your text is kept in " + file + "; 'git ltm save' opens it again")
		return err
	}
	if o.DryRun {
		return nil
	}
	return os.Remove(file)
}

// packetForm is a form for a packet, with what the user's own thread of this branch holds to.
func packetForm(ctx context.Context, e *env, m *memory.Memory) ([]byte, error) {
	held := map[string]any{}
	chosen, err := m.Threads().Choose(ctx, replay.Asked)
	switch {
	case errors.Is(err, replay.ErrNotFound) || errors.Is(err, replay.ErrWithheld):
	case err != nil:
		return nil, err
	case chosen.Own && !chosen.Life.Closed:
		shown, _ := chosen.Open(replay.Asked)
		p := shown.Packet()
		held["constraints"], held["open_questions"], held["tags"] = p.Constraints, p.OpenQuestions, p.Tags
	}
	members := map[string]json.RawMessage{}
	for name, value := range held {
		if members[name], err = json.Marshal(value); err != nil {
			return nil, err
		}
	}
	return writeForm(formOf(packet.KindPacket), members), nil
}

// filled is the packet that a person wrote into a form, as JSON. JSON is taken as it is, whatever is wrong
// with it.
func filled(text []byte, members map[string]json.RawMessage) ([]byte, error) {
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		return text, nil
	}
	all, err := readForm(formOf(packet.KindPacket), text, members)
	if err != nil {
		return nil, &usageError{err: err}
	}
	return json.Marshal(all)
}

func withoutComments(text []byte) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(text) {
		if !bytes.HasPrefix(line, []byte("#")) {
			out.Write(line)
		}
	}
	return out.Bytes()
}

// isUntouched tells whether the person left the template as it was, or took
// everything out.
func isUntouched(data, body []byte) bool {
	data = bytes.TrimSpace(data)
	return len(data) == 0 || body != nil && bytes.Equal(data, bytes.TrimSpace(body))
}

// A formField is a part of a record as a person writes it in the editor: a title, and the text behind or
// below it.
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
	decisions // the parts of each with :: between them, as on the command line
	attempts
	methods
)

// formOf are the fields of a kind of record. What has no field keeps its value.
func formOf(kind packet.Kind) []formField {
	tags := formField{"Tags", "tags", "", manyWords}
	switch kind {
	case packet.KindNote:
		return []formField{
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
		return []formField{
			{"Not to be done", "item", "", oneText},
			{"Reason", "reason", "", oneText},
			{"Until", "expires_at", "A time such as 2026-12-24T00:00:00Z.", oneText},
			tags,
		}
	default:
		return []formField{
			{"Goal", "goal", "What is the work after? Needed.", oneText},
			{"Next step", "next_step", "What comes next? Needed.", oneText},
			{
				"Decisions", "decisions",
				"What was chosen :: why :: what breaks otherwise. [locked] in front: settled.", decisions,
			},
			{
				"Attempts", "attempts", "What was tried :: succeeded, failed or partial :: what was learned.",
				attempts,
			},
			{"Constraints", "constraints", "What bounds the work.", manyTexts},
			{"Open questions", "open_questions", "", manyTexts},
			{"Done when", "success_criteria", "", manyTexts},
			{"Methods", "methods", "What proved useful: its name :: when it helps :: how it goes.", methods},
			tags,
		}
	}
}

// lockMark stands in front of a decision that is settled.
const lockMark = "[locked] "

// writeForm writes members as a form. A line that continues a text stands in, so that it passes for no title
// and no comment.
func writeForm(fields []formField, members map[string]json.RawMessage) []byte {
	var out bytes.Buffer
	for i, f := range fields {
		if i > 0 {
			out.WriteByte('\n')
		}
		if f.ask != "" {
			fmt.Fprintf(&out, "# %s\n", f.ask)
		}
		lines := f.lines(members[f.member])
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
	return slices.Contains([]formShape{manyTexts, decisions, attempts, methods}, f.shape)
}

// lines are the items of a member as the form shows them.
func (f formField) lines(raw json.RawMessage) []string {
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
			lines[i] = f.line(item)
		}
		return lines
	}
}

// line is a decision, an attempt or a method as the command line takes it.
func (f formField) line(raw json.RawMessage) string {
	var item struct {
		command.Decision
		command.Method
		command.Attempt
	}
	if json.Unmarshal(raw, &item) != nil {
		return ""
	}
	var parts []string
	switch f.shape {
	case decisions:
		parts = []string{item.What, item.Why, item.Consequences}
		if item.Locked {
			parts[0] = lockMark + parts[0]
		}
	case methods:
		parts = []string{item.Name, item.When, item.How}
	default:
		parts = []string{item.Tried, item.Outcome, item.Learned, ""}
		if m := item.Match; m != nil {
			for _, by := range [][2]string{
				{"command: ", m.Command},
				{"path: ", m.Path},
				{"adds: ", m.Adds},
				{"words: ", m.Words},
			} {
				if by[1] != "" {
					parts[3] = by[0] + by[1]
				}
			}
		}
	}
	for len(parts) > 1 && parts[len(parts)-1] == "" {
		parts = parts[:len(parts)-1]
	}
	return strings.Join(parts, " :: ")
}

// readForm reads what a person made of a form into the members that it was written from. JSON is taken as it
// is.
func readForm(fields []formField, text []byte,
	members map[string]json.RawMessage,
) (map[string]json.RawMessage, error) {
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		var all map[string]json.RawMessage
		err := json.Unmarshal(text, &all)
		return all, err
	}
	said, err := readFields(fields, string(text))
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
		raw, err := f.encode(items, members[f.member])
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
func readFields(fields []formField, text string) (map[string][]string, error) {
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

// encode makes a member of what was written. An item whose line is as it was is taken over whole.
func (f formField) encode(items []string, old json.RawMessage) (json.RawMessage, error) {
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
			return slices.Equal(strings.Fields(f.line(raw)), strings.Fields(item))
		}
		if i := slices.IndexFunc(before, same); i >= 0 {
			all = append(all, before[i])
			continue
		}
		raw, err := f.parse(strings.ReplaceAll(item, "\n", " "))
		if err != nil {
			return nil, err
		}
		all = append(all, raw)
	}
	return json.Marshal(all)
}

// parse reads a decision, an attempt or a method as the command line does.
func (f formField) parse(item string) (json.RawMessage, error) {
	var c compose
	switch f.shape {
	case decisions:
		var text string
		text, c.Lock = strings.CutPrefix(item, lockMark)
		c.Decisions = []string{text}
	case methods:
		c.Methods = []string{item}
	default:
		c.Attempts = []string{item}
	}
	data, err := c.packet("")
	if err != nil {
		return nil, fmt.Errorf("%q: write %s", item, f.ask)
	}
	var made map[string][]json.RawMessage
	if err := json.Unmarshal(data, &made); err != nil {
		return nil, err
	}
	return made[f.member][0], nil
}
