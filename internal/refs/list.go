package refs

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// List yields the records of one kind, reading only as far as the caller goes. With Remotes it is the union
// with the tracking refs: of refs with the same name the local one is yielded, or else that of the first
// remote, and Conflict tells whether the others point elsewhere. What lies in an archive comes behind the
// refs of the same place. Names and refs that are not ours are passed over.
func (s *Store) List(ctx context.Context, q Query) iter.Seq2[Ref, error] {
	return func(yield func(Ref, error) bool) {
		var heads []head // in the order of their places: this clone, then the remotes
		add := func(remote string, source puller[Ref], err error) {
			h := head{remote: remote, puller: source, err: err}
			if err == nil {
				h.ref, h.err, h.ok = h.pull()
			}
			heads = append(heads, h)
		}
		defer func() {
			for _, h := range heads {
				if h.stop != nil {
					h.stop()
				}
			}
		}()
		// Archives are looked for when the listing of the refs has begun: what moves into an archive meanwhile is
		// found in one place at least.
		err := checkKind(q.Kind)
		places := []string{""}
		if err == nil && q.Remotes {
			var remotes []string
			remotes, err = s.reader.listRemotes(ctx)
			places = append(places, remotes...)
		}
		for _, remote := range places {
			below, failed := s.pullBelow(ctx, Ref{Name: Name{Kind: q.Kind}, Remote: remote}, q)
			add(remote, below, failed)
		}
		var archives []Archive
		if err == nil {
			archives, err = s.Archives.archivesOf(ctx, places)
		}
		for _, a := range archives {
			pull, stop := iter.Pull2(s.archive.archivedRecords(ctx, a, q))
			add(a.Remote, puller[Ref]{pull, stop}, nil)
		}
		slices.SortStableFunc(heads, func(a, b head) int { return strings.Compare(a.remote, b.remote) })
		if q.Private {
			private, failed := s.pullBelow(ctx, Ref{Name: Name{Kind: q.Kind, Private: true}}, q)
			add("", private, failed)
		}
		isEarlier := func(a, b packet.ID) bool { return a < b }
		if q.Newest {
			isEarlier = func(a, b packet.ID) bool { return a > b }
		}
		for {
			first := -1
			for i, h := range heads {
				err = errors.Join(err, h.err)
				if h.ok && (first < 0 || isEarlier(h.ref.Name.ID, heads[first].ref.Name.ID)) {
					first = i
				}
			}
			if err != nil {
				yield(Ref{}, err)
				return
			}
			if first < 0 {
				return
			}
			ref := heads[first].ref
			for i := range heads { // All move past the name.
				h := &heads[i]
				if h.ok && h.ref.Name == ref.Name {
					ref.Conflict = ref.Conflict || h.ref.Object != ref.Object
					ref.Young = ref.Young || h.ref.Young
					h.ref, h.err, h.ok = h.pull()
				}
			}
			if !yield(ref, nil) {
				return
			}
		}
	}
}

// head is a sorted sequence of refs and the one that it yields next.
type head struct {
	puller[Ref]

	remote string
	ref    Ref
	ok     bool
	err    error
}

// ListPrivate yields the private records of one kind, reading only as far as the caller goes.
func (s *Store) ListPrivate(ctx context.Context, q Query) iter.Seq2[Ref, error] {
	return yieldAll(func() (puller[Ref], error) {
		return s.pullBelow(ctx, Ref{Name: Name{Kind: q.Kind, Private: true}}, q)
	})
}

// pullBelow returns the refs of records in one place, which is that of a ref without an ID, one at a time. It
// ends early where the order tells that nothing more fits.
func (s *Store) pullBelow(ctx context.Context, of Ref, q Query) (puller[Ref], error) {
	if err := checkKind(q.Kind); err != nil {
		return puller[Ref]{}, err
	}
	prefix := of.Full()
	refs, err := s.reader.pullRefs(ctx, scan{prefix: prefix, newest: q.Newest})
	return puller[Ref]{func() (Ref, error, bool) {
		for {
			e, err, ok := refs.pull()
			if err != nil || !ok {
				return Ref{}, err, ok
			}
			id, err := packet.ParseID(e.ref[len(prefix):])
			if err != nil {
				continue
			}
			if q.Newest && id <= q.After {
				return Ref{}, nil, false // No later one lies behind it.
			}
			ref := of
			ref.Name.ID, ref.Object, ref.Young = id, e.oid, e.loose
			if id > q.After && (ref.Object != "" || s.findMoved(ctx, &ref)) {
				return ref, nil, true
			}
		}
	}, refs.stop}, err
}

// findMoved finds a ref that went away while refs were listed in an archive of the same place.
func (s *Store) findMoved(ctx context.Context, ref *Ref) bool {
	in, err := s.Archives.archivesOf(ctx, []string{ref.Remote})
	if err != nil || ref.Name.Private {
		return false
	}
	found := s.archive.inArchives(ctx, in, ref.Name)
	if len(found) > 0 {
		*ref = found[0]
	}
	return len(found) > 0
}

// ErrManyYoung says that too many refs are loose to look at each of them.
var ErrManyYoung = errors.New("too many refs are loose")

// Young lists the records of every kind that have a loose ref, here, private or tracked, as List and
// ListPrivate do now, and with them those of some other names that are known in any way; the loose ones are
// marked. Broken refs are left out. It reads no packed ref but those of these names.
//
// So a list that was made before is brought up to date where the packed part of its [Stamp] is still the
// same: every record that was young then or is now, is what Young says of it, or is gone where Young does not
// name it; all others are as they were.
func (s *Store) Young(ctx context.Context, others []Name, most int) ([]Ref, error) {
	loose := map[Name]bool{}
	if s.repo.RefFormat == "files" {
		for _, place := range []string{Root, PrivateRoot, TrackingRoot} {
			refs, err := looseRefs{dir: s.repo.CommonDir}.listNames(place)
			if err != nil {
				return nil, wrap("list loose refs below", place, err)
			}
			for _, full := range refs {
				if ref, ok := ParseRef(full); ok && ref.Name.Kind.isKnown() {
					loose[ref.Name] = true
				}
			}
		}
	}
	if len(loose) > most {
		return nil, ErrManyYoung
	}
	names := append(slices.Collect(maps.Keys(loose)), others...)
	slices.SortFunc(names, func(a, b Name) int { return strings.Compare(a.Ref(), b.Ref()) })
	all, err := s.everyName(ctx, slices.Compact(names))
	var found []Ref
	for _, m := range all {
		if len(m.found) > 0 {
			found = append(found, foremostRef(m.found))
		}
	}
	for i := range found {
		found[i].Young = loose[found[i].Name]
	}
	return found, err
}

// Stray lists the names below refs/ltm that do not belong to the layout, and the refs there that stand for
// another ref. They are reported, never followed.
func (s *Store) Stray(ctx context.Context) ([]string, error) {
	var loose []string
	if s.files != nil {
		var err error
		if loose, err = s.files.listNames(Root); err != nil {
			return nil, wrap("list refs below", Root, err)
		}
	}
	symbolic := map[string]bool{} // Nothing that is packed is symbolic.
	for _, name := range loose {
		symbolic[name] = s.files.isSymbolic(name)
	}
	var found []string
	for e, err := range listRefs(ctx, s.plain, scan{prefix: Root, names: true}) {
		if err != nil {
			return nil, err
		}
		if !InLayout(e.ref) || symbolic[e.ref] || e.symbolic {
			found = append(found, e.ref)
		}
	}
	return found, nil
}

// isSymbolic reports whether a loose ref stands for another one.
func (l looseRefs) isSymbolic(ref string) bool {
	if l.looksWhole(ref) {
		return false
	}
	_, state, err := l.readRef(ref)
	return err == nil && state == looseSymbolic
}

const (
	shortestPart = 4   // shortestPart is how many characters of an ID have to be known.
	mostMatches  = 100 // mostMatches is far more than a person can choose from.
)

// Lookup finds a record by its name: the local one, or else that of the first remote that has it. What lies
// in an archive comes behind the ref of the same place. A local ref that is broken counts only when nobody
// else has the record. Conflict is set as in List.
func (s *Store) Lookup(ctx context.Context, name Name) (Ref, error) {
	if !name.isValid() {
		return Ref{}, fmt.Errorf("find record %q: %w", name.Ref(), ErrNotFound)
	}
	all, err := s.everyName(ctx, []Name{name})
	switch {
	case err != nil:
		return Ref{}, err
	case len(all[0].found) > 0:
		return foremostRef(all[0].found), nil
	case all[0].broken != nil:
		return Ref{}, all[0].broken
	}
	return Ref{}, fmt.Errorf("find record %q: %w", name.Ref(), ErrNotFound)
}

// foremostRef is the first of what one name means. Conflict is set as in List.
func foremostRef(found []Ref) Ref {
	first := found[0]
	first.Conflict = slices.ContainsFunc(found, func(r Ref) bool { return r.Object != first.Object })
	return first
}

// Everywhere returns what a name means here and on each remote, in the order in which one of them counts.
// Broken refs are left out.
func (s *Store) Everywhere(ctx context.Context, name Name) ([]Ref, error) {
	all, err := s.everyName(ctx, []Name{name})
	if err != nil {
		return nil, err
	}
	return all[0].found, nil
}

// meaning is what a name means here and on each remote, in this order: its ref, and what archives hold. A
// broken ref is left out; broken is the error of the local one. A private name means nothing elsewhere.
type meaning struct {
	found  []Ref
	broken error
}

// everyName returns what each of some names means. Archives are looked into when all refs were looked at:
// what moves into an archive meanwhile is found in one place at least.
func (s *Store) everyName(ctx context.Context, names []Name) ([]meaning, error) {
	places := []string{""}
	if slices.ContainsFunc(names, func(n Name) bool { return !n.Private }) {
		remotes, err := s.reader.listRemotes(ctx)
		if err != nil {
			return nil, err
		}
		places = append(places, remotes...)
	}
	all := make([]meaning, len(names))
	for i, name := range names {
		for _, remote := range places {
			if name.Private && remote != "" {
				break
			}
			ref := Ref{Name: name, Remote: remote}
			var err error
			ref.Object, err = s.reader.resolveRef(ctx, ref.Full())
			switch {
			case errors.Is(err, ErrCorrupt) && remote == "":
				all[i].broken = err
			case err != nil && !errors.Is(err, ErrCorrupt):
				return nil, err
			case ref.Object != "":
				all[i].found = append(all[i].found, ref)
			}
		}
	}
	archives, err := s.Archives.archivesOf(ctx, places)
	if err != nil || len(archives) == 0 {
		return all, err
	}
	for i, name := range names {
		if name.Private {
			continue
		}
		all[i].found = append(all[i].found, s.archive.inArchives(ctx, archives, name)...)
		slices.SortStableFunc(all[i].found, func(a, b Ref) int { return strings.Compare(a.Remote, b.Remote) })
	}
	return all, nil
}

// Match finds the records whose IDs begin or end with part, or of which lists show what begins with it,
// among those of a name without an ID. Part may be in lower case. They come in rising order; more than a
// hundred are not returned. No match is no error.
func (s *Store) Match(ctx context.Context, among Name, part string) ([]Ref, error) {
	if err := checkKind(among.Kind); err != nil {
		return nil, err
	}
	part = strings.ToUpper(part)
	if len(part) < shortestPart {
		return nil, fmt.Errorf("match %q: at least %d characters are needed", part, shortestPart)
	}
	found := map[packet.ID]bool{}
	note := func(text string) {
		if shown := text[max(0, len(text)-shownEnd):]; strings.HasPrefix(text, part) ||
			strings.HasSuffix(text, part) || strings.HasPrefix(shown, part) {
			if id, err := packet.ParseID(text); err == nil {
				found[id] = true
			}
		}
	}
	places := []Ref{{Name: among}}
	if !among.Private {
		remotes, err := s.reader.listRemotes(ctx)
		if err != nil {
			return nil, err
		}
		for _, remote := range remotes {
			places = append(places, Ref{Name: among, Remote: remote})
		}
	}
	for _, place := range places {
		prefix := place.Full()
		for e, err := range listRefs(ctx, s.reader, scan{prefix: prefix, names: true}) {
			if err != nil {
				return nil, err
			}
			note(e.ref[len(prefix):])
		}
	}
	archives, err := s.Archives.List(ctx) // What moves into one meanwhile is found in one place at least.
	if err != nil {
		return nil, err
	}
	for _, a := range archives {
		for entry, damaged := range s.archive.walkArchive(ctx, a, Query{Kind: among.Kind}) {
			if damaged == nil && !among.Private {
				note(string(entry.name.ID))
			}
		}
	}
	var refs []Ref
	ids := slices.Sorted(maps.Keys(found))
	for _, id := range ids[:min(len(ids), mostMatches)] {
		among.ID = id
		ref, err := s.Lookup(ctx, among)
		if errors.Is(err, ErrNotFound) || errors.Is(err, ErrCorrupt) {
			continue // It went away in between, or is broken.
		}
		if err != nil {
			return nil, err
		}
		refs = append(refs, ref)
	}
	return refs, nil
}

// shownEnd is how many characters of the end of an ID lists show.
const shownEnd = 8
