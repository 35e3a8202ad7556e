package main

import (
	"context"
	"fmt"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/upstream"
)

// settleSharing says that memory travels by itself between this clone and its upstream, lets it, and fetches
// once, so that the very first session has the memory.
func (e *env) settleSharing(ctx context.Context, repo *git.Repo, u upstream.Upstream, o setupOptions) error {
	before := u
	if o.shareSaid {
		u.NoShare = o.noShare
	}
	u.Share, u.Public = !u.NoShare, u.Public || o.public
	if u != before && !o.dryRun {
		if err := u.Fix(repo); err != nil {
			return err
		}
	}
	switch place := u.Remote + " (" + reply.Address(u.URL) + ")"; {
	case !u.Share && (before.Share || o.shareSaid):
		e.say("hint", "memory of this clone does not travel by itself; on again: git ltm setup "+
			"--no-share=false")
		if o.noShare {
			e.say("hint", "only 'git ltm sync' and 'git ltm push' send from now on; what "+u.Remote+
				" has already stays there: 'git ltm purge ID' removes it")
		}
	case u.Share && e.inCI():
		e.say("hint", "the variable CI is set, so that nothing travels by itself here: 'git ltm sync' in a job does")
	case u.Share && u != before:
		e.say("hint", "memory of this clone is fetched when a session starts and pushed when one ends, to "+
			place+"; off: git ltm setup --no-share")
	}
	if !u.Share || o.dryRun || e.inCI() {
		return nil
	}
	return e.fetchFirst(ctx, repo, u)
}

// How long setup waits for the first memory, how often it looks, and after how long it says so.
const (
	firstPatience = 10 * time.Second
	firstLook     = 25 * time.Millisecond
	firstNotice   = time.Second
)

// fetchFirst lets memory travel as at the start of a session, and waits for that, though not for long. What
// goes wrong is said, and no reason to fail.
func (e *env) fetchFirst(ctx context.Context, repo *git.Repo, u upstream.Upstream) error {
	last, err := remote.LastTravel(repo, u)
	if last.Failed > 0 && err == nil { // The person may just have mended that.
		last.Failed, last.Began, last.Ended = 0, time.Time{}, time.Time{}
		err = last.Keep(repo)
	}
	if err != nil || !last.IsDue(remote.AtStart, e.now()) {
		return err
	}
	if err := startTravel(repo, remote.AtStart); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, firstPatience)
	defer cancel()
	for waited := time.Duration(0); ; waited += firstLook {
		now, err := remote.LastTravel(repo, u)
		switch {
		case err != nil:
			return err
		case now.Ended.IsZero() || !now.Began.After(last.Began):
		case now.Error != "":
			e.warnf("nothing was fetched from %s: %s; it is tried again when a session starts", u.Remote,
				now.Error)
			return nil
		default:
			if now.Pulled > 0 {
				e.say("hint", fmt.Sprintf("fetched %s from %s", counted(now.Pulled, "record"), u.Remote))
			}
			return nil
		}
		if waited == firstNotice {
			// Nobody decides by it.
			_, _ = fmt.Fprintf(e.stderr, "git-ltm: waiting for %s, 10 s at most\n", e.printable(u.Remote))
		}
		select {
		case <-ctx.Done():
			e.say("hint", u.Remote+" has not answered yet; what it holds is there as soon as it does")
			return nil
		case <-time.After(firstLook):
		}
	}
}
