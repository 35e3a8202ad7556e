package index_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/view"
)

// store is the records of a test by their refs.
type store map[string]index.Document

// list lists the refs.
func (s store) list() (all []index.Listed, _ error) {
	for ref, d := range s {
		all = append(all, index.Listed{Ref: ref, Object: objectOf(d)})
	}
	return all, nil
}

// objectOf stands for the object of a document: the same for the same content.
func objectOf(d index.Document) string {
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, d.Content, d.Rules)))
}

// load returns documents.
func (s store) load(_ context.Context, refs []index.Listed) ([]index.Document, error) {
	var docs []index.Document
	for _, at := range refs {
		docs = append(docs, s[at.Ref])
	}
	return docs, nil
}

// idFor is an ID of a test.
func idFor(n int) string { return fmt.Sprintf("01ARZ3NDEKTSV4RRFFQ%07d", n) }

// add adds a record of some items: each is "kind: text | why".
func (s store) add(n int, change func(*packet.Content), items ...string) {
	ref := "refs/ltm/packets/" + idFor(n)
	c := packet.Content{
		Kind:      packet.KindPacket,
		CreatedAt: time.UnixMilli(1_700_000_000_000 + int64(n)*1000).UTC(),
	}
	for i, text := range items {
		kind, text, _ := strings.Cut(text, ": ")
		text, why, _ := strings.Cut(text, " | ")
		c.Items = append(c.Items,
			packet.Item{Kind: kind, Place: fmt.Sprintf("/%s/%d", kind, i), Text: text, Why: why})
	}
	if change != nil {
		change(&c)
	}
	s[ref] = index.Document{Ref: ref, Content: c}
}

// stampOf is a stamp of a list of which nothing is young; "" stands for none.
func stampOf(text string) view.Stamp { return view.Stamp{Packed: text, Loose: text} }

// open opens an index of a test in a folder.
func open(t *testing.T, path string) *index.Index {
	t.Helper()
	x := index.Open(index.Options{Dir: local.Open(path, nil)})
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	return x
}

// opened returns an index that holds a store.
func opened(t *testing.T, s store) *index.Index {
	t.Helper()
	x := open(t, filepath.Join(t.TempDir(), "view"))
	sync(t, x, s)
	return x
}

// sync brings an index up to a store.
func sync(t *testing.T, x *index.Index, s store) index.Synced {
	t.Helper()
	done, err := x.Sync(t.Context(), stampOf("stamp"), s.list, s.load)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// search returns what a query finds as "id place".
func search(t *testing.T, x *index.Index, q index.Query) []string {
	t.Helper()
	hits, err := x.Search(t.Context(), q)
	if err != nil {
		t.Fatalf("Search(%q) = %v", q.Text, err)
	}
	var list []string
	for _, h := range hits {
		list = append(list, strings.TrimLeft(h.ID[19:], "0")+" "+h.Place)
	}
	return list
}

func sample() store {
	s := store{}
	s.add(1, func(c *packet.Content) {
		c.Tags = []string{"db", "retry"}
		c.Anchor.Branch = "main"
		c.Anchor.Commit = "0123456789abcdef0123456789abcdef01234567"
		c.Paths = []string{"internal/store/retry.go", "docs/db.md"}
		c.Provenance.AuthorHuman = "Ada Tester"
	}, "goal: Make writes survive serialization failures",
		"decision: Retry on SQLSTATE 40001 | backoff doubles; maxRetries is 5",
		"attempt: Raised max_connections | failed with ERR_TOO_MANY_CLIENTS")
	s.add(2, func(c *packet.Content) {
		c.Topic = "warehouse/snowflake"
		c.Tags = []string{"build"}
	}, "goal: Speed up the build",
		"decision: Use parseHTTPHeader from net/textproto | error[E0308] mismatched types in src/x.rs",
		"method: Running tests in parallel | go test -race ./...")
	s.add(3, nil, "note: 数据库连接超时 要 重试", "note: café owners prefer node.js v1.61.1 over C++")
	return s
}

func TestIndex_Search(t *testing.T) {
	t.Parallel()
	x := opened(t, sample())
	for _, test := range []struct {
		query string
		want  []string
	}{
		{"sqlstate 40001", []string{"1 /decision/1"}},
		{"retry", []string{"1 /decision/1", "1 /goal/0", "1 /attempt/2"}},
		{"the aim of a retry", []string{"1 /decision/1", "1 /goal/0", "1 /attempt/2"}},
		{"max_connections", []string{"1 /attempt/2", "1 /decision/1"}},
		{"maxConnections", []string{"1 /attempt/2", "1 /decision/1"}},
		{"ERR_TOO_MANY_CLIENTS", []string{"1 /attempt/2"}},
		{"E0308", []string{"2 /decision/1"}},
		{"parse http header", []string{"2 /decision/1"}},
		{"parsehttpheader", []string{"2 /decision/1"}},
		{`"tests" -run kind:goal`, []string{"2 /method/2"}}, // Signs say nothing.
		{"src/x.rs", []string{"2 /decision/1"}},
		{"x.rs", []string{"2 /decision/1"}},
		{"数据库", []string{"3 /note/0"}},
		{"cafe", []string{"3 /note/1"}},
		{"c++", []string{"3 /note/1"}},
		{"1.61.1", []string{"3 /note/1"}},
		{"v1.61.1", []string{"3 /note/1"}},
		{"what is that and how", nil},
		{"zanzibar", nil},
		{"the", []string{"2 /goal/0", "2 /method/2", "2 /decision/1"}},
		{"docs/db.md", []string{"1 /goal/0", "1 /decision/1", "1 /attempt/2"}},
	} {
		got := search(t, x, index.Query{Text: test.query})
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("Search(%q) (-want +got):\n%s", test.query, diff)
		}
	}
	for _, test := range []struct {
		query index.Query
		want  []string
	}{
		{index.Query{Text: "retry", Kinds: []string{"decision"}}, []string{"1 /decision/1"}},
		{index.Query{Text: "retry", Kinds: []string{"goal"}, Filter: index.Filter{
			Tags: []string{"db"}, Branch: "main", Author: "ada", Path: "internal/store",
		}}, []string{"1 /goal/0"}},
		{index.Query{Text: "retry", Kinds: []string{"goal"}, Filter: index.Filter{Path: "internal/stor"}}, nil},
		{
			index.Query{Text: "build", Kinds: []string{"goal"}, Filter: index.Filter{Topic: "warehouse/"}},
			[]string{"2 /goal/0"},
		},
		{index.Query{Text: "build", Filter: index.Filter{Topic: "ware"}}, nil},
	} {
		if diff := cmp.Diff(test.want, search(t, x, test.query)); diff != "" {
			t.Errorf("Search(%+v) (-want +got):\n%s", test.query, diff)
		}
	}
}
