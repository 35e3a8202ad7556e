package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/draft"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/session"
)

// unfinishedError is a draft that lacks what a packet needs.
type unfinishedError struct {
	id  packet.ID
	err error
}

func (e *unfinishedError) Error() string { return e.err.Error() }

func (e *unfinishedError) Unwrap() error { return e.err }

// draftOutcomes says what the errors of drafts mean.
func draftOutcomes() []rule {
	const another = "'git ltm distill' makes one of the last session here, and 'git ltm distill --list' lists them"
	return []rule{
		{
			isA[*unfinishedError],
			outcome{
				codeInvalid,
				"say what is missing: 'git ltm save --draft --goal TEXT --next TEXT'; on a terminal " +
					"without flags your editor opens",
			},
		},
		{is(draft.ErrNoDraft), outcome{codeNotFound, another}},
		{is(draft.ErrUserDraft), outcome{codeUsage, ""}},
		{is(session.ErrNothing), outcome{codeNotFound, "only a session that did something leaves a draft"}},
		{is(session.ErrForm), outcome{codeInvalid, "name the client with --format"}},
		{
			is(errNoTranscript),
			outcome{
				codeNotFound,
				"name the file, or run it where the session worked; OpenCode prints one with 'opencode " +
					"export ID', which '-' reads",
			},
		},
	}
}

// saveDraft makes a packet of a draft, and drops the draft when it is stored.
func (e *env) saveDraft(ctx context.Context, m *memory.Memory, o saveOptions, args []string) error {
	spec := ""
	if len(args) > 0 {
		spec = args[0]
	}
	d, err := command.FindDraft(ctx, m, spec)
	if err != nil {
		return err
	}
	if on := d.Branch(); spec == "" && on != "" && on != m.Repo().Head.Branch {
		e.say("hint", "this branch has no draft, so this is the last one of "+clean.Line(on))
	}
	if !o.used() && e.terminal(e.stdin) {
		return e.editDraft(ctx, m, o, *d)
	}
	said, err := o.packet(m.Repo().Prefix)
	if err != nil {
		return err
	}
	data, err := reply.Over(*d, said)
	if err != nil {
		return err
	}
	return unfinished(*d, e.saveData(ctx, m, o, d, data))
}

// unfinished tells what a draft lacks from what else may be wrong with it.
func unfinished(d draft.Draft, err error) error {
	if invalid, ok := errors.AsType[*packet.InvalidError](err); ok {
		for _, p := range invalid.Problems {
			if p.Path == "/goal" || p.Path == "/next_step" {
				return &unfinishedError{d.ID, err}
			}
		}
	}
	return err
}

// editDraft lets the person finish a draft. What they wrote is kept until it is stored.
func (e *env) editDraft(ctx context.Context, m *memory.Memory, o saveOptions, d draft.Draft) error {
	file := filepath.Join(m.Repo().GitDir, "ltm", "EDIT_DRAFT_"+string(d.ID))
	members, err := draftMembers(d)
	if err != nil {
		return err
	}
	data, err := e.edited(ctx, file, "text", func() ([]byte, error) {
		return append([]byte(e.draftHelp(d)), writeForm(formOf(packet.KindPacket), members)...), nil
	})
	if err != nil {
		return err
	}
	if len(bytes.TrimSpace(data)) == 0 {
		e.say("hint", "nothing was left, so nothing was stored; the draft stays")
		return os.Remove(file)
	}
	data, err = filled(data, members)
	if err == nil {
		err = e.saveData(ctx, m, o, &d, data)
	}
	if err != nil {
		e.say("hint", "your text is kept in "+file+"; 'git ltm save --draft "+string(d.ID)+"' opens it again")
		return unfinished(d, err)
	}
	if o.dryRun {
		return nil
	}
	return os.Remove(file)
}
