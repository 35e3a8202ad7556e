package main

import (
	"context"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/session"
)

// askToSave asks the agent of a session that was substantial and saved nothing to do so before it ends. The
// memory is not opened where no question is due.
func (e *env) askToSave(ctx context.Context, moment agent.Moment) error {
	repo, err := git.Find(ctx, e.dir, e.vars)
	if err != nil || !moment.Host.Hears(moment.Event) {
		return nil //nolint:nilerr // without a repository there is no memory
	}
	due, err := e.due(ctx, repo, moment)
	if err != nil || due == nil {
		return err
	}
	return e.inSession(ctx, moment, func(m *memory.Memory, _ *session.Session) error {
		text, err := due.Put(ctx, m, e.now(), e.entropy)
		if err != nil {
			return err
		}
		answer, err := moment.Host.Answer(moment.Event, text)
		if err == nil && len(answer) > 0 {
			_, err = e.stdout.Write(answer)
		}
		return err
	})
}

// question is what a session is asked at a start that follows a summary; "" for nothing.
func (e *env) question(ctx context.Context, m *memory.Memory, moment agent.Moment) (string, error) {
	due, err := e.due(ctx, m.Repo(), moment)
	if err != nil || due == nil {
		return "", err
	}
	return due.Put(ctx, m, e.now(), e.entropy)
}

func (e *env) due(ctx context.Context, repo *git.Repo, moment agent.Moment) (*session.Question, error) {
	return session.Due(ctx, repo.Local(), moment, e.getenv, regular(moment.Transcript), e.now())
}
