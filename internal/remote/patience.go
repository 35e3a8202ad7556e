package remote

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
)

const (
	noticeAge     = 2 * time.Second  // noticeAge is how long a remote may be silent before that is said.
	silenceLimit  = 60 * time.Second // silenceLimit is how long it may be silent, where nothing else is configured.
	remoteTimeout = "ltm.remoteTimeout"
)

// Patience is what is done about a remote that sends nothing. The zero value waits for ever and
// says nothing.
type Patience struct {
	Limit   time.Duration             // after how long the exchange is given up; 0 for never
	Endless bool                      // at the limit it is only said
	Say     func(since time.Duration) // says how long nothing came, first after two seconds; nil says nothing
}

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

// await lets an exchange end with its remote where that is silent. The error of what was under way
// then becomes the reason.
func (x *exchange) await(ctx context.Context) (_ context.Context, end func(error) error) {
	p := x.request.Patience
	ages := []time.Duration{noticeAge}
	if p.Limit > 0 {
		ages = append(ages, p.Limit)
	}
	if p.Limit > 0 && p.Limit <= noticeAge {
		ages = ages[1:]
	}
	ctx, cancel := context.WithCancelCause(ctx)
	x.repo = x.repo.Watched(git.Watch{Ages: ages, Silent: func(since time.Duration) {
		if since == p.Limit && !p.Endless {
			cancel(&SilentError{x.request.Remote, since})
		} else if p.Say != nil {
			p.Say(since)
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
