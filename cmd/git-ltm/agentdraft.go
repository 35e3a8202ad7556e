package main

import (
	"context"
	"os"
	"slices"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/git"
)

// draftMark is the variable that tells the process which writes the draft from the one that an agent waits for.
const draftMark = "GIT_LTM_DRAFT"

// leaveDraft lets a process of its own write the draft of a session, and ends at once: agents give the end of a session a second,
// and end the processes that they know.
func (e *env) leaveDraft(ctx context.Context, moment agent.Moment, data []byte) error {
	if mark, _ := e.getenv(draftMark); mark != "" {
		return e.keepDraft(context.WithoutCancel(ctx), moment)
	}
	repo, err := git.Find(ctx, e.dir, e.vars)
	if err != nil {
		return nil //nolint:nilerr // Without a repository there is no memory.
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	return git.Detached{
		Program: program, Args: []string{"git-ltm", "hook", string(moment.Host), string(moment.Event)},
		Dir: repo.Dir, Env: append(slices.Clip(e.vars), draftMark+"=1"), Input: data,
	}.Start()
}

// keepDraft writes the draft of a session.
func (e *env) keepDraft(context.Context, agent.Moment) error { return nil }
