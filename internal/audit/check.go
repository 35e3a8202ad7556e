// Package audit looks through a whole memory: it checks records and what holds them, says who vouches for
// each, and keeps what people decided about findings.
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
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/report"
)

// Auditor looks through the whole memory.
type Auditor struct{ opts gate.Tools }

// New returns one. Of what it is given all is required.
func New(with gate.Tools) *Auditor { return &Auditor{with} }

// CheckQuery narrows a check. The zero value asks for every ref below refs/ltm.
type CheckQuery struct {
	IDs     []string // these records, as Find takes them; events by their ids too
	Remote  string   // what this remote holds now, instead of what this clone does
	Private bool     // also the records that never leave this clone
	Require check.Requirement
	Workers int // how many records are judged side by side; 0 is one a processor
}

// Check looks at records and at the names around them, and yields everything
// that it finds, ref by ref in the order of their names. It changes no record.
// Of a remote it fetches the records first.
//
// What cannot be looked at is an error, which ends the check: then it has no
// result. The memory must not be used before the check has ended.
func (u *Auditor) Check(ctx context.Context, q CheckQuery) iter.Seq2[check.Checked, error] {
	return func(yield func(check.Checked, error) bool) {
		c, allowed, err := u.newChecker(ctx, q)
		if err != nil {
			yield(check.Checked{}, err)
			return
		}
		workers := cmp.Or(max(q.Workers, 0), runtime.GOMAXPROCS(0))
		seen := map[packet.ID]bool{}
		for checked, err := range c.Run(ctx, workers, c.Judge) {
			allowed.Suppress(checked)
			seen[checked.Record] = true
			if !yield(checked, err) || err != nil {
				return
			}
		}
		var last check.Checked
		for _, of := range allowed.Unused(seen) {
			d := check.Document{Subject: of.Ref, Name: refs.Name{Kind: refs.Events, ID: of.Event}}
			last.Results = append(last.Results,
				check.ResultOf(check.RuleUnused, d, "/value",
					"it allows a finding that is not in packet "+string(of.Record)))
		}
		if len(last.Results) > 0 {
			yield(last, nil)
		}
	}
}

// Checker finds out what is to be looked at.
func (u *Auditor) newChecker(ctx context.Context,
	q CheckQuery,
) (c *check.Checker, allowed *replay.Allowed, err error) {
	c = &check.Checker{
		Store: u.opts.Store, Judges: u.opts.Judge, Require: q.Require,
		Retracted: map[packet.ID]bool{},
	}
	if c.Rules, err = u.opts.Rules.Whole(ctx); err != nil {
		return nil, nil, err
	}
	var theirs []check.Target
	if q.Remote != "" {
		if theirs, err = u.checkHeld(ctx, q.Remote); err != nil {
			return nil, nil, err
		}
	}
	if allowed, err = u.opts.Reader.Allowed(ctx); err != nil {
		return nil, nil, err
	}
	s, err := u.opts.Reader.Fold(ctx)
	if err != nil {
		return nil, nil, err
	}
	for id, life := range s.Lives {
		c.Retracted[id] = life.Retracted
	}
	if c.Present, err = u.presentRefs(ctx); err != nil {
		return nil, nil, err
	}
	if q.Remote != "" && len(q.IDs) == 0 {
		c.Beside = check.RecordsAmong(theirs)
	}
	c.Targets, err = u.chooseTargets(ctx, q, theirs)
	return c, allowed, err
}

// chooseTargets returns the refs that the query asks for.
func (u *Auditor) chooseTargets(ctx context.Context, q CheckQuery,
	theirs []check.Target,
) ([]check.Target, error) {
	switch {
	case len(q.IDs) == 0 && q.Remote == "":
		return u.checkLocal(ctx, q.Private)
	case len(q.IDs) == 0:
		return theirs, nil
	}
	named, err := u.opts.Reader.Targets(ctx, q.IDs)
	if err != nil || q.Remote == "" {
		return named, err
	}
	asked := map[packet.ID]bool{}
	for _, t := range named {
		asked[t.Ref.Name.ID] = true
	}
	theirs = slices.DeleteFunc(theirs, func(t check.Target) bool {
		return !t.IsRecord() || !asked[t.Ref.Name.ID]
	})
	if len(theirs) == 0 {
		return nil, fmt.Errorf("none of these records on remote %q: %w", q.Remote, replay.ErrNotFound)
	}
	return theirs, nil
}

// Broken returns the refs below refs/ltm that are broken.
func (u *Auditor) Broken(ctx context.Context) ([]refs.Broken, error) { return u.opts.Store.Broken(ctx) }

// A finding is a result about a secret and the record that holds it.
type finding struct {
	report.Result
	record packet.ID
	object string // what its ref names
}

// searchRecords finds findings by their fingerprints in all records that are known here.
func (u *Auditor) searchRecords(ctx context.Context, fingerprints []string) (map[string]finding, error) {
	targets, err := listedRefs(ctx, u.opts.Store.List)
	if err != nil {
		return nil, err
	}
	c := &check.Checker{Store: u.opts.Store, Judges: u.opts.Judge, Targets: targets}
	if c.Rules, err = u.opts.Rules.Rules(ctx); err != nil {
		return nil, err
	}
	found := map[string]finding{}
	open := withoutRepeats(fingerprints)
	for checked, err := range c.Run(ctx, runtime.GOMAXPROCS(0), c.Judge) {
		if err != nil {
			return nil, err
		}
		for _, r := range checked.Results {
			i := slices.Index(open, r.Fingerprint)
			if i >= 0 && r.Area == report.Secret && checked.Record != "" { // It has a name of its own.
				found[r.Fingerprint] = finding{r, checked.Record, checked.Object}
				open = slices.Delete(open, i, i+1)
			}
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
