package main

import (
	"context"
	"errors"
	"os"
	"runtime/debug"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/program"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/upstream"
)

// fetchAtStart fetches what the remote holds when a session starts, where setup said so, and waits for that
// a little where the remote answered quickly before. A session that goes on, summed up or resumed, asks no
// sooner than any that is at work, and waits for nothing. It reports whether memory travels here at all.
func fetchAtStart(ctx context.Context, e *env, m *memory.Memory,
	moment agent.Moment,
) (travels bool, err error) {
	repo := m.Repo()
	u, ok, err := upstream.Of(repo)
	if err != nil || !ok || !u.Share || e.inCI() {
		return false, err
	}
	last, err := remote.LastTravel(repo, u)
	goesOn := moment.Source == "compact" || moment.Source == "resume"
	if err != nil || !last.IsDue(remote.AtStart, e.now()) || goesOn && !last.IsDue(remote.Between, e.now()) {
		return true, err
	}
	if goesOn || !last.IsQuick() {
		_, err = startTravel(repo, remote.AtStart)
		return true, err
	}
	wait, cancel := context.WithTimeout(ctx, remote.StartWait)
	defer cancel()
	if news, failed := askForNews(wait, e, m, u); failed == nil && !news {
		return true, nil
	}
	// It asks once more, and notes what goes wrong.
	ended, err := startTravel(repo, remote.AtStart)
	if err != nil {
		return true, err
	}
	select {
	case <-ended:
	case <-wait.Done():
	}
	return true, ctx.Err()
}

// askForNews asks the upstream whether it lists anything that the last exchange did not see, unless another
// process lets memory travel: what that brings is told when it is here.
func askForNews(ctx context.Context, e *env, m *memory.Memory, u upstream.Upstream) (news bool, err error) {
	config, err := m.Config(ctx)
	if err == nil {
		err = remote.MayTravel(m.Repo(), config, u)
	}
	if err != nil {
		return false, err
	}
	repo, err := git.Find(ctx, e.dir, git.Unattended(e.vars, config))
	if err != nil {
		return false, err
	}
	return news, remote.TravelAlone(repo, remote.AtStart, func(remote.When) error {
		before, err := remote.LastTravel(repo, u)
		if err != nil || !before.IsDue(remote.AtStart, e.now()) {
			return err
		}
		t := before.Begin(e.now())
		if err := t.Keep(repo); err != nil {
			return err // What cannot be noted is not done.
		}
		if news, err = t.HasNews(ctx, repo, u); news || err != nil {
			return errors.Join(err, before.Keep(repo))
		}
		t.Failed, t.Good, t.Ended = 0, e.now(), e.now()
		return t.Keep(repo)
	})
}

// letTravel lets memory travel when an agent has answered or a session ends, where setup said so and it is
// due, in a process for which nobody waits. What an agent saved last goes when nothing is done any more: not
// every host says that a session ends.
func letTravel(ctx context.Context, e *env, repo *git.Repo, event agent.Event) error {
	when := remote.Between
	if event == agent.SessionEnd {
		when = remote.AtEnd
	}
	u, ok, err := upstream.Of(repo)
	if err != nil || !ok || !u.Share {
		return err
	}
	last, err := remote.LastTravel(repo, u)
	if err != nil {
		return err
	}
	if last.IsDue(when, e.now()) {
		_, err = startTravel(repo, when)
	}
	if err != nil || when != remote.Between || last.Held {
		return err
	}
	if waits, err := remote.Stir(repo, e.now()); err != nil || waits {
		return err
	}
	if unsent, err := remote.Unsent(ctx, repo, u.Remote); err != nil || unsent == "" || unsent == last.Left {
		return err
	}
	_, err = startTravel(repo, remote.Quiet)
	return err
}

// startTravel lets memory travel in a process of its own, which asks nobody for anything.
func startTravel(repo *git.Repo, when remote.When) (ended <-chan struct{}, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	dir := repo.WorkTree
	if dir == "" {
		dir = repo.GitDir
	}
	return program.Detached{
		Program: self, Args: []string{"git-ltm", "sync", "--travel", string(when)},
		Dir: dir, Env: repo.EnvOutside(),
	}.Start()
}

// inCI tells the machines that run jobs. What a job saves goes out where the job says so.
func (e *env) inCI() bool {
	v, _ := e.getenv("CI")
	return v != "" && v != "0" && v != "false"
}

// travelMemory is where the process begins to collect its garbage at once.
const travelMemory = 200 << 20

// runTravel exchanges memory with the upstream at a moment of a session, and keeps what became of
// it. It asks no
// person for anything.
func runTravel(ctx context.Context, e *env, when remote.When) error {
	debug.SetMemoryLimit(travelMemory)
	repo, err := git.Open(ctx, e.dir, e.vars)
	if err != nil || e.inCI() {
		return err
	}
	if when == remote.Quiet {
		if alone, err := remote.AwaitQuiet(ctx, repo, e.now); err != nil || !alone {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, remote.TravelLimit)
	defer cancel()
	defer program.EndSession() // A program that git started may outlive it, and wait for a server.
	return remote.TravelAlone(repo, when, func(when remote.When) error {
		u, ok, err := upstream.Of(repo)
		if err != nil || !ok || !u.Share {
			return err
		}
		t, err := remote.LastTravel(repo, u)
		if err != nil || !t.IsDue(when, e.now()) {
			return err
		}
		if when == remote.AtEnd || when == remote.Quiet {
			if unsent, err := remote.Unsent(ctx, repo, u.Remote); err != nil || unsent == "" ||
				unsent == t.Left {
				return err
			}
		}
		t = t.Begin(e.now())
		if err := t.Keep(repo); err != nil {
			return err // What cannot be noted is not done.
		}
		if err := travelOnce(ctx, e, repo, u, when, &t); err != nil {
			t.Error = shortenFault(e, err)
		} else {
			t.Failed, t.Good = 0, e.now()
		}
		t.Ended = e.now()
		return t.Keep(repo)
	})
}

// travelOnce is one exchange, and what makes its news quick to find. It never says yes to what a person
// should be asked.
func travelOnce(ctx context.Context, e *env, repo *git.Repo, u upstream.Upstream, when remote.When,
	t *remote.Travel,
) error {
	config, err := repo.Config(ctx)
	if err != nil {
		return err
	}
	if err := remote.MayTravel(repo, config, u); err != nil {
		return err
	}
	limit, err := remote.SilenceLimit(config)
	if err != nil {
		return err
	}
	own := *e
	own.vars = git.Unattended(e.vars, config)
	err = own.useMemory(ctx, func(m *memory.Memory) error {
		own.rules, _ = m.Rules(ctx) // Where they cannot be read, nothing is judged either.
		way, err := t.Ways(ctx, m.Repo(), config, u, when)
		if err != nil {
			return err
		}
		request := remote.Request{
			Remote: u.Remote, Way: way, Public: true,
			Patience: remote.Patience{Limit: limit},
		}
		request.Alone, request.Young = true, when.Young()
		if request.Young > 0 {
			request.Until = e.now()
		}
		out, err := remote.Sync(ctx, m, request)
		if way == remote.Both {
			t.Left = ""
		}
		if err == nil && way == remote.Both && out.Young+len(out.Withheld) == 0 {
			t.Left, err = remote.Unsent(ctx, m.Repo(), u.Remote)
		}
		t.Pulled, t.Pushed, t.Withheld = len(out.Pulled), len(out.Pushed), len(out.Withheld)
		if err == nil && len(out.Pushed)+len(out.Deleted) == 0 {
			t.Listed = out.Listed
		}
		if err == nil {
			_, err = noteArrived(ctx, e, m, out, u.Remote)
		}
		if err != nil || len(out.Pulled) == 0 {
			return err
		}
		return recall.Refresh(ctx, m, recall.Options{Now: e.now})
	})
	e.rules = own.rules
	return err
}

// longestFault is how much of an error is kept.
const longestFault = 1000

// shortenFault is an error fit to be kept and shown: one line, clean, without a secret, not long.
func shortenFault(e *env, err error) string {
	text := []rune(e.printable(e.rules.Public(err.Error())))
	if len(text) > longestFault {
		text = append(text[:longestFault], '…')
	}
	return string(text)
}

// sharingOf returns how memory travels by itself, or nil where no upstream was fixed. A fault is also what
// stops the next exchange.
func sharingOf(e *env, repo *git.Repo, config git.Config) (*command.Sharing, error) {
	u, ok, err := upstream.Of(repo)
	if err != nil || !ok {
		return nil, err
	}
	t, err := remote.LastTravel(repo, u)
	if err != nil {
		return nil, err
	}
	fault := t.Fault(e.now())
	if fault == "" && u.Share {
		if err := remote.MayTravel(repo, config, u); err != nil {
			fault = err.Error()
		}
	}
	t.URL, t.Error, t.Open = e.printable(t.URL), e.printable(t.Error), e.printable(t.Open)
	return &command.Sharing{
		Remote: e.printable(u.Remote), On: u.Share, Off: u.NoShare, Travel: t,
		Fault: e.printable(fault),
	}, nil
}
