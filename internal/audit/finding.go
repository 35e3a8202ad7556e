package audit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"

	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/report"
)

// lookUp finds what the decisions speak of.
func (u *Auditor) lookUp(ctx context.Context, all []Decision) error {
	var targets []check.Target
	for _, d := range all {
		ref, err := check.HolderOf(ctx, u.opts.Store, d.Record)
		if err != nil {
			return err
		}
		if ref.Name.ID != "" {
			targets = append(targets, check.Target{Ref: ref, Name: ref.Full()})
		}
	}
	slices.SortFunc(targets, func(a, b check.Target) int { return cmp.Compare(a.Name, b.Name) })
	targets = slices.CompactFunc(targets, func(a, b check.Target) bool { return a.Name == b.Name })
	results := map[string]finding{}
	for f, err := range u.findings(ctx, check.Each(targets)) {
		if err != nil {
			return err
		}
		results[f.Fingerprint] = f
	}
	for i := range all {
		if f, ok := results[all[i].Fingerprint]; ok && f.record == all[i].Record && f.object == all[i].Object {
			all[i].Found = &f.Result
		}
	}
	return nil
}

// A finding is a result about a secret and the record that holds it.
type finding struct {
	report.Result
	record packet.ID
	object string // what its ref names
}

// search finds findings by their fingerprints in all records that are known here.
func (u *Auditor) search(ctx context.Context, fingerprints []string) (map[string]finding, error) {
	found := map[string]finding{}
	open := unique(fingerprints)
	for f, err := range u.findings(ctx, u.everywhere(ctx)) {
		if err != nil {
			return nil, err
		}
		if i := slices.Index(open, f.Fingerprint); i >= 0 {
			found[f.Fingerprint] = f
			open = slices.Delete(open, i, i+1)
		}
		if len(open) == 0 {
			return found, nil
		}
	}
	var missing []error
	for _, fingerprint := range open {
		missing = append(missing, fmt.Errorf("finding %q: %w", replay.Quotable(fingerprint), ErrNoFinding))
	}
	return nil, errors.Join(missing...)
}

// findings yields what is found in records that have a name of their own.
func (u *Auditor) findings(ctx context.Context, targets iter.Seq2[check.Target, error]) iter.Seq2[finding, error] {
	return func(yield func(finding, error) bool) {
		rules, err := u.opts.Rules.Rules(ctx)
		if err != nil {
			yield(finding{}, err)
			return
		}
		c := &check.Checker{Store: u.opts.Store, Judges: u.opts.Judge, Rules: rules, Targets: targets}
		for checked, err := range check.InOrder(ctx, runtime.GOMAXPROCS(0), c.Stored(ctx), c.Judge) {
			if err != nil {
				yield(finding{}, err)
				return
			}
			for _, r := range checked.Results {
				if r.Area == report.Secret && checked.Record != "" && !yield(finding{r, checked.Record, checked.Object}, nil) {
					return
				}
			}
		}
	}
}
