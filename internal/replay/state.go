package replay

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/rank"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/trust"
	"github.com/git-ltm/git-ltm/internal/upstream"
)

// State is the fold of the events.
type State struct {
	events []Entry // in the order in which they count
	Lives  map[packet.ID]Life
	Purged map[packet.ID]Tombstone // what was removed for good
	Stones map[packet.ID]string    // the blobs of the events that are tombstones
	undone map[packet.ID]bool      // the events that later ones took back

	refused map[refusal]bool
}

// folding is a fold that goes on.
type folding struct {
	*State

	reader *Reader
	signed map[packet.ID]bool // whether a trusted key signed a record, as far as it was asked
	worded map[packet.ID]bool // the events that put words beside a record or replace it, or take events back
	near   map[packet.ID]bool // which records are at hand, where somebody speaks of many; nil says nothing
	shared *upstream.Upstream // the remote that memory is shared with; nil until it is asked for
	fault  error              // why the fold cannot go on
}

// noteFault notes an error, and tells whether the fold cannot go on.
func (s *folding) noteFault(err error) bool {
	s.fault = cmp.Or(s.fault, err)
	return s.fault != nil
}

// Fold reads the events once and says what became of each record. The result
// does not depend on the order in which events arrived.
func (r *Reader) Fold(ctx context.Context) (*State, error) {
	if r.state != nil {
		return r.state, nil
	}
	all, err := Collect(r.Everything(ctx, refs.Query{Kind: refs.Events, Remotes: true}))
	if err == nil {
		all, err = r.Counting(ctx, all)
	}
	if err != nil {
		return nil, err
	}
	s, err := r.foldThese(ctx, all)
	if err == nil {
		r.state = s
	}
	return s, err
}

// foldThese says what some events make of the records that they speak of.
func (r *Reader) foldThese(ctx context.Context, events []refs.Ref) (*State, error) {
	s := &folding{reader: r, State: &State{
		Lives: map[packet.ID]Life{}, Purged: map[packet.ID]Tombstone{}, Stones: map[packet.ID]string{},
		undone: map[packet.ID]bool{}, refused: map[refusal]bool{},
	}, signed: map[packet.ID]bool{}, worded: map[packet.ID]bool{}}
	for _, ref := range events {
		if s.noteFault(ctx.Err()) {
			break
		}
		s.foldOne(ctx, ref)
	}
	slices.SortFunc(s.events, inTime)
	s.lookAround(ctx)
	s.noteRefusals()
	for _, e := range s.events {
		if e.event.Event == PurgeEvent {
			s.noteTombstones(ctx, e)
		}
	}
	// A tombstone stays for ever, so an event that is one cannot be removed by another. A packet of its id
	// can.
	for id := range s.Stones {
		if stone, ok := s.Purged[id]; ok {
			stone.Stone = true
			s.Purged[id] = stone
		}
	}
	s.events = slices.DeleteFunc(s.events, func(e Entry) bool { return s.Gone(e.Ref) })
	s.undoEvents(ctx)
	for _, e := range s.events {
		s.applyEvent(ctx, e)
	}
	return s.State, s.fault
}

// Collect returns what a listing yields.
func Collect(listing iter.Seq2[refs.Ref, error]) (all []refs.Ref, err error) {
	for ref, err := range listing {
		if err != nil {
			return nil, err
		}
		all = append(all, ref)
	}
	return all, nil
}

// foldOne reads an event, and notes it where it counts. One that cannot be read is skipped.
func (s *folding) foldOne(ctx context.Context, ref refs.Ref) {
	if ref.Conflict && ref.Remote != "" {
		var err error
		if ref, err = s.reader.foremostRef(ctx, ref); s.noteFault(err) {
			return
		}
	}
	e, err := s.reader.Read(ctx, ref)
	if err != nil || e.Withheld(Asked) != "" {
		s.noteFault(s.reader.Skip(ref.Full(), err))
		return
	}
	if e.event.Event == PurgeEvent {
		s.Stones[e.ID] = s.reader.opts.Store.BlobOID(e.data)
	}
	e.data, e.record = nil, nil // Of an event only the view is asked for again.
	s.events = append(s.events, e)
}

// inTime is the order in which events count.
func inTime(a, b Entry) int {
	return cmp.Or(a.event.CreatedAt.Compare(b.event.CreatedAt), cmp.Compare(a.ID, b.ID))
}

// undoEvents notes which events were taken back. It goes from the last to the first, because an event that
// takes another one back can be taken back itself. One takes back only what came before it, and no purge.
func (s *folding) undoEvents(ctx context.Context) {
	before := map[packet.ID]bool{}
	for _, e := range s.events {
		before[e.ID] = e.event.Event != PurgeEvent
		if bearsText(e.event.Event) || Replaces(e.event.Event) || e.event.Event == UndoEvent {
			s.worded[e.ID] = true
		}
	}
	for _, e := range slices.Backward(s.events) {
		delete(before, e.ID)
		if e.event.Event != UndoEvent || s.undone[e.ID] {
			continue
		}
		for _, id := range IDs(e.event.Targets) {
			if s.hasSay(ctx, e, id) && before[id] {
				s.undone[id] = true
			}
		}
	}
}

// applyEvent changes the lives of an event's targets. Where it has no say in a record, what it says is a
// claim.
func (s *folding) applyEvent(ctx context.Context, e Entry) {
	if s.undone[e.ID] || e.event.Event == PurgeEvent || e.event.Event == UndoEvent {
		return
	}
	for _, id := range IDs(e.event.Targets) {
		if !s.hasSay(ctx, e, id) {
			if !s.reader.isRefused(e.ID) {
				s.Lives[id] = s.Lives[id].withClaim(e)
			}
			continue
		}
		s.Lives[id] = s.Lives[id].afterEvent(e)
		if e.event.Event != "supersede" {
			continue
		}
		// Of two events that say of two records that each takes the place of the other, the later counts.
		// Else neither would be seen again.
		next := s.Lives[id].Superseded
		for left := longestCircle; left > 0 && next != ""; left-- {
			life := s.Lives[next]
			if life.Superseded == id {
				life.Superseded = ""
				s.Lives[next] = life
				break
			}
			next = life.Superseded
		}
	}
}

// longestCircle is how many records of a circle are looked at. Whoever can push can make chains of any
// length, and each event would follow them to the end.
const longestCircle = 64

// Stored makes the next question read the events again, because one may have been stored.
func (r *Reader) Stored() { r.state, r.allowed = nil, nil }

// Newest is the id of the newest event that counts, or nothing.
func (s *State) Newest() (id packet.ID) {
	for _, e := range s.events {
		id = max(id, e.ID)
	}
	return id
}

// Purge is an event that removes records for good.
type Purge struct {
	ID       packet.ID
	By       string // the author that it names
	Standing sign.Standing
	Remote   string // the remote that holds it; empty for one of this clone
	Targets  []packet.ID
}

// Purges returns the purges that count, in the order of the events.
func (s *State) Purges() []Purge {
	var all []Purge
	for _, e := range s.events {
		if e.event.Event == PurgeEvent {
			all = append(all, Purge{
				e.ID, e.event.Provenance.AuthorHuman, e.Verdict.Standing, e.Remote,
				IDs(e.event.Targets),
			})
		}
	}
	return all
}

// IDs returns the texts that are ids.
func IDs(texts []string) []packet.ID {
	var all []packet.ID
	for _, text := range texts {
		if id, err := packet.ParseID(text); err == nil {
			all = append(all, id)
		}
	}
	return all
}

// Forget makes the next question read the events again.
func (r *Reader) Forget() {
	r.state, r.allowed, r.view = nil, nil, nil
	r.opts.Answers.Forget()
	r.opts.Judge.Forget()
}

// After returns a time that is not before now and behind every event that is one of the records or about
// them, but those behind which there is no time.
func (s *State) After(targets []packet.ID, now time.Time) time.Time {
	for _, e := range s.events {
		about := slices.ContainsFunc(targets, func(id packet.ID) bool {
			return id == e.ID || slices.Contains(e.event.Targets, string(id))
		})
		next := e.event.CreatedAt.UTC().Add(time.Millisecond)
		if about && !now.After(e.event.CreatedAt) && next.Year() <= lastYear {
			now = next
		}
	}
	return now
}

// lastYear is the last one that a time can state.
const lastYear = 9999

// Heirs returns the records that take the place of some that go, and stay: an edit may say what was to go.
func (s *State) Heirs(gone []packet.ID) (all []packet.ID) {
	for _, id := range gone {
		next := s.Lives[id].Superseded
		if next != "" && s.Purged[next].Event == "" && !slices.Contains(gone, next) && !slices.Contains(all, next) {
			all = append(all, next)
		}
	}
	return all
}

// About returns those of some events that speak of nothing but records that go, or put only those in the place of
// others. What they say in words was taken from these, or is about them.
func (s *State) About(gone []packet.ID, among func(Entry) bool) []packet.ID {
	goes := map[packet.ID]bool{}
	for _, id := range gone {
		goes[id] = true
	}
	alone := func(names []string) bool {
		named := IDs(names)
		return len(named) > 0 && !slices.ContainsFunc(named, func(id packet.ID) bool { return !goes[id] })
	}
	var all []packet.ID
	for _, e := range s.events {
		if e.event.Event != PurgeEvent && !goes[e.ID] && among(e) && (alone(e.event.Targets) || alone(e.event.By)) {
			all = append(all, e.ID)
		}
	}
	return all
}

// AnswersPurge tells whether an event answers a purge.
func (s *State) AnswersPurge(e Entry) bool {
	return slices.ContainsFunc(IDs(e.event.Targets), func(of packet.ID) bool { return s.Stones[of] != "" })
}

// TakenBack returns the records that took the place of some that go, and whose place these took again, as
// undoing an edit does. They are hidden by nothing else. Who is not trusted here has no say in that.
func (s *State) TakenBack(gone []packet.ID) []packet.ID {
	var all []packet.ID
	for _, e := range s.events {
		if e.event.Event != "supersede" || s.undone[e.ID] || !e.Trusted() {
			continue
		}
		for _, id := range otherRecords(e.event) {
			life := s.Lives[id]
			if slices.Contains(gone, life.Superseded) && slices.Contains(e.event.Targets, string(life.Superseded)) &&
				!slices.Contains(gone, id) && !life.Retracted && !slices.Contains(all, id) {
				all = append(all, id)
			}
		}
	}
	return all
}

// Undone tells whether an event was taken back.
func (r *Reader) Undone(ctx context.Context, event packet.ID) (bool, error) {
	s, err := r.Fold(ctx)
	if err != nil {
		return false, err
	}
	return s.undone[event], nil
}

// IsSo tells whether an event would change nothing of a record. What is counted, or has words of its own,
// always does.
func (s *State) IsSo(event string, by []packet.ID, value string, id packet.ID) bool {
	before := s.Lives[id]
	switch event {
	case UndoEvent:
		return s.undone[id]
	case "retract":
		return before.Retracted
	case RestoreEvent:
		return !before.Retracted && !before.Archived && before.Superseded == "" && before.Consolidated == ""
	case "archive":
		return before.Archived
	case "close":
		return before.Closed
	case "reopen":
		return !before.Closed
	case "supersede":
		return len(by) > 0 && before.Superseded == by[0]
	case "impact":
		return before.Impact == value
	default:
		return false
	}
}

// Life is what the events made of a record.
type Life struct {
	Retracted    bool
	Archived     bool // not shown automatically
	Closed       bool // its thread has ended, or the task is done
	Reopened     bool // the last that was said of its end is that it goes on
	Contradicted bool // somebody said that it is wrong, and nobody confirmed it since
	Expired      bool
	By           packet.ID       // the event that decided that it is retracted, or not any more
	Superseded   packet.ID       // the record that takes its place
	Consolidated packet.ID       // the record that says it together with others
	Until        time.Time       // when it expires, by an event
	Confirmed    time.Time       // when somebody last confirmed it
	Confirmer    provenance.Text // who that was
	Impact       string          // as an event sets it
	Digest       provenance.Text // a short text beside the original
	NextAction   provenance.Text // of a task, where an event sets it
	Wrong        provenance.Text // why it is contradicted
	Hiding       provenance.Text // why it is archived
	Taken        provenance.Text // of a task: who made it active, and so worked on it last
	Closer       provenance.Text // who closed it
	Set          packet.ID       // of a task: the last event that changed it
	Links        []Linked
	Claims       []Claim // the newest of what others say of a record that they have no say in, oldest first
	ClaimsLeft   int     // older ones, which are not among these

	set   packet.Change // of a task, as events set it
	votes []vote        // the confirmations and contradictions, in turn
}

// vote is what somebody said of a record.
type vote struct {
	by        string // how the name of its author looks
	confirmed bool
}

// withVote counts what an event says of a record. Who says again what they said last is counted once; nobody
// knows of those without a name whether they are one.
func (l Life) withVote(e Entry, confirmed bool) []vote {
	said := vote{trust.Look(e.event.Provenance.AuthorHuman), confirmed}
	for _, before := range slices.Backward(l.votes) {
		if before == said && said.by != "" {
			return l.votes
		}
		if before.by == said.by {
			break
		}
	}
	return append(slices.Clip(l.votes), said)
}

// Claim is what an event that is not trusted says of a record that is. It changes nothing of the record.
type Claim struct {
	Event string          // the word of the event, such as digest
	Value provenance.Text // what it says, with who wrote it
	Why   provenance.Text

	asks packet.Change // what of a task it asks to change; the zero value where it is no such event
}

// TakesTask tells that somebody asks for a task to work on it.
func (c Claim) TakesTask() bool { return c.asks.TakesTask() }

// mostClaims bounds how many claims of one record are kept. Whoever can push can make any number.
const mostClaims = 32

// withClaim returns the life with one more claim.
func (l Life) withClaim(e Entry) Life {
	if len(l.Claims) == mostClaims {
		l.Claims = slices.Clone(l.Claims[1:])
		l.ClaimsLeft++
	}
	c := Claim{Event: e.event.Event, Value: e.sealText(e.event.Value), Why: e.sealText(e.event.Why)}
	if c.Event == "set" {
		c.asks, _ = packet.ParseChange(e.event.Value) // One that is none asks for nothing.
	}
	l.Claims = append(l.Claims, c)
	return l
}

// unanswered are the claims that a change of a task, by somebody who has a say in it, leaves open: those that
// ask for more than it decides. A task that is done answers all.
func (l Life) unanswered(change packet.Change) []Claim {
	return slices.DeleteFunc(slices.Clone(l.Claims), func(c Claim) bool {
		return c.Event == "set" && (l.Closed || c.asks.Then(change) == change)
	})
}

// bearsText tells the events that put words beside a record or change its rank. The others only hide it, end
// it or bring it back.
func bearsText(event string) bool {
	return slices.Contains([]string{"digest", "set", "link", "impact", "confirm", "contradict"}, event)
}

// Replaces tells the events that put another record in the place of one.
func Replaces(event string) bool { return event == "supersede" || event == "consolidate" }

// Linked is a record that another one is linked with.
type Linked struct {
	ID    packet.ID
	Label provenance.Text // how, in the words of whoever linked them
}

// Hidden tells whether lists leave the record out.
func (l Life) Hidden() bool { return l.Retracted || l.Expired || l.Superseded != "" }

// Resting tells whether nobody is told of the record unasked.
func (l Life) Resting() bool { return l.Hidden() || l.Archived || l.Consolidated != "" }

// PutAway tells whether somebody said that the record is to be out of sight. One whose own time is over is
// not.
func (l Life) PutAway() bool {
	return l.Retracted || l.Archived || l.Superseded != "" || l.Consolidated != "" ||
		l.Expired && !l.Until.IsZero()
}

// Confidence is how sure a record is, from 0 to 1, after what was said for and against it; prior is how sure
// it was before.
func (l Life) Confidence(prior float64) float64 {
	for _, said := range l.votes {
		if said.confirmed {
			prior = rank.Confirm(prior)
		} else {
			prior = rank.Contradict(prior)
		}
	}
	return prior
}

// completed is the status of a task that is done.
const completed = "completed"

// otherRecords returns the records that an event speaks of beside its targets. An event that takes one to say
// that another has its place changes nothing where there is none.
func otherRecords(e packet.Event) []packet.ID {
	return IDs(slices.DeleteFunc(slices.Clone(e.By), func(by string) bool { return slices.Contains(e.Targets, by) }))
}

// sealText seals one of the strings of an event, or of any record, with where it comes from.
func (e Entry) sealText(text string) provenance.Text { return provenance.Of(text, e.originOf()) }

// afterEvent returns what an event makes of one of its targets. Events of other kinds change nothing here.
func (l Life) afterEvent(e Entry) Life {
	switch e.event.Event {
	case "retract":
		l.Retracted, l.By = true, e.ID
	case RestoreEvent:
		l.Retracted, l.Archived, l.Superseded, l.Consolidated, l.By = false, false, "", "", e.ID
		l.Hiding = provenance.Text{}
	case "archive":
		l.Archived, l.Hiding = true, e.sealText(e.event.Why)
	case "supersede":
		l.Superseded = append(otherRecords(e.event), l.Superseded)[0]
	case "consolidate":
		l.Consolidated = append(otherRecords(e.event), l.Consolidated)[0]
	case "close", "reopen":
		l.Closed = e.event.Event == "close"
		l.Reopened = !l.Closed
		l.Closer = e.sealText(e.event.Provenance.AuthorHuman)
		if l.Reopened {
			l.Taken, l.Closer = provenance.Text{}, provenance.Text{}
		}
		l.Claims = l.unanswered(packet.Change{Status: completed})
	case "expire":
		l.Until = e.event.ExpiresAt
		if l.Until.IsZero() {
			l.Until = e.event.CreatedAt
		}
	case "digest":
		l.Digest = e.sealText(e.event.Value)
	case "link":
		for _, other := range otherRecords(e.event) {
			l.Links = append(l.Links, Linked{ID: other, Label: e.sealText(e.event.Value)})
		}
	case "confirm":
		l.votes, l.Contradicted, l.Confirmed = l.withVote(e, true), false, e.event.CreatedAt
		l.Wrong, l.Confirmer = provenance.Text{}, e.sealText(e.event.Provenance.AuthorHuman)
	case "contradict":
		l.votes, l.Contradicted, l.Wrong = l.withVote(e, false), true, e.sealText(e.event.Why)
	case "impact": // That one is critical takes somebody who counts here.
		if packet.IsImpact(e.event.Value) &&
			(e.event.Value != rank.Critical || e.Verdict.Standing.Vouched()) {
			l.Impact = e.event.Value
		}
	case "set":
		if change, err := packet.ParseChange(e.event.Value); err == nil {
			ended := l.Closed || slices.Contains([]string{completed, "archived"}, l.set.Status)
			l.set, l.Set = l.set.Then(change), e.ID
			by := e.sealText(e.event.Provenance.AuthorHuman)
			switch {
			case change.TakesTask() && !ended:
				l.Taken = by
			case change.Status == completed:
				l.Closer = by
			case change.Status == "archived" || change.Status != "" && ended:
				l.Taken, l.Closer = provenance.Text{}, provenance.Text{}
			}
			if change.NextAction != "" {
				l.NextAction = e.sealText(change.NextAction)
			}
			if change.Status != "" {
				l.Closed, l.Reopened = change.Status == completed, false
			}
			l.Claims = l.unanswered(change)
		}
	}
	return l
}
