package replay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/upstream"
)

// PurgeEvent is the event that removes a record for good. It holds no text: nothing of the record may be
// learned from it.
const PurgeEvent = "purge"

// UndoEvent is the event that takes others back.
const UndoEvent = "undo"

// RestoreEvent is the event that shows records again. Of a purge that nobody here trusts it says that the
// records of its member "by" are not to be lost for it.
const RestoreEvent = "restore"

// The reasons for which a record is removed. A class says enough to those who miss the record, and nothing of
// its text.
const (
	ReasonSecret   = "secret"
	ReasonPersonal = "personal"
	ReasonMistake  = "mistake"
	ReasonOther    = "other"
)

// Reasons are the classes of reasons for a purge.
func Reasons() []string { return []string{ReasonSecret, ReasonPersonal, ReasonMistake, ReasonOther} }

// Tombstone says that a record was removed for good. It counts for ever: nothing brings the record back.
type Tombstone struct {
	Event  packet.ID // the event that says so
	Reason string    // one of Reasons, or what another program wrote there is ReasonOther
	At     time.Time
	// Stone says that an event of the very id that was purged is a tombstone itself. That event stays,
	// whoever speaks against it, and it keeps no other record of the id from going.
	Stone bool
	// Sure says that somebody who is trusted here says so, or that the user of this clone accepted
	// it. Else what this clone made or a trusted key signed waits in quarantine for an answer.
	Sure bool
	// Yields says that it takes a record out on a remote once: no trusted key signed it, and it is of somebody
	// else, who may refuse it and send the record again.
	Yields bool
}

// Reaches tells whether the tombstone takes out what lies under a full name of the purged id. The zero value
// reaches nothing.
func (t Tombstone) Reaches(ref string) bool {
	name, record := refs.ParseName(ref)
	return t.Event != "" && (!t.Stone || !record || name.Kind != refs.Events)
}

// ErrPurged says that a record was removed for good.
var ErrPurged = errors.New("it was purged")

// PurgedError is a record that was asked for and that was removed for good. It is an [ErrNotFound].
type PurgedError struct {
	ID packet.ID
	Tombstone
	Waits bool // it is in quarantine, until somebody answers the purge
}

func (e *PurgedError) Error() string {
	if e.Waits {
		return fmt.Sprintf("record %s is hidden: purge %s, which is not trusted here, wants it removed", e.ID,
			e.Event)
	}
	return fmt.Sprintf("record %s was purged on %s (%s)", e.ID, e.At.UTC().Format(time.DateOnly), e.Reason)
}

// Unwrap makes it an ErrPurged and an ErrNotFound, and an ErrHidden where it waits.
func (e *PurgedError) Unwrap() []error {
	if e.Waits {
		return []error{ErrHidden, ErrPurged, ErrNotFound}
	}
	return []error{ErrPurged, ErrNotFound}
}

// ErrHidden says that a record is in quarantine, until somebody answers the purge that names it.
var ErrHidden = errors.New("it is hidden until somebody answers a purge")

// Tombstones returns what was removed for good, as far as this clone knows.
func (r *Reader) Tombstones(ctx context.Context) (map[packet.ID]Tombstone, error) {
	s, err := r.Fold(ctx)
	if err != nil {
		return nil, err
	}
	return s.Purged, nil
}

// refusal is a purge that somebody refused for a record.
type refusal struct{ purge, record packet.ID }

// noteRefusals notes what people who are trusted here refuse to lose, as far as they did not take it back.
func (s *State) noteRefusals() {
	back := map[packet.ID]bool{}
	for _, e := range slices.Backward(s.events) {
		for _, target := range IDs(e.event.Targets) {
			switch {
			case !e.Verdict.Standing.Vouched() || back[e.ID]:
			case e.event.Event == UndoEvent:
				back[target] = true
			case e.event.Event == RestoreEvent:
				for _, id := range IDs(e.event.By) {
					s.refused[refusal{target, id}] = true
				}
			}
		}
	}
}

// Refuses tells whether somebody who is trusted here refused a purge of a record.
func (s *State) Refuses(purge, id packet.ID) bool { return s.refused[refusal{purge, id}] }

// noteTombstones notes the tombstones of one event, but for those that were refused here, or come from elsewhere. One that is sure
// takes the place of one that is not.
func (s *folding) noteTombstones(ctx context.Context, e Entry) {
	asked, err := s.reader.opts.Answers.Read()
	if s.noteFault(err) {
		return
	}
	stone := Tombstone{Event: e.ID, Reason: e.event.Value, At: e.event.CreatedAt}
	if !slices.Contains(Reasons(), stone.Reason) {
		stone.Reason = ReasonOther
	}
	for _, id := range IDs(e.event.Targets) {
		stone.Sure = e.Verdict.Standing.Vouched() || asked.Accepted(id, e.ID)
		stone.Yields = asked.Yields(id, e.ID) && !e.isSigned()
		was := s.Purged[id]
		if !stone.Sure && (s.Refuses(e.ID, id) || s.isForeign(ctx, e, id)) || was.Event != "" && (was.Sure || !stone.Sure) {
			continue
		}
		s.Purged[id] = stone
	}
}

// isSigned tells whether a trusted key signed the event.
func (e Entry) isSigned() bool {
	return e.Verdict.Standing == sign.Good || e.Verdict.Standing == sign.Expired
}

// Gone tells whether what lies under a full name was removed for good.
func (s *State) Gone(ref string) bool {
	name, _ := refs.Parse(ref)
	return s.Purged[name.ID].Reaches(ref)
}

// manyTargets is from how many records on, of which nobody who counts speaks, all names are listed once and
// not looked up.
const manyTargets = 200

// lookAround notes which records are at hand, where events that nobody vouches for speak of many.
func (s *folding) lookAround(ctx context.Context) {
	many := map[string]bool{}
	for _, e := range s.events {
		for _, target := range e.event.Targets {
			if !e.Verdict.Standing.Vouched() {
				many[target] = true
			}
		}
	}
	if len(many) < manyTargets {
		return
	}
	s.near = map[packet.ID]bool{}
	for _, kind := range refs.Kinds() {
		for ref, err := range s.reader.Everything(ctx, refs.Query{Kind: kind, Remotes: true}) {
			if s.noteFault(err) {
				return
			}
			s.near[ref.Name.ID] = true
		}
	}
}

// hasSay tells whether an event has a say in a record: it is trusted, or the record is not. Others may hide a
// record and bring it back, and change it or put another in its place only in the name of who wrote it, so
// that the clones of one person agree. In what this clone made they have none by words at all, and take
// nothing back. What came from elsewhere than the remote that memory is shared with has a say in nothing but
// what came with it.
func (s *folding) hasSay(ctx context.Context, e Entry, id packet.ID) bool {
	if e.Verdict.Standing.Vouched() || s.fault != nil {
		return true
	}
	muted, err := false, error(nil)
	author := e.event.Provenance.AuthorHuman
	near := s.near == nil || s.near[id]
	if !e.Made {
		if muted, err = s.reader.opts.Judge.IsMuted(author); muted && near {
			// What somebody who is muted did to their own stays done, or what they corrected would come back.
			_, muted, err = s.reader.isOfOthers(ctx, id, author)
			muted = muted || s.reader.opts.Seen.MadeOne(id)
		}
	}
	words := bearsText(e.event.Event)
	switch {
	case s.noteFault(err), muted, Hides(e.event.Event) && s.reader.isWaiting(e.ID):
		return false
	case s.reader.isAccepted(e.ID):
		return true
	case s.isForeign(ctx, e, id):
		return false
	case (words || e.event.Event == UndoEvent) && s.reader.opts.Seen.MadeOne(id):
		return false
	case (words || Replaces(e.event.Event)) && near || e.event.Event == UndoEvent && s.worded[id]:
		_, others, err := s.reader.isOfOthers(ctx, id, author)
		return !s.noteFault(err) && !others && !s.isProtected(ctx, id)
	default:
		return !s.isProtected(ctx, id)
	}
}

// isForeign tells whether an event came from elsewhere than the remote that memory is shared with, and its target
// did not come from there, too: a fork, or a bundle that somebody mailed, has no say in what is shared here. As
// long as no remote is fixed, none is elsewhere.
func (s *folding) isForeign(ctx context.Context, e Entry, id packet.ID) bool {
	if s.shared == nil {
		u, _, err := upstream.Of(s.reader.opts.Repo)
		if s.noteFault(err) {
			return true
		}
		s.shared = &u
	}
	from := s.reader.sourceOf(refs.Ref{Name: refs.Name{Kind: refs.Events, ID: e.ID}, Remote: e.Remote})
	if s.shared.Remote == "" || from == "" || from == s.shared.URL || from == s.shared.Remote {
		return false
	}
	for _, kind := range refs.Kinds() {
		ref, err := s.reader.opts.Store.Lookup(ctx, refs.Name{Kind: kind, ID: id})
		if err == nil && s.reader.sourceOf(ref) == from {
			return false
		}
	}
	return true
}

// ofBundle is the source of what came without a remote.
const ofBundle = "bundle"

// sourceOf is where a record came from: the address of the remote that delivered it, or the name of one of which a
// tracking ref alone holds it; "" for what was made here, and where nobody knows.
func (r *Reader) sourceOf(ref refs.Ref) string {
	if r.opts.Seen.Made(ref.Name) {
		return ""
	}
	if address, _, ok := r.opts.Seen.Delivery(ref.Name); ok {
		return cmp.Or(address, ofBundle)
	}
	return ref.Remote
}

// isProtected tells whether a trusted key signed a record. One that is not here, or cannot be read, is not.
func (s *folding) isProtected(ctx context.Context, id packet.ID) bool {
	if is, known := s.signed[id]; known || s.near != nil && !s.near[id] {
		return is
	}
	is := false
	for _, kind := range refs.Kinds() {
		ref, err := s.reader.lookupHere(ctx, refs.Name{Kind: kind, ID: id})
		if errors.Is(err, refs.ErrNotFound) || IsUnreadable(err) {
			continue
		}
		signed := false
		if err == nil {
			signed, err = s.reader.SignedBehind(ctx, ref)
		}
		s.noteFault(err)
		is = is || signed
	}
	s.signed[id] = is
	return is
}

// SignedBehind tells whether a trusted key signed the record that a ref names. One that cannot be read,
// nobody did.
func (r *Reader) SignedBehind(ctx context.Context, ref refs.Ref) (bool, error) {
	obj, err := r.opts.Store.Read(ctx, ref)
	if IsUnreadable(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	v, err := r.opts.Judge.Vouch(ctx, ref.Name.ID, obj)
	return Entry{Verdict: v.Verdict}.isSigned(), err
}

// Buried returns a *[PurgedError] where a record was removed for good.
func (r *Reader) Buried(ctx context.Context, id packet.ID) error {
	s, err := r.stateOf(ctx, id)
	if err != nil {
		return err
	}
	stone, ok := s.Purged[id]
	if !ok {
		return nil
	}
	gone := &PurgedError{ID: id, Tombstone: stone}
	if !stone.Sure {
		inside, err := r.Quarantined(ctx)
		if err != nil {
			return err
		}
		gone.Waits = inside[id]
	}
	return gone
}

// foremostRef returns the ref that counts of those under the name of one that a remote shows: where no
// trusted key signed what that names, one of what such a key signed, here or there.
func (r *Reader) foremostRef(ctx context.Context, ref refs.Ref) (refs.Ref, error) {
	if ref.Name.Key != "" {
		return ref, nil
	}
	others, err := r.opts.Store.Everywhere(ctx, ref.Name)
	if err != nil {
		return ref, err
	}
	for _, other := range others {
		if other.Object == ref.Object {
			continue
		}
		signed, err := r.SignedBehind(ctx, other)
		if err != nil {
			return ref, err
		}
		if !signed {
			continue
		}
		if signed, err = r.SignedBehind(ctx, ref); signed || err != nil {
			return ref, err
		}
		return other, nil
	}
	return ref, nil
}

// Eclipsed tells whether no trusted key signed what a ref names, and one signed something else under its
// name.
func (r *Reader) Eclipsed(ctx context.Context, ref refs.Ref) (bool, error) {
	first, err := r.foremostRef(ctx, ref)
	return first.Object != ref.Object, err
}

// Quarantined returns the records that wait in quarantine for an answer to a purge.
func (r *Reader) Quarantined(ctx context.Context) (map[packet.ID]bool, error) {
	there, err := r.opts.Store.InQuarantine(ctx)
	found := map[packet.ID]bool{}
	for _, q := range there {
		found[q.ID] = true
	}
	return found, err
}

// ErrTombstone says that a purge cannot be purged.
var ErrTombstone = errors.New("it is the purge of another record, which counts for ever")
