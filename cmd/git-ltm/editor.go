package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// templateHelp stands above the form in the editor. Lines that begin with a number sign are left out of it.
const templateHelp = `# What the next session needs to go on. Fill in what you know: only the goal and the next step are needed.
# Write instructions, not a log: "Use JWT with a one hour expiry", not "discussed authentication". No secrets.
# Lines that begin with # are left out. Leave all as it is to store nothing.

`

// saveEdited lets the person write the packet. What they wrote is kept until it
// is stored.
func (e *env) saveEdited(ctx context.Context, m *memory.Memory, o saveOptions) error {
	file := filepath.Join(m.Repo().GitDir, "ltm", "EDIT_PACKET")
	var body []byte // nothing where a draft is continued
	data, err := e.edited(ctx, file, "draft", func() (text []byte, err error) {
		body, err = e.template(ctx, m)
		return append([]byte(templateHelp), body...), err
	})
	if err != nil {
		return err
	}
	if isUntouched(data, withoutComments(body)) {
		e.say("hint", "nothing was written, so nothing was stored")
		return os.Remove(file)
	}
	data, err = filled(data, nil)
	if err == nil {
		err = e.saveData(ctx, m, o, nil, data)
	}
	if err != nil {
		e.say("hint", "your text is kept in "+file+"; 'git ltm save' opens it again")
		return err
	}
	if o.dryRun {
		return nil
	}
	return os.Remove(file)
}

// template is a form for a packet, with what the user's own thread of this branch holds to.
func (e *env) template(ctx context.Context, m *memory.Memory) ([]byte, error) {
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
