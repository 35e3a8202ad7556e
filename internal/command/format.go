package command

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

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
