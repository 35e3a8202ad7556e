package replay

import (
	"context"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/journal"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// An Arrival is what an event of others, whom nobody here vouches for, did to records that this clone made, or to those of a third;
// or what it would do, where it waits until the user lets it.
type Arrival struct {
	Event   packet.ID
	Word    string // of the event, such as retract
	By      string // who says to have made it, and how it came: "Bob, unsigned, from origin"
	Records []packet.ID
	Yours   bool // this clone made them
	Waits   bool
}

// arrivals is what this clone notes of events that came, by the event.
type arrivals struct{ journal.Notebook }

// How a note about an event begins.
const (
	arrivedWaits = "waits"
	arrivedDid   = "did"
)

// MostAtOnce is how many records may be reached by such events of one exchange. More wait until the user lets them.
const MostAtOnce = 10

// Hides tells the events that take records out of sight, end them or bring them back, and say nothing in words. What was purged is
// another matter.
func Hides(event string) bool {
	return !bearsText(event) && !slices.Contains([]string{PurgeEvent, "allow", "disallow"}, event)
}

// waits tells whether an event waits until the user lets it.
func (r *Reader) waits(id packet.ID) bool {
	text, _ := r.arrivals.Find(string(id))
	return strings.HasPrefix(text, arrivedWaits+" ")
}

// Crowded looks at what some refs are about to bring, which others sent, and lets those events among them wait that reach others,
// where they and what the same exchange brought before would reach more than [MostAtOnce] records. Reached are those records.
func (r *Reader) Crowded(ctx context.Context, coming []refs.Ref, reached map[packet.ID]bool) error {
	var far []Entry
	for _, ref := range coming {
		if ref.Name.Kind != refs.Events || ref.Name.Key != "" {
			continue
		}
		e, err := r.Read(ctx, ref)
		if IsUnreadable(err) {
			continue
		}
		if err != nil {
			return err
		}
		if e.Made || e.Verdict.Standing.Vouched() || !Hides(e.event.Event) {
			continue
		}
		reaches := false
		for _, id := range IDs(e.event.Targets) {
			here, others, err := r.isOfOthers(ctx, id, e.event.Provenance.AuthorHuman)
			if err != nil {
				return err
			}
			if here || others {
				reached[id], reaches = true, true
			}
		}
		if reaches {
			far = append(far, e)
		}
	}
	if len(reached) <= MostAtOnce {
		return nil
	}
	for _, e := range far {
		r.note(arrivedWaits, e, IDs(e.event.Targets), "")
	}
	return r.arrivals.Keep()
}

// isOfOthers tells whether this clone holds a record, and whether one is here or offered that states another author than this one.
// A name is a claim, so that of what is held it says little: whoever sends an event may take the name of the record.
func (r *Reader) isOfOthers(ctx context.Context, id packet.ID, author string) (here, others bool, err error) {
	here = r.opts.Seen.MadeOne(id)
	for _, kind := range refs.Kinds() { // Names are of a kind: an event may bear the id of a note.
		ref, err := r.opts.Store.Lookup(ctx, kind, id)
		if err != nil {
			continue // It is of another kind, or not here.
		}
		here = here || ref.Remote == ""
		e, err := r.Read(ctx, ref)
		if err != nil && !IsUnreadable(err) {
			return false, false, err
		}
		others = others || err == nil && e.Origin().Author.AuthorHuman != author
	}
	return here, others, nil
}

// note notes what an event did or would do. What stands for the remote where none is fixed is its name.
func (r *Reader) note(did string, e Entry, records []packet.ID, remote string) {
	o := e.Origin()
	if o.Upstream == "" {
		o.Upstream = remote
	}
	ids := make([]string, 0, mostNoted)
	for _, id := range records[:min(len(records), mostNoted)] {
		ids = append(ids, string(id))
	}
	who := []rune(strings.TrimPrefix(o.Claim(), "says "))
	r.arrivals.Note(string(e.ID), strings.Join([]string{did, e.event.Event, strings.Join(ids, ","), string(who[:min(len(who), mostNoted)])}, " "))
}

// mostNoted bounds how many records are noted of one event, and how long the name of an author is.
const mostNoted = 100

// Arrived notes what the events among some refs, which a remote just sent, did to records that this clone made or that state another
// author than the event, and which purges took what was removed.
func (r *Reader) Arrived(ctx context.Context, names, removed []string, remote string) error {
	if !slices.ContainsFunc(names, func(full string) bool { name, ok := refs.ParseName(full); return ok && name.Kind == refs.Events }) {
		return nil
	}
	s, err := r.Fold(ctx)
	if err != nil {
		return err
	}
	taken := map[packet.ID][]packet.ID{} // by the purge
	for _, full := range removed {
		if name, ok := refs.ParseName(full); ok && name.Kind != refs.Events { // The events about it go with a record.
			by := s.Purged[name.ID].Event
			taken[by] = append(taken[by], name.ID)
		}
	}
	for _, e := range s.events {
		if e.Made || e.Verdict.Standing.Vouched() || !slices.Contains(names, e.Ref) || r.waits(e.ID) {
			continue
		}
		done := taken[e.ID]
		for _, id := range IDs(e.event.Targets) {
			if !Hides(e.event.Event) || !reaches(s, id, e) {
				continue
			}
			_, others, err := r.isOfOthers(ctx, id, e.event.Provenance.AuthorHuman)
			if err != nil {
				return err
			}
			if others || r.opts.Seen.MadeOne(id) {
				done = append(done, id)
			}
		}
		if len(done) > 0 {
			r.note(arrivedDid, e, done, remote)
		}
	}
	return r.arrivals.Keep()
}

// reaches tells whether what an event did to a record holds: it is no claim, and nobody took it back.
func reaches(s *State, id packet.ID, e Entry) bool {
	life := s.Lives[id]
	return !s.undone[e.ID] && (life.Resting() || life.Closed) && !slices.ContainsFunc(life.Claims, func(c Claim) bool { return c.Value.Origin().ID == e.ID })
}

// Arrivals returns what others did, as far as it still holds, and what waits. What they did to records that this clone did not make
// is said until it was told once.
func (r *Reader) Arrivals(ctx context.Context) (all []Arrival, err error) {
	for e, err := range r.arrivals.All() {
		if err != nil {
			return nil, err
		}
		f := strings.SplitN(e.Value, " ", 4)
		if len(f) != 4 {
			continue
		}
		for _, yours := range []bool{true, false} {
			a := Arrival{Event: packet.ID(e.Key), Word: f[1], By: f[3], Yours: yours, Waits: f[0] == arrivedWaits}
			a.Records = slices.DeleteFunc(IDs(strings.Split(f[2], ",")), func(id packet.ID) bool { return r.opts.Seen.MadeOne(id) != yours })
			if _, told := r.arrivals.Find("told/" + e.Key); len(a.Records) == 0 || told && !yours && !a.Waits {
				continue
			}
			if !a.Waits && a.Word != PurgeEvent {
				s, err := r.stateOf(ctx, a.Records...)
				if err != nil {
					return nil, err
				}
				a.Records = slices.DeleteFunc(a.Records, func(id packet.ID) bool { return !s.Lives[id].Resting() && !s.Lives[id].Closed })
			}
			if len(a.Records) > 0 {
				all = append(all, a)
			}
		}
	}
	return all, nil
}

// Untold returns those arrivals that it never returned before in this clone, and notes them.
func (r *Reader) Untold(all []Arrival) []Arrival {
	some := slices.DeleteFunc(slices.Clone(all), func(a Arrival) bool {
		_, told := r.arrivals.Find("told/" + string(a.Event))
		return told
	})
	for _, a := range some {
		r.arrivals.Note("told/"+string(a.Event), "yes")
	}
	_ = r.arrivals.Keep() // Else it is told once more.
	return some
}

// LetArrive lets the events take effect that wait, and says how many there were.
func (r *Reader) LetArrive(ctx context.Context) (n int, err error) {
	all, err := r.Arrivals(ctx)
	if err != nil {
		return 0, err
	}
	for _, a := range all {
		if a.Waits {
			n++
			r.arrivals.Note(string(a.Event), "let")
		}
	}
	r.Forget()
	return n, r.arrivals.Keep()
}

// NewAuthors returns the names, behind words of claimed records, that were never returned before in this clone, and notes them.
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
