package index_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// crowd is many records whose words are as often as those of a language: record n is always the same.
type crowd int

// vocabulary is how many words a crowd has.
const vocabulary = 60_000

// wordOf is the n-th word of a crowd, of which the first are the most common.
func wordOf(n uint64) string {
	return fmt.Sprintf("%c%c%s", 'a'+n%23, 'e'+n%7, strconv.FormatUint(n*7919, 36))
}

// say writes words of a crowd.
func say(b *strings.Builder, r *rand.Rand, z *rand.Zipf, words int) string {
	b.Reset()
	for range words {
		b.WriteString(wordOf(z.Uint64()) + " ")
	}
	if r.IntN(3) == 0 {
		fmt.Fprintf(b, "Name%dOfThing", r.IntN(vocabulary))
	}
	return b.String()
}

func (crowd) ref(n int) string { return fmt.Sprintf("refs/ltm/packets/01ARZ3NDEK%016d", n*7) }

func (c crowd) list() (all []index.Listed, _ error) {
	for n := range int(c) {
		all = append(all, index.Listed{Ref: c.ref(n), Object: "0123456789abcdef0123456789abcdef01234567"})
	}
	return all, nil
}

func (c crowd) document(n int) index.Document {
	r := rand.New(rand.NewPCG(uint64(n), 1))
	z := rand.NewZipf(r, 1.15, 8, vocabulary)
	var b strings.Builder
	d := index.Document{Ref: c.ref(n), Content: packet.Content{
		Kind: packet.KindPacket, CreatedAt: time.UnixMilli(1_700_000_000_000 + int64(n)*1000).UTC(),
		Tags:   []string{"db", "build"},
		Paths:  []string{fmt.Sprintf("internal/part%d/file%d.go", r.IntN(100), r.IntN(1000))},
		Anchor: packet.Anchor{Branch: "main", Commit: fmt.Sprintf("%040x", n)},
	}}
	for i, kind := range []string{"goal", "decision", "decision", "attempt", "method", "next_step"} {
		item := packet.Item{
			Kind: kind, Place: fmt.Sprintf("/%ss/%d", kind, i),
			Text: say(&b, r, z, 6+r.IntN(14)),
		}
		if i%5 != 0 {
			item.Why = say(&b, r, z, 8+r.IntN(40))
		}
		d.Content.Items = append(d.Content.Items, item)
	}
	return d
}

func (c crowd) load(_ context.Context, refs []index.Listed) ([]index.Document, error) {
	docs := make([]index.Document, 0, len(refs))
	for _, at := range refs {
		n, err := strconv.Atoi(at.Ref[len(at.Ref)-16:])
		if err != nil {
			return nil, err
		}
		docs = append(docs, c.document(n/7))
	}
	return docs, nil
}

// bytes is about how long the records are as JSON.
func (c crowd) bytes() int {
	sum := 0
	for n := range 100 {
		for _, item := range c.document(n).Content.Items {
			sum += len(item.Text) + len(item.Why) + 40
		}
		sum += 600
	}
	return sum / 100 * int(c)
}

// size is how many records are measured: LTM_INDEX_RECORDS, or few.
func size(b *testing.B) crowd {
	b.Helper()
	n, err := strconv.Atoi(os.Getenv("LTM_INDEX_RECORDS"))
	if err != nil {
		return 2000
	}
	return crowd(n)
}

// built returns an index of a crowd. It is kept where LTM_INDEX_FILE says, if it does.
func built(b *testing.B, c crowd) *index.Index {
	b.Helper()
	path := os.Getenv("LTM_INDEX_FILE")
	if path == "" {
		path = filepath.Join(b.TempDir(), "view")
	}
	x := index.Open(index.Options{Dir: local.Open(path, nil)})
	b.Cleanup(func() { _ = x.Close() })
	if _, err := x.Sync(b.Context(), stampOf("stamp"), c.list, c.load); err != nil {
		b.Fatal(err)
	}
	return x
}

func BenchmarkIndex_Sync_first(b *testing.B) {
	c := size(b)
	docs := make([]index.Document, c)
	for n := range docs {
		docs[n] = c.document(n)
	}
	load := func(_ context.Context, refs []index.Listed) ([]index.Document, error) {
		found := make([]index.Document, len(refs))
		for i, at := range refs {
			n, _ := strconv.Atoi(at.Ref[len(at.Ref)-16:])
			found[i] = docs[n/7]
		}
		return found, nil
	}
	b.SetBytes(int64(c.bytes()))
	for b.Loop() {
		path := filepath.Join(b.TempDir(), "view")
		x := index.Open(index.Options{Dir: local.Open(path, nil)})
		if _, err := x.Sync(b.Context(), stampOf("stamp"), c.list, load); err != nil {
			b.Fatal(err)
		}
		if err := x.Close(); err != nil {
			b.Fatal(err)
		}
		size := int64(0)
		files, err := os.ReadDir(path)
		for _, file := range files {
			if info, err := file.Info(); err == nil {
				size += info.Size()
			}
		}
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(size)/float64(c), "file-B/record")
	}
}

func BenchmarkIndex_Sync_one(b *testing.B) {
	c := size(b)
	x := built(b, c)
	for b.Loop() {
		c++
		if done, err := x.Sync(b.Context(), stampOf("stamp"), c.list, c.load); err != nil ||
			done.Added != 1 {
			b.Fatal(done, err)
		}
	}
}

// BenchmarkOpen is what a short process does: it opens the index, looks at its stamp and searches once.
func BenchmarkOpen(b *testing.B) {
	x := built(b, size(b))
	path := os.Getenv("LTM_INDEX_FILE")
	if path == "" {
		b.Skip("LTM_INDEX_FILE names no file")
	}
	if err := x.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		x := index.Open(index.Options{Dir: local.Open(path, nil)})
		hits, err := x.Search(b.Context(), index.Query{Text: wordOf(300) + " " + wordOf(2000), Limit: 10})
		if err != nil || len(hits) == 0 || !x.Holds(b.Context(), stampOf("stamp")) {
			b.Fatal(len(hits), err)
		}
		if err := x.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkIndex_Search(b *testing.B) {
	x := built(b, size(b))
	var text strings.Builder
	for name, words := range map[string][]uint64{
		"rare": {5000, 7000}, "medium": {300, 1000, 2000, 5000}, "common": {5},
		"prompt": {1, 2, 5, 9, 50, 70, 300, 800, 4000}, "commons": {3, 5, 9},
	} {
		text.Reset()
		for _, n := range words {
			text.WriteString(wordOf(n) + " ")
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if hits, err := x.Search(b.Context(), index.Query{Text: text.String(), Limit: 10}); err !=
					nil || len(hits) == 0 {
					b.Fatal(len(hits), err)
				}
			}
		})
	}
}
