package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// templateHelp stands above the packet in the editor. Lines that begin with a
// number sign are left out of it.
const templateHelp = `# A packet tells the next session what the work ran into. Goal and next step are needed, the rest helps.
# Write instructions, not a log: "Use JWT with a one hour expiry", not "discussed authentication".
# No secrets, no paths of this machine. An outcome is succeeded, failed, partial, or a few words.
# Lines that begin with # are left out. Leave it as it is to store nothing.
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
	if isUntouched(data, body) {
		e.say("hint", "nothing was written, so nothing was stored")
		return os.Remove(file)
	}
	if err := e.saveData(ctx, m, o, nil, data); err != nil {
		e.say("hint", "your text is kept in "+file+"; 'git ltm save' opens it again")
		return err
	}
	if o.dryRun {
		return nil
	}
	return os.Remove(file)
}

// template is an empty packet with what the user's own thread of this branch holds to.
func (e *env) template(ctx context.Context, m *memory.Memory) ([]byte, error) {
	t := struct {
		Goal        string             `json:"goal"`
		Constraints []string           `json:"constraints"`
		Decisions   []command.Decision `json:"decisions"`
		Attempts    []command.Attempt  `json:"attempts"`
		Questions   []string           `json:"open_questions"`
		Next        string             `json:"next_step"`
		Tags        []string           `json:"tags"`
	}{Constraints: []string{}, Decisions: []command.Decision{}, Attempts: []command.Attempt{}, Questions: []string{}, Tags: []string{}}
	chosen, err := m.Threads().Choose(ctx, replay.Asked)
	switch {
	case errors.Is(err, replay.ErrNotFound) || errors.Is(err, replay.ErrWithheld):
	case err != nil:
		return nil, err
	case chosen.Own && !chosen.Life.Closed:
		shown, _ := chosen.Open(replay.Asked)
		p := shown.Packet()
		t.Constraints = append(t.Constraints, p.Constraints...)
		t.Questions = append(t.Questions, p.OpenQuestions...)
		t.Tags = append(t.Tags, p.Tags...)
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err = enc.Encode(t)
	return out.Bytes(), err
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
