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
	"github.com/spf13/pflag"

	"github.com/git-ltm/git-ltm/internal/command"
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

// editedMembers are the flags of edit that write a part of a record anew, by the names that the parts have.
var editedMembers = []struct{ flag, help string }{
	{"text", "what it says: `TEXT`"},
	{"goal", "the goal of a packet: `TEXT`"},
	{"next", "the next step, or the next action of a task: `TEXT`"},
	{"why", "the reason; beside a flag that changes no text, the reason of the change: `TEXT`"},
	{"kind", "what kind of note it is: `KIND`"},
	{"topic", "what a note belongs to: `TOPIC`"},
	{"confidence", "how sure a note is: low, medium or high: `LEVEL`"},
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
		case v.deed().Valued || v.by != "" || v.deed().Ends:
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
		said := o.eventOptions
		if value := o.values[v.event]; value != nil {
			said.by, said.value, said.until = *value, *value, *value
		}
		h, err := v.happening(e, f, said, []string{id})
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
		wrong = append(wrong,
			errors.New("change the text and say what became of the record one after the other"))
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
		return e.rewrite(ctx, f, m, o, id, anew)
	})
}

// rewrite stores a record as the flags say or as the person writes it in the editor, and lets it
// take the place of the old one.
func (e *env) rewrite(ctx context.Context, f *pflag.FlagSet, m *memory.Memory, o edit, spec string,
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
	if len(anew) > 0 || len(o.tags) > 0 {
		file = ""
		err := command.ReplaceMembers(members, old.Kind(), anew, e.slugs(o.tags))
		if wrong := wrongInput(f, err); wrong != nil {
			return usage(wrong)
		}
	} else if changed, err := e.editMembers(ctx, file, old.Kind(), members); err != nil || !changed {
		return err
	}
	r, change, err := command.Replace(ctx, of, old, members, o.answer.answer())
	if r.ID != "" {
		e.explain(r)
	}
	if err != nil {
		if file != "" {
			e.say("hint", "your text is kept in "+file+"; the same command opens it again")
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
	if o.json {
		shape := changed{reply.ChangedOf(change), e.undoOf(change.Event, r.ID)}
		shape.ID = string(r.ID)
		return e.printJSON(shape)
	}
	e.hintUndo(change.Event, r.ID)
	_, err = fmt.Fprintf(e.stdout, "%s takes the place of %s\n", r.ID, old.ID)
	return err
}

// editMembers lets the person write the members of a record anew, and says whether they did.
func (e *env) editMembers(
	ctx context.Context, file string, kind packet.Kind, members map[string]json.RawMessage,
) (bool, error) {
	if !e.terminal(e.stdin) {
		return false, usagef(
			"there is no terminal to edit at; --text, --next, --why and the like change a part of it")
	}
	fields := formOf(kind)
	body := writeForm(fields, members)
	data, err := e.edited(ctx, file, "text", func() ([]byte, error) {
		return append([]byte(editHelp), body...), nil
	})
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
