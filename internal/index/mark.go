package index

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// ByPath finds the items of the records that name one of some files, or a file below one of some folders: the newest record
// first.
func (x *Index) ByPath(ctx context.Context, paths []string) ([]Hit, error) {
	return x.marked(ctx, "find records by path", func(yield func(from, to string) error) error {
		for _, p := range paths {
			name := markPath + cleanPath(p)
			if name == markPath { // Everything lies below the top.
				if err := yield(markPath, markPath+lastChunk); err != nil {
					return err
				}
				continue
			}
			if err := yield(name, name+"\x00"); err != nil {
				return err
			}
			if err := yield(name+"/", name+"0"); err != nil { // The next character after the slash.
				return err
			}
		}
		return nil
	})
}

// leastCommit is the shortest beginning of a commit's name that is taken for one.
const leastCommit = 4

// ByCommit finds the items of the records that were made at one of some commits, which may be given by the beginning of their
// names: the newest record first.
func (x *Index) ByCommit(ctx context.Context, commits []string) ([]Hit, error) {
	return x.marked(ctx, "find records by commit", func(yield func(from, to string) error) error {
		for _, c := range commits {
			if len(c) < leastCommit {
				continue
			}
			name := markCommit + strings.ToLower(c)
			if err := yield(name, name+"g"); err != nil { // The next character after those of such a name.
				return err
			}
		}
		return nil
	})
}

// marked returns the items of the records that have a mark in one of some ranges.
func (x *Index) marked(ctx context.Context, step string, ranges func(yield func(from, to string) error) error) (hits []Hit, err error) {
	err = x.do(ctx, step, func(db *sql.Conn) error {
		byRef := map[string]record{}
		err := ranges(func(from, to string) error {
			list, err := records(ctx, db, `SELECT ref, at, items, head FROM record
				WHERE n IN (SELECT n FROM mark WHERE name >= ? AND name < ?) AND items > 0`, from, to)
			for _, r := range list {
				byRef[r.ref] = r
			}
			return err
		})
		if err != nil {
			return err
		}
		list := slices.SortedFunc(maps.Values(byRef), func(a, b record) int {
			return cmp.Or(cmp.Compare(b.at, a.at), strings.Compare(a.ref, b.ref))
		})
		for _, r := range list {
			for i := range r.head.items {
				hit := r.head.hit(r.ref, i)
				hit.Relevance = 1
				hits = append(hits, hit)
			}
		}
		return nil
	})
	return hits, err
}

// Events returns the refs of the events about some records, of the events about those events, and so on, sorted. Those that stand
// aside are left out.
func (x *Index) Events(ctx context.Context, ids []string) (refs []string, err error) {
	return x.eventsAbout(ctx, ids, markTarget)
}

// AllEvents returns what Events does, with the events that stand aside.
func (x *Index) AllEvents(ctx context.Context, ids []string) (refs []string, err error) {
	return x.eventsAbout(ctx, ids, markTarget, markAside)
}

func (x *Index) eventsAbout(ctx context.Context, ids []string, marks ...string) (refs []string, err error) {
	err = x.do(ctx, "find events in index", func(db *sql.Conn) error {
		found := map[string]bool{}
		asked := map[string]bool{}
		for next := ids; len(next) > 0; {
			names := targets(next, asked, marks)
			next = nil
			err := each(ctx, db, func(scan func(...any) error) error {
				var ref string
				if err := scan(&ref); err != nil {
					return err
				}
				found[ref] = true
				next = append(next, idOf(ref))
				return nil
			}, "SELECT r.ref FROM json_each(?) j CROSS JOIN mark m ON m.name = j.value CROSS JOIN record r ON r.n = m.n", names)
			if err != nil {
				return err
			}
		}
		refs = slices.Sorted(maps.Keys(found))
		return nil
	})
	return refs, err
}

// targets returns the marks of the events about some records as a list for the database, of those that were not asked for
// before.
func targets(ids []string, asked map[string]bool, marks []string) string {
	names := []string{}
	for _, id := range ids {
		if !asked[id] {
			asked[id] = true
			for _, mark := range marks {
				names = append(names, mark+id)
			}
		}
	}
	list, _ := json.Marshal(names) // Texts always have a form.
	return string(list)
}
