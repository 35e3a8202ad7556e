package index_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/view"
)

// many returns records of few words, so that many are alike.
func many(n int) store {
	s := store{}
	words := strings.Fields(
		"redis timeout retry build cache schema index_table parseHeader src/cache.go the of")
	r := rand.New(rand.NewPCG(7, 7))
	for i := range n {
		var items []string
		for range 1 + r.IntN(4) {
			var text []string
			for range 1 + r.IntN(6) {
				text = append(text, words[r.IntN(len(words))])
			}
			items = append(items, "goal: "+strings.Join(text, " "))
		}
		s.add(i, nil, items...)
	}
	return s
}

// part returns some records of a store.
func (s store) part(refs []string) store {
	some := store{}
	for _, ref := range refs {
		some[ref] = s[ref]
	}
	return some
}

// Whatever the order in which records came, and whatever was there in between, the same records give the same
// hits.
func TestIndex_Sync_order(t *testing.T) {
	t.Parallel()
	all := many(900)
	want := opened(t, all)
	var refs []string
	for ref := range all {
		refs = append(refs, ref)
	}
	other := open(t, filepath.Join(t.TempDir(), "view"))
	r := rand.New(rand.NewPCG(1, 2))
	r.Shuffle(len(refs), func(i, j int) { refs[i], refs[j] = refs[j], refs[i] })
	for n := 0; n < len(refs); n += 60 {
		some := all.part(refs[:n+1])
		for i := range 10 {
			some.add(5000+n+i, nil, "goal: something else that leaves again redis cache")
		}
		sync(t, other, some)
	}
	sync(t, other, all)
	for _, text := range []string{
		"redis", "redis timeout cache", `"redis timeout"`, "the",
		"src/cache.go retry", "build -cache", "nothing redis",
	} {
		q := index.Query{Text: text, Limit: 30}
		a, err := want.Search(t.Context(), q)
		if err != nil || len(a) == 0 {
			t.Fatalf("Search(%q) finds %d, %v", text, len(a), err)
		}
		b, err := other.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(a, b); diff != "" {
			t.Errorf("Search(%q) of records that came one by one (-at once +one by one):\n%s", text, diff)
		}
	}
}

func TestIndex_Sync_changes(t *testing.T) {
	t.Parallel()
	s := sample()
	x := open(t, filepath.Join(t.TempDir(), "view"))
	if got, _ := x.Base(t.Context()); got != (view.Stamp{}) {
		t.Errorf("the stamp of an empty index is %q", got)
	}
	if diff := cmp.Diff(index.Synced{Added: 3}, sync(t, x, s)); diff != "" {
		t.Errorf("first Sync (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(index.Synced{}, sync(t, x, s)); diff != "" {
		t.Errorf("second Sync (-want +got):\n%s", diff)
	}
	if got, _ := x.Base(t.Context()); got != stampOf("stamp") {
		t.Errorf("the stamp is %q", got)
	}
	s.add(2, nil, "goal: Other words", "decision: whatever", "note: b", "note: c")
	if diff := cmp.Diff(index.Synced{Added: 1, Removed: 1}, sync(t, x, s)); diff != "" {
		t.Errorf("Sync of a changed record (-want +got):\n%s", diff)
	}
	if got := search(t, x, index.Query{Text: "parallel"}); got != nil {
		t.Errorf("the words of before find %v", got)
	}
	if got := search(t, x, index.Query{Text: "whatever"}); len(got) != 1 {
		t.Errorf("the words of now find %v", got)
	}
}

// A list that fails, or names a record twice, changes nothing, and an error of load is that of Sync.
func TestIndex_Sync_errors(t *testing.T) {
	t.Parallel()
	s := sample()
	x := opened(t, s)
	fault := errors.New("fault")
	twice := func() ([]index.Listed, error) { return []index.Listed{{Ref: "b"}, {Ref: "a"}, {Ref: "b"}}, nil }
	if _, err := x.Sync(t.Context(), stampOf(""), twice, s.load); err == nil {
		t.Error("a list that names a record twice is taken")
	}
	failing := func() ([]index.Listed, error) { return nil, fault }
	if _, err := x.Sync(t.Context(), stampOf(""), failing, s.load); !errors.Is(err, fault) {
		t.Errorf("Sync of a list that fails = %v", err)
	}
	s.add(9, nil, "goal: new")
	load := func(context.Context, []index.Listed) ([]index.Document, error) { return nil, fault }
	if _, err := x.Sync(t.Context(), stampOf(""), s.list, load); !errors.Is(err, fault) {
		t.Errorf("Sync with a load that fails = %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.Sync(ended, stampOf(""), s.list, s.load); !errors.Is(err, context.Canceled) {
		t.Errorf("Sync after its end = %v", err)
	}
	if got := search(t, x, index.Query{Text: "sqlstate"}); len(got) != 1 {
		t.Errorf("after errors the index finds %v", got)
	}
	if done := sync(t, x, s); done.Added != 1 {
		t.Errorf("Sync after errors added %d, want 1", done.Added)
	}
}

// What is taken out is not found, and no byte of it is left in any file.
// SPEC.
func TestIndex_Sync_removal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	x := open(t, dir)
	s := many(300)
	marks := []string{"zanzibar", "quuxfrob", "xylophon", "warpdriv", "jabberwock", "vorpalsword"}
	for i := range 40 {
		s.add(1000+i, func(c *packet.Content) {
			c.Tags = []string{"jabberwock"}
			c.Paths = []string{fmt.Sprintf("vorpalsword/file%d.go", i)}
			c.Anchor.Branch = "zanzibar"
		}, fmt.Sprintf("goal: zanzibar quuxfrob%d", i),
			"decision: xylophon warpdriv | zanzibar quuxfrob redis")
	}
	sync(t, x, s)
	if missing := missingBytes(t, dir, marks); len(missing) > 0 {
		t.Errorf("before removal no file holds %q, so this test shows nothing", missing)
	}
	for i := range 40 {
		delete(s, "refs/ltm/packets/"+idFor(1000+i))
		if i%10 == 0 {
			sync(t, x, s)
		}
	}
	if done := sync(t, x, s); done.Removed != 9 {
		t.Errorf("the last Sync took out %d, want 9", done.Removed)
	}
	for _, word := range marks {
		if got := search(t, x, index.Query{Text: word}); got != nil {
			t.Errorf("after removal %q finds %v", word, got)
		}
	}
	if missing := missingBytes(t, dir, marks); len(missing) != len(marks) {
		t.Errorf("after removal only %q are in no file, want %q", missing, marks)
	}
	if got := search(t, x, index.Query{Text: "redis", Limit: 1000}); len(got) == 0 {
		t.Error("what was not removed is not found")
	}
}

// missingBytes returns those of some words that no file of a directory holds.
func missingBytes(t *testing.T, dir string, words []string) []string {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []byte
	for _, file := range files {
		data, err := os.ReadFile(filepath.Join(dir, file.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, data...)
	}
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool {
		return bytes.Contains(all, []byte(word))
	})
}

// The same documents in memory give the same hits as in a file.
// SPEC.
func TestMemory(t *testing.T) {
	t.Parallel()
	s := many(200)
	var docs []index.Document
	for _, d := range s {
		docs = append(docs, d)
	}
	inMemory, err := index.Memory(t.Context(), docs)
	if err != nil {
		t.Fatal(err)
	}
	q := index.Query{Text: "redis timeout parseHeader"}
	if diff := cmp.Diff(search(t, opened(t, s), q), search(t, inMemory, q)); diff != "" {
		t.Errorf("hits in memory (-file +memory):\n%s", diff)
	}
	if err := inMemory.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := inMemory.Search(t.Context(), q); !errors.Is(err, index.ErrUnusable) {
		t.Errorf("Search after Close = %v", err)
	}
}

// What is kept is for its owner alone, and nothing that does not count is left beside it.
func TestIndex_files(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ltm", "view")
	s := many(300)
	for n := range 20 {
		s.add(1000+n, nil, "goal: one more")
		sync(t, open(t, path), s)
	}
	files, err := os.ReadDir(path)
	if err != nil || len(files) > 5 {
		t.Errorf("after 20 changes there are %d files, %v", len(files), err)
	}
	for _, file := range files {
		info, err := file.Info()
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); mode != 0o600 {
			t.Errorf("the mode of %s is %o", file.Name(), mode)
		}
	}
}
