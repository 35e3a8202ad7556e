package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/journal"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/sign"
)

const (
	// quarantineAge is how long a record waits in quarantine for an answer.
	quarantineAge = 30 * 24 * time.Hour
	// mostErased is how many records of others a purge that is not trusted erases unanswered in one
	// exchange.
	mostErased = 10
)

// PurgeRequest is a purge that is not trusted here, of records that wait in quarantine for an
// answer.
type PurgeRequest struct {
	Event    packet.ID
	By       string        // the author that the event names
	Standing sign.Standing // what the signature of the event is worth here
	Remote   string        // the remote that brought it; "" where that is not known
	Reason   string        // one of Reasons
	Until    time.Time     // then the records are erased; zero as long as no exchange has moved them
	IDs      []packet.ID
}

// answers is what was decided here about purges that are not trusted: by record and event, as
// answerKey joins them.
type answers map[string]string

// The answers. A record that waits has the time from which on it does, and the remote.
const (
	refused = "refused"
	agreed  = "accepted"
	asking  = "waiting"
)

func answerKey(id, event packet.ID) string { return string(id) + "/" + string(event) }

// answersFile is the journal of answers. A clone that loses it is asked again.
func (m *Memory) answersFile() *journal.File {
	return journal.Open(m.repo.Local().File("purges"))
}

// purgeAnswers reads the answers once.
func (m *Memory) purgeAnswers() (answers, error) {
	if m.answers != nil {
		return m.answers, nil
	}
	all := answers{}
	for e, err := range m.answersFile().All() {
		if err != nil {
			return nil, err
		}
		all[e.Key] = e.Value
	}
	m.answers = all
	return all, nil
}

// answer stores one answer about some records, each to the event that speaks of it.
func (m *Memory) answer(events map[packet.ID][]packet.ID, text string) error {
	var entries []journal.Entry
	for id, of := range events {
		for _, event := range of {
			entries = append(entries, journal.Entry{Key: answerKey(id, event), Value: text})
		}
	}
	slices.SortFunc(entries, func(a, b journal.Entry) int { return cmp.Compare(a.Key, b.Key) })
	m.answers = nil
	if err := m.answersFile().Append(entries); err != nil {
		return fmt.Errorf("store the answer to a purge: %w", err)
	}
	return nil
}

// waitsSince says since when a record waits for an answer to a purge, and which remote brought that.
func (a answers) waitsSince(id, event packet.ID) (since time.Time, remote string, ok bool) {
	text, ok := strings.CutPrefix(a[answerKey(id, event)], asking+" ")
	if !ok {
		return time.Time{}, "", false
	}
	text, remote, _ = strings.Cut(text, " ")
	seconds, err := strconv.ParseInt(text, 10, 64)
	return time.Unix(seconds, 0), remote, err == nil
}

// Quarantined returns the records that wait in quarantine for an answer to a purge.
func (m *Memory) Quarantined(ctx context.Context) (map[packet.ID]bool, error) {
	there, err := m.store.InQuarantine(ctx)
	found := map[packet.ID]bool{}
	for _, q := range there {
		found[q.ID] = true
	}
	return found, err
}

// judgePurged parts the records that purges name into those that are erased, and those that have to
// wait for an answer: what this clone made or a trusted key signed, and many records of others at
// once.
func (m *Memory) judgePurged(ctx context.Context, s *state, inside map[packet.ID]bool) (erased, wait []packet.ID, err error) {
	asked, err := m.purgeAnswers()
	if err != nil {
		return nil, nil, err
	}
	var near map[packet.ID][]refs.Ref
	var others []packet.ID
	for id, stone := range s.purged {
		since, _, waits := asked.waitsSince(id, stone.Event)
		switch {
		case stone.Sure:
			erased = append(erased, id)
			continue
		case waits && m.opts.Now().Sub(since) > quarantineAge:
			erased = append(erased, id)
			continue
		case waits || inside[id]:
			wait = append(wait, id)
			continue
		}
		if near == nil {
			if near, err = m.nearby(ctx, s); err != nil {
				return nil, nil, err
			}
		}
		own, local, err := m.isOwn(ctx, near[id])
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

// nearby lists what purges take out of what is at hand, by record.
func (m *Memory) nearby(ctx context.Context, s *state) (map[packet.ID][]refs.Ref, error) {
	near := map[packet.ID][]refs.Ref{}
	for _, kind := range refs.Kinds() {
		for ref, err := range m.everything(ctx, refs.Query{Kind: kind, Remotes: true}) {
			if err != nil {
				return nil, err
			}
			shared := refs.Name{Kind: kind, ID: ref.Name.ID}
			if s.gone(shared.Ref()) {
				near[ref.Name.ID] = append(near[ref.Name.ID], ref)
			}
		}
	}
	return near, nil
}

// isOwn tells whether this clone made one of some refs, or a trusted key signed what it names; and
// whether one is of this clone.
func (m *Memory) isOwn(ctx context.Context, some []refs.Ref) (own, local bool, err error) {
	for _, ref := range some {
		local = local || ref.Remote == ""
		if m.made(ref.Name) {
			return true, local, nil
		}
		signed, err := m.signedBehind(ctx, ref)
		if signed || err != nil {
			return signed, local, err
		}
	}
	return false, local, nil
}

// quarantine hides records until somebody answers, and returns the full names of the refs that are
// gone.
func (m *Memory) quarantine(ctx context.Context, s *state, ids []packet.ID, remote string) ([]string, error) {
	m.noteErased(ids, s.stones)
	asked, err := m.purgeAnswers()
	if err != nil {
		return nil, err
	}
	fresh := map[packet.ID][]packet.ID{}
	for _, id := range ids {
		event := s.purged[id].Event
		if _, _, waits := asked.waitsSince(id, event); !waits {
			fresh[id] = []packet.ID{event}
		}
	}
	if len(fresh) > 0 {
		text := fmt.Sprintf("%s %d %s", asking, m.opts.Now().Unix(), remote)
		if err := m.answer(fresh, strings.TrimSpace(text)); err != nil {
			return nil, err
		}
	}
	gone, err := m.store.Quarantine(ctx, ids, s.stones)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		m.overlook(id, true)
	}
	m.seen.keep()
	m.forgetFolded()
	return gone, nil
}

// expire erases what waited in quarantine until its time was over.
func (m *Memory) expire(ctx context.Context) error {
	inside, err := m.Quarantined(ctx)
	if err != nil || len(inside) == 0 {
		return err
	}
	asked, err := m.purgeAnswers()
	if err != nil {
		return err
	}
	for key := range asked {
		id, event, _ := strings.Cut(key, "/")
		since, _, waits := asked.waitsSince(packet.ID(id), packet.ID(event))
		if waits && inside[packet.ID(id)] && m.opts.Now().Sub(since) > quarantineAge {
			_, err := m.Bury(ctx, "")
			return err
		}
	}
	return nil
}

// overlook notes whether this clone may miss a record without a word.
func (m *Memory) overlook(id packet.ID, missing bool) {
	for _, kind := range refs.Kinds() {
		for _, name := range []refs.Name{{Kind: kind, ID: id}, {Kind: kind, ID: id, Private: true}} {
			if was, known := m.seen.find(name); known && was.blob != erased && was.forgotten != missing {
				was.forgotten = missing
				m.seen.note(name, was)
			}
		}
	}
}

// release brings records back from quarantine, and returns the full names of their refs.
func (m *Memory) release(ctx context.Context, ids []packet.ID) ([]string, error) {
	back, err := m.store.Release(ctx, ids)
	var names []string
	for _, q := range back {
		names = append(names, q.Was)
		m.overlook(q.ID, false)
	}
	m.seen.keep()
	m.unerase(ids)
	m.forgetFolded()
	return names, err
}

// PurgeRequests returns the purges that wait for an answer here, in the order of their events.
func (m *Memory) PurgeRequests(ctx context.Context) ([]PurgeRequest, error) {
	s, err := m.fold(ctx)
	if err != nil || len(s.purged) == 0 {
		return nil, err
	}
	inside, err := m.Quarantined(ctx)
	if err != nil {
		return nil, err
	}
	_, wait, err := m.judgePurged(ctx, s, inside)
	if err != nil {
		return nil, err
	}
	asked, err := m.purgeAnswers()
	if err != nil {
		return nil, err
	}
	byEvent := map[packet.ID]*PurgeRequest{}
	for _, id := range wait {
		stone := s.purged[id]
		since, remote, waits := asked.waitsSince(id, stone.Event)
		if waits && !inside[id] {
			continue // It was taken out by hand.
		}
		r := byEvent[stone.Event]
		if r == nil {
			r = &PurgeRequest{Event: stone.Event, Reason: stone.Reason, Remote: remote}
			byEvent[stone.Event] = r
		}
		if waits {
			r.Until = since.Add(quarantineAge)
		}
		r.IDs = append(r.IDs, id)
	}
	var all []PurgeRequest
	for _, e := range s.events {
		if r := byEvent[e.ID]; r != nil && e.event.Event == purgeEvent {
			r.By, r.Standing = e.event.Provenance.AuthorHuman, e.Verdict.Standing
			r.Remote = cmp.Or(r.Remote, e.Remote)
			all = append(all, *r)
			delete(byEvent, e.ID)
		}
	}
	return all, nil
}

// RefusedPurges counts the records that are kept here although a purge which was refused names them.
func (m *Memory) RefusedPurges(ctx context.Context) (int, error) {
	asked, err := m.purgeAnswers()
	if err != nil || len(asked) == 0 {
		return 0, err
	}
	s, err := m.fold(ctx)
	if err != nil {
		return 0, err
	}
	kept := map[packet.ID]bool{}
	for _, e := range s.events {
		for _, id := range ids(e.event.Targets) {
			if asked[answerKey(id, e.ID)] == refused && s.purged[id].Event == "" {
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
func (m *Memory) AcceptPurges(ctx context.Context, specs []string) (Purged, error) {
	of, err := m.requested(ctx, specs)
	if err != nil {
		return Purged{}, err
	}
	if err := m.answer(of, agreed); err != nil {
		return Purged{}, err
	}
	done := Purged{Purged: sorted(of)}
	b, err := m.Bury(ctx, "")
	done.Refs = b.Gone
	return done, err
}

// RefusePurges brings records back that wait in quarantine, and keeps every purge that names them
// now from counting here, unless a trusted key signs it later. Records are named as for
// AcceptPurges.
func (m *Memory) RefusePurges(ctx context.Context, specs []string) ([]packet.ID, error) {
	of, err := m.requested(ctx, specs)
	if err != nil {
		return nil, err
	}
	if err := m.answer(of, refused); err != nil {
		return nil, err
	}
	m.forgetFolded()
	back := sorted(of)
	_, err = m.release(ctx, back)
	return back, err
}

func sorted(of map[packet.ID][]packet.ID) []packet.ID {
	var all []packet.ID
	for id := range of {
		all = append(all, id)
	}
	slices.Sort(all)
	return all
}

// requested finds the records that wait and that somebody names, with the events that want them
// gone.
func (m *Memory) requested(ctx context.Context, specs []string) (map[packet.ID][]packet.ID, error) {
	if err := m.heal(ctx); err != nil {
		return nil, err
	}
	if _, err := m.Bury(ctx, ""); err != nil { // What only a fetch brought is in no quarantine yet.
		return nil, err
	}
	all, err := m.PurgeRequests(ctx)
	if err != nil {
		return nil, err
	}
	named := map[packet.ID][]packet.ID{}
	var problems []error
	for _, spec := range specs {
		if err := requestedBy(all, spec, named); err != nil {
			problems = append(problems, err)
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
	s, err := m.fold(ctx)
	if err != nil {
		return nil, err
	}
	for _, e := range s.events {
		if e.event.Event != purgeEvent || e.Verdict.Standing.Vouched() {
			continue
		}
		for _, id := range ids(e.event.Targets) {
			if events, ok := named[id]; ok {
				named[id] = append(events, e.ID)
			}
		}
	}
	return named, nil
}

// requestedBy adds the records that one spec names.
func requestedBy(all []PurgeRequest, spec string, named map[packet.ID][]packet.ID) error {
	part := strings.ToUpper(spec)
	fits := func(id packet.ID) bool {
		return len(part) >= minPart && (strings.HasPrefix(string(id), part) || strings.HasSuffix(string(id), part))
	}
	var found []packet.ID
	for _, r := range all {
		if string(r.Event) == part {
			found = r.IDs
			break
		}
		for _, id := range r.IDs {
			if fits(id) {
				found = append(found, id)
			}
		}
	}
	whole := slices.ContainsFunc(all, func(r PurgeRequest) bool { return string(r.Event) == part })
	switch {
	case len(found) == 0:
		return fmt.Errorf("record %q: %w", quotable(spec), ErrNoRequest)
	case len(found) > 1 && !whole:
		return &AmbiguousError{Part: quotable(spec), IDs: found}
	}
	for _, id := range found {
		named[id] = nil
	}
	return nil
}

// made tells whether this clone made a record, as far as it remembers.
func (m *Memory) made(name refs.Name) bool {
	was, ok := m.seen.find(name)
	return ok && was.made
}
