package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// editHelp stands in the editor above a packet.
const editHelp = `# The record as it is. What you save takes its place; the old one stays in the history.
# Lines that begin with # are left out. Leave it as it is to change nothing.
`

// editedMembers are the flags of edit that write a part of a record anew, and the member that holds
// it in each kind of record.
var editedMembers = []struct{ flag, help, packet, note, skip string }{
	{"text", "what it says: `TEXT`", "goal", "text", "item"},
	{"goal", "the goal of a packet: `TEXT`", "goal", "", ""},
	{"next", "the next step, or the next action of a task: `TEXT`", "next_step", "next_action", ""},
	{"why", "the reason; beside a flag that changes no text, the reason of the change: `TEXT`", "", "why", "reason"},
	{"kind", "what kind of note it is: `KIND`", "", "kind", ""},
	{"topic", "what a note belongs to: `TOPIC`", "", "topic", ""},
	{"confidence", "how sure a note is: low, medium or high: `LEVEL`", "", "confidence", ""},
}

// edit is what edit was asked for.
type edit struct {
	eventOptions
	answer answerFlags
	tags   []string
	words  map[string]*string // by flag: what is written anew
	events []eventVerb        // what became of the record
	values map[string]*string // by the word of an event: the value of its flag
	is     map[string]*bool   // by the word of an event: a flag without a value
}

func newEdit(e *env) *cobra.Command {
	o := edit{words: map[string]*string{}, values: map[string]*string{}, is: map[string]*bool{}}
	cmd := &cobra.Command{
		Use:   "edit ID",
		Short: "Change a record, hide it, close it, or say that it is wrong",
		Long: "Edit opens a record in your editor. With --text, --goal, --next, --why and the like it changes that part alone. The\n" +
			"new record takes the place of the old one, which stays in the history.\n\n" +
			"The other flags say what became of a record, and write it nowhere anew: --hide, --close, --until, --wrong and so on.\n" +
			"With them --why is the reason of the change. Each is an event, and 'git ltm undo' reverts it.\n\n" + exitCodes,
		Example: "  git ltm edit F3A2H5P9\n  git ltm edit F3A2H5P9 --text 'Run the linter with -j2'\n" +
			"  git ltm edit F3A2H5P9 --wrong --why 'The flag was removed in 1.27'",
		Args: arguments(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return e.edit(cmd, o, args[0]) },
	}
	f := cmd.Flags()
	for _, m := range editedMembers {
		o.words[m.flag] = f.String(m.flag, "", m.help)
	}
	f.StringArrayVar(&o.tags, "tag", nil, "the tags, instead of those that it has: `TAG`; can be given again")
	for _, v := range happenings() {
		switch {
		case v.flag == "":
		case v.valued || v.by != "" || v.ends:
			o.values[v.event] = f.String(v.flag, "", flagHelp(v.help))
		default:
			o.is[v.event] = f.Bool(v.flag, false, flagHelp(v.help))
		}
	}
	f.StringVar(&o.label, "label", "", "with --link, in which way: `TEXT`")
	o.answer.flags(f, "allow-why")
	f.BoolVar(&o.json, "json", false, "print an object with event, changed and already")
	return cmd
}

// flagHelp is a sentence as the help of a flag.
func flagHelp(sentence string) string { return strings.ToLower(sentence[:1]) + sentence[1:] }

func (e *env) edit(cmd *cobra.Command, o edit, id string) error {
	ctx, f := cmd.Context(), cmd.Flags()
	o.why = *o.words["why"]
	var happened []gate.Happen
	wrong := o.answer.problems()
	for _, v := range happenings() {
		if v.flag == "" || !f.Changed(v.flag) || o.is[v.event] != nil && !*o.is[v.event] {
			continue
		}
		named, args := o.eventOptions, []string{id}
		switch value := o.values[v.event]; {
		case v.valued:
			args = append(args, *value)
		case v.by != "":
			named.by = *value
		case v.ends:
			named.until = *value
		}
		h, err := v.happening(e, named, args)
		if err != nil {
			wrong = append(wrong, err)
		}
		o.events, happened = append(o.events, v), append(happened, h)
	}
	anew := map[string]string{}
	for _, m := range editedMembers {
		if f.Changed(m.flag) && (m.flag != "why" || len(o.events) == 0) {
			anew[m.flag] = *o.words[m.flag]
		}
	}
	said := slices.Concat(slices.Collect(maps.Values(anew)), o.tags)
	if err := readable(said...); err != nil {
		wrong = append(wrong, err)
	}
	if len(o.events) > 0 && len(said) > 0 {
		wrong = append(wrong, errors.New("change the text and say what became of the record one after the other"))
	}
	if err := usage(wrong); err != nil {
		return err
	}
	return e.use(ctx, func(m *memory.Memory) error {
		for i, v := range o.events {
			if err := v.store(ctx, e, m, o.eventOptions, happened[i]); err != nil {
				return err
			}
		}
		if len(o.events) > 0 {
			return nil
		}
		return e.rewrite(ctx, m, o, id, anew)
	})
}

// rewrite stores a record as the flags say or as the person writes it in the editor, and lets it
// take the place of the old one.
func (e *env) rewrite(ctx context.Context, m *memory.Memory, o edit, spec string, anew map[string]string) error {
	found, of, err := m.FindAnyWide(ctx, spec)
	if err != nil {
		return err
	}
	e.fromUser(m, of, found)
	old, err := found.MustOpen(replay.Inspected)
	if err != nil {
		return err
	}
	if old.Kind() == packet.KindEvent {
		return fmt.Errorf("record %s is an event: %w; 'git ltm undo %s' reverts it", old.ID, errNotOfKind, old.ID)
	}
	members, err := editable(old)
	if err != nil {
		return err
	}
	file := filepath.Join(of.Repo().GitDir, "ltm", "EDIT_"+string(old.ID))
	if len(anew) > 0 || len(o.tags) > 0 {
		file = ""
		if err := e.replaceMembers(members, old.Kind(), anew, o.tags); err != nil {
			return err
		}
	} else if changed, err := e.editMembers(ctx, file, old.Kind(), members); err != nil || !changed {
		return err
	}
	id, change, err := e.replaceRecord(ctx, of, old, members, o)
	if err != nil {
		if file != "" {
			e.say("hint", "your text is kept in "+file+"; the same command opens it again")
		}
		return err
	}
	if file != "" {
		if err := os.Remove(file); err != nil {
			return err
		}
	}
	if o.json {
		return e.printJSON(changed{reply.ChangedOf(change), string(id), e.undoOf(change.Event, id)})
	}
	e.hintUndo(change.Event, id)
	_, err = fmt.Fprintf(e.stdout, "%s takes the place of %s\n", id, old.ID)
	return err
}

// editable returns the members of a record that a person may write anew: all but what is stored
// with each version of its own.
func editable(old replay.Shown) (map[string]json.RawMessage, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(old.Data(), &members); err != nil {
		return nil, fmt.Errorf("read record %s: %w", old.ID, err)
	}
	for _, name := range []string{"id", "created_at", "anchor", "provenance"} {
		delete(members, name)
	}
	if old.Kind() != packet.KindNote {
		return members, nil
	}
	now := map[string]any{}
	if task := old.Task(); task.Kind == packet.NoteTask { // As later changes left it.
		now = map[string]any{"category": task.Category, "status": task.Status, "next_action": task.NextAction}
		if task.Priority != 0 {
			now["priority"] = task.Priority
		}
	}
	if impact := old.Life.Impact; impact != "" && impact != "critical" {
		now["impact"] = impact
	}
	for name, value := range now {
		if value != "" {
			members[name], _ = json.Marshal(value) //nolint:errchkjson // A string or a number.
		}
	}
	return members, nil
}

// replaceMembers writes what the flags say into the members of a record.
func (e *env) replaceMembers(members map[string]json.RawMessage, kind packet.Kind, anew map[string]string, tags []string) error {
	for _, m := range editedMembers {
		text, given := anew[m.flag]
		if !given {
			continue
		}
		member := map[packet.Kind]string{packet.KindPacket: m.packet, packet.KindNote: m.note, packet.KindSkip: m.skip}[kind]
		note, known := packet.NoteKind(text)
		switch {
		case member == "":
			return usagef("a %s has no --%s", kind, m.flag)
		case m.flag == "kind" && !known:
			return usagef("--kind takes one of %s", strings.Join(packet.NoteKinds(), ", "))
		case m.flag == "kind":
			text = note
		}
		if members[member], _ = json.Marshal(text); text == "" {
			delete(members, member)
		}
	}
	if len(tags) > 0 {
		members["tags"], _ = json.Marshal(e.slugs(tags)) //nolint:errchkjson // Strings.
	}
	return nil
}

// editMembers lets the person write the members of a record anew, and says whether they did.
func (e *env) editMembers(
	ctx context.Context, file string, kind packet.Kind, members map[string]json.RawMessage,
) (bool, error) {
	if !e.terminal(e.stdin) {
		return false, usagef("there is no terminal to edit at; --text, --next, --why and the like change a part of it")
	}
	fields := formOf(kind)
	body := writeForm(fields, members)
	data, err := e.edited(ctx, file, "text", func() ([]byte, error) { return append([]byte(editHelp), body...), nil })
	if err != nil {
		return false, err
	}
	if isUntouched(data, withoutComments(body)) {
		e.say("hint", "nothing was changed")
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

// replaceRecord stores a record in the place of another one, and returns its id.
func (e *env) replaceRecord(
	ctx context.Context, m *memory.Memory, old replay.Shown, members map[string]json.RawMessage, o edit,
) (packet.ID, gate.Change, error) {
	data, err := json.Marshal(members)
	if err != nil {
		return "", gate.Change{}, err
	}
	how := smallFlags{answerFlags: o.answer}
	if old.Store == replay.OfClone {
		how.reach = replay.Private
	}
	small := how.request(data)
	var r gate.Receipt
	if old.Kind() == packet.KindPacket {
		r, err = m.Save(ctx, gate.SaveRequest{Data: data, Reach: small.Reach, Answer: small.Answer, Link: gate.Begin})
	} else if r, err = m.SaveSmall(ctx, small); err != nil {
		err = asSmall(err)
	}
	if err != nil {
		return "", gate.Change{}, err
	}
	e.explain(r)
	c, err := m.Happen(ctx, gate.Happen{Event: "supersede", Targets: []string{string(old.ID)}, By: []string{string(r.ID)}, Why: "edited"})
	if err != nil {
		return "", c, fmt.Errorf("the new record is stored as %s, and the old one is still there: %w", r.ID, asSmall(err))
	}
	return r.ID, c, nil
}
