package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// field returns one field of a record, safe to print.
func field(name string, entry memory.Entry, now time.Time) (string, bool) {
	g := gistOf(entry)
	switch name {
	case "id":
		return string(entry.ID), true
	case "short":
		return short(entry), true
	case "age":
		return briefing.Age(entry.CreatedAt(), now), true
	case "created":
		return created(entry), true
	case "branch":
		return clean.Line(g.anchor.Branch), true
	case "standing":
		return string(entry.Verdict.Standing), true
	case "state":
		return stateWord(entry), true
	case "kind":
		return g.kind, true
	case "text":
		return clean.Line(g.text), true
	case "author":
		return g.author(), true
	case "tags":
		return clean.Line(strings.Join(g.tags, ",")), true
	case "topic":
		return clean.Line(g.topic), true
	case "impact":
		return impactOf(entry), true
	case "expires":
		return stamp(entry.ExpiresAt()), true
	case "remote":
		return clean.Line(entry.Remote), true
	case "store":
		return string(entry.Store), true
	default:
		return packetField(name, entry.Packet)
	}
}

// packetField returns a field that only packets have.
func packetField(name string, p packet.Packet) (string, bool) {
	switch name {
	case "goal":
		return clean.Line(p.Goal), true
	case "next":
		return clean.Line(p.NextStep), true
	case "parent":
		return clean.Line(p.ParentID), true
	default:
		return "", false
	}
}

// formatEntry puts fields in the place of %(name), and a percent sign in the
// place of %%, as git does.
func formatEntry(format string, entry memory.Entry, now time.Time) string {
	text, _ := expand(format, func(name string) (string, bool) { return field(name, entry, now) })
	return text
}

func checkFormat(format string) error {
	anyone := memory.Entry{ID: noID, Record: new(packet.Record)}
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
			return "", fmt.Errorf("--format: there is no field %q", word(name[1:]))
		}
		out.WriteString(text)
		format = after
	}
}

// unit is the length that a letter of an age stands for; zero is none.
func unit(letter byte) time.Duration {
	const day = 24 * time.Hour
	switch letter {
	case 'h':
		return time.Hour
	case 'd':
		return day
	case 'w':
		return 7 * day
	case 'm':
		return 30 * day
	case 'y':
		return 365 * day
	default:
		return 0
	}
}

// parseWhen reads a date, a time in RFC 3339, or an age such as 3d. A date
// begins at midnight UTC.
func parseWhen(text string, now time.Time) (time.Time, error) {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil {
			return at, nil
		}
	}
	if age, ok := parseLength(text); ok {
		return now.Add(-age), nil
	}
	return time.Time{}, fmt.Errorf("%q is no date, time or age such as 3d", word(text))
}

// parseUntil reads when something ends, as parseEnd does. A day lasts to its end in UTC.
func parseUntil(text string, now time.Time) (time.Time, error) { return parseEnd(text, now.UTC()) }

// parseLength reads a length of time such as 3d.
func parseLength(text string) (time.Duration, bool) {
	n := len(text) - 1
	if n < 1 {
		return 0, false
	}
	count, err := strconv.Atoi(text[:n])
	length := unit(text[n])
	if err != nil || length == 0 || count < 0 || time.Duration(count) > math.MaxInt64/length {
		return 0, false
	}
	return time.Duration(count) * length, true
}

// usage joins what is wrong with a command line into one error.
func usage(problems []error) error {
	if len(problems) == 0 {
		return nil
	}
	texts := make([]string, 0, len(problems))
	for _, p := range problems {
		texts = append(texts, p.Error())
	}
	return &usageError{errors.New(strings.Join(texts, "; "))}
}
