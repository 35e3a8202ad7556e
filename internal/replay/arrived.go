package replay

import (
	"context"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/journal"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// An Arrival is what an event of others, whom nobody here vouches for, did to records that this clone made; or what it would do, where
// it waits until the user lets it.
type Arrival struct {
	Event   packet.ID
	Word    string // of the event, such as retract
	By      string // who says to have made it, and how it came: "Bob, unsigned, from origin"
	Records []packet.ID
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

// Crowded looks at what some refs are about to bring, which others sent, and lets the events among them wait where they would reach
// more than [MostAtOnce] records that were here and are none of their author's. It is asked only where unsigned records are shown.
func (r *Reader) Crowded(ctx context.Context, coming []refs.Ref) error {
	shown, err := r.opts.Judge.HearsClaims(ctx)
	if err != nil || !shown {
		return err
	}
	comes := map[packet.ID]bool{}
	for _, ref := range coming {
		comes[ref.Name.ID] = true
	}
	var all []Entry
	reached := map[packet.ID]bool{}
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
		if all = append(all, e); len(reached) > MostAtOnce {
			continue
		}
		for _, id := range IDs(e.event.Targets) {
			if !comes[id] && !reached[id] {
				others, err := r.isOfOthers(ctx, id, e.event.Provenance.AuthorHuman)
				if err != nil {
					return err
				}
				if others {
					reached[id] = true
				}
			}
		}
	}
	if len(reached) <= MostAtOnce {
		return nil
	}
	for _, e := range all {
		r.note(arrivedWaits, e, IDs(e.event.Targets), "")
	}
	return r.arrivals.Keep()
}

// isOfOthers tells whether a record is here that this clone made, or that states another author.
func (r *Reader) isOfOthers(ctx context.Context, id packet.ID, author string) (bool, error) {
	if r.opts.Seen.MadeOne(id) {
		return true, nil
	}
	for _, kind := range refs.Kinds() {
		ref, err := r.opts.Store.Lookup(ctx, kind, id)
		if err != nil || ref.Remote != "" {
			continue // It is of another kind, or not here.
		}
		e, err := r.Read(ctx, ref)
		if err != nil && !IsUnreadable(err) {
			return false, err
		}
		return err == nil && e.Origin().Author.AuthorHuman != author, nil
	}
	return false, nil
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

// Arrived notes what the events among some refs, which a remote just sent, did to records that this clone made.
func (r *Reader) Arrived(ctx context.Context, names []string, remote string) error {
	if !slices.ContainsFunc(names, func(full string) bool { name, ok := refs.ParseName(full); return ok && name.Kind == refs.Events }) {
		return nil
	}
	s, err := r.Fold(ctx)
	if err != nil {
		return err
	}
	for _, e := range s.events {
		if e.Made || e.Verdict.Standing.Vouched() || !Hides(e.event.Event) || !slices.Contains(names, e.Ref) || r.waits(e.ID) {
			continue
		}
		mine := slices.DeleteFunc(IDs(e.event.Targets), func(id packet.ID) bool { return !r.opts.Seen.MadeOne(id) || !reaches(s, id, e) })
		if len(mine) > 0 {
			r.note(arrivedDid, e, mine, remote)
		}
	}
	return r.arrivals.Keep()
}

// reaches tells whether what an event did to a record holds: it is no claim, and nobody took it back.
func reaches(s *State, id packet.ID, e Entry) bool {
	life := s.Lives[id]
	return !s.undone[e.ID] && (life.Resting() || life.Closed) && !slices.ContainsFunc(life.Claims, func(c Claim) bool { return c.Value.Origin().ID == e.ID })
}

// Arrivals returns what others did to records that this clone made, as far as it still holds, and what waits.
func (r *Reader) Arrivals(ctx context.Context) (all []Arrival, err error) {
	for e, err := range r.arrivals.All() {
		if err != nil {
			return nil, err
		}
		f := strings.SplitN(e.Value, " ", 4)
		if len(f) != 4 {
			continue
		}
		a := Arrival{Event: packet.ID(e.Key), Word: f[1], By: f[3], Records: IDs(strings.Split(f[2], ",")), Waits: f[0] == arrivedWaits}
		if !a.Waits {
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
