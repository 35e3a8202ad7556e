package graph_test

import (
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/graph"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
)

var update = flag.Bool("update", false, "write the golden files again")

// forms are the forms of a picture by the name of their golden files.
var forms = map[string]func(graph.Graph, io.Writer) error{
	"txt": func(g graph.Graph, w io.Writer) error { return g.Text(w, 0) },
	"dot": graph.Graph.DOT,
	"mmd": graph.Graph.Mermaid,
}

// draw returns a picture of g.
func draw(tb testing.TB, g graph.Graph, form string) string {
	tb.Helper()
	var b strings.Builder
	if err := forms[form](g, &b); err != nil {
		tb.Fatal(err)
	}
	return b.String()
}

// at is a time so many hours after the beginning of the samples.
func at(hours int) time.Time {
	return time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC).Add(time.Duration(hours) * time.Hour)
}

// relationWords is a text and who wrote it.
func relationWords(text, author string) provenance.Text {
	return provenance.Of(text, &provenance.Origin{
		ID: "01KJP0000000000000SA1D0001", Author: packet.Provenance{AuthorHuman: author},
		Reach: provenance.OnRequest,
	})
}

// shop is a memory with all that a picture can show.
func shop() graph.Graph {
	return graph.Graph{
		Nodes: []graph.Node{
			{
				ID: "01KJP0000000000000CART0001", Kind: graph.Packet,
				Label: relationWords("Keep the cart when a session ends", "Ada Tester"), Branch: "main", At: at(0),
			},
			{
				ID: "01KJP0000000000000CART0002", Kind: graph.Packet,
				Label:  relationWords("Store the cart in the database, not in the cookie", "Ada Tester"),
				Branch: "main", At: at(26),
			},
			{
				ID: "01KJP0000000000000CART0003", Kind: graph.Packet, Label: relationWords("Try Redis for carts", "Bob"),
				Branch: "try-redis", At: at(30), States: []graph.State{graph.Retracted},
			},
			{
				ID: "01KJP0000000000000CART0004", Kind: graph.Packet,
				Label: relationWords("Merge the guest's cart at log-in", "Ada Tester"), Branch: "main", At: at(75),
			},
			{
				ID: "01KJP0000000000000CART0005", Kind: graph.Packet,
				Label: relationWords("Carts expire after 30 days", "Alice"), Branch: "main", At: at(122),
			},
			{
				ID: "01KJP0000000000000TAXES001", Kind: graph.Packet,
				Label: relationWords("Taxes by country: rates come from a table", "Alice"), Branch: "taxes",
				At: at(50),
			},
			{
				ID: "01KJP0000000000000TAXES002", Kind: graph.Packet,
				Label: relationWords("Round taxes per line, not per order", "Alice"), Branch: "taxes", At: at(98),
			},
			{
				ID: "01KJP0000000000000N0TE0001", Kind: graph.Note,
				Label: relationWords("Prices are whole cents everywhere", "Ada Tester"), Branch: "main", At: at(20),
			},
			{
				ID: "01KJP0000000000000N0TE0002", Kind: graph.Note,
				Label:  relationWords("Prices are cents in a 64-bit integer; never a float", "Ada Tester"),
				Branch: "main", At: at(100),
			},
			{
				ID: "01KJP0000000000000N0TE0003", Kind: graph.Note,
				Label: relationWords("Rates change on the first of January", "Alice"), At: at(60),
				States: []graph.State{graph.Archived},
			},
			{
				ID: "01KJP0000000000000SK1P0001", Kind: graph.Skip,
				Label: relationWords("Do not run the load test on the shared database", "Bob"), Branch: "main",
				At: at(80), States: []graph.State{graph.Expired},
			},
			{ID: "src/cart/store.go", Kind: graph.File},
			{ID: "5f0c2ab9d1e84c7f3a6b2d9e8c7f1a0b4d5e6f70", Kind: graph.Commit},
		},
		Edges: []graph.Edge{
			{From: "01KJP0000000000000CART0002", To: "01KJP0000000000000CART0001", Kind: graph.Continues},
			{From: "01KJP0000000000000CART0003", To: "01KJP0000000000000CART0002", Kind: graph.Continues},
			{From: "01KJP0000000000000CART0004", To: "01KJP0000000000000CART0002", Kind: graph.Continues},
			{From: "01KJP0000000000000CART0005", To: "01KJP0000000000000CART0004", Kind: graph.Continues},
			{From: "01KJP0000000000000TAXES002", To: "01KJP0000000000000TAXES001", Kind: graph.Continues},
			{From: "01KJP0000000000000TAXES001", To: "01KJP0000000000000G0NE0001", Kind: graph.Continues},
			{From: "01KJP0000000000000N0TE0002", To: "01KJP0000000000000N0TE0001", Kind: graph.Supersedes},
			{
				From: "01KJP0000000000000TAXES002", To: "01KJP0000000000000N0TE0002", Kind: graph.Links,
				Label: relationWords("relies on", "Bob"),
			},
			{From: "01KJP0000000000000CART0002", To: "src/cart/store.go", Kind: graph.Cites, Lines: "12-40"},
			{From: "01KJP0000000000000CART0002", To: "src/cart/store.go", Kind: graph.Cites, Lines: "7"},
			{From: "01KJP0000000000000N0TE0002", To: "src/price/cents.go", Kind: graph.Cites},
			{
				From: "01KJP0000000000000CART0004", To: "5f0c2ab9d1e84c7f3a6b2d9e8c7f1a0b4d5e6f70",
				Kind: graph.AtCommit,
			},
		},
	}
}

func TestGraph_golden(t *testing.T) {
	t.Parallel()
	for form := range forms {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join("..", "..", "testdata", "graph", "shop."+form)
			got := draw(t, shop(), form)
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", file, diff)
			}
		})
	}
}

func TestGraph_orderOfInputDoesNotCount(t *testing.T) {
	t.Parallel()
	for form := range forms {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			want := draw(t, shop(), form)
			for seed := range uint64(20) {
				g, r := shop(), rand.New(rand.NewPCG(seed, 7))
				g.Nodes = append(g.Nodes, g.Nodes[:3]...) // A record that is listed twice is one record.
				g.Edges = append(g.Edges, g.Edges[:3]...)
				r.Shuffle(len(g.Nodes), func(i, k int) { g.Nodes[i], g.Nodes[k] = g.Nodes[k], g.Nodes[i] })
				r.Shuffle(len(g.Edges), func(i, k int) { g.Edges[i], g.Edges[k] = g.Edges[k], g.Edges[i] })
				if diff := cmp.Diff(want, draw(t, g, form)); diff != "" {
					t.Fatalf("shuffled by %d (-want +got):\n%s", seed, diff)
				}
			}
		})
	}
}
