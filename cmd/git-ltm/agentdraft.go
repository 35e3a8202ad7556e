package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"slices"
	"time"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/draft"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/program"
	"github.com/git-ltm/git-ltm/internal/session"
	"github.com/git-ltm/git-ltm/internal/transcript"
)

// draftMark is the variable that tells the process which writes the draft from the one that an agent waits
// for.
const draftMark = "GIT_LTM_DRAFT"

// draftPatience is how long the draft of a session may take, with those before it. A model that works on one
// takes ten minutes at most.
const draftPatience = 30 * time.Minute

// leaveDraft lets a process of its own write the draft of a session, and ends at once: agents give the end of
// a session a second, and end the processes that they know.
func (e *env) leaveDraft(ctx context.Context, moment agent.Moment, data []byte) error {
	repo, err := git.Find(ctx, e.dir, e.vars)
	if err != nil {
		return nil //nolint:nilerr // without a repository there is no memory
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return program.Detached{
		Program: self, Args: []string{"git-ltm", "hook", string(moment.Host), string(moment.Event)},
		Dir: repo.Dir, Env: append(slices.Clip(e.vars), draftMark+"=1"), Input: data,
	}.Start()
}

// drafts tells whether this process is the one that writes drafts.
func (e *env) drafts() bool {
	mark, _ := e.getenv(draftMark)
	return mark != ""
}

// keepDraft lets memory travel, and writes the draft of a session while no other process of this clone writes
// one.
func (e *env) keepDraft(ctx context.Context, moment agent.Moment, data []byte) error {
	repo, err := git.Find(ctx, e.dir, e.vars)
	if err != nil {
		return nil //nolint:nilerr // without a repository there is no memory
	}
	travels := e.letTravel(ctx, repo, moment.Event) // At once: nothing of a draft is ever sent.
	release, err := e.draftTurn(ctx, repo.Local(), moment)
	if err == nil && release != nil {
		err = errors.Join(e.writeDraft(ctx, moment, data), release())
	}
	return errors.Join(err, travels)
}

// draftTurn waits for the other process that writes a draft, which may read a transcript of hundreds of
// megabytes. It returns nothing where one waits already for this event of the session: that one reads its
// transcript later than now.
func (e *env) draftTurn(ctx context.Context, dir *local.Dir,
	moment agent.Moment,
) (release func() error, err error) {
	if regular(e.transcriptAt(moment)) != "" {
		sum := sha256.Sum256(
			[]byte(string(moment.Host) + "\x00" + moment.Session + "\x00" + string(moment.Event)))
		waits, locked := dir.OwnFile("draft-" + hex.EncodeToString(sum[:8]) + ".again").TryLock()
		if errors.Is(locked, local.ErrLocked) {
			return nil, nil //nolint:nilnil // Its turn is that of the other.
		}
		if locked != nil {
			return nil, locked
		}
		defer func() { err = errors.Join(err, waits()) }()
	}
	return dir.OwnFile("draft.lock").Lock(ctx, draftPatience)
}

// writeDraft writes the draft of a session. Of one whose transcript has no form that is known, it is what
// hooks saw.
func (e *env) writeDraft(ctx context.Context, moment agent.Moment, data []byte) error {
	return e.inSession(ctx, moment, func(m *memory.Memory, s *session.Session) error {
		req := e.left(ctx, moment, data)
		req.Failures = s.Failures()
		if empty := req.Transcript == "" && req.Source == nil && req.Summary == ""; empty {
			if kept, err := isDrafted(ctx, m, req); kept || err != nil {
				return err
			}
		}
		var refused error
		if moment.Event == agent.SessionEnd { // At every stop a model would be asked again and again.
			req.Refine, refused = session.Refiner(ctx, m, e.vars)
		}
		_, err := session.Keep(ctx, m, req)
		if errors.Is(err, session.ErrForm) {
			req.Host, req.Transcript = transcript.Format(moment.Host), ""
			_, err = session.Keep(ctx, m, req)
		}
		if errors.Is(err, session.ErrNothing) {
			return nil
		}
		return errors.Join(err, refused)
	})
}

// left is what a session left behind. What a host hands over of a session without a file is its transcript;
// that of Cursor has the form of one of the others, if any.
func (e *env) left(ctx context.Context, moment agent.Moment, data []byte) session.KeepRequest {
	req := session.KeepRequest{
		Host: transcript.Format(moment.Host), Session: moment.Session, Summary: moment.Summary, Now: e.now(),
		Transcript: e.transcriptOf(ctx, moment),
	}
	switch {
	case moment.Host == agent.OpenCode && req.Transcript == "":
		req.Source = bytes.NewReader(data)
	case moment.Host == agent.Cursor && req.Transcript != "":
		req.Host = ""
	}
	return req
}

// isDrafted tells whether an earlier moment of a session left a draft. One that knows less would take its
// place.
func isDrafted(ctx context.Context, m *memory.Memory, req session.KeepRequest) (bool, error) {
	drafts, err := m.Drafts().All(ctx)
	return slices.ContainsFunc(drafts, func(d draft.Draft) bool {
		return d.Host == string(req.Host) && d.Session == req.Session
	}), err
}
