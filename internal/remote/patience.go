package remote

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
)

const (
	noticeAge     = 2 * time.Second  // noticeAge is how long a remote may be silent before that is said.
	silenceLimit  = 60 * time.Second // silenceLimit is how long it may be silent, where nothing else is configured.
	remoteTimeout = "ltm.remoteTimeout"
)

// Patience is what is done about a remote that sends nothing. The zero value waits for ever and
// says nothing.
type Patience struct {
	Limit   time.Duration                         // after how long the exchange is given up; 0 for never
	Endless bool                                  // at the limit it is only said
	Say     func(since time.Duration, of Awaited) // says how long nothing came, first after two seconds; nil says nothing
}

// Awaited is what an exchange waits for.
type Awaited int

// What an exchange waits for.
const (
	TheRemote  Awaited = iota // the remote sends nothing
	AnotherOne                // another process of this clone exchanges with it
)

// SilenceLimit is how long a remote may be silent: ltm.remoteTimeout in seconds, where 0 has no
// limit.
func SilenceLimit(config git.Config) (time.Duration, error) {
	text, ok := config.Get(remoteTimeout)
	if !ok {
		return silenceLimit, nil
	}
	seconds, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return 0, fmt.Errorf("%s: %q is no number of seconds", remoteTimeout, text)
	}
	return time.Duration(seconds) * time.Second, nil
}

// SilentError is a remote that was given up because nothing came from it.
type SilentError struct {
	Remote string
	Since  time.Duration
}

func (e *SilentError) Error() string {
	return fmt.Sprintf("remote %q sent nothing for %d s, and was given up", e.Remote, int(e.Since.Seconds()))
}

// BusyError is an exchange that was given up because another one of this clone with the same remote did not end.
type BusyError struct {
	Remote string
	Since  time.Duration
}

func (e *BusyError) Error() string {
	return fmt.Sprintf("another exchange of this clone with %q has not ended for %d s, so this one did not begin", e.Remote, int(e.Since.Seconds()))
}

// alone waits until no other process of this clone exchanges with the remote.
func (x *exchange) alone(ctx context.Context) (err error) {
	p, waited := x.request.Patience, time.Duration(0)
	for _, age := range p.ages() {
		if x.release, err = x.store.Exchanging(ctx, x.request.Remote, age-waited); !errors.Is(err, local.ErrLocked) {
			return err
		}
		if waited = age; age == p.Limit && !p.Endless {
			return &BusyError{x.request.Remote, age}
		}
		if p.Say != nil {
			p.Say(age, AnotherOne)
		}
	}
	x.release, err = x.store.Exchanging(ctx, x.request.Remote, math.MaxInt64)
	return err
}

// ages are how long nothing came when that is said, or ends an exchange, the shortest first.
func (p Patience) ages() []time.Duration {
	switch {
	case p.Limit == 0:
		return []time.Duration{noticeAge}
	case p.Limit <= noticeAge:
		return []time.Duration{p.Limit}
	default:
		return []time.Duration{noticeAge, p.Limit}
	}
}

// await lets an exchange end with its remote where that is silent. The error of what was under way
// then becomes the reason.
func (x *exchange) await(ctx context.Context) (_ context.Context, end func(error) error) {
	p := x.request.Patience
	ctx, cancel := context.WithCancelCause(ctx)
	x.repo = x.repo.Watched(git.Watch{Ages: p.ages(), Silent: func(since time.Duration) {
		if since == p.Limit && !p.Endless {
			cancel(&SilentError{x.request.Remote, since})
		} else if p.Say != nil {
			p.Say(since, TheRemote)
		}
	}})
	return ctx, func(err error) error {
		defer cancel(nil)
		if silent, ok := errors.AsType[*SilentError](context.Cause(ctx)); ok && err != nil {
			return silent
		}
		return err
	}
}
