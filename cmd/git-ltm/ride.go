package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/program"
	"github.com/git-ltm/git-ltm/internal/remote"
)

// rideMark is the variable that keeps a ride from starting another one. Its value is the process of the push.
const rideMark = "GIT_LTM_RIDE"

func newRideAlong(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "ride-along [REMOTE]",
		Short: "Let memory go along with a push",
		Long: "Ride-along starts 'git ltm sync' for the remote of memory in a process of its own, and ends at once: the push neither\n" +
			"waits for it nor fails with it. It is for managers of hooks that hand no standard input on; the hook pre-push does the\n" +
			"same once its guard has passed. Without ltm.autoSync = true, or where REMOTE is not the remote of memory, it does\n" +
			"nothing. It never sends the very first memory to a remote.\n\n" +
			"'git ltm status' tells where a ride went wrong.\n\nExit codes: 0 always, but 2 for wrong usage.",
		Example: "  git ltm init --ride-along\n  git-ltm hook ride-along \"$1\"",
		Args:    arguments(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := ""
			if len(args) > 0 {
				name = args[0]
			}
			e.rideAlong(cmd.Context(), name)
			return nil
		},
	}
}

// rideAlong starts a ride after a push was let through. A push never fails for it: what is wrong is a warning.
func (e *env) rideAlong(ctx context.Context, pushed string) {
	if err := e.startRide(ctx, pushed); err != nil && !errors.Is(err, git.ErrNotRepository) && !errors.Is(err, remote.ErrNone) {
		e.warnf("memory does not ride along: %v", err)
	}
}

// startRide starts a ride where the user wants one for the remote that is pushed to; "" is any.
func (e *env) startRide(ctx context.Context, pushed string) error {
	if mark, _ := e.getenv(rideMark); mark != "" {
		return nil
	}
	repo, err := git.Find(ctx, e.dir, e.vars)
	if err != nil || !repo.MaybeSet(remote.AutoSync) {
		return err
	}
	config, err := repo.Config(ctx)
	if err != nil {
		return err
	}
	if wanted, err := config.Bool(remote.AutoSync, false); err != nil || !wanted {
		return err
	}
	name, err := remote.Default(ctx, repo, config)
	if err != nil || pushed != "" && pushed != name {
		return err
	}
	push := git.PushAbove()
	if push.DryRun {
		return nil
	}
	return startBeside(repo, config, []string{rideMark + "=" + strconv.Itoa(push.PID)}, "sync", "--ride", "--", name)
}

// besides gives sync the flags with which this program starts it in the background, with nobody to ask and telling nobody but
// git ltm status.
func (e *env) besides(sync *cobra.Command) *cobra.Command {
	for flag, beside := range map[string]func(context.Context, string) error{"ride": e.ride, "count": e.count} {
		var wanted bool
		run := sync.RunE
		sync.RunE = func(cmd *cobra.Command, names []string) error {
			switch {
			case !wanted:
				return run(cmd, names)
			case len(names) != 1:
				return usagef("--%s takes one remote", flag)
			}
			return beside(cmd.Context(), names[0])
		}
		sync.Flags().BoolVar(&wanted, flag, false, "as hooks do: with nobody to ask, telling git ltm status alone")
		_ = sync.Flags().MarkHidden(flag) // It is there.
	}
	return sync
}

// How long a ride waits for the push to be over, and how often it looks.
const (
	pushPatience = 30 * time.Second
	pushLook     = 100 * time.Millisecond
)

// ride exchanges memory once the push is over, and keeps what became of it.
func (e *env) ride(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(ctx, remote.RideLimit)
	defer cancel()
	e.awaitPush(ctx)
	repo, err := git.Open(ctx, e.dir, e.vars)
	if err != nil {
		return err
	}
	var failure error
	err = remote.OneRide(repo, func() {
		ride := remote.Ride{Remote: name, Began: e.now()}
		if last, ok, err := remote.LastRide(repo); ok && err == nil && last.Remote == name {
			ride.Good = last.Good
		}
		failure = remote.KeepRide(repo, ride)
		if err := e.rideOnce(ctx, &ride); err != nil {
			ride.Error = e.shortened(err)
		}
		ride.Ended = e.now()
		if ride.Error == "" {
			ride.Good = ride.Ended
		}
		failure = errors.Join(failure, remote.KeepRide(repo, ride))
	})
	return errors.Join(err, failure)
}

// awaitPush waits until the push is over, though not for long. It goes on in either case.
func (e *env) awaitPush(ctx context.Context) {
	mark, _ := e.getenv(rideMark)
	pid, err := strconv.Atoi(mark)
	if err != nil || pid <= 1 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, pushPatience)
	defer cancel()
	for !program.Ended(pid) {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pushLook):
		}
	}
}

// rideOnce is one exchange. It never says yes to what a person should be asked.
func (e *env) rideOnce(ctx context.Context, ride *remote.Ride) error {
	return e.use(ctx, func(m *memory.Memory) error {
		e.rules, _ = m.Rules(ctx) // Where they cannot be read, nothing is judged either.
		config, err := m.Config(ctx)
		if err != nil {
			return err
		}
		if err := remote.MayRide(ctx, m.Repo(), config, ride.Remote); err != nil {
			return err
		}
		patience, err := e.patience(ctx, m, ride.Remote, e.progress("records judged"))
		if err != nil {
			return err
		}
		out, err := remote.Sync(ctx, m, remote.Request{Remote: ride.Remote, Way: remote.Both, Patience: patience})
		ride.Pulled, ride.Pushed, ride.Withheld = len(out.Pulled), len(out.Pushed), len(out.Withheld)
		return err
	})
}

// longestFault is how much of an error is kept.
const longestFault = 1000

// shortened is an error fit to be kept and shown: one line, clean, without a secret, not long.
func (e *env) shortened(err error) string {
	text := []rune(e.printable(e.rules.Public(err.Error())))
	if len(text) > longestFault {
		text = append(text[:longestFault], '…')
	}
	return string(text)
}

// rideStatus is the JSON shape of the last ride.
type rideStatus struct {
	remote.Ride
	Fault string `json:"fault,omitempty"` // why a person should look, as long as nothing was exchanged since
}

// lastRide returns the last ride, or nil.
func (e *env) lastRide(repo *git.Repo) (*rideStatus, error) {
	r, ok, err := remote.LastRide(repo)
	if err != nil || !ok {
		return nil, err
	}
	r.Remote, r.Error = e.printable(r.Remote), e.printable(r.Error)
	return &rideStatus{Ride: r, Fault: e.printable(r.Fault(e.now()))}, nil
}

// describe says what a person should know of the last ride, or nothing.
func (r *rideStatus) describe(now time.Time) string {
	switch {
	case r == nil:
		return ""
	case r.Fault != "":
		return fmt.Sprintf("it did not go with the push to %s %s: %s; git ltm sync %s", r.Remote, briefing.Age(r.Began, now), r.Fault, r.Remote)
	case r.Withheld > 0 && !r.Good.After(r.Ended):
		return fmt.Sprintf("%d record(s) were withheld: git ltm sync %s says why", r.Withheld, r.Remote)
	default:
		return ""
	}
}
