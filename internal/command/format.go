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

// field returns one field of a record, safe to print.
func field(name string, entry replay.Shown, now time.Time) (string, bool) {
	g := reply.GistOf(entry)
	switch name {
	case "id":
		return string(entry.ID), true
	case "short":
		return briefing.ShortID(entry.ID), true
	case "age":
		return briefing.Age(entry.CreatedAt(), now), true
	case "created":
		return reply.Created(entry), true
	case "branch":
		return clean.Line(g.Anchor.Branch), true
	case "trust":
		return string(entry.Verdict.Standing), true
	case "state":
		return reply.StateWord(entry), true
	case "kind":
		return g.Kind, true
	case "text":
		return clean.Line(g.Text), true
	case "author":
		return g.Author(), true
	case "tags":
		return clean.Line(strings.Join(g.Tags, ",")), true
	case "topic":
		return clean.Line(g.Topic), true
	case "impact":
		return reply.ImpactOf(entry), true
	case "expires":
		return reply.Stamp(entry.ExpiresAt()), true
	case "remote":
		return clean.Line(entry.Remote), true
	case "store":
		return string(entry.Store), true
	case "goal":
		return clean.Line(entry.Packet().Goal), true
	case "next":
		return clean.Line(entry.Packet().NextStep), true
	case "parent":
		return clean.Line(entry.Packet().ParentID), true
	default:
		return "", false
	}
}

// FormatEntry puts fields in the place of %(name), and a percent sign in the
// place of %%, as git does.
func FormatEntry(format string, entry replay.Shown, now time.Time) string {
	text, _ := expand(format, func(name string) (string, bool) { return field(name, entry, now) })
	return text
}

// CheckFormat says what is wrong with a format.
func CheckFormat(format string) error {
	anyone, _ := replay.Entry{ID: noID}.Open(replay.Inspected)
	_, err := expand(format, func(name string) (string, bool) { return field(name, anyone, time.Time{}) })
	return err
}

// noID stands for any id where only the form of a format is checked.
const noID = "00000000000000000000000000"

func expand(format string, value func(string) (string, bool)) (string, error) {
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
		text, ok := value(name[1:])
		if !ok {
			return "", fmt.Errorf("--format: there is no field %q", reply.Word(name[1:]))
		}
		out.WriteString(text)
		format = after
	}
}
