package memory

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// Reach is how far a record goes.
type Reach int

// The reaches of a record.
const (
	Shared  Reach = iota // to every remote that memory is exchanged with
	Private              // nowhere: it stays in this clone
)

// ErrPrivate says that a record which travels would tell of one that is private.
var ErrPrivate = errors.New("it is private to this clone, and what travels must not name it")

// everything yields the records of one kind as the store lists them, with the private ones among them. Of two with one id the
// one that travels comes first.
func (m *Memory) everything(ctx context.Context, q refs.Query) iter.Seq2[refs.Ref, error] {
	return func(yield func(refs.Ref, error) bool) {
		private := pull(m.store.ListPrivate(ctx, q))
		defer private.stop()
		if !private.ok {
			m.store.List(ctx, q)(yield)
			return
		}
		shared := pull(m.store.List(ctx, q))
		defer shared.stop()
		for shared.ok || private.ok {
			first := shared
			if private.before(shared, q) {
				first = private
			}
			if !yield(first.ref, first.err) || first.err != nil {
				return
			}
			first.advance()
		}
	}
}

// pulled is a sequence of refs and the one that it yields next.
type pulled struct {
	ref  refs.Ref
	err  error
	ok   bool
	next func() (refs.Ref, error, bool)
	stop func()
}

func pull(all iter.Seq2[refs.Ref, error]) *pulled {
	p := new(pulled)
	p.next, p.stop = iter.Pull2(all)
	p.advance()
	return p
}

func (p *pulled) advance() { p.ref, p.err, p.ok = p.next() }

// before tells whether the next ref of a sequence comes before that of another in the order of a query.
func (p *pulled) before(other *pulled, q refs.Query) bool {
	switch {
	case !p.ok || !other.ok:
		return p.ok
	case p.err != nil || other.err != nil:
		return p.err != nil
	case q.Newest:
		return p.ref.Name.ID > other.ref.Name.ID
	default:
		return p.ref.Name.ID < other.ref.Name.ID
	}
}

// lookupAny resolves as lookup does, and knows private records too. Where a record that travels has the same id, that one is
// meant.
func (m *Memory) lookupAny(ctx context.Context, kind refs.Kind, spec string) (refs.Ref, error) {
	found, err := m.lookup(ctx, kind, spec)
	if err != nil && (!errors.Is(err, ErrNotFound) || errors.Is(err, ErrPurged)) {
		return found, err
	}
	private, failure := m.privates(ctx, kind, spec)
	if failure != nil {
		return refs.Ref{}, failure
	}
	if err == nil {
		private = slices.DeleteFunc(private, func(r refs.Ref) bool { return r.Name.ID == found.Name.ID })
		private = append([]refs.Ref{found}, private...)
	}
	switch len(private) {
	case 0:
		return refs.Ref{}, err
	case 1:
		return private[0], nil
	}
	return refs.Ref{}, ambiguous(spec, private)
}

// privates returns the private records that a ULID or a part of one names.
func (m *Memory) privates(ctx context.Context, kind refs.Kind, spec string) ([]refs.Ref, error) {
	if len(spec) < minPart || len(spec) > idLength {
		return nil, nil
	}
	found, err := m.store.MatchPrivate(ctx, kind, spec)
	if err != nil {
		return nil, fmt.Errorf("find private record %q: %w", quotable(spec), err)
	}
	return found, nil
}

// IsPrivate tells whether an id names a private record here, and none that travels.
func (m *Memory) isPrivate(ctx context.Context, id packet.ID) (bool, error) {
	for _, kind := range refs.Kinds() {
		_, err := m.store.LookupPrivate(ctx, kind, id)
		if errors.Is(err, refs.ErrNotFound) {
			continue
		}
		if err != nil {
			return false, err
		}
		_, err = m.store.Lookup(ctx, kind, id)
		return errors.Is(err, refs.ErrNotFound), nil
	}
	return false, nil
}

// isHere tells whether a record of that name is known here, private or not.
func (m *Memory) isHere(ctx context.Context, kind refs.Kind, id packet.ID) bool {
	_, shared := m.store.Lookup(ctx, kind, id)
	_, private := m.store.LookupPrivate(ctx, kind, id)
	return shared == nil || private == nil
}

// untold refuses a record that travels and names one that is private.
func (m *Memory) untold(ctx context.Context, rec *packet.Record, reach Reach) error {
	if reach == Private {
		return nil
	}
	for _, l := range check.Links(rec) {
		id, err := packet.ParseID(l.Id)
		if err != nil {
			continue
		}
		private, err := m.isPrivate(ctx, id)
		if err != nil {
			return err
		}
		if private {
			return fmt.Errorf("packet %s: %w", id, ErrPrivate)
		}
	}
	return nil
}

// byReach parts drafts so that an event about private records is private, and none tells of both.
func (m *Memory) byReach(ctx context.Context, drafts []draft) ([]draft, error) {
	parted := make([]draft, 0, len(drafts))
	for _, d := range drafts {
		var private, shared []packet.ID
		for _, id := range d.targets {
			is, err := m.isPrivate(ctx, id)
			if err != nil {
				return nil, err
			}
			if is {
				private = append(private, id)
			} else {
				shared = append(shared, id)
			}
		}
		if err := m.untoldBy(ctx, d, len(shared)); err != nil {
			return nil, err
		}
		for reach, targets := range [][]packet.ID{Shared: shared, Private: private} {
			if len(targets) > 0 {
				part := d
				part.targets, part.reach = targets, Reach(reach)
				parted = append(parted, part)
			}
		}
	}
	return parted, nil
}

// untoldBy refuses an event that travels, because it has shared targets, and names a private record beside them.
func (m *Memory) untoldBy(ctx context.Context, d draft, shared int) error {
	for _, id := range d.by {
		private, err := m.isPrivate(ctx, id)
		if err != nil {
			return err
		}
		if private && shared > 0 {
			return fmt.Errorf("record %s: %w", id, ErrPrivate)
		}
	}
	return nil
}

// privateTargets yields the private records, of every kind, in the order of their refs.
func (m *Memory) privateTargets(ctx context.Context) iter.Seq2[check.Target, error] {
	return func(yield func(check.Target, error) bool) {
		for _, kind := range refs.Kinds() {
			for ref, err := range m.store.ListPrivate(ctx, refs.Query{Kind: kind}) {
				if !yield(check.Target{Ref: ref, Name: ref.Full()}, err) || err != nil {
					return
				}
			}
		}
	}
}

// inTurn yields what two sequences do, one after the other.
func inTurn(first, second iter.Seq2[check.Target, error]) iter.Seq2[check.Target, error] {
	return func(yield func(check.Target, error) bool) {
		for _, all := range []iter.Seq2[check.Target, error]{first, second} {
			for t, err := range all {
				if !yield(t, err) || err != nil {
					return
				}
			}
		}
	}
}
