package refs

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
)

// ErrManyYoung says that too many refs are loose to look at each of them.
var ErrManyYoung = errors.New("too many refs are loose")

// Young lists the records of every kind that have a loose ref, here, private or tracked, as List and ListPrivate do now, and
// with them those of some other names that are known in any way; the loose ones are marked. Broken refs are left out. It reads
// no packed ref but those of these names.
//
// So a list that was made before is brought up to date where the packed part of its [Stamp] is still the same: every record
// that was young then or is now, is what Young says of it, or is gone where Young does not name it; all others are as they were.
func (s *Store) Young(ctx context.Context, others []Name, most int) ([]Ref, error) {
	loose := map[Name]bool{}
	if s.repo.RefFormat == "files" {
		for _, place := range []string{Root, PrivateRoot, TrackingRoot} {
			refs, err := looseRefs{dir: s.repo.CommonDir}.names(place)
			if err != nil {
				return nil, wrap("list loose refs below", place, err)
			}
			for _, ref := range refs {
				if name, ok := parseAny(ref); ok && name.Kind.known() {
					loose[name] = true
				}
			}
		}
	}
	if len(loose) > most {
		return nil, ErrManyYoung
	}
	names := append(slices.Collect(maps.Keys(loose)), others...)
	slices.SortFunc(names, func(a, b Name) int { return strings.Compare(a.Ref(), b.Ref()) })
	names = slices.Compact(names)
	private := slices.Clone(names)
	names = slices.DeleteFunc(names, func(n Name) bool { return n.Private })
	var found []Ref
	for _, name := range slices.DeleteFunc(private, func(n Name) bool { return !n.Private }) {
		ref, err := s.LookupPrivate(ctx, name.Kind, name.ID)
		if err != nil && !errors.Is(err, ErrNotFound) && !errors.Is(err, ErrCorrupt) {
			return nil, err
		}
		if err == nil {
			found = append(found, ref)
		}
	}
	all, err := s.everyName(ctx, names)
	for _, m := range all {
		if len(m.found) > 0 {
			found = append(found, foremost(m.found))
		}
	}
	for i := range found {
		found[i].Young = loose[found[i].Name]
	}
	return found, err
}

// parseAny reads the full name of a ref of a record, local, private or tracking.
func parseAny(ref string) (Name, bool) {
	if name, ok := parseOwn(ref); ok {
		return name, true
	}
	_, name, ok := ParseTracking(ref)
	return name, ok
}
