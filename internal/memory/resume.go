package memory

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

// recent yields the newest packets that may be resumed from, no more than are searched: those of a branch, where a view knows them,
// or all.
func (r *Reader) recent(ctx context.Context, reading Reading, branch string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		left := searched
		var q Query
		if r.view != nil {
			q.Branch = branch
		}
		for e, err := range r.List(ctx, q) {
			if err == nil && e.Withheld(reading) != "" {
				r.withheld++
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

// PassedOver is how many packets the searches of this call passed over because policy or their signature withholds them.
func (r *Reader) PassedOver() int { return r.withheld }

// Head returns the id of the newest packet of the current branch, or nothing.
// A detached HEAD has no thread. What is private is in no thread that travels.
func (r *Reader) Head(ctx context.Context) (packet.ID, error) { return r.head(ctx, Shared) }

func (r *Reader) head(ctx context.Context, reach Reach) (packet.ID, error) {
	branch := r.repo.Head.Branch
	if branch == "" {
		return "", nil
	}
	for e, err := range r.recent(ctx, Asked, branch) {
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
func (r *Reader) Choose(ctx context.Context, reading Reading) (Entry, error) {
	branch := r.repo.Head.Branch
	if r.view != nil && branch != "" {
		for e, err := range r.recent(ctx, reading, branch) {
			return e, err
		}
		r.withheld = 0 // They come once more.
	}
	var seen []Entry
	for e, err := range r.recent(ctx, reading, "") {
		if err != nil {
			return Entry{}, err
		}
		if branch != "" && e.packet.Anchor.Branch == branch {
			return e, nil
		}
		seen = append(seen, e)
	}
	if len(seen) == 0 && r.withheld > 0 {
		return Entry{}, fmt.Errorf("packet to resume from, of %d that are withheld: %w", r.withheld, ErrWithheld)
	}
	if len(seen) == 0 {
		return Entry{}, fmt.Errorf("packet to resume from: %w", ErrNotFound)
	}
	return r.nearest(ctx, seen)
}

// nearest picks by the distance in the history; where none lies in it, the
// newest.
func (r *Reader) nearest(ctx context.Context, seen []Entry) (Entry, error) {
	var commits []string
	for _, e := range seen {
		if c := e.packet.Anchor.Commit; c != "" {
			commits = append(commits, c)
		}
	}
	distances, err := r.repo.Ancestry(ctx, commits)
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
func (r *Reader) Thread(ctx context.Context, e Entry, reading Reading) ([]Entry, error) {
	var thread []Entry
	seen := map[packet.ID]bool{e.ID: true}
	queue := parents(e.packet)
	for len(queue) > 0 && len(seen) < threadEnd {
		next := queue[0]
		queue = queue[1:]
		p, err := r.parent(ctx, next)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			if err := r.skip(refs.Name{Kind: refs.Packets, ID: p.ID}.Ref(), err); err != nil {
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
func (r *Reader) parent(ctx context.Context, own string) (Entry, error) {
	if id, err := packet.ParseID(own); err == nil {
		ref, err := r.store.Lookup(ctx, refs.Packets, id)
		if errors.Is(err, refs.ErrNotFound) {
			ref, err = r.store.LookupPrivate(ctx, refs.Packets, id)
		}
		if errors.Is(err, refs.ErrNotFound) {
			return Entry{ID: id}, ErrNotFound
		}
		if err != nil {
			return Entry{ID: id}, err
		}
		e, err := r.living(ctx, ref)
		e.ID = id
		return e, err
	}
	ref, err := r.match(ctx, refs.Packets, packet.DerivedSuffix(own), ErrNotFound)
	if err != nil {
		return Entry{}, ErrNotFound
	}
	return r.living(ctx, ref)
}

// continued returns the packet that head returns, and reads no more events for it than those that came since, unless the newest
// packet of the branch was taken back.
func (r *Reader) continued(ctx context.Context, reach Reach) (packet.ID, error) {
	branch, left := r.repo.Head.Branch, searched
	for ref, err := range r.everything(ctx, refs.Query{Kind: refs.Packets, Newest: true, Remotes: true}) {
		if left--; err != nil || left < 0 || branch == "" {
			return "", err
		}
		e, ok, err := r.listed(ctx, ref, &state{})
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
		events, err := collect(r.everything(ctx, refs.Query{Kind: refs.Events, Newest: true, Remotes: true, After: since}))
		if err == nil {
			events, err = r.counting(ctx, events)
		}
		if err != nil {
			return "", err
		}
		s, err := r.foldThese(ctx, events)
		if err != nil {
			return "", err
		}
		if e.Life = s.lives[e.ID]; !s.leavesOut(e.ID, Query{}) && !expired(e.ExpiresAt(), r.now()) {
			return e.ID, nil
		}
		return r.head(ctx, reach)
	}
	return "", nil
}

// aheadOf is how far the clock of who takes a packet back may be behind that of who saved it, for a save to see it. A thread passes
// over what was taken back in any case.
const aheadOf = time.Hour
