package main

import (
	"context"
	"errors"
	"strings"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/session"
)

// inSession opens the memory for a session. Where there is no repository, there is nothing to say.
func (e *env) inSession(ctx context.Context, moment agent.Moment,
	do func(*memory.Memory, *session.Session) error,
) error {
	m, err := memory.Open(ctx,
		memory.Options{
			Dir: e.dir, Env: e.vars, Now: e.now, Entropy: e.entropy, Offline: true,
			Unattended: true,
		})
	if errors.Is(err, git.ErrNotRepository) || errors.Is(err, git.ErrUnsafe) || errors.Is(err, git.ErrNoGit) {
		return nil
	}
	if err != nil {
		return err
	}
	if err = do(m, e.session(m, nil, moment)); err != nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), faultPatience)
		defer cancel()
		e.rules, _ = m.Rules(ctx) // What went wrong may hold a secret of the house.
	} else {
		session.HealFault(m.Repo().Local(), string(moment.Host), string(moment.Event))
	}
	return errors.Join(err, m.Close())
}

func (e *env) session(m *memory.Memory, r *recall.Recall, moment agent.Moment) *session.Session {
	return session.New(session.Options{Memory: m, Recall: r, Now: e.now, Entropy: e.entropy, Moment: moment})
}

// inform tells a session what it is to know at a moment.
func (e *env) inform(ctx context.Context, m *memory.Memory, moment agent.Moment) (err error) {
	if !moment.Host.Listens(moment.Event) {
		return nil
	}
	r, err := e.known(ctx, m)
	if err != nil {
		return err
	}
	if r != nil {
		defer func() { err = errors.Join(err, r.Close()) }()
	}
	s := e.session(m, r, moment)
	if moment.Event == agent.SessionStart {
		ask := s.AskAtStart
		if moment.Source == "compact" {
			ask = func(ctx context.Context) (string, error) { return e.question(ctx, m, moment) }
		}
		text, failed := ask(ctx)
		s.Also(text)
		defer func() { err = errors.Join(err, failed) }()
	}
	answer, err := s.Answer(ctx)
	if err == nil && len(answer) == 0 && moment.Event == agent.SessionStart {
		answer, err = firstContact(ctx, r, s, moment)
	}
	if err == nil && moment.Host.TellsPerson(moment.Event) {
		var lines, others string
		if lines, err = s.NewDrafts(ctx); err == nil {
			others, err = e.newArrivals(ctx, m, r)
		}
		if err == nil {
			answer, err = moment.Host.Say(moment.Event, answer, strings.TrimSpace(lines+"\n"+others))
		}
	}
	if err == nil && len(answer) > 0 {
		_, err = e.stdout.Write(answer)
	}
	return err
}

// known makes the memory ready for questions, or returns nil where it holds nothing: no index is made for
// that.
func (e *env) known(ctx context.Context, m *memory.Memory) (*recall.Recall, error) {
	if !recall.IsIndexed(m) && m.User(ctx) == nil && !recall.HasDrafts(m) {
		listed, err := m.Source().Listing(ctx)
		if err != nil || len(listed) == 0 {
			return nil, err
		}
	}
	return recall.Open(ctx, m, recall.Options{Now: e.now})
}

// firstContact tells a session that nothing of what is here is trusted.
func firstContact(ctx context.Context, r *recall.Recall, s *session.Session,
	moment agent.Moment,
) ([]byte, error) {
	if moment.Source == "resume" || r == nil {
		return nil, nil
	}
	heard, err := r.Heard(ctx, replay.Unasked)
	if text := unheard(heard); err == nil && text != "" && s.Once("unheard") {
		return moment.Host.Answer(moment.Event, text)
	}
	return nil, err
}
