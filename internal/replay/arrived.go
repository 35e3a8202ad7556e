package replay

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/trust"
)

// An Arrival is what an event of others, whom nobody here vouches for, did to records that this clone made,
// or to those of a third; or what it would do, where it waits until the user lets it.
type Arrival struct {
	Event   packet.ID
	Word    string // of the event, such as retract
	By      string // who says to have made it, and how it came: "Bob, unsigned, from origin"
	Records []packet.ID
	Yours   bool // this clone made them
	Own     bool // they state the author whom the event states
	Waits   bool
	Claim   bool // it changes nothing of them until the user accepts it
}

// Author is the name that the event states, as it is shown.
func (a Arrival) Author() string {
	if quoted, ok := strings.CutPrefix(a.By, `"`); ok {
		name, _, _ := strings.Cut(quoted, `"`)
		return name
	}
	name, _, _ := strings.Cut(a.By, ",")
	return name
}

// An Answer is what the user said to events that wait.
type Answer string

// The answers.
const (
	Let      Answer = "let"      // they take effect
	Refuse   Answer = "refused"  // they never do
	accepted Answer = "accepted" // one takes effect that is a claim
)

// Arrivals are what events of others, whom nobody here vouches for, did in this clone, and what the user said
// to them.
type Arrivals struct{ reader *Reader }

// NewArrivals returns what is noted of the events that a reader reads.
func NewArrivals(r *Reader) *Arrivals { return &Arrivals{r} }

// How a note about an event begins that nobody answered.
const (
	arrivedWaits  = "waits"
	arrivedDid    = "did"
	arrivedClaims = "claims"
)

// MostADay is how many records such events may reach in a day that state one author. More wait until the user
// lets them. Those that state no name under which somebody committed are counted as of one author, since
// anybody can take a name; and all authors together reach three times as many.
const MostADay = 10

// Hides tells the events that take records out of sight, end them or bring them back, and say nothing in
// words. What was purged is another matter.
func Hides(event string) bool {
	return !bearsText(event) && !slices.Contains([]string{PurgeEvent, "allow", "disallow"}, event)
}

// isWaiting tells whether an event has no effect, because the user did not let it.
func (r *Reader) isWaiting(id packet.ID) bool {
	text, _ := r.arrivals.Find(string(id))
	return text == string(Refuse) || strings.HasPrefix(text, arrivedWaits+" ")
}

// isRefused tells whether the user does not want to hear of an event again.
func (r *Reader) isRefused(id packet.ID) bool {
	text, _ := r.arrivals.Find(string(id))
	return text == string(Refuse)
}

// readAccepted takes apart what is noted of a claim that the user accepted: when, and what was noted before.
func readAccepted(text string) (at time.Time, before string, ok bool) {
	word, rest, _ := strings.Cut(text, " ")
	if word != string(accepted) {
		return at, "", false
	}
	when, before, _ := strings.Cut(rest, " ")
	at, _ = time.Parse(time.RFC3339Nano, when)
	return at, before, true
}

// isAccepted tells whether the user accepted a claim.
func (r *Reader) isAccepted(id packet.ID) bool {
	text, _ := r.arrivals.Find(string(id))
	_, _, ok := readAccepted(text)
	return ok
}

// AcceptedAt says when the user accepted a claim; the zero time where they did not, or took it back.
func (r *Arrivals) AcceptedAt(event packet.ID) (at time.Time) {
	text, _ := r.reader.arrivals.Find(string(event))
	at, _, _ = readAccepted(text)
	return at
}

// LastAccepted returns the claim that the user accepted last, and when; "" for none.
func (r *Arrivals) LastAccepted() (last packet.ID, when time.Time, err error) {
	for e, err := range r.reader.arrivals.All() {
		if err != nil {
			return "", when, err
		}
		if at, _, _ := readAccepted(e.Value); at.After(when) {
			last, when = packet.ID(e.Key), at
		}
	}
	return last, when, nil
}

// Unaccept lets a claim that was accepted wait for an answer again.
func (r *Arrivals) Unaccept(event packet.ID) error {
	text, _ := r.reader.arrivals.Find(string(event))
	_, before, _ := readAccepted(text)
	r.reader.arrivals.Note(string(event), before)
	r.reader.Forget()
	return r.reader.arrivals.Keep()
}

// isClaim tells whether an event is no more than a claim of a record.
func (s *State) isClaim(event, id packet.ID) bool {
	return slices.ContainsFunc(s.Lives[id].Claims, func(c Claim) bool { return c.Value.Origin().ID == event })
}

// AcceptClaim lets an event take effect that is a claim, or that was refused, and tells whether it is one.
func (r *Arrivals) AcceptClaim(ctx context.Context, event packet.ID) (bool, error) {
	s, err := r.reader.Fold(ctx)
	if err != nil {
		return false, err
	}
	if !slices.ContainsFunc(s.events, func(e Entry) bool {
		return e.ID == event && (r.reader.isRefused(event) || slices.ContainsFunc(IDs(e.event.Targets),
			func(id packet.ID) bool { return s.isClaim(event, id) }))
	}) {
		return false, nil
	}
	before, _ := r.reader.arrivals.Find(string(event))
	if _, _, ok := readAccepted(before); !ok {
		now := r.reader.opts.Now().UTC().Format(time.RFC3339Nano)
		r.reader.arrivals.Note(string(event), strings.TrimSpace(string(accepted)+" "+now+" "+before))
	}
	r.reader.Forget()
	return true, r.reader.arrivals.Keep()
}

// LetWait looks at what some refs are about to bring, which others sent, and lets those events among them
// wait that reach others, where more than [MostADay] records would be reached. Of those that came with their
// author's own, as many are nobody's business; more could be anybody's, in that name.
func (r *Arrivals) LetWait(ctx context.Context, coming []refs.Ref) error {
	events, reached := map[string][]Entry{}, map[string][]packet.ID{} // by author
	by := r.newReaching()
	for _, ref := range coming {
		if ref.Name.Kind == refs.Events && ref.Name.Key == "" {
			by.beside[ref.Name.ID] = ref
		}
	}
	for _, ref := range coming {
		if ref.Name.Kind != refs.Events || ref.Name.Key != "" {
			continue
		}
		e, err := r.reader.Read(ctx, ref)
		if by.noteFault(err) {
			return by.fault
		}
		if err != nil {
			continue
		}
		if _, known := r.reader.arrivals.Find(string(e.ID)); known || e.Made || e.Verdict.Standing.Vouched() ||
			!Hides(e.event.Event) {
			continue
		}
		author := ""
		known, err := r.reader.opts.Judge.IsAuthor(e.event.Provenance.AuthorHuman)
		if known {
			author = trust.Look(e.event.Provenance.AuthorHuman)
		}
		by.noteFault(err)
		for _, id := range by.reachedBy(ctx, e) {
			here, others, err := r.reader.isOfOthers(ctx, id, e.event.Provenance.AuthorHuman)
			by.noteFault(err)
			key := author
			if !here && !others {
				key = ownKey + trust.Look(e.event.Provenance.AuthorHuman)
			}
			if last := len(events[key]) - 1; last < 0 || events[key][last].ID != e.ID {
				events[key] = append(events[key], e)
			}
			reached[key] = append(reached[key], id)
		}
	}
	if by.fault != nil {
		return by.fault
	}
	today := map[string][]packet.ID{} // by author
	text, _ := r.reader.arrivals.Find(reachedKey)
	if day, rest, _ := strings.Cut(text, " "); day == r.todayText() {
		for _, part := range strings.Fields(rest) {
			author, ids, _ := strings.Cut(part, ":")
			today[author] = IDs(strings.Split(ids, ","))
		}
	}
	for _, author := range slices.Sorted(maps.Keys(events)) {
		before := today[author]
		today[author] = slices.Compact(slices.Sorted(slices.Values(slices.Concat(before, reached[author]))))
		all := 0
		for other, ids := range today {
			if !strings.HasPrefix(other, ownKey) {
				all += len(ids)
			}
		}
		if len(today[author]) <= MostADay && (all <= 3*MostADay || strings.HasPrefix(author, ownKey)) {
			continue
		}
		today[author] = before
		for _, e := range events[author] {
			r.noteArrival(arrivedWaits, e, by.known[e.ID], "")
		}
	}
	if len(events) > 0 {
		text = r.todayText()
		for author, ids := range today {
			text += " " + author + ":" + joinIDs(ids)
		}
		r.reader.arrivals.Note(reachedKey, text)
	}
	return r.reader.arrivals.Keep()
}

// ownKey begins the key of what an author did to records that came with it and state that author too.
const ownKey = "="

// reaching finds the records that events of others reach.
type reaching struct {
	*Reader

	known  map[packet.ID][]packet.ID // by event
	beside map[packet.ID]refs.Ref    // events that come
	fault  error
}

func (r *Arrivals) newReaching() *reaching {
	return &reaching{r.reader, map[packet.ID][]packet.ID{}, map[packet.ID]refs.Ref{}, nil}
}

// noteFault notes an error of the machine, and tells whether there is one.
func (r *reaching) noteFault(err error) bool {
	if !IsUnreadable(err) {
		r.fault = cmp.Or(r.fault, err)
	}
	return r.fault != nil
}

// reachedBy are the records that an event hides, ends or brings back, as far as they are noted: its targets,
// or of one that takes events of others back, theirs. What this clone did, and what waits, it does not take
// back.
func (r *reaching) reachedBy(ctx context.Context, e Entry) (all []packet.ID) {
	all, is := r.known[e.ID]
	switch {
	case is:
		return all
	case e.event.Event != UndoEvent:
		r.known[e.ID] = IDs(e.event.Targets)
		return r.known[e.ID]
	}
	for _, id := range IDs(e.event.Targets) {
		ref, coming := r.beside[id]
		if !coming {
			var err error
			if ref, err = r.opts.Store.Lookup(ctx, refs.Name{Kind: refs.Events, ID: id}); err != nil {
				continue // It is not here.
			}
		}
		undone, err := r.Read(ctx, ref)
		if r.noteFault(err) || err != nil || inTime(undone, e) >= 0 || undone.Verdict.Standing.Vouched() ||
			undone.event.Event == PurgeEvent || r.isWaiting(id) {
			continue
		}
		all = slices.Compact(slices.Sorted(slices.Values(slices.Concat(all, r.reachedBy(ctx, undone)))))
		all = all[:min(len(all), mostNoted)]
	}
	r.known[e.ID] = all
	return all
}

// reachedKey is the key of what events of others reached on one day.
const reachedKey = "reached"

// todayText is the day, as it is noted.
func (r *Arrivals) todayText() string { return r.reader.opts.Now().UTC().Format(time.DateOnly) }

// joinIDs are ids as they are noted.
func joinIDs(ids []packet.ID) string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = string(id)
	}
	return strings.Join(texts, ",")
}

// isOfOthers tells whether this clone holds a record, and whether one is here or offered that states another
// author than this one. A name is a claim, so that of what is held it says little: whoever sends an event may
// take the name of the record.
func (r *Reader) isOfOthers(ctx context.Context, id packet.ID, author string) (here, others bool, err error) {
	here = r.opts.Seen.MadeOne(id)
	for _, kind := range refs.Kinds() { // Names are of a kind: an event may bear the id of a note.
		ref, missing := r.lookupHere(ctx, refs.Name{Kind: kind, ID: id})
		if missing != nil {
			continue // It is of another kind, or not here.
		}
		here = here || ref.Remote == ""
		switch e, fault := r.Read(ctx, ref); {
		case fault == nil:
			others = others || e.Origin().Author.AuthorHuman != author
		case !IsUnreadable(fault):
			err = cmp.Or(err, fault)
		}
	}
	return here, others, err
}

// noteArrival notes what an event did or would do. What stands for the remote where none is fixed is its
// name.
func (r *Arrivals) noteArrival(did string, e Entry, records []packet.ID, remote string) {
	o := e.Origin()
	if o.Upstream == "" {
		o.Upstream = remote
	}
	ids := joinIDs(records[:min(len(records), mostNoted)])
	r.reader.arrivals.Note(string(e.ID),
		strings.Join([]string{did, e.event.Event, ids, strings.TrimPrefix(o.Claim(), "says ")}, " "))
}

// mostNoted bounds how many records are noted of one event.
const mostNoted = 100

// LearnSigners notes the authors of records that trusted keys signed, among refs of records and of later
// signatures that a remote just sent. What others write in these names unsigned is doubted from then on.
func (r *Arrivals) LearnSigners(ctx context.Context, names []string) error {
	for _, full := range names {
		name, ok := refs.Parse(full)
		kinds := []refs.Kind{name.Kind}
		if name.Key != "" {
			kinds = refs.Kinds() // A later signature may be of a record of any kind.
		}
		for _, kind := range kinds {
			ref, err := r.reader.opts.Store.Lookup(ctx, refs.Name{Kind: kind, ID: name.ID})
			if !ok || err != nil {
				continue // It is of another kind, or was taken away since.
			}
			obj, err := r.reader.opts.Store.Read(ctx, ref)
			if err == nil && (obj.TagOID != "" || name.Key != "") {
				if rec, flaw := packet.Parse(obj.Data, packet.Stored); flaw == nil &&
					!r.reader.opts.Seen.Signs(rec.AuthorHuman()) {
					_, err = r.reader.Read(ctx, ref) // It notes that.
				}
			}
			if err != nil && !IsUnreadable(err) {
				return err
			}
		}
	}
	return nil
}

// Note notes what the events among some refs, which a remote just sent, did to records that were here or
// that state another author than the event, and which purges took what was removed.
func (r *Arrivals) Note(ctx context.Context, names, removed []string, remote string) error {
	if !slices.ContainsFunc(names, func(full string) bool {
		name, ok := refs.ParseName(full)
		return ok && name.Kind == refs.Events
	}) {
		return nil
	}
	s, err := r.reader.Fold(ctx)
	if err != nil {
		return err
	}
	came, isNew := map[packet.ID]bool{}, map[string]bool{}
	for _, full := range names {
		if name, ok := refs.ParseName(full); ok {
			came[name.ID], isNew[full] = true, true
		}
	}
	taken := map[packet.ID][]packet.ID{} // by the purge
	for _, full := range removed {
		// The events about it go with a record.
		if name, ok := refs.ParseName(full); ok && name.Kind != refs.Events {
			by := s.Purged[name.ID].Event
			taken[by] = append(taken[by], name.ID)
		}
	}
	by := r.newReaching()
	for _, e := range s.events {
		if e.Made || e.Verdict.Standing.Vouched() || !isNew[e.Ref] || r.reader.isWaiting(e.ID) {
			continue
		}
		done := taken[e.ID]
		for _, id := range by.effectsOf(ctx, s, e) {
			_, others, err := r.reader.isOfOthers(ctx, id, e.event.Provenance.AuthorHuman)
			if by.noteFault(err); others || !came[id] {
				done = append(done, id)
			}
		}
		if by.fault != nil {
			return by.fault
		}
		if len(done) > 0 {
			r.noteArrival(arrivedDid, e, done, remote)
			continue
		}
		muted, err := r.reader.opts.Judge.IsMuted(e.event.Provenance.AuthorHuman)
		if err != nil {
			return err
		}
		claimed := slices.DeleteFunc(IDs(e.event.Targets), func(id packet.ID) bool {
			return !r.reader.opts.Seen.MadeOne(id) || !s.isClaim(e.ID, id)
		})
		if len(claimed) > 0 && !muted {
			r.noteArrival(arrivedClaims, e, claimed, remote)
		}
	}
	return r.reader.arrivals.Keep()
}

// effectsOf are the records for which what an event did holds, where it says nothing in words: it is no
// claim, and nobody took it back.
func (r *reaching) effectsOf(ctx context.Context, s *State, e Entry) []packet.ID {
	if !Hides(e.event.Event) ||
		e.event.Event == UndoEvent &&
			!slices.ContainsFunc(IDs(e.event.Targets), func(id packet.ID) bool { return s.undone[id] }) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r.reachedBy(ctx, e)), func(id packet.ID) bool {
		return s.isClaim(e.ID, id) || !s.stillHolds(e.ID, e.event.Event, id) || s.Stones[id] != ""
	})
}

// stillHolds tells whether a record is as an event left it that has a say in it.
func (s *State) stillHolds(event packet.ID, word string, id packet.ID) bool {
	life := s.Lives[id]
	switch shown := !life.Resting() && !life.Closed; {
	case s.undone[event]:
		return false
	case word == UndoEvent:
		return true
	case slices.Contains([]string{RestoreEvent, "reopen"}, word):
		return shown
	default:
		return !shown
	}
}

// InEffect returns the events of others that state an author, that nobody here vouches for, and of which
// something holds.
func (r *Arrivals) InEffect(ctx context.Context, author string) (all []packet.ID, err error) {
	s, err := r.reader.Fold(ctx)
	if err != nil {
		return nil, err
	}
	by := r.newReaching()
	for _, e := range s.events {
		arrival := Arrival{By: strings.TrimPrefix(e.Origin().Claim(), "says ")}
		if e.Made || e.Verdict.Standing.Vouched() || r.reader.isWaiting(e.ID) || !arrival.IsBy(author) {
			continue
		}
		if len(by.effectsOf(ctx, s, e)) > 0 {
			all = append(all, e.ID)
		}
	}
	return all, by.fault
}

// List returns what others did, as far as it still holds, and what waits. What they did to records that
// this clone did not make is said until it was told once.
func (r *Arrivals) List(ctx context.Context) (all []Arrival, err error) {
	for e, err := range r.reader.arrivals.All() {
		if err != nil {
			return nil, err
		}
		f := strings.SplitN(e.Value, " ", 4)
		if len(f) != 4 || !slices.Contains([]string{arrivedWaits, arrivedDid, arrivedClaims}, f[0]) {
			continue
		}
		for _, yours := range []bool{true, false} {
			a := Arrival{
				Event: packet.ID(e.Key), Word: f[1], By: f[3], Yours: yours,
				Waits: f[0] == arrivedWaits, Claim: f[0] == arrivedClaims,
			}
			a.Records = slices.DeleteFunc(IDs(strings.Split(f[2], ",")), func(id packet.ID) bool {
				return r.reader.opts.Seen.MadeOne(id) != yours
			})
			if _, told := r.reader.arrivals.Find("told/" + e.Key); len(a.Records) == 0 ||
				told && !yours && !a.Waits {
				continue
			}
			if !a.Waits && a.Word != PurgeEvent {
				s, err := r.reader.stateOf(ctx, append(slices.Clone(a.Records), a.Event)...)
				if err != nil {
					return nil, err
				}
				a.Records = slices.DeleteFunc(a.Records, func(id packet.ID) bool {
					if claim := s.isClaim(a.Event, id); claim || a.Claim {
						return claim != a.Claim
					}
					return !s.stillHolds(a.Event, a.Word, id)
				})
			}
			own := a
			own.Own, own.Records = true, nil
			if !yours && !a.Waits && a.Word != PurgeEvent {
				var fault error
				a.Records = slices.DeleteFunc(a.Records, func(id packet.ID) bool {
					here, others, err := r.reader.isOfOthers(ctx, id, a.Author())
					if fault = cmp.Or(fault, err); here && !others {
						own.Records = append(own.Records, id)
					}
					return here && !others
				})
				if fault != nil {
					return nil, fault
				}
			}
			for _, some := range []Arrival{a, own} {
				if len(some.Records) > 0 {
					all = append(all, some)
				}
			}
		}
	}
	return all, nil
}

// Untold returns those arrivals that it never returned before in this clone, and notes them.
func (r *Arrivals) Untold(all []Arrival) []Arrival {
	some := slices.DeleteFunc(slices.Clone(all), func(a Arrival) bool {
		_, told := r.reader.arrivals.Find("told/" + string(a.Event))
		return told
	})
	for _, a := range some {
		r.reader.arrivals.Note("told/"+string(a.Event), "yes")
	}
	_ = r.reader.arrivals.Keep() // Else it is told once more.
	return some
}

// Answer notes an answer to the events that wait, of one author where one is named, and says how many
// there were.
func (r *Arrivals) Answer(ctx context.Context, answer Answer, author string) (n int, err error) {
	all, err := r.List(ctx)
	if err != nil {
		return 0, err
	}
	for _, a := range all {
		if now, _ := r.reader.arrivals.Find(string(a.Event)); (a.Waits || a.Claim && answer == Refuse) &&
			now != string(answer) && a.IsBy(author) {
			n++
			r.reader.arrivals.Note(string(a.Event), string(answer))
		}
	}
	r.reader.Forget()
	return n, r.reader.arrivals.Keep()
}

// Refuse keeps events from having an effect in this clone.
func (r *Arrivals) Refuse(events []packet.ID) error {
	for _, id := range events {
		r.reader.arrivals.Note(string(id), string(Refuse))
	}
	r.reader.Forget()
	return r.reader.arrivals.Keep()
}

// IsBy tells whether the event states that author, or one that looks like it; "" is any.
func (a Arrival) IsBy(author string) bool {
	return author == "" ||
		trust.Look(a.Author()) == trust.Look(clean.Truncate(author, provenance.LongestName))
}

// Believed returns the remote whose unsigned records are shown automatically, "" for none, and the authors
// for whom that holds.
func (r *Arrivals) Believed(ctx context.Context) (remote string, names []string, err error) {
	return r.reader.opts.Judge.Believed(ctx, r.reader.opts.Seen.Signs)
}

// NewAuthors returns the names, behind words of claimed records, that were never returned before in this
// clone, and notes them.
func (s *Source) NewAuthors(ctx context.Context, words []string) (names []string, err error) {
	for _, word := range words {
		_, word, _ = strings.Cut(word, byAuthor)
		if _, known := s.reader.arrivals.Find("author/" + word); known {
			continue
		}
		name, err := s.reader.opts.Judge.AuthorOf(ctx, word)
		if err != nil {
			return nil, err
		}
		if names = append(names, name); name != "" {
			s.reader.arrivals.Note("author/"+word, "shown")
		}
	}
	slices.Sort(names)
	return slices.Compact(names), s.reader.arrivals.Keep()
}
