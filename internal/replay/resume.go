package replay

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// The bounds of a search for the packet to resume from, and of a thread.
const (
	searched  = 500
	threadEnd = 50
)

// Threads are the packets that continue one another, and where a session resumes.
type Threads struct{ reader *Reader }

// NewThreads returns the threads among what a reader reads.
func NewThreads(r *Reader) *Threads { return &Threads{r} }

// A Choice is the packet to resume from.
type Choice struct {
	Entry

	Own        bool  // the user made it, as [Threads.Own] tells
	Newer      Entry // a newer one of the branch, of an open thread of somebody else; the zero Entry for none
	PassedOver int   // so many newer ones were passed over, because policy or their signature withholds them
}

// recent yields the newest packets that may be resumed from, no more than are searched: those of a branch, where a view knows them,
// or all. It counts those that are passed over.
func (t *Threads) recent(ctx context.Context, reading Reading, branch string, passed *int) iter.Seq2[Entry, error] {
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
	for e, err := range t.recent(ctx, Asked, branch, new(int)) {
		if err != nil || e.packet.Anchor.Branch == branch {
			return e.ID, err
		}
	}
	return "", nil
}

// Choose picks the packet to resume from. Of this branch it is the newest of the user's own open threads, else that of any open
// thread, else the newest at all; where the branch has none, the one saved nearest in the history of HEAD, else the newest. One of
// a closed thread is picked where there is no other.
func (t *Threads) Choose(ctx context.Context, reading Reading) (c Choice, err error) {
	if branch := t.reader.opts.Repo.Head.Branch; branch != "" {
		c, err = t.ofBranch(ctx, reading, branch)
		if err != nil || c.ID != "" {
			return c, err
		}
		c.PassedOver = 0 // They come once more.
	}
	var open, closed []Entry
	for e, err := range t.recent(ctx, reading, "", &c.PassedOver) {
		if err != nil {
			return Choice{}, err
		}
		if e.Life.Closed {
			closed = append(closed, e)
		} else {
			open = append(open, e)
		}
	}
	switch {
	case len(open) > 0:
		c.Entry, err = t.nearest(ctx, open)
	case len(closed) > 0:
		c.Entry, err = t.nearest(ctx, closed)
	case c.PassedOver > 0:
		err = fmt.Errorf("packet to resume from, of %d that are withheld: %w", c.PassedOver, ErrWithheld)
	default:
		err = fmt.Errorf("packet to resume from: %w", ErrNotFound)
	}
	return c, err
}

// ofBranch picks among the newest packets of a branch; one without an id is none. Once a packet of somebody was found, only those are
// read that may be the user's own.
func (t *Threads) ofBranch(ctx context.Context, reading Reading, branch string) (c Choice, err error) {
	var q Query
	if t.reader.view != nil {
		q.Branch = branch
	}
	var open, closed Entry
	left := searched
	for ref, err := range t.reader.listing(ctx, q) {
		if err != nil {
			return Choice{}, err
		}
		if left--; left < 0 {
			break
		}
		if open.ID != "" && !t.maybeOwn(ref.Name) {
			continue
		}
		s, err := t.reader.stateOf(ctx, ref.Name.ID)
		if err != nil {
			return Choice{}, err
		}
		if s.leavesOut(ref.Name.ID, Query{}) {
			continue
		}
		e, ok, err := t.reader.listed(ctx, ref, s)
		if err != nil {
			return Choice{}, err
		}
		if !ok || e.Life.Hidden() || e.packet.Anchor.Branch != branch {
			continue
		}
		if e.Withheld(reading) != "" {
			c.PassedOver++
			continue
		}
		if e.Life.Closed {
			if closed.ID == "" {
				closed = e
			}
			continue
		}
		if c.Own, err = t.Own(ctx, e); err != nil {
			return Choice{}, err
		}
		if c.Own {
			c.Entry, c.Newer = e, open
			return c, nil
		}
		if open.ID == "" {
			open = e
		}
	}
	if c.Entry = open; open.ID == "" {
		c.Entry = closed
		c.Own, err = t.Own(ctx, closed)
	}
	return c, err
}

// nearest picks by the distance in the history; where none lies in it, the
// newest.
func (t *Threads) nearest(ctx context.Context, seen []Entry) (Entry, error) {
	var commits []string
	for _, e := range seen {
		if c := e.packet.Anchor.Commit; c != "" {
			commits = append(commits, c)
		}
	}
	distances, err := t.reader.opts.Repo.Ancestry(ctx, commits)
	if err != nil {
		return Entry{}, err
	}
	best, least := seen[0], -1
	for _, e := range seen {
		if d, ok := distances[e.packet.Anchor.Commit]; ok && (least < 0 || d < least) {
			best, least = e, d
		}
	}
	return best, nil
}

// Thread returns the packets that e continues, nearest first. What is retracted,
// withheld or not here is passed over.
func (t *Threads) Thread(ctx context.Context, e Entry, reading Reading) ([]Entry, error) {
	var thread []Entry
	seen := map[packet.ID]bool{e.ID: true}
	queue := parents(e.packet)
	for len(queue) > 0 && len(seen) < threadEnd {
		next := queue[0]
		queue = queue[1:]
		p, err := t.parent(ctx, next)
		if errors.Is(err, ErrNotFound) {
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
		queue = append(queue, parents(p.packet)...)
		if !p.Life.Hidden() && p.Withheld(reading) == "" {
			thread = append(thread, p)
		}
	}
	return thread, nil
}

func parents(p packet.Packet) []string {
	if p.ParentID == "" {
		return p.Parents
	}
	return append([]string{p.ParentID}, p.Parents...)
}

// parent reads the packet that a child names, by its name or by its own id.
func (t *Threads) parent(ctx context.Context, own string) (Entry, error) {
	if id, err := packet.ParseID(own); err == nil {
		ref, err := t.reader.opts.Store.Lookup(ctx, refs.Packets, id)
		if errors.Is(err, refs.ErrNotFound) {
			ref, err = t.reader.opts.Store.LookupPrivate(ctx, refs.Packets, id)
		}
		if errors.Is(err, refs.ErrNotFound) {
			return Entry{ID: id}, ErrNotFound
		}
		if err != nil {
			return Entry{ID: id}, err
		}
		e, err := t.reader.Living(ctx, ref)
		e.ID = id
		return e, err
	}
	ref, err := t.reader.match(ctx, refs.Packets, packet.DerivedSuffix(own), ErrNotFound)
	if err != nil {
		return Entry{}, ErrNotFound
	}
	return t.reader.Living(ctx, ref)
}
