package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

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

// splice is a part of a line that is written anew.
type splice struct {
	from, to int
	text     string
}

// mendLine puts into the form of a record what a person or an agent may say more freely: the kind, the tags,
// the end. The rest is left byte by byte to the gate, which also says what is wrong.
func mendLine(number int, line []byte, now time.Time) BatchLine {
	l := BatchLine{Number: number, Data: line}
	members, ok := membersOf(line)
	if !ok {
		return l
	}
	var changes []splice
	typed := false
	var wrong []error
	for _, m := range members {
		typed = typed || m.name == "type"
		text, err := l.mendMember(m, now)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("/%s: %w", m.name, err))
		}
		if text != "" {
			changes = append(changes, splice{m.from, m.to, text})
		}
	}
	if !typed {
		brace := bytes.IndexByte(line, '{') + 1
		text := `"type":"note"`
		if len(members) > 0 {
			text += ","
		}
		changes = slices.Insert(changes, 0, splice{brace, brace, text})
	}
	var out bytes.Buffer
	at := 0
	for _, c := range changes {
		out.Write(line[at:c.from])
		out.WriteString(c.text)
		at = c.to
	}
	out.Write(line[at:])
	l.Data, l.Err = out.Bytes(), errors.Join(wrong...)
	return l
}

// mendMember returns what takes the place of a member's value; nothing for one that stays.
func (l *BatchLine) mendMember(m jsonMember, now time.Time) (string, error) {
	var text string
	isText := bytes.HasPrefix(m.raw, []byte(`"`)) && json.Unmarshal(m.raw, &text) == nil
	var anew any
	switch {
	case m.name == "kind" && isText:
		kind, known := packet.NoteKind(text)
		l.Identity = l.Identity || kind == packet.NoteIdentity
		if known && kind != text {
			anew = kind
		}
	case m.name == "impact" && text == "critical":
		return "", ErrCritical
	case m.name == "tags":
		var tags []string
		if json.Unmarshal(m.raw, &tags) != nil {
			return "", nil
		}
		if mended := Slugs(tags); len(mended) > 0 && !slices.Equal(tags, mended) {
			anew = mended
		}
	case m.name == "expires_at" && isText:
		end, err := reply.ParseFuture(text, now)
		if err != nil {
			return "", err
		}
		if _, err := time.Parse(time.RFC3339, text); err != nil {
			anew = reply.Stamp(end)
		}
	}
	if anew == nil {
		return "", nil
	}
	data, err := json.Marshal(anew)
	return string(data), err
}

// jsonMember is a member of an object, and where its value stands.
type jsonMember struct {
	name     string
	raw      []byte
	from, to int
}

// membersOf returns the members of one object, also those that stand twice. It is not ok where the text is
// anything else.
func membersOf(text []byte) (all []jsonMember, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(text))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, false
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, false
		}
		var raw json.RawMessage
		if dec.Decode(&raw) != nil {
			return nil, false
		}
		to := int(dec.InputOffset())
		from := to - len(raw)
		word, isName := name.(string)
		if !isName || from < 0 || !bytes.Equal(text[from:to], raw) {
			return nil, false
		}
		all = append(all, jsonMember{word, raw, from, to})
	}
	closing, err := dec.Token()
	return all, err == nil && closing == json.Delim('}')
}
