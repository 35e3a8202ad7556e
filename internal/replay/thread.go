package replay

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/citation"
	"github.com/git-ltm/git-ltm/internal/garden"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/trust"
)

// RecentThread is how old a thread may be to be continued by itself, and to be said where a branch stands by
// others.
const RecentThread = 14 * 24 * time.Hour

// othersRead is how many packets of others are read for one to continue.
const othersRead = 4

// Beginning is a packet that is about to be stored, as far as its thread depends on it.
type Beginning struct {
	Goal    string
	Session packet.ID // the last packet of the session that saves it; "" where that is not known
	Reach   Reach
}

// Continued says which packet a new one continues: the last of its session, else the newest of the user's own
// threads of this branch, or of a commit behind it, that is recent, open and has a goal that is alike; on a
// detached HEAD of any branch. What ends on a branch that another work tree has checked out is another thread.
// Where it is none, beside is an open packet of the branch, the user's own first, by which somebody might go
// on. What is private is in no thread that travels.
func (t *Threads) Continued(ctx context.Context, b Beginning) (head packet.ID, beside Choice, err error) {
	if b.Session != "" {
		if ok, err := t.continuesSession(ctx, b); err != nil || ok {
			return b.Session, Choice{}, err
		}
	}
	branch := t.reader.opts.Repo.Head.Branch
	since := t.reader.opts.Now().Add(-RecentThread)
	threads, err := t.ownThreads(ctx, Asked, b.Reach)
	if err != nil {
		return "", Choice{}, err
	}
	for _, own := range threads.all {
		end, alike := own.end, false
		for _, e := range own.packets { // A session may turn to other matters.
			if alike = garden.SameMatter(b.Goal, e.packet.Goal); alike {
				end = e
				break
			}
		}
		if end.ID.Time().Before(since) || own.here == "" && !alike {
			continue
		}
		if own.here == "" && branch != "" {
			if t.reader.opts.Repo.IsCheckedOut(end.packet.Anchor.Branch) {
				continue // Somebody works there, and this is another way to the same goal.
			}
			behind, err := t.reader.opts.Repo.History().Ancestry(ctx, []string{end.packet.Anchor.Commit})
			if err != nil {
				return "", Choice{}, err
			}
			if len(behind) == 0 {
				continue
			}
		}
		switch {
		case alike && end.Life.Closed:
			return "", Choice{}, nil // What it was after is done.
		case alike:
			return end.ID, Choice{}, nil
		case !end.Life.Closed && beside.ID == "":
			beside = Choice{Entry: end, Own: true}
		}
	}
	if beside.ID != "" || branch == "" {
		return "", beside, nil
	}
	left, others := searched, othersRead
	for ref, err := range t.reader.Everything(ctx,
		refs.Query{Kind: refs.Packets, Newest: true, Remotes: true}) {
		if err != nil {
			return "", Choice{}, err
		}
		if left--; left < 0 || others <= 0 || ref.Name.ID.Time().Before(since) {
			break
		}
		if ref.Name.Private || t.reader.opts.Seen.Made(ref.Name) || t.reader.whyLeftOut(ctx, ref) != nil {
			continue
		}
		others--
		e, ok, err := t.reader.readListed(ctx, ref, &State{})
		if err != nil {
			return "", Choice{}, err
		}
		if !ok || e.packet.Anchor.Branch != branch || e.Withheld(Asked) != "" {
			continue
		}
		isOwn, err := t.Own(ctx, e)
		if err != nil {
			return "", Choice{}, err
		}
		e, hidden, err := t.reader.readLife(ctx, e)
		if err != nil {
			return "", Choice{}, err
		}
		if !isOwn && !hidden && !e.Life.Closed {
			return "", Choice{Entry: e}, nil
		}
	}
	return "", Choice{}, nil
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
	e, hidden, err := t.reader.readLife(ctx, e)
	return err == nil && !hidden && !e.Life.Closed, err
}

// readLife says what became of a record that was read without looking, and whether it is hidden. No more
// events are read for it than those that came since.
func (r *Reader) readLife(ctx context.Context, e Entry) (_ Entry, hidden bool, err error) {
	since, err := packet.NewID(e.ID.Time().Add(-aheadOf), bytes.NewReader(make([]byte, idLength)), "")
	if err != nil {
		return e, false, err
	}
	events, err := Collect(
		r.Everything(ctx, refs.Query{Kind: refs.Events, Newest: true, Remotes: true, After: since}))
	if err == nil {
		events, err = r.Counting(ctx, events)
	}
	if err != nil {
		return e, false, err
	}
	s, err := r.foldThese(ctx, events)
	if err != nil {
		return e, false, err
	}
	e.Life = s.Lives[e.ID]
	return e, s.leavesOut(e.ID, Query{}) || isExpired(e.ExpiresAt(), r.opts.Now()), nil
}

// aheadOf is how far the clock of who takes a record back may be behind that of who saved it, for a save to
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

// Choose picks the packet to resume from. Of this branch it is the newest of the user's own open threads,
// else that of any open thread, else the newest at all; where the branch has none, the newest end of the
// thread that was saved nearest in the history of HEAD, else the newest, the user's own before others. One of a
// closed thread is picked where there is no other. A detached HEAD is a branch of the user alone.
func (t *Threads) Choose(ctx context.Context, reading Reading) (c Choice, err error) {
	threads, err := t.ownThreads(ctx, reading, Private)
	if err != nil {
		return Choice{}, err
	}
	if t.reader.opts.Repo.Head.Branch != "" {
		c, err = t.ofBranch(ctx, reading, threads)
	} else {
		c.Entry, c.Beside = threads.stands()
		c.Own = c.ID != ""
	}
	if err != nil || c.ID != "" {
		return c, err
	}
	own, err := t.nearestOwn(ctx, threads)
	if err != nil {
		return Choice{}, err
	}
	c.PassedOver = 0 // They come once more.
	var open, closed []Entry
	ended, left := Followed{}, searched
	for e, err := range t.reader.List(ctx, Query{}) {
		if err != nil {
			return Choice{}, err
		}
		if e.Withheld(reading) != "" {
			c.PassedOver++
			continue
		}
		if e.ID.IsAhead(t.reader.opts.Now()) || ended.Ends(e) {
			closed = append(closed, e)
		} else {
			open = append(open, e)
		}
		if left--; left == 0 {
			break
		}
	}
	switch {
	case own.ID != "":
		c.Entry, c.Own = own, true
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

// ofBranch picks among the newest packets of the branch; one without an id is none. Where the user has an open
// thread there, only those are read that are newer.
func (t *Threads) ofBranch(ctx context.Context, reading Reading, threads ownThreads) (c Choice, err error) {
	branch := t.reader.opts.Repo.Head.Branch
	c.Entry, c.Beside = threads.stands()
	ended := threads.endings()
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
			if e.ID.IsAhead(t.reader.opts.Now()) || ended.Ends(e) {
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
		if own := threads.of[closed.ID]; own != nil {
			closed = own.end
		}
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

// Stands is where the threads of the user stand on the current branch.
type Stands struct {
	Own    Entry    // the packet to resume from; the zero Entry for none
	Beside []Entry  // where a few other open threads end
	Ended  Followed // the packets of those that have ended
}

// mostBeside is how many other threads are named beside the one that is gone on with.
const mostBeside = 3

// Stand returns where the user stands on the current branch, by packets of their own.
func (t *Threads) Stand(ctx context.Context, reading Reading) (s Stands, err error) {
	threads, err := t.ownThreads(ctx, reading, Private)
	if err != nil {
		return Stands{}, err
	}
	s.Ended = threads.endings()
	if open := threads.open(); len(open) > 0 {
		s.Own, s.Beside = open[0], open[1:min(len(open), 1+mostBeside)]
	} else {
		s.Own, err = t.nearestOwn(ctx, threads)
	}
	return s, err
}

// nearestOwn returns where the open thread ends that was saved nearest in the history of HEAD, else the newest, for
// a branch on which the user saved nothing; the zero Entry for none. What another work tree is at goes on there.
func (t *Threads) nearestOwn(ctx context.Context, threads ownThreads) (best Entry, err error) {
	repo := t.reader.opts.Repo
	var commits []string
	for _, own := range threads.all {
		if own.here != "" {
			return Entry{}, nil
		}
		for _, e := range own.packets {
			commits = append(commits, e.packet.Anchor.Commit)
		}
	}
	if repo.Head.Branch == "" {
		return Entry{}, nil
	}
	behind, err := repo.History().Ancestry(ctx, commits)
	if err != nil {
		return Entry{}, err
	}
	least := math.MaxInt
	for _, own := range threads.all {
		if isOver(own.end) || repo.IsCheckedOut(own.end.packet.Anchor.Branch) {
			continue
		}
		far := math.MaxInt
		for _, e := range own.packets {
			if d, isBehind := behind[e.packet.Anchor.Commit]; isBehind {
				far = min(far, d)
			}
		}
		if best.ID == "" || far < least {
			best, least = own.end, far
		}
	}
	return best, nil
}

// ownThread are packets of the user that continue one another.
type ownThread struct {
	end     Entry     // where they end
	packets []Entry   // the newest first
	here    packet.ID // the newest of them that was saved on the branch, on a detached HEAD the nearest; "" for none
	far     int       // commits from a detached HEAD to there; on a branch 0, or 1 where none was saved on it
	away    int       // 1 where it ends with cites of other folders alone than the one that somebody works in
}

// standsHere is the newest packet of an open thread on the branch; "" where it has none, or has ended.
func (o *ownThread) standsHere() packet.ID {
	if isOver(o.end) {
		return ""
	}
	return o.here
}

// ownThreads are threads of the user: first the open ones with a packet on the branch, the newest of these before
// others, and then the rest.
type ownThreads struct {
	all []*ownThread
	of  map[packet.ID]*ownThread // by their packets, and by what these continue
}

// ownThreads returns the threads of the user's newest packets; what travels is in no thread with what is private. A
// thread that began on the branch may have gone on elsewhere, and its end may be older than a packet of it that was
// edited since. Where there is no branch, at HEAD or at a packet, that is on the branch if its commit is in the
// history, and on a branch so must be that where the thread ends. On a detached HEAD the nearest thread is the first,
// and on a branch one of its own. One that is about another folder comes behind.
func (t *Threads) ownThreads(ctx context.Context, reading Reading, reach Reach) (found ownThreads, err error) {
	found.of = map[packet.ID]*ownThread{}
	branch := t.reader.opts.Repo.Head.Branch
	loose := map[packet.ID]string{} // packets of which the history says whether they are on the branch, by commits
	left := standRead
	for e, err := range t.ownPackets(ctx, reading, Query{}, searched) {
		if err != nil {
			return ownThreads{}, err
		}
		if e.Store == OfClone && reach == Shared {
			continue
		}
		own, known := found.of[e.ID]
		if !known {
			own = &ownThread{end: e, far: 1}
			if !citation.IsNear(t.reader.opts.Repo.Prefix, citation.PathsOf(e.packet.Cites)) {
				own.away = 1
			}
			found.all, found.of[e.ID] = append(found.all, own), own
		}
		own.packets = append(own.packets, e)
		switch at := e.packet.Anchor; {
		case at.Branch == "" || branch == "":
			loose[e.ID] = at.Commit
		case at.Branch == branch:
			own.far = 0
			if own.here = max(own.here, e.ID); own.standsHere() != "" && own.away == 0 {
				left = min(left, besideRead+1)
			}
		}
		for _, id := range parentsOf(e.packet) {
			place, err := t.placeOf(ctx, packet.ID(id))
			if err != nil {
				return ownThreads{}, err
			}
			switch was, known := found.of[place]; {
			case !known:
				found.of[place] = own
			case was != own && was.end.ID == place: // It was edited after what continues it.
				found.join(own, was)
			}
		}
		if left--; left <= 0 {
			break
		}
	}
	commits := slices.Collect(maps.Values(loose))
	for id := range loose {
		commits = append(commits, found.of[id].end.packet.Anchor.Commit)
	}
	behind, err := t.reader.opts.Repo.History().Ancestry(ctx, commits)
	if err != nil {
		return ownThreads{}, err
	}
	for id, commit := range loose {
		own := found.of[id]
		far, isBehind := behind[commit]
		_, endsBehind := behind[own.end.packet.Anchor.Commit]
		switch {
		case !isBehind || branch != "" && !endsBehind:
		case branch != "" || far == own.far:
			own.here = max(own.here, id)
		case own.here == "" || far < own.far:
			own.here, own.far = id, far
		}
	}
	slices.SortStableFunc(found.all, func(a, b *ownThread) int {
		if a.standsHere() != "" && b.standsHere() != "" {
			return cmp.Or(a.away-b.away, a.far-b.far, cmp.Compare(b.here, a.here))
		}
		return cmp.Compare(b.standsHere(), a.standsHere())
	})
	return found, nil
}

// join lets a thread go on where another one ends.
func (f *ownThreads) join(own, was *ownThread) {
	own.here, own.far = cmp.Or(own.here, was.here), min(own.far, was.far)
	own.packets = append(own.packets, was.packets...)
	f.all = slices.DeleteFunc(f.all, func(o *ownThread) bool { return o == was })
	for id, o := range f.of {
		if o == was {
			f.of[id] = own
		}
	}
}

// open returns where the threads end that stand on the branch, the foremost first.
func (f ownThreads) open() (ends []Entry) {
	for _, o := range f.all {
		if o.standsHere() != "" {
			ends = append(ends, o.end)
		}
	}
	return ends
}

// stands returns where the two foremost threads end that stand on the branch; the zero Entry for none.
func (f ownThreads) stands() (own, beside Entry) {
	two := append(f.open(), Entry{}, Entry{})
	return two[0], two[1]
}

// endings are those of the threads that have ended.
func (f ownThreads) endings() Followed {
	ended := Followed{}
	for id, o := range f.of {
		if isOver(o.end) {
			ended[string(id)] = true
		}
	}
	return ended
}

// ownPackets yields the user's own packets among those of a query that may be resumed from, the newest first by id.
// It looks at so many refs of others, of which one that has to be read counts as ten.
func (t *Threads) ownPackets(ctx context.Context, reading Reading, q Query, most int) iter.Seq2[Entry, error] {
	wanted := func(name refs.Name) bool {
		most--
		return most < 0 || t.maybeOwn(name)
	}
	return func(yield func(Entry, error) bool) {
		for ref, err := range t.reader.listRefs(ctx, q, wanted) {
			if most < 0 && err == nil {
				return
			}
			var e Entry
			var ok, isOwn bool
			if err == nil && t.reader.whyLeftOut(ctx, ref) == nil {
				e, ok, err = t.readShown(ctx, ref)
			}
			if ok && err == nil {
				isOwn, err = t.Own(ctx, e)
			}
			switch {
			case err != nil:
				yield(Entry{}, err)
				return
			case ok && !isOwn:
				most -= 9
			case !ok || e.Withheld(reading) != "" || e.ID.IsAhead(t.reader.opts.Now()):
			case !yield(e, nil):
				return
			}
		}
	}
}

// placeOf returns the packet that stands in the place of another one, after any number of edits, which is that one
// as long as nothing took it.
func (t *Threads) placeOf(ctx context.Context, id packet.ID) (packet.ID, error) {
	for range longestCircle {
		s, err := t.reader.stateOf(ctx, id)
		if err != nil {
			return id, err
		}
		next := s.Lives[id].Superseded
		if next == "" {
			break
		}
		id = next
	}
	return id, nil
}

// isOver tells whether a thread has ended with a packet: that is closed, or says that nothing is left to do.
func isOver(e Entry) bool { return e.Life.Closed || e.packet.Next() == "" }

// Followed are packets that others continue, and whether one of those is trusted: what is not has no say in the
// thread of what is.
type Followed map[string]bool

// Has tells whether a packet is one of them.
func (f Followed) Has(e Entry) bool {
	sure, is := f[string(e.ID)]
	return is && (sure || !e.Trusted())
}

// Note notes the packets that one continues.
func (f Followed) Note(e Entry) {
	for _, id := range parentsOf(e.packet) {
		f[id] = f[id] || e.Trusted()
	}
}

// Ends tells whether the thread of a packet has ended, by those that closed ones continue: with its last packet a
// whole thread has ended. Whoever asks does so of newer packets first.
func (f Followed) Ends(e Entry) bool {
	if !isOver(e) && !f.Has(e) {
		return false
	}
	f.Note(e)
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
	thread := map[string]bool{string(best.ID): true}
	for _, e := range slices.Backward(seen) {
		if slices.ContainsFunc(parentsOf(e.packet), func(id string) bool { return thread[id] }) &&
			(e.Trusted() || !best.Trusted()) {
			best, thread[string(e.ID)] = e, true
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
