package mcp

import (
	"context"
	"errors"

	"github.com/git-ltm/git-ltm/internal/draft"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/session"
)

func saveTool() tool {
	own := []field{
		may("continue", idField("Packet that this one continues; default: your last one of this session, else of the same goal")),
		may("root", flag("Begin a new thread")),
		may("draft", idField("Finish a draft that a session left: its id, or newest; lists come behind those of the draft")),
		privateField(), redactField(), dryRunField(), repoField(),
	}
	return tool{
		name: "save", title: "Save to memory", always: true, does: adds, record: packet.KindPacket, own: names(own),
		about: "Store one packet for the next session. Write instructions with their reasons, not a log: what failed and why, what is " +
			"settled, the first action. No secrets, no paths of this machine.",
		input:  object(append(packetFields(), own...)...),
		output: savedShape(),
		run:    save,
	}
}

// packetFields are the members of a packet that a model fills in. The gate fills in the others.
func packetFields() []field {
	return described(packet.Fields(packet.KindPacket), []said{
		{name: "goal", about: "What the work is after, and how one sees that it is reached"},
		{name: "next_step", about: "The first action of the next session, concrete enough to start"},
		{name: "success_criteria", about: "When the work is done"},
		{name: "constraints", about: "What bounds the work"},
		{name: "decisions", about: "What was settled", of: []said{
			{name: "what"},
			{name: "why"},
			{name: "consequences", about: "What breaks otherwise"},
			{name: "locked", about: "Not to be reopened"},
		}},
		{name: "attempts", about: "What was tried, above all what failed", of: []said{
			{name: "tried"}, {name: "outcome", about: "succeeded, failed or partial"}, {name: "learned", about: "Why"}, {name: "confidence"},
		}},
		{name: "methods", about: "Ways of working that proved useful", of: []said{
			{name: "name"}, {name: "when_applicable"}, {name: "how"},
		}},
		{name: "open_questions", about: "What is not known"},
		{name: "tags", about: "Lower-case words with hyphens"},
		{name: "cites", about: "Places in the code", of: citeFields()},
		{name: "paths", about: "Files that it is about, relative to the top of the repository"},
		{name: "impact", about: "How much depends on it"},
		{name: "expires_at", about: "When it ends, as RFC 3339"},
		{name: "supersedes", about: "Packets that this one replaces"},
		{name: "provenance", about: "Who wrote it", of: []said{{name: "agent"}, {name: "model"}, {name: "confidence"}}},
	})
}

func citeFields() []said {
	return []said{{name: "path", about: "Relative to the top of the repository"}, {name: "line"}, {name: "end_line"}, {name: "note"}}
}

func privateField() field {
	return may("private", flag("Keep it in this clone: it is never sent"))
}

func redactField() field {
	return may("redact", flag("Put masks in the place of secrets"))
}

func dryRunField() field {
	return may("dry_run", flag("Check everything and store nothing"))
}

// names are the names of fields.
func names(fields []field) []string {
	var all []string
	for _, f := range fields {
		all = append(all, f.name)
	}
	return all
}

// savedShape is what a receipt is in JSON.
func savedShape() schema {
	return schema{is: isObject, open: true, fields: []field{
		need("id", text("")), need("ref", text("")), may("bytes", schema{is: isInteger}), may("parent_id", text("")),
		need("known", flag("It was stored before, nothing changed")), need("signed", flag("")), need("dry_run", flag("Nothing was stored")),
		need("findings", list("What the scan found, without the secret", 0, schema{is: isObject, open: true})),
		may("repeats", list("Records of others that it repeated, which are linked and not stored again", 0, text(""))),
		may("beside", schema{is: isObject, about: "A new thread began; this open one of the branch could be continued", open: true}),
		may("duplicates", list("Records that say the same", 0, schema{is: isObject, open: true})),
	}}
}

// errBoth says that a packet cannot continue another one and begin a thread.
var errBoth = errors.New("excludes continue")

func save(ctx context.Context, c *call) (answer, error) {
	if c.args.flag("root") && c.args.text("continue") != "" {
		return answer{}, badArgument("/root", errBoth)
	}
	data, err := c.record(ctx)
	if err != nil {
		return answer{}, err
	}
	draft, err := c.draft(ctx)
	if err != nil {
		return answer{}, err
	}
	if draft != nil {
		if data, err = reply.Over(*draft, data); err != nil {
			return answer{}, err
		}
	}
	req := gate.SaveRequest{Data: data, Continue: c.args.text("continue"), Answer: gate.Answer{Secrets: c.secrets()}, Reach: c.reach(), DryRun: c.args.flag("dry_run")}
	if c.args.flag("root") {
		req.Link = gate.Begin
	}
	in := c.session
	if draft != nil {
		in = session.Of(*draft)
	}
	r, err := session.Save(ctx, c.m, in, req)
	if err != nil {
		return answer{}, err
	}
	if who := reply.Whose(ctx, c.m, r.Beside, c.Now()); who != "" {
		c.notef("this begins a new thread of its own; with continue: %s a packet goes on with another one %s", r.Beside.ID, who)
	}
	if draft != nil && !req.DryRun {
		if err := session.CloseFinished(ctx, c.m, r); err != nil {
			return answer{}, err
		}
		if err := session.Finish(ctx, c.m, *draft); errors.Is(err, git.ErrConflict) {
			c.notef("the session of the draft went on meanwhile, and its new draft stays")
		} else if err != nil {
			return answer{}, err
		}
	}
	return c.stored(ctx, r)
}

// newestDraft asks for the last draft of this branch.
const newestDraft = "newest"

// draft is the draft that the call finishes; nil for none.
func (c *call) draft(ctx context.Context) (*draft.Draft, error) {
	spec := c.args.text("draft")
	switch spec {
	case "":
		return nil, nil //nolint:nilnil // No draft is no fault.
	case newestDraft:
		spec = ""
	}
	d, err := c.m.Drafts().Find(ctx, spec)
	if err != nil {
		return nil, err
	}
	d = reply.Anchored(d, c.m.Repo().Head.Branch)
	return &d, nil
}

// secrets is how the scan's findings are answered: they block, or are masked.
func (c *call) secrets() gate.Secrets {
	if c.args.flag("redact") {
		return gate.Hide
	}
	return gate.Refuse
}

// reach is how far a record goes.
func (c *call) reach() replay.Reach {
	if c.args.flag("private") {
		return replay.Private
	}
	return replay.Shared
}
