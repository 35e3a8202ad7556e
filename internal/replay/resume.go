package replay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs" // The bounds of a search for the packet to resume from, and of a thread.
)

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

	PassedOver int // so many newer ones were passed over, because policy or their signature withholds them
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

// Head returns the id of the newest packet of the current branch, or nothing.
// A detached HEAD has no thread. What is private is in no thread that travels.
func (t *Threads) Head(ctx context.Context) (packet.ID, error) { return t.head(ctx, Shared) }

func (t *Threads) head(ctx context.Context, reach Reach) (packet.ID, error) {
	branch := t.reader.opts.Repo.Head.Branch
	if branch == "" {
		return "", nil
	}
	for e, err := range t.recent(ctx, Asked, branch, new(int)) {
		if err != nil {
			return "", err
		}
		if e.packet.Anchor.Branch == branch && (reach == Private || e.Store != OfClone) {
			return e.ID, nil
		}
	}
	return "", nil
}

// Choose picks the packet to resume from: the newest of this branch, else the
// one saved nearest in the history of HEAD, else the newest of all.
func (t *Threads) Choose(ctx context.Context, reading Reading) (c Choice, err error) {
	branch := t.reader.opts.Repo.Head.Branch
	if t.reader.view != nil && branch != "" {
		for e, err := range t.recent(ctx, reading, branch, &c.PassedOver) {
			c.Entry = e
			return c, err
		}
		c.PassedOver = 0 // They come once more.
	}
	var seen []Entry
	for e, err := range t.recent(ctx, reading, "", &c.PassedOver) {
		if err != nil {
			return Choice{}, err
		}
		if branch != "" && e.packet.Anchor.Branch == branch {
			c.Entry = e
			return c, nil
		}
		seen = append(seen, e)
	}
	switch {
	case len(seen) > 0:
		c.Entry, err = t.nearest(ctx, seen)
	case c.PassedOver > 0:
		err = fmt.Errorf("packet to resume from, of %d that are withheld: %w", c.PassedOver, ErrWithheld)
	default:
		err = fmt.Errorf("packet to resume from: %w", ErrNotFound)
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

// Continued returns the packet that head returns, and reads no more events for it than those that came since, unless the newest
// packet of the branch was taken back.
func (t *Threads) Continued(ctx context.Context, reach Reach) (packet.ID, error) {
	branch, left := t.reader.opts.Repo.Head.Branch, searched
	for ref, err := range t.reader.Everything(ctx, refs.Query{Kind: refs.Packets, Newest: true, Remotes: true}) {
		if left--; err != nil || left < 0 || branch == "" {
			return "", err
		}
		e, ok, err := t.reader.listed(ctx, ref, &State{})
		if err != nil {
			return "", err
		}
		if !ok || e.packet.Anchor.Branch != branch || reach == Shared && e.Store == OfClone || e.Withheld(Asked) != "" {
			continue
		}
		since, err := packet.NewID(e.ID.Time().Add(-aheadOf), bytes.NewReader(make([]byte, idLength)), "")
		if err != nil {
			return "", err
		}
		events, err := Collect(t.reader.Everything(ctx, refs.Query{Kind: refs.Events, Newest: true, Remotes: true, After: since}))
		if err == nil {
			events, err = t.reader.Counting(ctx, events)
		}
		if err != nil {
			return "", err
		}
		s, err := t.reader.foldThese(ctx, events)
		if err != nil {
			return "", err
		}
		if e.Life = s.Lives[e.ID]; !s.leavesOut(e.ID, Query{}) && !expired(e.ExpiresAt(), t.reader.opts.Now()) {
			return e.ID, nil
		}
		return t.head(ctx, reach)
	}
	return "", nil
}

// aheadOf is how far the clock of who takes a packet back may be behind that of who saved it, for a save to see it. A thread passes
// over what was taken back in any case.
const aheadOf = time.Hour
