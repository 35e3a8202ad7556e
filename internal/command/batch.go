package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// BatchLine is a record of a batch.
type BatchLine struct {
	Number   int
	Data     []byte // as the gate takes it
	Identity bool
	Err      error // what is wrong with it before the gate sees it
}

// BatchLines reads JSON Lines. Empty lines count and say nothing.
func BatchLines(data []byte, now time.Time) []BatchLine {
	var all []BatchLine
	number := 0
	for line := range bytes.Lines(data) {
		number++
		if line = bytes.TrimSpace(line); len(line) > 0 {
			all = append(all, mendLine(number, line, now))
		}
	}
	return all
}

// mendLine puts into the form of a record what a person or an agent may say more freely: the kind, the tags,
// the end. The rest is left to the gate, which also says what is wrong.
func mendLine(number int, line []byte, now time.Time) BatchLine {
	l := BatchLine{Number: number, Data: line}
	members, ok := membersOf(line)
	if !ok {
		return l
	}
	var kind, impact, end string
	var tags []string
	if json.Unmarshal(members["kind"], &kind) == nil {
		word, known := packet.NoteKind(kind)
		if l.Identity = word == packet.NoteIdentity; known {
			members["kind"], _ = json.Marshal(word) //nolint:errchkjson // A text.
		}
	}
	if json.Unmarshal(members["impact"], &impact) == nil && impact == "critical" {
		l.Err = fmt.Errorf("/impact: %w", ErrCritical)
	}
	if json.Unmarshal(members["tags"], &tags) == nil && len(tags) > 0 {
		members["tags"], _ = json.Marshal(Slugs(tags)) //nolint:errchkjson // Texts.
	}
	if bytes.HasPrefix(members["expires_at"], []byte(`"`)) && json.Unmarshal(members["expires_at"], &end) == nil {
		at, err := reply.ParseFuture(end, now)
		if _, plain := time.Parse(time.RFC3339, end); err != nil {
			l.Err = errors.Join(fmt.Errorf("/expires_at: %w", err), l.Err)
		} else if plain != nil {
			members["expires_at"], _ = json.Marshal(reply.Stamp(at)) //nolint:errchkjson // A text.
		}
	}
	if members["type"] == nil {
		members["type"] = json.RawMessage(`"note"`)
	}
	if data, err := clean.JSON(members, ""); err == nil {
		l.Data = bytes.TrimSuffix(data, []byte("\n"))
	}
	return l
}

// membersOf returns the members of one object. It is not ok where the text is anything else, and where a name stands
// there twice or is no text: those the gate has to see.
func membersOf(text []byte) (members map[string]json.RawMessage, ok bool) {
	if !utf8.Valid(text) || json.Unmarshal(text, &members) != nil || members == nil {
		return nil, false
	}
	dec, count, raw := json.NewDecoder(bytes.NewReader(text)), 0, json.RawMessage{}
	for _, err := dec.Token(); err == nil && dec.More(); count++ {
		name, _ := dec.Token()
		if err = dec.Decode(&raw); err != nil || strings.ContainsRune(fmt.Sprint(name), utf8.RuneError) {
			return nil, false
		}
	}
	return members, count == len(members)
}
