package refs

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
)

const (
	shortestPart = 4   // shortestPart is how many characters of an ID have to be known.
	mostMatches  = 100 // mostMatches is far more than a person can choose from.
)

// Lookup finds a record by its ID: the local one, or else that of the first remote that has it. What lies in an archive
// comes behind the ref of the same place. A local ref that is broken counts only when nobody else has the record. Conflict
// is set as in List.
func (s *Store) Lookup(ctx context.Context, kind Kind, id packet.ID) (Ref, error) {
	name := Name{Kind: kind, ID: id}
	if !name.valid() {
		return Ref{}, fmt.Errorf("find record %q of kind %q: %w", id, kind, ErrNotFound)
	}
	found, broken, err := s.everywhere(ctx, name)
	switch {
	case err != nil:
		return Ref{}, err
	case len(found) == 0 && broken != nil:
		return Ref{}, broken
	case len(found) == 0:
		return Ref{}, fmt.Errorf("find record %q of kind %q: %w", id, kind, ErrNotFound)
	}
	return foremost(found), nil
}

// foremost is the first of what one name means. Conflict is set as in List.
func foremost(found []Ref) Ref {
	first := found[0]
	first.Conflict = slices.ContainsFunc(found, func(r Ref) bool { return r.Object != first.Object })
	return first
}

// Everywhere returns what a name means here and on each remote, in the order in which one of them counts. Broken refs are left
// out.
func (s *Store) Everywhere(ctx context.Context, name Name) ([]Ref, error) {
	found, _, err := s.everywhere(ctx, name)
	return found, err
}

// everywhere returns what a name means here and on each remote, in this order: its ref, and what archives hold. A broken
// ref is left out; broken is the error of the local one.
func (s *Store) everywhere(ctx context.Context, name Name) (found []Ref, broken, err error) {
	all, err := s.everyName(ctx, []Name{name})
	if err != nil {
		return nil, nil, err
	}
	return all[0].found, all[0].broken, nil
}

// meaning is what a name means, as everywhere returns it.
type meaning struct {
	found  []Ref
	broken error
}

// everyName returns what each of some names means. Archives are looked into when all refs were looked at: what moves into an
// archive meanwhile is found in one place at least.
func (s *Store) everyName(ctx context.Context, names []Name) ([]meaning, error) {
	remotes, err := s.reader.remotes(ctx)
	if err != nil {
		return nil, err
	}
	places := append([]string{""}, remotes...)
	all := make([]meaning, len(names))
	for i, name := range names {
		for _, remote := range places {
			ref := Ref{Name: name, Remote: remote}
			ref.Object, err = s.reader.resolve(ctx, ref.Full())
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
	archives, err := s.reader.archives(ctx, places)
	if err != nil || len(archives) == 0 {
		return all, err
	}
	for i, name := range names {
		all[i].found = append(all[i].found, s.inArchives(ctx, archives, name)...)
		slices.SortStableFunc(all[i].found, func(a, b Ref) int { return strings.Compare(a.Remote, b.Remote) })
	}
	return all, nil
}

// Match finds the records whose IDs begin or end with part, or of which lists show what begins with it. It may be in lower case. They
// come in rising order; more than a hundred are not returned. No match is no error.
func (s *Store) Match(ctx context.Context, kind Kind, part string) ([]Ref, error) {
	if err := checkKind(kind); err != nil {
		return nil, err
	}
	part = strings.ToUpper(part)
	if len(part) < shortestPart {
		return nil, fmt.Errorf("match %q: at least %d characters are needed", part, shortestPart)
	}
	if strings.IndexFunc(part, notInID) >= 0 {
		return nil, nil
	}
	prefixes, err := s.prefixes(ctx, kind)
	if err != nil {
		return nil, err
	}
	found := map[packet.ID]bool{}
	for _, prefix := range prefixes {
		if err := s.collect(ctx, prefix, part, found); err != nil {
			return nil, err
		}
	}
	if err := s.collectArchived(ctx, kind, part, found); err != nil {
		return nil, err
	}
	ids := slices.Sorted(maps.Keys(found))
	return s.lookupAll(ctx, kind, ids[:min(len(ids), mostMatches)])
}

// notInID reports whether a character never stands in an ID.
func notInID(c rune) bool {
	return (c < '0' || c > '9') && (c < 'A' || c > 'Z')
}

// prefixes returns where records of a kind lie.
func (s *Store) prefixes(ctx context.Context, kind Kind) ([]string, error) {
	remotes, err := s.reader.remotes(ctx)
	prefixes := []string{Root + string(kind) + "/"}
	for _, remote := range remotes {
		prefixes = append(prefixes, TrackingRoot+remote+"/"+string(kind)+"/")
	}
	return prefixes, err
}

// shownEnd is how many characters of the end of an ID lists show.
const shownEnd = 8

// endsIn tells whether part names an ID by its end: it ends with it, or what lists show of it begins so.
func endsIn(id, part string) bool {
	return strings.HasSuffix(id, part) || strings.HasPrefix(id[max(0, len(id)-shownEnd):], part)
}

// collect notes the IDs below a prefix. Those that begin with part are found by a search; for those that endsIn names
// all names are compared.
func (s *Store) collect(ctx context.Context, prefix, part string, found map[packet.ID]bool) error {
	for name, err := range s.reader.names(ctx, prefix, prefix+part) {
		if err != nil {
			return err
		}
		if !strings.HasPrefix(name, prefix+part) || len(found) > mostMatches {
			break
		}
		note(found, name[len(prefix):])
	}
	if len(found) > mostMatches {
		return nil
	}
	for name, err := range s.reader.names(ctx, prefix, "") {
		if err != nil {
			return err
		}
		if endsIn(name, part) && len(found) <= mostMatches {
			note(found, name[len(prefix):])
		}
	}
	return nil
}

// collectArchived notes the IDs in archives that begin or end with part.
func (s *Store) collectArchived(ctx context.Context, kind Kind, part string, found map[packet.ID]bool) error {
	archives, err := s.Archives(ctx)
	for _, a := range archives {
		for id := range s.archivedIDs(ctx, a, Query{Kind: kind}) {
			if len(found) > mostMatches {
				return nil
			}
			if strings.HasPrefix(string(id), part) || endsIn(string(id), part) {
				found[id] = true
			}
		}
	}
	return err
}

// note remembers text when it is an ID.
func note(found map[packet.ID]bool, text string) {
	if id, err := packet.ParseID(text); err == nil {
		found[id] = true
	}
}

// lookupAll finds each record; one that went away in between, or is broken, is left out.
func (s *Store) lookupAll(ctx context.Context, kind Kind, ids []packet.ID) ([]Ref, error) {
	var refs []Ref
	for _, id := range ids {
		ref, err := s.Lookup(ctx, kind, id)
		if errors.Is(err, ErrNotFound) || errors.Is(err, ErrCorrupt) {
			continue
		}
		if err != nil {
			return nil, err
		}
		refs = append(refs, ref)
	}
	return refs, nil
}
