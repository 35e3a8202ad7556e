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

// Options is what an Auditor works with. All is required.
type Options struct {
	gate.Options

	Writer *gate.Writer
}

// Auditor looks through the whole memory.
type Auditor struct{ opts Options }

// New returns one.
func New(o Options) *Auditor { return &Auditor{o} }

// CheckQuery narrows a check. The zero value asks for every ref below refs/ltm.
type CheckQuery struct {
	IDs    []string // these records, as Find takes them; events by their ids too
	Remote string   // what this remote holds now, instead of what this clone does
	// a revision: records whose id is not older than its commit. Whoever writes an id chooses its time
	Since   string
	Private bool // also the records that never leave this clone
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
		for checked, err := range check.InOrder(ctx, workers, c.Stored(ctx), c.Judge) {
			allowed.Suppress(checked)
			seen[checked.Record] = true
			if !yield(checked, err) || err != nil {
				return
			}
		}
		last := check.Checked{Older: c.Older}
		for _, of := range allowed.Unused(seen) {
			d := check.Document{Subject: of.Ref, Name: refs.Name{Kind: refs.Events, ID: of.Event}}
			last.Results = append(last.Results,
				check.ResultOf(check.RuleUnused, d, "/value",
					"it allows a finding that is not in packet "+string(of.Record)))
		}
		if len(last.Results) > 0 || last.Older > 0 {
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
	if q.Since != "" {
		if c.Since, err = u.opts.Repo.CommitTime(ctx, q.Since); err != nil {
			return nil, nil, err
		}
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
) (iter.Seq2[check.Target, error], error) {
	switch {
	case len(q.IDs) == 0 && q.Remote == "":
		odd, err := u.checkOddRefs(ctx)
		if q.Private {
			return u.checkLocal(ctx, odd, u.opts.Store.ListPrivate, u.opts.Store.List), err
		}
		odd = slices.DeleteFunc(odd, func(t check.Target) bool { return check.IsPrivate(t.Name) })
		return u.checkLocal(ctx, odd, u.opts.Store.List), err
	case len(q.IDs) == 0:
		return check.Each(theirs), nil
	}
	named, err := u.opts.Reader.Targets(ctx, q.IDs)
	if err != nil || q.Remote == "" {
		return check.Each(named), err
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
	return check.Each(theirs), nil
}

// Held counts the refs of this clone that every push speaks of, and stops at most.
func (u *Auditor) Held(ctx context.Context, most int) (int, error) {
	return u.opts.Store.CountRefs(ctx, most)
}

// Broken returns the refs below refs/ltm that are broken.
func (u *Auditor) Broken(ctx context.Context) ([]refs.Broken, error) { return u.opts.Store.Broken(ctx) }

// Blocking returns the refs that lie where the refs of records need folders.
func (u *Auditor) Blocking(ctx context.Context) ([]string, error) { return u.opts.Store.Blocking(ctx) }

// Locks returns the locks beside refs of memory, and that of the packed refs.
func (u *Auditor) Locks() []refs.Lock { return u.opts.Store.Locks() }

// Stray returns the names below refs/ltm that are not ours.
func (u *Auditor) Stray(ctx context.Context) ([]string, error) { return u.opts.Store.Stray(ctx) }

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
	slices.SortFunc(targets, compareTargets)
	targets = slices.CompactFunc(targets, sameTarget)
	results := map[string]finding{}
	for f, err := range u.findingsOf(ctx, check.Each(targets)) {
		if err != nil {
			return err
		}
		results[f.Fingerprint] = f
	}
	for i := range all {
		if f, ok := results[all[i].Fingerprint]; ok && f.record == all[i].Record &&
			f.object == all[i].Object {
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

// searchRecords finds findings by their fingerprints in all records that are known here.
func (u *Auditor) searchRecords(ctx context.Context, fingerprints []string) (map[string]finding, error) {
	found := map[string]finding{}
	open := withoutRepeats(fingerprints)
	for f, err := range u.findingsOf(ctx, u.checkEverywhere(ctx)) {
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

// findingsOf yields what is found in records that have a name of their own.
func (u *Auditor) findingsOf(ctx context.Context,
	targets iter.Seq2[check.Target, error],
) iter.Seq2[finding, error] {
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
				if r.Area == report.Secret && checked.Record != "" &&
					!yield(finding{r, checked.Record, checked.Object}, nil) {
					return
				}
			}
		}
	}
}
