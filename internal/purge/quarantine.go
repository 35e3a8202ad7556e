package purge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/ledger"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/sign"
)

// mostErased is how many records of others a purge that is not trusted erases unanswered in one exchange.
const mostErased = 10

// PurgeRequest is a purge that is not trusted here, of records that wait in quarantine for an
// answer.
type PurgeRequest struct {
	Event    packet.ID     `json:"event"`
	By       string        `json:"by"`     // the author that the event names
	Standing sign.Standing `json:"trust"`  // what the signature of the event is worth here
	Remote   string        `json:"remote"` // the remote that brought it; "" where that is not known
	Reason   string        `json:"reason"` // one of Reasons
	// then the records are erased; nil as long as no exchange has moved them
	Until *time.Time  `json:"until"`
	IDs   []packet.ID `json:"ids"`
}

// judgePurged parts the records that purges name into those that are erased, and those that have to
// wait for an answer: what this clone made or a trusted key signed, and many records of others at
// once.
func (g *Purges) judgePurged(ctx context.Context, s *replay.State,
	inside map[packet.ID]bool,
) (erased, wait []packet.ID, err error) {
	asked, err := g.opts.Answers.Read()
	if err != nil {
		return nil, nil, err
	}
	var near map[packet.ID][]refs.Ref
	var others []packet.ID
	for id, stone := range s.Purged {
		since, _, waits := asked.WaitsSince(id, stone.Event)
		switch {
		case stone.Sure:
			erased = append(erased, id)
			continue
		case waits && g.opts.Now().Sub(since) > ledger.QuarantineAge:
			erased = append(erased, id)
			continue
		case waits || inside[id]:
			wait = append(wait, id)
			continue
		}
		if near == nil { // what purges take out of what is at hand, by record
			near = map[packet.ID][]refs.Ref{}
			for _, kind := range refs.Kinds() {
				for ref, err := range g.opts.Reader.Everything(ctx, refs.Query{Kind: kind, Remotes: true}) {
					if err != nil {
						return nil, nil, err
					}
					shared := refs.Name{Kind: kind, ID: ref.Name.ID}
					if s.Gone(shared.Ref()) {
						near[ref.Name.ID] = append(near[ref.Name.ID], ref)
					}
				}
			}
		}
		own, local, err := g.isOwn(ctx, near[id])
		switch {
		case err != nil:
			return nil, nil, err
		case own:
			wait = append(wait, id)
		case local:
			others = append(others, id)
		default:
			erased = append(erased, id)
		}
	}
	if len(others) > mostErased {
		wait = append(wait, others...)
	} else {
		erased = append(erased, others...)
	}
	slices.Sort(erased)
	slices.Sort(wait)
	return erased, wait, nil
}

// isOwn tells whether this clone made one of some refs, or a trusted key signed what it names; and
// whether one is of this clone.
func (g *Purges) isOwn(ctx context.Context, some []refs.Ref) (own, local bool, err error) {
	for _, ref := range some {
		local = local || ref.Remote == ""
		if g.opts.Seen.Made(ref.Name) {
			return true, local, nil
		}
		signed, err := g.opts.Reader.SignedBehind(ctx, ref)
		if signed || err != nil {
			return signed, local, err
		}
	}
	return false, local, nil
}

// hideRecords hides records until somebody answers, and returns the full names of the refs that are
// gone.
func (g *Purges) hideRecords(ctx context.Context, s *replay.State, ids []packet.ID,
	remote string,
) ([]string, error) {
	g.opts.Erased.Note(ids, s.Stones)
	asked, err := g.opts.Answers.Read()
	if err != nil {
		return nil, err
	}
	fresh := map[packet.ID][]packet.ID{}
	for _, id := range ids {
		event := s.Purged[id].Event
		if _, _, waits := asked.WaitsSince(id, event); !waits {
			fresh[id] = []packet.ID{event}
		}
	}
	if len(fresh) > 0 {
		if err := g.opts.Answers.Wait(fresh, g.opts.Now(), remote); err != nil {
			return nil, err
		}
	}
	gone, err := g.opts.Store.Quarantine(ctx, ids, s.Stones)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		g.opts.Seen.Overlook(id, true)
	}
	g.opts.Seen.Keep()
	g.opts.Reader.Forget()
	return gone, nil
}

// Expire erases what waited in quarantine until its time was over.
func (g *Purges) Expire(ctx context.Context) error {
	inside, err := g.opts.Reader.Quarantined(ctx)
	if err != nil || len(inside) == 0 {
		return err
	}
	asked, err := g.opts.Answers.Read()
	if err != nil {
		return err
	}
	if asked.Overdue(g.opts.Now(), inside) {
		_, err = g.Bury(ctx, "")
	}
	return err
}

// releaseRecords brings records back from quarantine.
func (g *Purges) releaseRecords(ctx context.Context, ids []packet.ID) error {
	back, err := g.opts.Store.Release(ctx, ids)
	for _, q := range back {
		g.opts.Seen.Overlook(q.ID, false)
	}
	g.opts.Seen.Keep()
	g.opts.Erased.Unerase(ids)
	err = errors.Join(err, g.opts.Answers.Release(ids))
	g.opts.Reader.Forget()
	return err
}

// PurgeRequests returns the purges that wait for an answer here, in the order of their events.
func (g *Purges) PurgeRequests(ctx context.Context) ([]PurgeRequest, error) {
	s, err := g.opts.Reader.Fold(ctx)
	if err != nil || len(s.Purged) == 0 {
		return nil, err
	}
	inside, err := g.opts.Reader.Quarantined(ctx)
	if err != nil {
		return nil, err
	}
	_, wait, err := g.judgePurged(ctx, s, inside)
	if err != nil {
		return nil, err
	}
	asked, err := g.opts.Answers.Read()
	if err != nil {
		return nil, err
	}
	byEvent := map[packet.ID]*PurgeRequest{}
	for _, id := range wait {
		stone := s.Purged[id]
		since, remote, waits := asked.WaitsSince(id, stone.Event)
		if waits && !inside[id] {
			continue // It was taken out by hand.
		}
		r := byEvent[stone.Event]
		if r == nil {
			r = &PurgeRequest{Event: stone.Event, Reason: stone.Reason, Remote: remote}
			byEvent[stone.Event] = r
		}
		if waits {
			until := since.Add(ledger.QuarantineAge).UTC()
			r.Until = &until
		}
		r.IDs = append(r.IDs, id)
	}
	var all []PurgeRequest
	for _, p := range s.Purges() {
		if r := byEvent[p.ID]; r != nil {
			r.By, r.Standing, r.Remote = p.By, p.Standing, cmp.Or(r.Remote, p.Remote)
			all = append(all, *r)
			delete(byEvent, p.ID)
		}
	}
	return all, nil
}

// RefusedPurges counts the records that are kept here although a purge which was refused names them.
func (g *Purges) RefusedPurges(ctx context.Context) (int, error) {
	s, err := g.opts.Reader.Fold(ctx)
	if err != nil {
		return 0, err
	}
	kept := map[packet.ID]bool{}
	for _, p := range s.Purges() {
		for _, id := range p.Targets {
			if s.Refuses(p.ID, id) && s.Purged[id].Event == "" {
				kept[id] = true
			}
		}
	}
	return len(kept), nil
}

// ErrNoRequest says that no purge of a record waits for an answer.
var ErrNoRequest = errors.New("no purge of it waits for an answer")

// AcceptPurges lets purges that wait for an answer erase records. A record is named by its id or a
// part of it, or all those of a purge by that of the purge; none at all names every one that waits.
func (g *Purges) AcceptPurges(ctx context.Context, specs []string) (Outcome, error) {
	of, err := g.findRequested(ctx, specs)
	if err != nil {
		return Outcome{}, err
	}
	if err := g.opts.Answers.Accept(of); err != nil {
		return Outcome{}, err
	}
	done := Outcome{Purged: slices.Sorted(maps.Keys(of))}
	b, err := g.Bury(ctx, "")
	done.Refs = b.Gone
	return done, err
}

// RefusePurges brings records back that wait in quarantine, and keeps every purge that names them
// now from counting, unless a trusted key signs it later: here, and signed also where that key is
// trusted. Records are named as for AcceptPurges.
func (g *Purges) RefusePurges(ctx context.Context, specs []string) ([]packet.ID, error) {
	of, err := g.findRequested(ctx, specs)
	if err != nil {
		return nil, err
	}
	back := slices.Sorted(maps.Keys(of))
	asking := slices.Compact(slices.Sorted(slices.Values(slices.Concat(slices.Collect(maps.Values(of))...))))
	there, err := g.opts.Store.InQuarantine(ctx)
	if err != nil {
		return nil, err
	}
	travels := map[packet.ID]bool{}
	for _, q := range there {
		travels[q.ID] = travels[q.ID] || !strings.HasPrefix(q.Was, refs.PrivateRoot)
	}
	var drafts []gate.Event
	for _, reach := range []replay.Reach{replay.Shared, replay.Private} { // What travels names nothing private.
		some := slices.DeleteFunc(slices.Clone(back), func(id packet.ID) bool {
			return travels[id] != (reach == replay.Shared)
		})
		for purges := range slices.Chunk(asking, mostTargets/2) {
			for records := range slices.Chunk(some, mostTargets/2) {
				drafts = append(drafts,
					gate.Event{Kind: replay.RestoreEvent, Targets: purges, By: records, Reach: reach})
			}
		}
	}
	if _, err := g.opts.Writer.StoreEvents(ctx, drafts...); err != nil {
		return nil, err
	}
	g.opts.Reader.Forget()
	return back, g.releaseRecords(ctx, back)
}

// findRequested finds the records that wait and that somebody names, with the events that want them
// gone.
func (g *Purges) findRequested(ctx context.Context, specs []string) (map[packet.ID][]packet.ID, error) {
	if err := g.opts.Heal(ctx); err != nil {
		return nil, err
	}
	if _, err := g.Bury(ctx, ""); err != nil { // What only a fetch brought is in no quarantine yet.
		return nil, err
	}
	all, err := g.PurgeRequests(ctx)
	if err != nil {
		return nil, err
	}
	named := map[packet.ID][]packet.ID{}
	var problems []error
	for _, spec := range specs {
		part := strings.ToUpper(spec)
		var found []packet.ID
		whole := false // It is named by the purge.
		for _, r := range all {
			for _, id := range r.IDs {
				if !whole && len(part) >= replay.MinPart &&
					(strings.HasPrefix(string(id), part) || strings.HasSuffix(string(id), part)) {
					found = append(found, id)
				}
			}
			if string(r.Event) == part {
				found, whole = r.IDs, true
			}
		}
		switch {
		case len(found) == 0:
			problems = append(problems, fmt.Errorf("record %q: %w", replay.Quotable(spec), ErrNoRequest))
		case len(found) > 1 && !whole:
			problems = append(problems, &replay.AmbiguousError{Part: replay.Quotable(spec), IDs: found})
		default:
			for _, id := range found {
				named[id] = nil
			}
		}
	}
	if len(specs) == 0 {
		for _, r := range all {
			for _, id := range r.IDs {
				named[id] = nil
			}
		}
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	s, err := g.opts.Reader.Fold(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range s.Purges() {
		if p.Standing.Vouched() {
			continue
		}
		for _, id := range p.Targets {
			if events, ok := named[id]; ok {
				named[id] = append(events, p.ID)
			}
		}
	}
	return named, nil
}

// Erased is what this clone has taken out for good.
func (g *Purges) Erased() *ledger.Erased { return g.opts.Erased }

// NoteTombstones makes the journal name what purges name now, and nothing else: so no index takes
// that in, and each record is found by its words again whose purge was refused, or did not come so
// far.
func (g *Purges) NoteTombstones(ctx context.Context) error {
	g.opts.Reader.Forget()
	s, err := g.opts.Reader.Fold(ctx)
	if err != nil {
		return err
	}
	return g.noteTombstones(s)
}

func (g *Purges) noteTombstones(s *replay.State) error {
	known, err := g.opts.Erased.Read()
	if err != nil {
		return err
	}
	maps.DeleteFunc(known, func(id packet.ID, _ string) bool { return s.Purged[id].Event != "" })
	g.opts.Erased.Unerase(slices.Collect(maps.Keys(known)))
	g.opts.Erased.Note(slices.Collect(maps.Keys(s.Purged)), s.Stones)
	return nil
}

// Lingers reports whether one of the refs, by their full names, is about a record that this clone has taken
// out for good. So it does where records wait in quarantine, whose time may be over.
func (g *Purges) Lingers(ctx context.Context, held git.RefList) (bool, error) {
	if waiting, err := g.opts.Store.InQuarantine(ctx); err != nil || len(waiting) > 0 {
		return len(waiting) > 0, err
	}
	return g.opts.Erased.Lingers(held)
}

// HeldStamp returns a stamp of all refs of this clone below refs/ltm and of what it has taken out, or "".
func (g *Purges) HeldStamp() (string, error) { return g.opts.Store.HeldStamp(g.opts.Erased.Files()...) }
