package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"

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
	Text, Goal, Next, Kind, Topic, Confidence, Impact, Digest, SupersededBy, Link, Label, Until string
	Hide, Close, Reopen, Confirm, Wrong, Restore                                                bool
	Tags                                                                                        []string
}

// givenDeeds are what the flags say became of records, and everything that is wrong with that.
func givenDeeds(e *env, o editOptions, ids []string) (
	deeds []command.Deed, happened []gate.Happen, wrong []error,
) {
	for _, d := range command.Deeds() {
		flag := e.line.Flags().Lookup(cmp.Or(d.Flag, d.Name))
		if flag == nil || !flag.Changed || flag.Value.String() == "false" {
			continue
		}
		said := command.Said{Why: o.Why, Value: o.Label}
		if value := flag.Value.String(); flag.Value.Type() == "string" {
			said.By, said.Until = value, cmp.Or(value, "-")
			if d.Valued {
				said.Value = value
			}
		}
		h, err := d.Happening(ids, said, e.now())
		wrong = append(wrong, wrongInput(e, err)...)
		if d.Ends && err == nil {
			tellEnd(e, o.Until, h.Until)
		}
		deeds, happened = append(deeds, d), append(happened, h)
	}
	return deeds, happened, wrong
}

func runEdit(ctx context.Context, e *env, m *memory.Memory, o editOptions, ids []string) error {
	f := e.line.Flags()
	deeds, happened, wrong := givenDeeds(e, o, ids)
	wrong = append(o.answerProblems("allow-why"), wrong...)
	if len(deeds) == 0 && len(ids) > 1 {
		if len(ids) > 2 || f.Changed("text") {
			return usagef("say the text of one record, once")
		}
		if err := f.Set("text", ids[1]); err != nil {
			return err
		}
	}
	anew := map[string]string{}
	for _, part := range command.EditedMembers {
		if e.isGiven(part.Name) && (part.Name != "why" || len(deeds) == 0) {
			anew[part.Name] = f.Lookup(part.Name).Value.String()
		}
	}
	said := slices.Concat(slices.Collect(maps.Values(anew)), o.Tags)
	wrong = append(wrong, checkUTF8(slices.Concat(said, ids, []string{o.Why, o.Label, o.Digest})...))
	if len(deeds) > 0 && len(said) > 0 {
		wrong = append(wrong,
			errors.New("change the text and say what became of the record one after the other"))
	}
	if err := usage(wrong); err != nil {
		return err
	}
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
		return rewriteRecord(ctx, e, m, o, ids[0], anew)
	case 1:
		return nil
	}
	return e.printResult(o.before, nil)
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
	if len(anew) > 0 || len(o.Tags) > 0 {
		err := command.ReplaceMembers(members, old.Kind(), anew, slugTags(e, o.Tags))
		if wrong := wrongInput(e, err); wrong != nil {
			return usage(wrong)
		}
		return replaceRecord(ctx, e, of, old, members, o)
	}
	if !e.isTerminal(e.stdin) {
		return usagef("there is no terminal to edit at; --text, --next, --why and the like change a part of it")
	}
	form := command.FormOf(old.Kind())
	return editing{
		file: "EDIT_" + string(old.ID), word: "text", idle: "nothing was changed", again: "the same command",
		start: append([]byte(editHelp), form.Write(members)...),
	}.openEditor(ctx, e, of, func(text []byte) error {
		all, err := form.Read(text, members)
		if err != nil {
			return &usageError{err: err}
		}
		return replaceRecord(ctx, e, of, old, all, o)
	})
}

// replaceRecord stores a record anew, and says so.
func replaceRecord(ctx context.Context, e *env, of *memory.Memory, old replay.Shown,
	members map[string]json.RawMessage, o editOptions,
) error {
	r, change, err := command.Replace(ctx, of, old, members, o.answer())
	if r.ID != "" {
		e.explainReceipt(r)
	}
	if err != nil {
		return err
	}
	shape := reply.Changed{Change: change, ID: r.ID, Undo: e.undoOf(change.Event, r.ID)}
	e.printf("%s takes the place of %s\n", r.ID, old.ID)
	if !e.asJSON {
		e.hintUndo("", change.Event, r.ID)
	}
	return e.printResult(shape, nil)
}

// editing is a text that a person writes in the editor.
type editing struct {
	file, word string // below the directory of git, and what the person calls it
	start      []byte // what the editor opens, unless a text is there that was not stored
	filled     bool   // what it begins with may be stored as it is
	idle       string // what is said where nothing was written
	again      string // what opens the text again that was not stored
	keep       bool   // whatever becomes of it
}

// openEditor lets the person write, and does something with what they wrote, without its comments. What they wrote
// stays in the file until that is done.
func (w editing) openEditor(ctx context.Context, e *env, m *memory.Memory, do func(text []byte) error) error {
	file := filepath.Join(m.Repo().GitDir, "ltm", w.file)
	if _, err := os.Stat(file); err == nil {
		e.hint("this continues the " + w.word + " that was not stored")
	} else if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777),
		//nolint:gosec // As git makes its directories.
		os.WriteFile(file, w.start, 0o600)); err != nil {
		return fmt.Errorf("write %s: %w", w.word, err)
	}
	streams := git.Streams{In: e.stdin, Out: e.stdout, Err: e.stderr}
	if err := git.Edit(ctx, e.dir, e.vars, streams, file); err != nil {
		return err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read %s: %w", w.word, err)
	}
	comment := regexp.MustCompile(`(?m)^#.*\n?`)
	text = comment.ReplaceAll(text, nil)
	said := bytes.TrimSpace(text)
	same := !w.filled && bytes.Equal(said, bytes.TrimSpace(comment.ReplaceAll(w.start, nil)))
	if len(said) == 0 || same {
		e.hint(w.idle)
		return os.Remove(file)
	}
	if err := do(text); err != nil {
		e.hint("your text is kept in " + file + "; " + w.again + " opens it again")
		return err
	}
	if w.keep {
		return nil
	}
	return os.Remove(file)
}

// templateHelp stands above the form in the editor. Lines that begin with a number sign are left out of it.
const templateHelp = `# What the next session needs to go on. Fill in what you know: only the goal and the next step are needed.
# Write instructions, not a log: "Use JWT with a one hour expiry", not "discussed authentication". No secrets.
# Lines that begin with # are left out. Leave all as it is to store nothing.

`

// saveEdited lets the person write the packet, in a form with what their own thread of this branch holds to.
func saveEdited(ctx context.Context, e *env, m *memory.Memory, o saveOptions) error {
	members := map[string]json.RawMessage{}
	chosen, err := m.Threads().Choose(ctx, replay.Asked)
	switch {
	case errors.Is(err, replay.ErrNotFound) || errors.Is(err, replay.ErrWithheld):
	case err != nil:
		return err
	case chosen.Own && !chosen.Life.Closed:
		shown, _ := chosen.Open(replay.Asked)
		p := shown.Packet()
		for name, texts := range map[string][]string{
			"constraints": p.Constraints, "open_questions": p.OpenQuestions, "tags": p.Tags,
		} {
			members[name], _ = json.Marshal(texts) //nolint:errchkjson // Strings.
		}
	}
	return editing{
		file: "EDIT_PACKET", word: "draft", idle: "nothing was written, so nothing was stored",
		again: "'git ltm save'", keep: o.DryRun,
		start: append([]byte(templateHelp), command.FormOf(packet.KindPacket).Write(members)...),
	}.openEditor(ctx, e, m, func(text []byte) error {
		data, err := fillPacket(text, nil)
		if err == nil {
			err = saveData(ctx, e, m, o, nil, data)
		}
		return err
	})
}

// fillPacket is the packet that a person wrote into a form, as JSON. JSON is taken as it is,
// whatever is wrong
// with it.
func fillPacket(text []byte, members map[string]json.RawMessage) ([]byte, error) {
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		return text, nil
	}
	all, err := command.FormOf(packet.KindPacket).Read(text, members)
	if err != nil {
		return nil, &usageError{err: err}
	}
	return json.Marshal(all)
}
