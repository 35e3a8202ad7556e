package recall

import (
	"context"
	"slices"

	"github.com/git-ltm/git-ltm/internal/deadend"
	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// How many times over [further] more is looked at where strangers stand before what counts. Whoever asks sees
// what strangers say, so that once is enough for them; from a session strangers must take nothing away,
// however many records they push.
const (
	deeperAsked   = 1
	deeperUnasked = 3
)

// deepestLook is how far back is looked, where first is how far that is at first.
func deepestLook(first int, reading replay.Reading) int {
	times := deeperAsked
	if reading >= replay.Unasked {
		times = deeperUnasked
	}
	for range times {
		first *= further
	}
	return first
}

// findRules are the rules that an action may meet, so many of those of which it has most, and behind them those
// of the claimed signers, and whether there may be more. Strangers are left out where few others are known by
// name; where most rules are theirs all the same, more are looked at.
func (r *Recall) findRules(ctx context.Context, traits deadend.Traits, reading replay.Reading,
	crowds []crowd, most int,
) (found []index.RuleHit, full bool) {
	signers, claimed := crowds[0].signers, []string(nil)
	if last := crowds[len(crowds)-1]; last.claimed {
		claimed = last.signers
		if signers != nil {
			signers = slices.Concat(signers, claimed)
		}
	}
	for n := most; ; n *= further {
		all, err := r.index.Rules(ctx, traits, signers, n)
		r.noteFault(err)
		var known, others []index.RuleHit
		for _, one := range all {
			if slices.Contains(claimed, one.Signer) {
				others = append(others, one)
			} else if r.strangerReason(ctx, one.Hit, reading) == "" {
				known = append(known, one)
			}
		}
		if full = len(all) == n; !full || 2*len(known) >= most || n >= deepestLook(most, reading) {
			return slices.Concat(known[:min(len(known), most)], others[:min(len(others), most)]), full
		}
	}
}
