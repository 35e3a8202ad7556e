package index_test

import (
	gocmp "cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/view"
)

// twofold is records of which some are packed and some are loose: what is loose counts.
type twofold struct {
	packed, loose map[string]index.Document // by what names a record
	packs         int
	loads         int
}

// at is a record as it is listed.
func (s *twofold) at(record string) (l index.Listed, d index.Document, ok bool) {
	d, young := s.loose[record]
	if ok = young; !young {
		d, ok = s.packed[record]
	}
	return index.Listed{Ref: d.Ref, Object: objectOf(d), Record: record, Young: young}, d, ok
}

// list lists some records, as far as they are there.
func (s *twofold) list(records []string) index.List {
	return func() (all []index.Listed, _ error) {
		for _, record := range slices.Compact(slices.Sorted(slices.Values(records))) {
			if l, _, ok := s.at(record); ok {
				all = append(all, l)
			}
		}
		return all, nil
	}
}

func (s *twofold) all() []string {
	return slices.Concat(slices.Collect(maps.Keys(s.packed)), slices.Collect(maps.Keys(s.loose)))
}

func (s *twofold) load(_ context.Context, refs []index.Listed) ([]index.Document, error) {
	s.loads += len(refs)
	var docs []index.Document
	for _, l := range refs {
		_, d, _ := s.at(l.Record)
		docs = append(docs, d)
	}
	return docs, nil
}

// follow brings an index up to what there is, by what is young as far as that will do.
func (s *twofold) follow(t *testing.T, x *index.Index, step int) {
	t.Helper()
	stamp := view.Stamp{Packed: fmt.Sprint(s.packs), Loose: fmt.Sprint(step)}
	base, was := x.Base(t.Context())
	var err error
	if base.Packed == stamp.Packed {
		_, err = x.SyncYoung(t.Context(), stamp, was,
			s.list(slices.Concat(was, slices.Collect(maps.Keys(s.loose)))), s.load)
	} else {
		_, err = x.Sync(t.Context(), stamp, s.list(s.all()), s.load)
	}
	if err != nil || !x.Holds(t.Context(), stamp) {
		t.Fatalf("step %d: %v", step, err)
	}
}

// change does one of the things that happen to records.
func (s *twofold) change(r *rand.Rand, n int) {
	some := func(of map[string]index.Document) string {
		if len(of) == 0 {
			return ""
		}
		return slices.Sorted(maps.Keys(of))[r.IntN(len(of))]
	}
	words := strings.Fields("redis timeout retry build cache schema index_table parseHeader src/cache.go")
	made := store{}
	made.add(n, func(c *packet.Content) {
		c.Paths = []string{fmt.Sprintf("dir%d/file%d.go", r.IntN(3), r.IntN(5))}
		c.Anchor.Commit = fmt.Sprintf("%07x", r.IntN(9)*7919+1<<24)
		c.Anchor.Branch = []string{"", "main", "dev"}[r.IntN(3)]
		c.CreatedAt = c.CreatedAt.Truncate(1e10)
	}, "goal: "+words[r.IntN(len(words))],
		"decision: "+words[r.IntN(len(words))]+" | "+words[r.IntN(len(words))])
	for _, d := range made {
		switch record := fmt.Sprintf("packets/%d", n); r.IntN(8) {
		case 0: // Another record of the same name, or the same elsewhere.
			if record = some(s.loose); record != "" {
				s.loose[record] = d
			}
		case 1:
			if record = some(s.packed); record != "" {
				d = s.packed[record]
				d.Ref = "refs/other/" + d.Ref
				s.loose[record] = d
			}
		case 2:
			delete(s.loose, some(s.loose))
		case 3: // Git packs all.
			maps.Copy(s.packed, s.loose)
			clear(s.loose)
			s.packs++
		case 4:
			delete(s.packed, some(s.packed))
			s.packs++
		default:
			s.loose[record] = d
		}
	}
}

// answers are what an index answers, by question.
func answers(t *testing.T, x *index.Index) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	note := func(question string, hits []index.Hit, err error) {
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range hits {
			all[question] = append(all[question], fmt.Sprintf("%s%s %.4f", h.Ref, h.Place, h.Score))
		}
	}
	for _, q := range []index.Query{
		{},
		{Kinds: []string{"decision"}},
		{Filter: index.Filter{Branch: "dev"}},
		{Kinds: []string{"goal"}, Filter: index.Filter{Branch: "main"}},
		{Filter: index.Filter{Path: "dir1"}},
		{Limit: 7},
	} {
		for h, err := range x.All(t.Context(), q) {
			note(fmt.Sprint("all ", q), []index.Hit{h}, err)
		}
	}
	for _, text := range []string{"redis", "cache retry", `"index table"`, "the", "build -schema"} {
		hits, err := x.Search(t.Context(), index.Query{Text: text, Limit: 500})
		note("search "+text, hits, err)
	}
	for _, path := range []string{"dir1", "dir2/file3.go", ""} {
		hits, err := x.ByPath(t.Context(), []string{path}, 10_000)
		note("path "+path, hits, err)
	}
	hits, err := x.ByCommit(t.Context(), []string{"1", fmt.Sprintf("%07x", 4*7919+1<<24)[:5]}, 10_000, 0)
	note("commit", hits, err)
	return all
}

// Whatever happened to the records, an index that followed what is young answers as one that was made at
// once, and as a look at all records does where that is simple.
func TestIndex_SyncYoung(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 9))
		s := &twofold{packed: map[string]index.Document{}, loose: map[string]index.Document{}}
		x := open(t, t.TempDir())
		for step := range 120 {
			for range 1 + r.IntN(3) {
				s.change(r, 1000*step+r.IntN(900))
			}
			s.follow(t, x, step)
			if step%10 != 0 {
				continue
			}
			fresh := open(t, t.TempDir())
			if _, err := fresh.Sync(t.Context(), view.Stamp{}, s.list(s.all()), s.load); err != nil {
				t.Fatal(err)
			}
			got := answers(t, x)
			if diff := cmp.Diff(answers(t, fresh), got); diff != "" {
				t.Fatalf("seed %d, step %d (-made at once +followed):\n%s", seed, step, diff)
			}
			if diff := cmp.Diff(s.newest(), got[fmt.Sprint("all ", index.Query{})]); diff != "" {
				t.Fatalf("seed %d, step %d (-by a look at all +index):\n%s", seed, step, diff)
			}
		}
	}
}

// newest is what a question for everything has to answer.
func (s *twofold) newest() []string {
	var docs []index.Document
	listed, _ := s.list(s.all())()
	for _, l := range listed {
		if _, d, ok := s.at(l.Record); ok {
			docs = append(docs, d)
		}
	}
	slices.SortFunc(docs, func(a, b index.Document) int {
		at := func(d index.Document) int64 { return packet.ID(path.Base(d.Ref)).Time().UnixMilli() }
		return gocmp.Or(gocmp.Compare(at(b), at(a)), strings.Compare(b.Ref, a.Ref))
	})
	var list []string
	for _, d := range docs {
		for _, i := range d.Content.Items {
			list = append(list, fmt.Sprintf("%s%s %.4f", d.Ref, i.Place, 0.0))
		}
	}
	return list
}

// A list that was made for another state changes nothing.
func TestIndex_SyncYoung_stale(t *testing.T) {
	t.Parallel()
	s := &twofold{packed: map[string]index.Document{}, loose: map[string]index.Document{}}
	for _, d := range sample() {
		s.loose[d.Ref] = d
	}
	x := open(t, t.TempDir())
	stamp := view.Stamp{Packed: "0", Loose: "0"}
	if _, err := x.SyncYoung(t.Context(), stamp, nil, s.list(s.all()), s.load); !errors.Is(err,
		index.ErrStale) {
		t.Errorf("SyncYoung of an empty index = %v", err)
	}
	s.follow(t, x, 0)
	if _, err := x.SyncYoung(t.Context(), stamp, nil, s.list(s.all()), s.load); !errors.Is(err,
		index.ErrStale) {
		t.Errorf("SyncYoung with others that were young = %v", err)
	}
	if !x.Holds(t.Context(), stamp) {
		t.Error("a list for another state changed something")
	}
}

// What git packs is not read again.
func TestIndex_Sync_packed(t *testing.T) {
	t.Parallel()
	s := &twofold{packed: map[string]index.Document{}, loose: map[string]index.Document{}}
	for _, d := range many(50) {
		s.loose[d.Ref] = d
	}
	x := open(t, t.TempDir())
	s.follow(t, x, 0)
	before, loads := answers(t, x), s.loads
	maps.Copy(s.packed, s.loose)
	clear(s.loose)
	s.packs++
	s.follow(t, x, 1)
	if s.loads != loads {
		t.Errorf("%d of 50 records were read again", s.loads-loads)
	}
	if diff := cmp.Diff(before, answers(t, x)); diff != "" {
		t.Errorf("answers (-before +after):\n%s", diff)
	}
}
