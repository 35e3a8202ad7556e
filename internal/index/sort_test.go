package index_test

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// sorted is a store in which some kinds and branches are rare, and many records are of the same moment.
func sorted() store {
	s := store{}
	for i := range 900 {
		items := []string{"goal: one", "decision: two", "decision: three"}
		if i%100 == 0 {
			items = append(items, "attempt: four")
		}
		s.add(i, func(c *packet.Content) {
			c.CreatedAt = c.CreatedAt.Truncate(5 * 60 * 1e9)
			if i%7 == 0 {
				c.Anchor.Branch = "dev"
			}
			if i%3 == 0 {
				c.Kind = packet.KindNote
			}
			if i%50 == 0 {
				c.Tags, c.Topic, c.Provenance.AuthorHuman = []string{"Rare", "other"}, "build/go/1",
					"Grace Rare"
			}
		}, items...)
		ref := "refs/ltm/packets/" + idFor(i)
		d := s[ref]
		if d.Signer = "others"; i%90 == 0 {
			d.Signer = "here"
		}
		s[ref] = d
	}
	return s
}

// places are the records and places of what All yields.
func places(t *testing.T, x *index.Index, q index.Query, keep func(index.Hit) bool) []string {
	t.Helper()
	list := []string{}
	for hit, err := range x.All(t.Context(), q) {
		if err != nil {
			t.Fatal(err)
		}
		if keep == nil || keep(hit) {
			list = append(list, hit.ID+hit.Place)
		}
	}
	return list
}

// What is asked for by kind or branch is what a look at all items finds, in the same order, and up to the
// limit.
func TestIndex_All_sorts(t *testing.T) {
	t.Parallel()
	s := sorted()
	x := opened(t, s)
	for name, tt := range map[string]struct {
		query index.Query
		keep  func(index.Hit) bool
	}{
		"common": {index.Query{Kinds: []string{"decision"}}, func(h index.Hit) bool {
			return h.Kind == "decision"
		}},
		"rare, in any case": {index.Query{Kinds: []string{"Attempt"}}, func(h index.Hit) bool {
			return h.Kind == "attempt"
		}},
		"none": {index.Query{Kinds: []string{"skip"}}, func(index.Hit) bool { return false }},
		"two": {
			index.Query{Kinds: []string{"goal", "attempt", "goal"}},
			func(h index.Hit) bool { return h.Kind == "goal" || h.Kind == "attempt" },
		},
		"of a record": {index.Query{Kinds: []string{"note"}}, func(h index.Hit) bool {
			return h.Record.Kind == packet.KindNote
		}},
		"branch": {index.Query{Filter: index.Filter{Branch: "dev"}}, func(h index.Hit) bool {
			return h.Record.Anchor.Branch == "dev"
		}},
		"no branch": {index.Query{Filter: index.Filter{Branch: "deva"}}, func(index.Hit) bool { return false }},
		"tag": {index.Query{Filter: index.Filter{Tags: []string{"rare"}}}, func(h index.Hit) bool {
			return len(h.Record.Tags) > 0
		}},
		"tag of notes": {
			index.Query{Kinds: []string{"note/attempt"}, Filter: index.Filter{Tags: []string{"rare"}}},
			func(h index.Hit) bool {
				return len(h.Record.Tags) > 0 && h.Record.Kind == packet.KindNote && h.Kind == "attempt"
			},
		},
		"topic above": {index.Query{Filter: index.Filter{Topic: "build/go"}}, func(h index.Hit) bool {
			return h.Record.Topic != ""
		}},
		"author": {index.Query{Filter: index.Filter{Author: "ace"}}, func(h index.Hit) bool {
			return h.Record.Provenance.AuthorHuman != ""
		}},
		"no author": {index.Query{Filter: index.Filter{Author: "nobody"}}, func(index.Hit) bool { return false }},
		"signer": {index.Query{Signers: []string{"here", "nowhere"}}, func(h index.Hit) bool {
			return h.Signer == "here"
		}},
		"no signer": {index.Query{Signers: []string{}}, func(index.Hit) bool { return false }},
		"counter": {index.Query{Counter: index.CountBranch + "dev"}, func(h index.Hit) bool {
			return h.Record.Anchor.Branch == "dev"
		}},
		"signer and branch": {
			index.Query{Signers: []string{"here"}, Kinds: []string{"decision"}, Filter: index.Filter{Branch: "dev"}},
			func(h index.Hit) bool {
				return h.Signer == "here" && h.Record.Anchor.Branch == "dev" && h.Kind == "decision"
			},
		},
		"since": {
			index.Query{Filter: index.Filter{Since: time.UnixMilli(1_700_000_600_000)}},
			func(h index.Hit) bool { return !h.Record.CreatedAt.Before(time.UnixMilli(1_700_000_600_000)) },
		},
		"both": {
			index.Query{Kinds: []string{"attempt"}, Filter: index.Filter{Branch: "dev"}},
			func(h index.Hit) bool { return h.Record.Anchor.Branch == "dev" && h.Kind == "attempt" },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := places(t, x, index.Query{}, tt.keep)
			if diff := cmp.Diff(want, places(t, x, tt.query, nil)); diff != "" {
				t.Errorf("All (-want +got):\n%s", diff)
			}
			tt.query.Limit = 5
			if diff := cmp.Diff(want[:min(5, len(want))], places(t, x, tt.query, nil)); diff != "" {
				t.Errorf("All with a limit (-want +got):\n%s", diff)
			}
		})
	}
}

// What is taken out is of no sort any more.
func TestIndex_All_removed(t *testing.T) {
	t.Parallel()
	s := sorted()
	x := opened(t, s)
	for i := range 450 {
		delete(s, "refs/ltm/packets/"+idFor(2*i))
	}
	sync(t, x, s)
	for _, kind := range []string{"goal", "attempt", "note"} {
		got := places(t, x, index.Query{Kinds: []string{kind}}, nil)
		want := places(t, x, index.Query{}, func(h index.Hit) bool {
			return slices.Contains([]string{h.Kind, string(h.Record.Kind)}, kind)
		})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("All of %s after removal (-want +got):\n%s", kind, diff)
		}
	}
}

// A search finds only items of the signers that it asks for, however many others there are. Counters say how
// many records there are, and forget what is gone.
func TestIndex_Search_signers(t *testing.T) {
	t.Parallel()
	s := sorted()
	x := opened(t, s)
	hits, err := x.Search(t.Context(), index.Query{Text: "two", Signers: []string{"here"}, Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	if len(hits) != 10 || slices.ContainsFunc(hits, func(h index.Hit) bool { return h.Signer != "here" }) {
		t.Errorf("%d items are found, want the 10 of the signer", len(hits))
	}
	for _, want := range []map[string]int{{"by others": 890, "by here": 10}, {"by others": 890}} {
		counts, err := x.Counts(t.Context(), index.CountSigner)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, counts); diff != "" {
			t.Errorf("Counts (-want +got):\n%s", diff)
		}
		for ref, d := range s {
			if d.Signer == "here" {
				delete(s, ref)
			}
		}
		sync(t, x, s)
	}
}

// What expires first comes first, by the words of a record or of an event about it.
func TestIndex_Ending(t *testing.T) {
	t.Parallel()
	s, day := store{}, time.UnixMilli(1_700_000_000_000)
	for n, days := range []int{9, 2, 0, 40} {
		s.add(n, func(c *packet.Content) {
			if days > 0 {
				c.ExpiresAt = day.AddDate(0, 0, days)
			}
		}, "goal: one")
	}
	ref := "refs/ltm/events/" + idFor(7)
	s[ref] = index.Document{
		Ref: ref, Content: packet.Content{Kind: packet.KindEvent},
		Event: packet.Event{Event: "expire", Targets: []string{idFor(2)}, ExpiresAt: day.AddDate(0, 0, 5)},
	}
	x := open(t, filepath.Join(t.TempDir(), "index.db"))
	sync(t, x, s)
	ids, err := x.Ending(t.Context(), day, day.AddDate(0, 0, 30), 10)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{idFor(1), idFor(2), idFor(0)}, ids); diff != "" {
		t.Errorf("Ending (-want +got):\n%s", diff)
	}
}
