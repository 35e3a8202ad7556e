package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/draft"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/view"
)

// newestDraft asks for the last draft of this branch.
const newestDraft = "newest"

// saveArguments is what save takes.
type saveArguments struct {
	command.Packet
	command.Storing

	Continue string `json:"continue"`
	Root     bool   `json:"root"`
	Draft    string `json:"draft"`
	Model    string `json:"model"`
}

func savePacket(ctx context.Context, c *call, in saveArguments) (answer, error) {
	if in.Root && in.Continue != "" {
		return answer{}, command.Refuse("/root", errors.New("excludes continue"))
	}
	var from *draft.Draft
	var err error
	if in.Draft != "" {
		spec, version, _ := strings.Cut(in.Draft, "@")
		if spec == newestDraft {
			spec = ""
		}
		if from, err = command.FindDraft(ctx, c.m, spec); err != nil {
			return answer{}, err
		}
		if version != from.Version() {
			return showDraft(ctx, c, *from)
		}
	}
	req := gate.SaveRequest{
		Continue: in.Continue, Answer: in.Storing.Answer(), Reach: in.Storing.Reach(),
		DryRun: in.DryRun,
	}
	if in.Root {
		req.Link = gate.Begin
	}
	if req.Data, err = in.Encode(ctx, c.m, from, c.clientName(), in.Model); err != nil {
		return answer{}, err
	}
	saved, err := command.Save(ctx, c.m, c.session, from, req)
	if err != nil {
		return answer{}, err
	}
	if who := reply.Whose(ctx, c.m, saved.Beside, c.Now()); who != "" {
		c.notef("this begins a new thread of its own; with continue: %s a packet goes on with another "+
			"one %s", saved.Beside.ID, who)
	}
	text, shapes := c.tellStored(ctx, reply.Rehearsal(in.DryRun), saved)
	return answer{text: text, value: shapes[0]}, nil
}

// errUnshown says that nobody may show an agent a draft.
var errUnshown = errors.New("this user did not keep it here, or it holds what a scan finds; a person finishes " +
	"it with 'git ltm save --draft'")

// showDraft shows what a session left, before it is stored: rules made it, and nobody read it. What is stored is
// named by what it holds.
func showDraft(ctx context.Context, c *call, d draft.Draft) (answer, error) {
	own, err := c.m.Drafts().Own(ctx, 1, func(at view.Drafted) bool { return at.ID == string(d.ID) })
	if err != nil {
		return answer{}, err
	}
	if len(own) == 0 || own[0].Version() != d.Version() {
		return answer{}, command.Refuse("/draft", errUnshown)
	}
	text, _ := own[0].Text(command.DescribeDraft(d, d.Record.Packet())).For(replay.Asked)
	nonce, err := briefing.Nonce(c.Entropy)
	if err != nil {
		return answer{}, err
	}
	named := string(d.ID) + "@" + d.Version()
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return answer{
		text: "Nothing was stored. Read this draft; then save with draft: " + named + ", and beside it what is " +
			"wrong or missing.\n" + briefing.Quote("draft", nonce, lines),
		value: map[string]any{"draft": named},
	}, nil
}

// noteArguments is what note takes.
type noteArguments struct {
	command.Storing

	Private *bool          `json:"private"`
	Notes   []command.Note `json:"notes"`
}

// saveNotes is the tool note.
func saveNotes(ctx context.Context, c *call, in noteArguments) (answer, error) {
	const most = 32
	if n := len(in.Notes); n < 1 || n > most {
		return answer{}, command.Refuse("/notes", fmt.Errorf("must have from 1 to %d items, not %d", most, n))
	}
	var wrong packet.InvalidError
	for i := range in.Notes {
		n := &in.Notes[i]
		if bad, ok := errors.AsType[*command.InputError](n.Prepare(c.Now())); ok {
			for _, p := range bad.Problems {
				wrong.Problems = append(wrong.Problems,
					packet.Problem{Path: fmt.Sprintf("/notes/%d%s", i, p.Path), Text: p.Text})
			}
		}
		if !n.Ends.IsZero() {
			c.notef("note %d ends at %s", i+1, n.Ends.In(c.Now().Location()).Format(time.RFC3339))
		}
	}
	if len(wrong.Problems) > 0 {
		return answer{}, &command.InputError{InvalidError: wrong}
	}
	receipts, err := command.SaveNotes(ctx, c.m, in.Notes, func(n command.Note) command.Storing {
		how := in.Storing
		if how.Private = in.Private != nil && *in.Private; in.Private == nil {
			how.Private = n.IsPersonal() && c.UserStore == ""
		}
		return how
	})
	failed, isBatch := errors.AsType[*gate.BatchError](err)
	if err != nil && !isBatch {
		return answer{}, err
	}
	text, shapes := c.tellStored(ctx, reply.Rehearsal(in.DryRun), receipts...)
	out := answer{text: text, value: map[string]any{"stored": shapes}}
	if isBatch {
		for _, f := range failed.Failed {
			out.text += fmt.Sprintf("notes/%d was not stored: %s", f.Index,
				explainError(c.rules, f.Err))
		}
		out.failed = true
	}
	return out, nil
}

// tellStored says what was stored, what the scan found, and what says the same already.
func (c *call) tellStored(
	ctx context.Context, dry reply.Rehearsal, receipts ...gate.Receipt) (text string, shapes []reply.Saved,
) {
	c.index.Lock()
	repeats := reply.Repeats(ctx, c.m, c.Now, receipts...)
	c.index.Unlock()
	for i, r := range receipts {
		if r.ID == "" {
			continue
		}
		shape := reply.SavedOf(r, dry).With(c.rules, repeats[i])
		shapes = append(shapes, shape)
		for _, line := range slices.Concat(command.Notices(r), reply.LogLines(r), reply.MissingCites(c.m, r)) {
			c.notef("%s", line)
		}
		if missing := reply.Unmatched(r); missing != "" {
			c.notef("%s, as match of the attempt", missing)
		}
		for _, d := range repeats[i] {
			c.notef("%s", sayRepeat(r, d, dry))
		}
		kind := command.KindOf(r)
		line := fmt.Sprintf("stored %s %s", kind, r.ID)
		switch {
		case bool(dry):
			line = fmt.Sprintf("dry run, nothing was stored; the %s is valid", kind)
		case r.Known && len(r.Copied) > 0:
			line = "nothing was stored"
		case r.Known:
			line = fmt.Sprintf("%s %s was stored before, nothing changed", kind, r.ID)
		}
		if r.Parent != "" {
			line += ", continues " + r.Parent
		}
		text += line + "\n"
	}
	return text, shapes
}

// sayRepeat says that a record says the same, and what replaces it.
func sayRepeat(r gate.Receipt, d recall.Alike, dry reply.Rehearsal) string {
	text := command.Repeats(r, d)
	switch {
	case bool(dry):
		return text
	case d.Kind == packet.KindPacket || d.Place != "/text" && d.Place != "/item":
		return text + "; edit with do: rm takes the new one back if it adds nothing"
	default:
		return text + fmt.Sprintf("; edit with ids: [%s], do: supersede, by: %s replaces it", d.Card.ID, r.ID)
	}
}

// editRecords is the tool edit.
func editRecords(ctx context.Context, c *call, e command.Edit) (answer, error) {
	done, err := e.Apply(ctx, c.m, c.Now())
	if err != nil {
		return answer{}, err
	}
	if done.Of != c.m {
		c.notef("this repository has no such record; the user-wide memory has")
	}
	shape, text := reply.Changed{Change: done.Change}, ""
	for _, id := range shape.Changed {
		text += fmt.Sprintf("%s %s\n", done.Did, id)
	}
	for _, id := range shape.Already {
		text += fmt.Sprintf("%s was so already, nothing changed\n", id)
	}
	if id := done.Receipt.ID; id != "" {
		line, _ := c.tellStored(ctx, false, done.Receipt)
		text, shape.ID = line+text, id
	}
	return answer{text: text, value: shape}, nil
}
