package remote

import (
	"context"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// A settlement is what both sides were when an exchange had nothing to do in any way. The next one that finds them so has nothing to
// do either, and reads neither of the two lists.
type settlement struct {
	Ours     string `json:"ours"`   // a stamp of what this clone holds and has taken out
	Theirs   string `json:"theirs"` // the sum of what the remote listed
	Records  int    `json:"records"`
	Archives int    `json:"archives"`
}

// settledFile is where it is kept. It is a help: without it the next exchange compares the lists.
func (x *exchange) settledFile() local.File {
	return x.repo.Local().File("settled-" + refs.FileOf(x.request.Remote))
}

// settles tells the exchanges of which a settlement says that they have nothing to do.
func (x *exchange) settles() bool {
	r := x.request
	return !r.DryRun && (r.Way.pulls() || r.Way == Push) && !strings.HasPrefix(r.Remote, bundlePrefix)
}

// compareHere compares this clone with what it was, and lists what it holds where it is not the same.
func (x *exchange) compareHere(ctx context.Context) (err error) {
	if x.settles() {
		if x.settled.Ours, err = x.memory.Purges().HeldStamp(); err != nil {
			return err
		}
		var was settlement
		if _, err := x.settledFile().ReadState(&was); err == nil && was.Ours == x.settled.Ours && was.Ours != "" {
			x.settled = was
			return nil
		}
	}
	x.ours, err = x.store.Held(ctx, "")
	return err
}

// compareThere compares what the remote lists with what it was, and reads the list where it is not the same.
func (x *exchange) compareThere(ctx context.Context, list git.RemoteList) (idle bool, err error) {
	theirs := list.Sum()
	if x.settled.Theirs == theirs {
		waits, err := x.memory.Purges().Lingers(ctx, nil) // Its time may be over.
		if err != nil {
			return false, err
		}
		if !waits {
			x.idle, x.out.Holds, x.out.Archives = true, x.settled.Records, x.settled.Archives
			return true, nil
		}
	}
	x.settled = settlement{Ours: x.settled.Ours, Theirs: theirs}
	if x.ours == nil {
		if x.ours, err = x.store.Held(ctx, ""); err != nil {
			return false, err
		}
	}
	x.theirs, err = x.listed(list)
	return false, err
}

// keepSettled keeps what both sides are, where nothing was to be done in either way and nothing is to be said.
func (x *exchange) keepSettled() {
	o := x.out
	said := len(o.Pushed) + len(o.Deleted) + len(o.Withheld) + len(o.Stray) + len(o.Kept) + o.Needs + o.Idle
	if !x.calm || x.request.Way == Pull || !x.settles() || x.settled.Ours == "" || said > 0 || o.OddFormat || o.Blind {
		return
	}
	x.settled.Records, x.settled.Archives = o.Holds, o.Archives
	_ = x.settledFile().WriteState(x.settled)
}
