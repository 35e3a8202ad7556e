package index_test

import (
	"slices"
	"testing"

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
		}, items...)
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

// What is asked for by kind or branch is what a look at all items finds, in the same order, and up to the limit.
func TestIndex_All_sorts(t *testing.T) {
	t.Parallel()
	s := sorted()
	x := opened(t, s)
	for name, tt := range map[string]struct {
		query index.Query
		keep  func(index.Hit) bool
	}{
		"common":            {index.Query{Kinds: []string{"decision"}}, func(h index.Hit) bool { return h.Kind == "decision" }},
		"rare, in any case": {index.Query{Kinds: []string{"Attempt"}}, func(h index.Hit) bool { return h.Kind == "attempt" }},
		"none":              {index.Query{Kinds: []string{"skip"}}, func(index.Hit) bool { return false }},
		"two": {
			index.Query{Kinds: []string{"goal", "attempt", "goal"}},
			func(h index.Hit) bool { return h.Kind == "goal" || h.Kind == "attempt" },
		},
		"of a record": {index.Query{Kinds: []string{"note"}}, func(h index.Hit) bool { return h.Record == packet.KindNote }},
		"branch":      {index.Query{Branch: "dev"}, func(h index.Hit) bool { return h.Branch == "dev" }},
		"no branch":   {index.Query{Branch: "deva"}, func(index.Hit) bool { return false }},
		"both": {
			index.Query{Branch: "dev", Kinds: []string{"attempt"}},
			func(h index.Hit) bool { return h.Branch == "dev" && h.Kind == "attempt" },
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
		want := places(t, x, index.Query{}, func(h index.Hit) bool { return slices.Contains([]string{h.Kind, string(h.Record)}, kind) })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("All of %s after removal (-want +got):\n%s", kind, diff)
		}
	}
}
