package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// PlainRow is a record for a pipe, with its whole id and tabs.
func PlainRow(entry replay.Shown, now time.Time) string {
	g := reply.GistOf(entry)
	return strings.Join([]string{
		string(entry.ID), reply.Created(entry), clean.Line(g.Anchor.Branch), string(entry.Verdict.Standing),
		Marked(g.Line(), Marks(entry, now)...),
	}, "\t")
}

// Marks are the words that stand before what a record says: where it lies, what became of it, and until when
// a skip holds.
func Marks(entry replay.Shown, now time.Time) []string {
	by, taken := "by "+entry.Origin().By(), entry.TakenBy()
	if entry.Trusted() || entry.Withheld(replay.Inspected) != "" {
		by = ""
	} else if taken == "taken "+by {
		by, taken = "", taken+", its author"
	} else if taken != "" {
		by = "written " + by
	}
	words := []string{string(entry.Store), reply.StateWord(entry), taken, by, waitingChange(entry)}
	if entry.Kind() == packet.KindSkip {
		until := "until " + reply.EndText(entry.ExpiresAt(), now)
		if entry.Life.Expired || entry.ExpiresAt().IsZero() {
			until = ""
		}
		words = append(words, until)
	}
	return words
}

// waitingChange says who asks to take or to change a task and has no say in it, and the event that is accepted to
// let them.
func waitingChange(entry replay.Shown) string {
	if entry.Kind() != packet.KindNote || entry.Note().Kind != packet.NoteTask {
		return ""
	}
	for _, claim := range slices.Backward(entry.Life.Claims) {
		from := claim.Value.Origin()
		if claim.Event != "set" {
			continue
		}
		does := "change"
		if claim.TakesTask() {
			does = "take"
		}
		return from.By() + " asks to " + does + " it: trust accept " + briefing.ShortID(packet.ID(from.ID))
	}
	return ""
}

// TaskRow is a task on a terminal. The title comes before what may be cut off; what is as in most tasks is not
// said.
func TaskRow(entry replay.Shown, digits int, now time.Time) string {
	task := entry.Task()
	words := Marks(entry, now)
	if task.Priority != 0 {
		words = append(words, "priority "+strconv.Itoa(task.Priority))
	}
	if task.Category != "active_work" {
		words = append(words, task.Category)
	}
	text := clean.Line(task.Text)
	if words = slices.DeleteFunc(words, func(w string) bool { return w == "" }); len(words) > 0 {
		text += " (" + strings.Join(words, ", ") + ")"
	}
	if next := nextAction(entry); next != "" {
		text += "; next: " + next
	}
	return fmt.Sprintf("%s  %-9s  %s", entry.ID[len(entry.ID)-digits:], reply.TaskStatus(entry), text)
}

// nextAction is what comes next of a task, with who said so where that is not the author of the task.
func nextAction(entry replay.Shown) string {
	next := entry.NextAction()
	text, _ := next.For(replay.Inspected)
	if by := next.ByOther(entry.Origin()); text != "" && by != "" {
		text += " (" + by + ")"
	}
	return clean.Line(text)
}

// PlainTaskRow is a task for a pipe.
func PlainTaskRow(entry replay.Shown, now time.Time) string {
	task := entry.Task()
	return strings.Join([]string{
		string(entry.ID), reply.TaskStatus(entry), strconv.Itoa(task.Priority), task.Category,
		Marked(clean.Line(task.Text), Marks(entry, now)...), nextAction(entry),
	}, "\t")
}

// Marked puts words in brackets before a text.
func Marked(text string, words ...string) string {
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	if len(words) == 0 {
		return text
	}
	return "(" + strings.Join(words, ", ") + ") " + text
}

// IDLength is how many characters of the ends of ids tell records apart by which every command finds them:
// eight, or more.
func IDLength(list []replay.Shown) int {
	const least, whole = 8, 26
	apart := func(n int) int {
		ends := map[packet.ID]bool{}
		for _, entry := range list {
			ends[entry.ID[whole-n:]] = true
		}
		return len(ends)
	}
	n := least
	for ids := apart(whole); apart(n) < ids; n++ {
	}
	return n
}

// fieldsOf are the fields of a record, safe to print.
func fieldsOf(entry replay.Shown, now time.Time) map[string]string {
	g := reply.GistOf(entry)
	return map[string]string{
		"id": string(entry.ID), "short": briefing.ShortID(entry.ID), "age": briefing.Age(entry.CreatedAt(), now),
		"created": reply.Created(entry), "branch": clean.Line(g.Anchor.Branch),
		"trust": string(entry.Verdict.Standing), "state": reply.StateWord(entry), "kind": g.Kind,
		"text": clean.Line(g.Text), "author": g.Author(), "tags": clean.Line(strings.Join(g.Tags, ",")),
		"topic": clean.Line(g.Topic), "impact": reply.ImpactOf(entry), "expires": reply.Stamp(entry.ExpiresAt()),
		"remote": clean.Line(entry.Remote), "store": string(entry.Store), "goal": clean.Line(entry.Packet().Goal),
		"next": clean.Line(entry.Packet().NextStep), "parent": clean.Line(entry.Packet().ParentID),
	}
}

// FormatEntry puts fields in the place of %(name), and a percent sign in the
// place of %%, as git does.
func FormatEntry(format string, entry replay.Shown, now time.Time) string {
	text, _ := expandFields(format, fieldsOf(entry, now))
	return text
}

// CheckFormat says what is wrong with a format.
func CheckFormat(format string) error {
	anyone, _ := replay.Entry{ID: noID}.Open(replay.Inspected)
	_, err := expandFields(format, fieldsOf(anyone, time.Time{}))
	return err
}

// noID stands for any id where only the form of a format is checked.
const noID = "00000000000000000000000000"

func expandFields(format string, values map[string]string) (string, error) {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(format, "%")
		out.WriteString(before)
		if !found {
			return out.String(), nil
		}
		if after, ok := strings.CutPrefix(rest, "%"); ok {
			out.WriteByte('%')
			format = after
			continue
		}
		name, after, ok := strings.Cut(rest, ")")
		if !ok || !strings.HasPrefix(name, "(") {
			return "", errors.New("--format: a percent sign begins %(name) or %%")
		}
		text, ok := values[name[1:]]
		if !ok {
			return "", fmt.Errorf("--format: there is no field %q", reply.Word(name[1:]))
		}
		out.WriteString(text)
		format = after
	}
}

// WholeOf is all of a record, and what became of it.
func WholeOf(ctx context.Context, of *memory.Memory, entry replay.Shown) (reply.Whole, error) {
	value := reply.Whole{
		ID: string(entry.ID), Note: briefing.DataNote, Standing: string(entry.Verdict.Standing),
		Reason: clean.Line(entry.Verdict.Why), Verified: entry.Trusted(), State: reply.StateWord(entry),
		Store: string(entry.Store),
	}
	dec := json.NewDecoder(bytes.NewReader(entry.Data()))
	dec.UseNumber()
	var record any
	err := dec.Decode(&record)
	if err == nil {
		value.Record, err = json.Marshal(cleanValue(record))
	}
	if err != nil {
		return value, fmt.Errorf("read record %s: %w", entry.ID, err)
	}
	about, err := of.History(ctx, entry.ID)
	for _, ev := range about {
		value.Events = append(value.Events, HappeningJSON(ev.Happening()))
	}
	return value, err
}

// cleanValue is a value of a stored record as it is shown: each text and name without what acts on a terminal
// or hides from a reader.
func cleanValue(value any) any {
	switch v := value.(type) {
	case map[string]any:
		shown := make(map[string]any, len(v))
		for name, of := range v {
			shown[clean.Line(name)] = cleanValue(of)
		}
		return shown
	case []any:
		for i := range v {
			v[i] = cleanValue(v[i])
		}
	case string:
		return clean.Text(v)
	}
	return value
}
