package refs

import (
	"context"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// purgedRoot is where records lie that a purge named which this clone does not trust, until
// somebody answers it. No kind of record has this name, so no list and no lookup of records finds
// one, and no refspec names it. A ref keeps the object from a garbage collection.
const purgedRoot = PrivateRoot + "purged/"

// Quarantined is a ref that was moved to the quarantine of purges.
type Quarantined struct {
	ID     packet.ID
	Was    string // the full name that it had: of a record, a later signature or a private record
	Object string
}

// place is the full name of the ref in quarantine.
func (q Quarantined) place() string {
	if tail, ok := strings.CutPrefix(q.Was, PrivateRoot); ok {
		return purgedRoot + privatePart + tail
	}
	return purgedRoot + strings.TrimPrefix(q.Was, Root)
}

// privatePart begins the names of private records in quarantine.
const privatePart = "private/"

// parseQuarantined reads the full name of a ref in quarantine. Anything but the exact shape is
// refused.
func parseQuarantined(ref, oid string) (Quarantined, bool) {
	tail, ok := strings.CutPrefix(ref, purgedRoot)
	if !ok || oid == "" {
		return Quarantined{}, false
	}
	if tail, private := strings.CutPrefix(tail, privatePart); private {
		name, ok := ParsePrivate(PrivateRoot + tail)
		return Quarantined{name.ID, name.Ref(), oid}, ok
	}
	name, ok := parseOwn(Root + tail)
	return Quarantined{name.ID, name.Ref(), oid}, ok
}

// InQuarantine returns the refs in the quarantine of purges, by name.
func (s *Store) InQuarantine(ctx context.Context) ([]Quarantined, error) {
	var found []Quarantined
	for e, err := range s.reader.list(ctx, purgedRoot, false) {
		if err != nil {
			return nil, wrap("list refs below", purgedRoot, err)
		}
		if q, ok := parseQuarantined(e.ref, e.oid); ok {
			found = append(found, q)
		}
	}
	return found, nil
}

// Quarantine moves everything of some records out of the way: what the store holds of them goes to
// the quarantine of purges, and every other ref of them is erased as by Erase. It returns the full
// names of the refs that are gone. Whoever was interrupted calls again.
func (s *Store) Quarantine(ctx context.Context, ids []packet.ID, stones map[packet.ID]string) ([]string, error) {
	there, err := s.InQuarantine(ctx)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	gone := newErasing(ids, stones)
	gone.sparesQuarantine = true
	taken := map[string]bool{}
	for _, q := range there {
		taken[q.place()] = true
	}
	var changes []git.Change
	for _, id := range ids {
		held, err := s.allOf(ctx, id, gone)
		if err != nil {
			return nil, err
		}
		for _, q := range held {
			if !taken[q.place()] && s.Here(ctx, q.Object) {
				taken[q.place()] = true
				changes = append(changes, git.Change{Kind: git.Create, Ref: q.place(), New: q.Object})
			}
		}
	}
	if len(changes) > 0 {
		if err := s.repo.Update(ctx, changes); err != nil {
			return nil, wrap("quarantine", changes[0].Ref, err)
		}
	}
	return s.erase(ctx, gone)
}

// allOf returns what the store holds of a record that goes: the record, a private one of the id,
// and later signatures.
func (s *Store) allOf(ctx context.Context, id packet.ID, gone erasing) ([]Quarantined, error) {
	var held []Quarantined
	for _, kind := range []Kind{Events, Notes, Packets, Skips} {
		name := Name{Kind: kind, ID: id}
		if !gone.takes(name) {
			continue
		}
		found, err := s.Everywhere(ctx, name)
		if err != nil {
			return nil, err
		}
		if len(found) > 0 {
			held = append(held, Quarantined{id, name.Ref(), found[0].Object})
		}
		if private, err := s.LookupPrivate(ctx, kind, id); err == nil {
			held = append(held, Quarantined{id, private.Full(), private.Object})
		}
	}
	later, err := s.Endorsements(ctx, id)
	for _, e := range later {
		if stone := gone.stones[id]; stone == "" || !s.endorses(ctx, e, stone) {
			held = append(held, Quarantined{id, e.Ref().Name.Ref(), e.Object})
		}
	}
	return held, err
}

// Release gives records in the quarantine of purges their refs back, and returns the full names of
// those. A ref that another object has taken meanwhile stays as it is, and what was in quarantine
// under its name stays there.
func (s *Store) Release(ctx context.Context, ids []packet.ID) (released []Quarantined, err error) {
	there, err := s.InQuarantine(ctx)
	if err != nil {
		return nil, err
	}
	for _, q := range there {
		if !slices.Contains(ids, q.ID) {
			continue
		}
		now, err := s.reader.resolve(ctx, q.Was)
		if err != nil {
			return released, err
		}
		if now != "" && now != q.Object {
			continue
		}
		changes := []git.Change{{Kind: git.Delete, Ref: q.place(), Old: q.Object}}
		if now == "" {
			changes = append(changes, git.Change{Kind: git.Create, Ref: q.Was, New: q.Object})
		}
		if err := s.repo.Update(ctx, changes); err != nil {
			return released, wrap("release", q.place(), err)
		}
		released = append(released, q)
	}
	return released, nil
}
