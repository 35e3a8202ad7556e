package recall_test

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// A planted record has a name below refs/ltm, and what stands in it.
type planted struct {
	ref  string
	data string
}

// idOf is an id that begins with a time.
func idOf(at time.Time, n int) string {
	const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	id := make([]byte, 26)
	for i, left := 9, at.UnixMilli(); i >= 0; i-- {
		id[i], left = digits[left%32], left/32
	}
	for i := 25; i >= 10; i-- {
		id[i], n = digits[n%32], n/32
	}
	return string(id)
}

// record is a planted record of a type, with a new id.
func record(kind string, at time.Time, n int, members map[string]any) (id string, p planted) {
	id = idOf(at, n)
	all := map[string]any{
		"type": kind, "id": id, "created_at": at.UTC().Format(time.RFC3339),
		"provenance": map[string]string{"author_human": "Ada Tester"},
	}
	maps.Copy(all, members)
	data, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	if rec, err := packet.Parse(data, packet.Stored); err == nil {
		data = rec.Encode() // Of events only those count that are written as the format says.
	}
	return id, planted{"refs/ltm/" + kind + "s/" + id, string(data)}
}

// packetRecord is a planted packet.
func packetRecord(at time.Time, n int, members map[string]any) (id string, p planted) {
	id, p = record("packet", at, n, members)
	p.data = strings.Replace(p.data, `"type":"packet"`, `"ltm_version":"0.3"`, 1)
	return id, p
}

// plant writes records with plain git, in their order.
func plant(t *testing.T, r *gittest.Repository, records ...planted) {
	t.Helper()
	var blobs, refs strings.Builder
	for i, p := range records {
		fmt.Fprintf(&blobs, "blob\nmark :%d\ndata %d\n%s\n", i+1, len(p.data), p.data)
	}
	for i := range records {
		fmt.Fprintf(&blobs, "get-mark :%d\n", i+1)
	}
	oids := strings.Fields(r.Feed(blobs.String(), "fast-import", "--quiet"))
	if len(oids) != len(records) {
		t.Fatalf("%d objects of %d records", len(oids), len(records))
	}
	for i, p := range records {
		fmt.Fprintf(&refs, "create %s %s\n", p.ref, oids[i])
	}
	r.Feed(refs.String(), "update-ref", "--stdin")
}

// asker asks the memory of a repository as of a time.
func asker(t *testing.T, r *gittest.Repository, now time.Time) (*memory.Memory, *recall.Recall) {
	t.Helper()
	clock := func() time.Time { return now }
	m, err := memory.Open(t.Context(),
		memory.Options{Dir: r.Dir, Env: r.Env, Now: clock, Entropy: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	asks := recall.Open(t.Context(), m, recall.Options{Now: clock})
	t.Cleanup(func() {
		if err := asks.Close(); err != nil {
			t.Error(err)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m, asks
}

// contextOf is the whole context as JSON.
func contextOf(t *testing.T, r *gittest.Repository, now time.Time, reading replay.Reading) string {
	t.Helper()
	_, asks := asker(t, r, now)
	c, err := asks.Context(t.Context(), reading)
	if err != nil {
		t.Fatal(err)
	}
	data, err := c.JSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// answerOf is the answer to a question as JSON.
func answerOf(t *testing.T, r *gittest.Repository, now time.Time, q recall.Query) string {
	t.Helper()
	_, asks := asker(t, r, now)
	found, err := asks.Find(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	told := asks.Tell(found, replay.Asked)
	told.Explain = true
	data, err := told.JSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
