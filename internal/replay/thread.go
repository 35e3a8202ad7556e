package replay

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/garden"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/trust"
)

// RecentThread is how old a thread may be to be continued by itself, and to be said where a branch stands by
// others.
const RecentThread = 14 * 24 * time.Hour

// The bounds of a search for the thread that a new packet continues by itself.
const (
	ownRead    = 6 // of the user's own packets, so many are read
	othersRead = 4 // and of others
)

// Beginning is a packet that is about to be stored, as far as its thread depends on it.
type Beginning struct {
	Goal    string
	Session packet.ID // the last packet of the session that saves it; "" where that is not known
	Reach   Reach
}

// Continued says which packet a new one continues: the last of its session, else the newest of the user's own
// threads of this branch, or of a commit behind it, that is recent, open and has a goal that is alike. Where
// it is none, beside is an open packet of the branch, the user's own first, by which somebody might go on. A
// detached HEAD has no thread, and what is private is in no thread that travels.
func (t *Threads) Continued(ctx context.Context, b Beginning) (head packet.ID, beside Choice, err error) {
	if b.Session != "" {
		if ok, err := t.continuesSession(ctx, b); err != nil || ok {
			return b.Session, Choice{}, err
		}
	}
	branch := t.reader.opts.Repo.Head.Branch
	if branch == "" {
		return "", Choice{}, nil
	}
	since := t.reader.opts.Now().Add(-RecentThread)
	switch stand, _, _, err := t.ownStand(ctx, Asked, branch); {
	case err != nil:
		return "", Choice{}, err
	case stand.ID != "" && garden.SameMatter(b.Goal, stand.packet.Goal) && !stand.ID.Time().Before(since) &&
		(b.Reach != Shared || !strings.HasPrefix(stand.Ref, refs.PrivateRoot)):
		return stand.ID, Choice{}, nil
	}
	left, own, others := searched, ownRead, othersRead
	for ref, err := range t.reader.Everything(ctx,
		refs.Query{Kind: refs.Packets, Newest: true, Remotes: true}) {
		if err != nil {
			return "", Choice{}, err
		}
		if left--; left < 0 || own <= 0 || ref.Name.ID.Time().Before(since) {
			break
		}
		if !t.maybeOwn(ref.Name) && (beside.ID != "" || others <= 0) ||
			ref.Name.Private && b.Reach == Shared {
			continue
		}
		e, ok, err := t.reader.readListed(ctx, ref, &State{})
		if err != nil {
			return "", Choice{}, err
		}
		if !ok {
			others--
			continue
		}
		ofBranch, alike := e.packet.Anchor.Branch == branch, garden.SameMatter(b.Goal, e.packet.Goal)
		if !ofBranch && !alike || e.Withheld(Asked) != "" {
			others--
			continue
		}
		isOwn, err := t.Own(ctx, e)
		if err == nil && !ofBranch {
			var behind map[string]int
			behind, err = t.reader.opts.Repo.History().Ancestry(ctx, []string{e.packet.Anchor.Commit})
			ofBranch = isOwn && len(behind) > 0
		}
		if err != nil {
			return "", Choice{}, err
		}
		if isOwn {
			own--
		} else {
			others--
		}
		if alike = alike && isOwn; !ofBranch || !alike && beside.ID != "" && (beside.Own || !isOwn) {
			continue
		}
		e, hidden, err := t.readLife(ctx, e)
		switch {
		case err != nil:
			return "", Choice{}, err
		case hidden:
			continue
		case alike && e.Life.Closed:
			return "", Choice{}, nil // What it was after is done.
		case alike:
			return e.ID, Choice{}, nil
		case !e.Life.Closed:
			beside = Choice{Entry: e, Own: isOwn}
		}
	}
	return "", beside, nil
}

// continuesSession tells whether a packet continues the last one of its session: that is open, and may be
// named.
func (t *Threads) continuesSession(ctx context.Context, b Beginning) (bool, error) {
	ref, err := t.reader.LookupAny(ctx, refs.Packets, string(b.Session))
	if errors.Is(err, ErrNotFound) || ref.Name.Private && b.Reach == Shared {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	e, ok, err := t.reader.readListed(ctx, ref, &State{})
	if err != nil || !ok || e.Withheld(Asked) != "" {
		return false, err
	}
	e, hidden, err := t.readLife(ctx, e)
	return err == nil && !hidden && !e.Life.Closed, err
}

// readLife says what became of a packet that was read without looking, and whether it is hidden. No more
// events are read for it than those that came since.
func (t *Threads) readLife(ctx context.Context, e Entry) (_ Entry, hidden bool, err error) {
	since, err := packet.NewID(e.ID.Time().Add(-aheadOf), bytes.NewReader(make([]byte, idLength)), "")
	if err != nil {
		return e, false, err
	}
	events, err := Collect(
		t.reader.Everything(ctx, refs.Query{Kind: refs.Events, Newest: true, Remotes: true, After: since}))
	if err == nil {
		events, err = t.reader.Counting(ctx, events)
	}
	if err != nil {
		return e, false, err
	}
	s, err := t.reader.foldThese(ctx, events)
	if err != nil {
		return e, false, err
	}
	e.Life = s.Lives[e.ID]
	return e, s.leavesOut(e.ID, Query{}) || isExpired(e.ExpiresAt(), t.reader.opts.Now()), nil
}

// aheadOf is how far the clock of who takes a packet back may be behind that of who saved it, for a save to
// see it. A thread passes over what was taken back in any case.
const aheadOf = time.Hour

// Own tells whether the user made a packet: this clone did, or it is signed by a trusted key that a list
// names with the address that the user commits with. What a record says of its author decides nothing.
func (t *Threads) Own(ctx context.Context, e Entry) (bool, error) {
	if e.Made || !slices.Contains([]sign.Standing{sign.Good, sign.Expired}, e.Verdict.Standing) {
		return e.Made, nil
	}
	email, sure := t.reader.opts.Repo.Settings().Plain("user.email")
	if !sure {
		config, err := t.reader.opts.Repo.Config(ctx)
		if err != nil {
			return false, err
		}
		email, _ = config.Get("user.email")
	}
	return email != "" && trust.Person(e.Verdict) == strings.ToLower(email), nil
}

// maybeOwn tells whether a record may be the user's own by what this clone knows without reading it.
func (t *Threads) maybeOwn(name refs.Name) bool {
	was, known := t.reader.opts.Seen.Find(name)
	return !known || was.Made || was.Tag != ""
}

// The bounds of a search for the packet to resume from, and of a thread.
const (
	searched  = 500
	threadEnd = 50
	// so many of the user's packets are read for where they stand, and for another thread of theirs behind that
	standRead  = 12
	besideRead = 4
)

// Threads are the packets that continue one another, and where a session resumes.
type Threads struct{ reader *Reader }

// NewThreads returns the threads among what a reader reads.
func NewThreads(r *Reader) *Threads { return &Threads{r} }

// A Choice is the packet to resume from.
type Choice struct {
	Entry

	Own        bool  // the user made it, as [Threads.Own] tells
	Beside     Entry // another open thread of the user on the branch; the zero Entry for none
	Newer      Entry // a newer one of the branch, of an open thread of somebody else; the zero Entry for none
	PassedOver int   // so many newer ones were passed over, because policy or their signature withholds them
}

// recentPackets yields the newest packets that may be resumed from, no more than are searched: those of a
// branch, where a view knows them, or all. It counts those that are passed over.
func (t *Threads) recentPackets(ctx context.Context, reading Reading, branch string,
	passed *int,
) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		left := searched
		var q Query
		if t.reader.view != nil {
			q.Branch = branch
		}
		for e, err := range t.reader.List(ctx, q) {
			if err == nil && e.Withheld(reading) != "" {
				*passed++
				continue
			}
			if !yield(e, err) || err != nil {
				return
			}
			if left--; left == 0 {
				return
			}
		}
	}
}

// Head returns the id of the newest packet of the current branch, or nothing. A detached HEAD has no thread.
func (t *Threads) Head(ctx context.Context) (packet.ID, error) {
	branch := t.reader.opts.Repo.Head.Branch
	if branch == "" {
		return "", nil
	}
	for e, err := range t.recentPackets(ctx, Asked, branch, new(int)) {
		if err != nil || e.packet.Anchor.Branch == branch {
			return e.ID, err
		}
	}
	return "", nil
}

// Choose picks the packet to resume from. Of this branch it is the newest of the user's own open threads,
// else that of any open thread, else the newest at all; where the branch has none, the newest end of the
// thread that was saved nearest in the history of HEAD, else the newest. One of a closed thread is picked
// where there is no other.
func (t *Threads) Choose(ctx context.Context, reading Reading) (c Choice, err error) {
	if branch := t.reader.opts.Repo.Head.Branch; branch != "" {
		c, err = t.ofBranch(ctx, reading, branch)
		if err != nil || c.ID != "" {
			return c, err
		}
		c.PassedOver = 0 // They come once more.
	}
	var open, closed []Entry
	ended := Endings{}
	for e, err := range t.recentPackets(ctx, reading, "", &c.PassedOver) {
		if err != nil {
			return Choice{}, err
		}
		if e.ID.IsAhead(t.reader.opts.Now()) || ended.Include(e) {
			closed = append(closed, e)
		} else {
			open = append(open, e)
		}
	}
	switch {
	case len(open) > 0:
		c.Entry, err = t.nearestCommit(ctx, open)
	case len(closed) > 0:
		c.Entry, err = t.nearestCommit(ctx, closed)
	case c.PassedOver > 0:
		err = fmt.Errorf("packet to resume from, of %d that are withheld: %w", c.PassedOver, ErrWithheld)
	default:
		err = fmt.Errorf("packet to resume from: %w", ErrNotFound)
	}
	return c, err
}

// ofBranch picks among the newest packets of a branch; one without an id is none. Where the user has an open
// thread there, only those are read that are newer.
func (t *Threads) ofBranch(ctx context.Context, reading Reading, branch string) (c Choice, err error) {
	var ended Endings
	if c.Entry, c.Beside, ended, err = t.ownStand(ctx, reading, branch); err != nil {
		return Choice{}, err
	}
	c.Own = c.ID != ""
	var q Query
	if t.reader.view != nil {
		q.Branch = branch
	}
	var open, closed Entry
	left := searched
	for !c.Own || !q.Vouched {
		wanted := func(name refs.Name) bool {
			if left--; c.Own && name.ID <= c.ID {
				left = -1 // Only what is newer matters.
			}
			return c.Own || left < 0 || open.ID == "" || name.ID < open.ID && t.maybeOwn(name)
		}
		for ref, err := range t.reader.listRefs(ctx, q, wanted) {
			if err != nil {
				return Choice{}, err
			}
			if left < 0 {
				break
			}
			e, ok, err := t.readShown(ctx, ref)
			if err != nil {
				return Choice{}, err
			}
			if !ok || e.packet.Anchor.Branch != branch {
				continue
			}
			if e.Withheld(reading) != "" {
				c.PassedOver++
				continue
			}
			if e.ID.IsAhead(t.reader.opts.Now()) || ended.Include(e) {
				if closed.ID == "" {
					closed = e
				}
				continue
			}
			isOwn, err := t.Own(ctx, e)
			switch {
			case err != nil:
				return Choice{}, err
			case isOwn && !c.Own:
				c.Entry, c.Own, c.Newer = e, true, open
				return c, nil
			case isOwn || open.ID != "":
				continue
			}
			open = e
			break
		}
		if c.Own {
			c.Newer = open
			return c, nil
		}
		if q.Vouched || open.ID == "" {
			break
		}
		q.Vouched = true
	}
	if c.Entry = open; open.ID == "" {
		c.Entry = closed
		c.Own, err = t.Own(ctx, closed)
	}
	return c, err
}

// readShown reads a packet that is not hidden.
func (t *Threads) readShown(ctx context.Context, ref refs.Ref) (e Entry, ok bool, err error) {
	s, err := t.reader.stateOf(ctx, ref.Name.ID)
	if err != nil || s.leavesOut(ref.Name.ID, Query{}) {
		return Entry{}, false, err
	}
	e, ok, err = t.reader.readListed(ctx, ref, s)
	return e, ok && !e.Life.Hidden(), err
}

// Stand returns the packet of their own that the user would resume from on the current branch, and which threads
// of theirs have ended; the zero Entry for none.
func (t *Threads) Stand(ctx context.Context, reading Reading) (own Entry, ended Endings, err error) {
	branch := t.reader.opts.Repo.Head.Branch
	if branch == "" {
		return Entry{}, Endings{}, nil
	}
	own, _, ended, err = t.ownStand(ctx, reading, branch)
	return own, ended, err
}

// ownStand returns the newest end of an open thread of the user that has a packet on a branch, and that of
// another one, and what has ended: a thread that began there may have gone on elsewhere, and its end may be
// older than a packet that was edited since. Only some of the user's newest packets are looked at.
func (t *Threads) ownStand(ctx context.Context, reading Reading, branch string,
) (stand, beside Entry, ended Endings, err error) {
	ends := map[packet.ID]Entry{} // of threads, by the packets that are continued there
	var here []packet.ID          // the packets of the branch, the newest first
	left, reads := searched, standRead
	for ref, err := range t.reader.Everything(ctx, refs.Query{Kind: refs.Packets, Newest: true, Remotes: true}) {
		if err != nil {
			return Entry{}, Entry{}, nil, err
		}
		if left--; left < 0 || reads <= 0 {
			break
		}
		if !t.maybeOwn(ref.Name) {
			continue
		}
		reads--
		e, ok, err := t.readShown(ctx, ref)
		if err != nil {
			return Entry{}, Entry{}, nil, err
		}
		if !ok || e.Withheld(reading) != "" || e.ID.IsAhead(t.reader.opts.Now()) {
			continue
		}
		if isOwn, err := t.Own(ctx, e); err != nil || !isOwn {
			if err != nil {
				return Entry{}, Entry{}, nil, err
			}
			continue
		}
		end, later := ends[e.ID]
		if !later {
			end = e
			ends[e.ID] = e
		}
		for _, id := range parentsOf(e.packet) {
			of, err := t.placeOf(ctx, packet.ID(id))
			if err != nil {
				return Entry{}, Entry{}, nil, err
			}
			if was, known := ends[of]; !known || was.ID == of {
				ends[of] = end
			}
		}
		if e.packet.Anchor.Branch == branch {
			here = append(here, e.ID)
			if !isOver(end) {
				reads = min(reads, besideRead)
			}
		}
	}
	ended = Endings{}
	for id, end := range ends {
		if isOver(end) {
			ended[string(id)] = true
		}
	}
	for _, id := range here {
		switch end := ends[id]; {
		case isOver(end) || end.ID == stand.ID:
		case stand.ID == "":
			stand = end
		default:
			return stand, end, ended, nil
		}
	}
	return stand, Entry{}, ended, nil
}

// placeOf returns the packet that stands in the place of another one, which is that one as long as nothing
// took it.
func (t *Threads) placeOf(ctx context.Context, id packet.ID) (packet.ID, error) {
	s, err := t.reader.stateOf(ctx, id)
	if err != nil {
		return id, err
	}
	return cmp.Or(s.Lives[id].Superseded, id), nil
}

// isOver tells whether a thread has ended with a packet: that is closed, or says that nothing is left to do.
func isOver(e Entry) bool { return e.Life.Closed || e.packet.Next() == "" }

// Endings are the packets that closed ones continue: with its last packet a whole thread has ended.
type Endings map[string]bool

// Include tells whether the thread of a packet has ended. Whoever asks does so of newer packets first.
func (n Endings) Include(e Entry) bool {
	if !isOver(e) && !n[string(e.ID)] {
		return false
	}
	for _, id := range parentsOf(e.packet) {
		n[id] = true
	}
	return true
}

// nearestCommit picks by the distance in the history, where the newest stand first, and goes on to the newest
// end of that thread: its own commit may have been squashed. Where none lies in the history, it is the
// newest.
func (t *Threads) nearestCommit(ctx context.Context, seen []Entry) (Entry, error) {
	var commits []string
	for _, e := range seen {
		if c := e.packet.Anchor.Commit; c != "" {
			commits = append(commits, c)
		}
	}
	distances, err := t.reader.opts.Repo.History().Ancestry(ctx, commits)
	if err != nil {
		return Entry{}, err
	}
	best, least := seen[0], -1
	for _, e := range seen {
		if d, ok := distances[e.packet.Anchor.Commit]; ok && (least < 0 || d < least) {
			best, least = e, d
		}
	}
	thread := map[packet.ID]bool{best.ID: true}
	for _, e := range slices.Backward(seen) {
		if slices.ContainsFunc(parentsOf(e.packet), func(id string) bool { return thread[packet.ID(id)] }) {
			best, thread[e.ID] = e, true
		}
	}
	return best, nil
}

// Thread returns the packets that e continues, nearest first. What is retracted,
// withheld or not here is passed over.
func (t *Threads) Thread(ctx context.Context, e Entry, reading Reading) ([]Entry, error) {
	var thread []Entry
	seen := map[packet.ID]bool{e.ID: true}
	queue := parentsOf(e.packet)
	for len(queue) > 0 && len(seen) < threadEnd {
		next := queue[0]
		queue = queue[1:]
		var p Entry
		var ref refs.Ref
		id, err := packet.ParseID(next) // by its name, or by its own id
		if p.ID = id; err == nil {
			ref, err = t.reader.lookupHere(ctx, refs.Name{Kind: refs.Packets, ID: id})
		} else if ref, err = t.reader.matchPart(ctx, refs.Packets, packet.DerivedSuffix(next),
			ErrNotFound); err != nil {
			err = ErrNotFound
		}
		if err == nil {
			p, err = t.reader.Living(ctx, ref)
			p.ID = ref.Name.ID
		}
		if errors.Is(err, ErrNotFound) || errors.Is(err, refs.ErrNotFound) {
			continue
		}
		if err != nil {
			if err := t.reader.Skip(refs.Name{Kind: refs.Packets, ID: p.ID}.Ref(), err); err != nil {
				return nil, err
			}
			continue
		}
		if seen[p.ID] {
			continue
		}
		seen[p.ID] = true
		if p.Life.Superseded != "" { // It was edited: what it says now stands in its place.
			queue = slices.Insert(queue, 0, string(p.Life.Superseded))
		}
		queue = append(queue, parentsOf(p.packet)...)
		if !p.Life.Hidden() && p.Withheld(reading) == "" {
			thread = append(thread, p)
		}
	}
	return thread, nil
}

func parentsOf(p packet.Packet) []string {
	if p.ParentID == "" {
		return p.Parents
	}
	return append([]string{p.ParentID}, p.Parents...)
}
