package accept

import (
	"context"
	"iter"
	"runtime"

	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/trust"
)

// CheckOffers judges refs before a receiver has them, and yields what [audit.Auditor.Check] would of each, in
// the order of the offers. The objects have to be readable here. A finding is allowed by events that this
// repository has under their names already, and not by those that are offered. That a record names another
// which is not here is not told: it may come with the same push.
func (n *Intake) CheckOffers(ctx context.Context, offers []check.Offer) iter.Seq2[check.Checked, error] {
	return func(yield func(check.Checked, error) bool) {
		targets := make([]check.Target, 0, len(offers))
		for _, o := range offers {
			of, err := n.offeredOne(ctx, o)
			if err != nil {
				yield(check.Checked{}, err)
				return
			}
			targets = append(targets, of...)
		}
		byRef := make(map[string]check.Offer, len(offers))
		for _, o := range offers {
			byRef[o.Ref] = o
		}
		n.judgeTargets(ctx, targets, byRef)(yield)
	}
}

// judgeTargets judges records that did not pass the gate yet, wherever they lie, and yields what is wrong with
// each in their order. Of the offers it takes what is known of where a target comes from.
func (n *Intake) judgeTargets(ctx context.Context, targets []check.Target,
	offers map[string]check.Offer,
) iter.Seq2[check.Checked, error] {
	return func(yield func(check.Checked, error) bool) {
		c, allowed, err := n.targetChecker(ctx, targets)
		if err != nil {
			yield(check.Checked{}, err)
			return
		}
		judge := func(s check.Stored) check.Checked { return c.JudgeOffer(s, offers[s.Name]) }
		for checked, err := range c.Run(ctx, runtime.GOMAXPROCS(0), judge) {
			allowed.Suppress(checked)
			if !yield(checked, err) || err != nil {
				return
			}
		}
	}
}

// targetChecker makes a check of records ready that did not pass the gate yet.
func (n *Intake) targetChecker(ctx context.Context,
	targets []check.Target,
) (c *check.Checker, allowed *replay.Allowed, err error) {
	c = &check.Checker{Store: n.opts.Store, Judges: n.opts.Judge}
	if c.Rules, err = n.opts.Rules.Rules(ctx); err != nil {
		return nil, nil, err
	}
	if allowed, err = n.opts.Reader.Allowed(ctx); err != nil {
		return nil, nil, err
	}
	c.Targets, c.Beside = targets, check.RecordsAmong(targets)
	// Where policy withholds what nobody vouches for, nobody should send it.
	policy, err := n.opts.Judge.Policy(ctx)
	if err != nil {
		return nil, nil, err
	}
	if policy.Require == trust.Always {
		c.Require = check.RequireGood
	}
	all, err := n.opts.Judge.AllEndorsements(ctx)
	for _, t := range targets {
		if id := t.Ref.Name.ID; err == nil && t.Ref.Name.Key != "" {
			all[id] = append(all[id], t.Ref)
		}
	}
	return c, allowed, err
}

// offeredOne says what is to be looked at of one offer.
func (n *Intake) offeredOne(ctx context.Context, o check.Offer) ([]check.Target, error) {
	t := o.Target()
	if t.Flaw != "" && t.Flaw != check.RuleReserved {
		return []check.Target{t}, nil
	}
	if refs.IsArchive(o.Ref) {
		a, ok := refs.ArchiveAt(o.Ref, o.OID)
		if !ok || o.Was != "" && o.Was != o.OID {
			return []check.Target{{Name: o.Ref, Flaw: check.RuleRewrite, Why: check.Misnamed}}, nil
		}
		all, err := check.Within(ctx, n.opts.Store, a, o.Ref)
		if err != nil || o.From != "" {
			return all, err
		}
		held, err := n.opts.Store.Held(ctx)
		for i := range all {
			if err == nil {
				err = n.refuseBeside(ctx, &all[i], held)
			}
		}
		return all, err
	}
	if o.Ref == refs.FormatRef {
		return check.FormatTargets(ctx, n.opts.Store, o.Ref, o.OID)
	}
	if err := n.opts.Reader.Invalid(t.Ref); err != nil && t.Flaw == "" && t.Ref.Name.Key == "" {
		t.Flaw, t.Why = check.RuleSchema, err.Error()
	}
	s, err := n.opts.Reader.Fold(ctx)
	if err != nil {
		return nil, err
	}
	stone, purged := s.Purged[refOf(o.Ref, o.OID).Name.ID], s.Gone(o.Ref)
	if purged && !stone.Sure && t.IsRecord() {
		signed, err := n.opts.Reader.SignedBehind(ctx, t.Ref)
		if err != nil {
			return nil, err
		}
		purged = !signed
	}
	if purged {
		t.Flaw, t.Why = check.RulePurged, "it was purged here, and a purge counts for ever"
	} else if o.From == "" {
		err = n.refuseBeside(ctx, &t, git.RefList{})
	}
	return []check.Target{t}, err
}

// refuseBeside gives a record the flaw that an archive of this repository, or one of its refs that are given,
// holds another one under its name.
func (n *Intake) refuseBeside(ctx context.Context, t *check.Target, held git.RefList) error {
	if t.Flaw != "" || !t.IsRecord() {
		return nil
	}
	object := held.Find(t.Ref.Name.Ref())
	if object == "" {
		var err error
		object, err = n.opts.Store.Archives.Lookup(ctx, t.Ref.Name)
		if err != nil || object == "" {
			return err
		}
	}
	if object != t.Ref.Object {
		t.Flaw, t.Why = check.RuleRewrite,
			"records are written once, and the receiver holds another object under this name"
	}
	return nil
}
