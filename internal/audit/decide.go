package audit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/ledger"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/report"
)

// ErrNoFinding says that no record here holds a finding of that fingerprint, or that it is not allowed.
var ErrNoFinding = errors.New("there is no such finding")

// AllowRequest says which findings may stay.
type AllowRequest struct {
	Fingerprints []string  // required
	Why          string    // required
	Until        time.Time // required: after now, at most MaxAllowed
}

// A Decision is an allowance with the finding that it speaks of.
type Decision struct {
	replay.Allowance
	Found   *report.Result `json:"-"` // the finding that was allowed now; nil for others
	Expired bool           `json:"-"`
}

// Allow stores an event for each finding, all or none. Each must stand in a record that is known here, of
// this clone or of a remote; else it is [ErrNoFinding].
func (u *Auditor) Allow(ctx context.Context, req AllowRequest) ([]Decision, error) {
	if now := u.opts.Now(); req.Why == "" || !req.Until.After(now) ||
		req.Until.After(now.Add(replay.MaxAllowed)) {
		return nil, fmt.Errorf("allow: a reason and an end within 365 days %w", replay.ErrUsage)
	}
	if err := u.opts.Heal(ctx); err != nil {
		return nil, err
	}
	found, err := u.searchRecords(ctx, req.Fingerprints)
	if err != nil {
		return nil, err
	}
	var decided []Decision
	var drafts []gate.Event
	for _, fingerprint := range withoutRepeats(req.Fingerprints) {
		f := found[fingerprint]
		decided = append(decided, Decision{
			Allowance: replay.Allowance{
				Fingerprint: fingerprint, Record: f.record, Object: f.object,
				Why: req.Why, Until: req.Until,
			}, Found: &f.Result,
		})
		drafts = append(drafts, gate.Event{
			Kind: replay.AllowEvent, Targets: []packet.ID{f.record}, Why: req.Why, Value: fingerprint,
			Object: f.object, Until: req.Until,
		})
	}
	return u.decideOne(ctx, decided, drafts)
}

// Disallow takes allowances back, those that others claim too. Each must be there, expired or not; else it is
// [ErrNoFinding].
func (u *Auditor) Disallow(ctx context.Context, fingerprints []string, why string) ([]Decision, error) {
	if err := u.opts.Heal(ctx); err != nil {
		return nil, err
	}
	counts, claimed, err := u.allowancesOf(ctx)
	if err != nil {
		return nil, err
	}
	var decided []Decision
	var drafts []gate.Event
	var missing []error
	for _, fingerprint := range withoutRepeats(fingerprints) {
		of, ok := counts.All[fingerprint]
		if !ok {
			of, ok = claimed.All[fingerprint]
		}
		if !ok {
			missing = append(missing,
				fmt.Errorf("finding %q is not allowed here: %w", replay.Quotable(fingerprint), ErrNoFinding))
			continue
		}
		decided = append(decided, Decision{Allowance: of})
		drafts = append(drafts,
			gate.Event{
				Kind: replay.DisallowEvent, Targets: []packet.ID{of.Record}, Why: why,
				Value: fingerprint,
			})
	}
	if len(missing) > 0 {
		return nil, errors.Join(missing...)
	}
	return u.decideOne(ctx, decided, drafts)
}

// decideOne stores the events of decisions, and writes into these who made them.
func (u *Auditor) decideOne(
	ctx context.Context, decided []Decision, drafts []gate.Event,
) ([]Decision, error) {
	ids, err := u.opts.Writer.StoreEvents(ctx, drafts...)
	if err != nil {
		return nil, err
	}
	me, err := u.opts.Writer.Author(ctx)
	if err != nil {
		return nil, err
	}
	for i := range decided {
		decided[i].By, decided[i].Event = me, ids[i]
		decided[i].Ref = refs.Name{Kind: refs.Events, ID: ids[i]}.Ref()
	}
	return decided, nil
}

// Decisions returns what is allowed, oldest first, and what others claim to be.
func (u *Auditor) Decisions(ctx context.Context) ([]Decision, error) {
	counts, claimed, err := u.allowancesOf(ctx)
	if err != nil {
		return nil, err
	}
	var all []Decision
	for _, a := range []*replay.Allowed{counts, claimed} {
		for _, of := range a.All {
			all = append(all, Decision{Allowance: of, Expired: !of.Until.After(a.At)})
		}
	}
	slices.SortFunc(all, func(a, b Decision) int { return cmp.Compare(a.Event, b.Event) })
	return all, nil
}

// allowancesOf returns what is allowed here, and what others claim to be, as far as nobody took it back.
func (u *Auditor) allowancesOf(ctx context.Context) (counts, claimed *replay.Allowed, err error) {
	if counts, err = u.opts.Reader.Allowed(ctx); err != nil {
		return nil, nil, err
	}
	events, err := u.opts.Reader.AllowEvents(ctx)
	if err != nil {
		return nil, nil, err
	}
	events = slices.DeleteFunc(events, func(e replay.Entry) bool {
		return e.Decides() && e.EventKind() == replay.AllowEvent
	})
	claimed, err = u.opts.Reader.AllowedBy(ctx, events)
	return counts, claimed, err
}

// withoutRepeats returns a list without what stands in it again.
func withoutRepeats(list []string) []string {
	var all []string
	for _, s := range list {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// Gone returns the records that this clone saw once, and that neither it nor a remote holds now as far as
// this clone knows, in the order of their names.
func (u *Auditor) Gone(ctx context.Context) ([]string, error) {
	here := map[string]bool{}
	for _, kind := range refs.Kinds() {
		for ref, err := range u.opts.Store.List(ctx, refs.Query{Kind: kind, Remotes: true}) {
			if err != nil {
				return nil, err
			}
			here[ledger.KeyOf(ref.Name)] = true
		}
	}
	var gone []string
	for known, err := range u.opts.Seen.All() {
		if err != nil {
			return nil, err
		}
		if !known.Was.Forgotten && !here[ledger.KeyOf(known.Name)] {
			gone = append(gone, known.Name.Ref())
		}
	}
	return gone, nil
}

// ErrAsSeen says that nothing of a record is to be accepted.
var ErrAsSeen = errors.New("it is as this clone saw it, and no change of it waits")

// Accept takes records as they are now for what this clone saw: what was replaced, what lost its signature,
// and what is gone. One that is as it was is [ErrAsSeen]. It returns the full names of their refs. A record is named by its whole id.
func (u *Auditor) Accept(ctx context.Context, specs []string) ([]string, error) {
	var accepted []string
	var missing []error
	for _, spec := range specs {
		id, err := packet.ParseID(strings.ToUpper(spec))
		if err != nil {
			missing = append(missing, err)
			continue
		}
		before, faults := len(accepted), len(missing)
		for _, kind := range refs.Kinds() {
			name := refs.Name{Kind: kind, ID: id}
			was, known := u.opts.Seen.Find(name)
			if !known {
				continue
			}
			ref, err := u.opts.Store.Lookup(ctx, name)
			switch {
			case errors.Is(err, refs.ErrNotFound):
				was.Forgotten = true
			case err != nil:
				return nil, err
			default:
				obj, err := u.opts.Store.Read(ctx, ref)
				if err != nil {
					return nil, err
				}
				if was.Blob == obj.OID && !was.Forgotten && (was.Tag == "" || was.Tag == obj.TagOID) {
					missing = append(missing, fmt.Errorf("record %s: %w", id, ErrAsSeen))
					continue
				}
				was = ledger.Sighting{Blob: obj.OID}
			}
			u.opts.Seen.Note(name, was)
			accepted = append(accepted, name.Ref())
		}
		if len(accepted) == before && len(missing) == faults {
			missing = append(missing, &replay.RecordError{Ref: string(id), Err: replay.ErrNotFound})
		}
	}
	if err := errors.Join(missing...); err != nil {
		return nil, err
	}
	u.opts.Seen.Keep()
	slices.Sort(accepted)
	return accepted, nil
}
