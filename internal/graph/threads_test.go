package graph_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/graph"
	"github.com/git-ltm/git-ltm/internal/provenance"
)

// named makes records of these IDs, the first the newest.
func named(ids ...string) []graph.Node {
	var nodes []graph.Node
	for i, id := range ids {
		nodes = append(nodes, graph.Node{ID: id, Kind: graph.Packet, At: at(24 * (len(ids) - i))})
	}
	return nodes
}

// continues makes edges of pairs such as "b>a".
func continues(pairs ...string) []graph.Edge {
	var edges []graph.Edge
	for _, pair := range pairs {
		from, to, _ := strings.Cut(pair, ">")
		edges = append(edges, graph.Edge{From: from, To: to, Kind: graph.Continues})
	}
	return edges
}

// comb is a thread in which every record of a line has a newer one beside it.
func comb(teeth int) graph.Graph {
	var ids, pairs []string
	for i := range teeth {
		line, tooth := fmt.Sprintf("line%06d", i), fmt.Sprintf("tooth%06d", teeth-i)
		ids = append(ids, tooth)
		pairs = append(pairs, tooth+">"+line, fmt.Sprintf("line%06d>%s", i+1, line))
	}
	for i := range teeth + 1 {
		ids = append(ids, fmt.Sprintf("line%06d", teeth-i))
	}
	return graph.Graph{Nodes: named(ids...), Edges: continues(pairs...)}
}

func TestAttack_deepSideLines(t *testing.T) {
	t.Parallel()
	const teeth = 2500
	got := draw(t, comb(teeth), "txt")
	if count := strings.Count(got, "* "); count != 2*teeth+1 {
		t.Errorf("%d records are shown, want %d", count, 2*teeth+1)
	}
	if len(got) > 1<<20 {
		t.Errorf("the text has %d bytes", len(got))
	}
	if !strings.Contains(got, "    continues ") {
		t.Error("nothing says what it continues")
	}
}

func TestAttack_manyEdgesOfOneRecord(t *testing.T) {
	t.Parallel()
	g := graph.Graph{Nodes: named("a")}
	for i := range 10_000 {
		g.Edges = append(g.Edges, graph.Edge{From: "a", To: fmt.Sprintf("file%d", i), Kind: graph.Cites})
	}
	if got := draw(t, g, "txt"); !strings.Contains(got, "and 9968 more") {
		t.Error("nothing says that more is left out")
	}
}

// Rings of every length in every form are drawn once each, and drawing ends.
func TestAttack_rings(t *testing.T) {
	t.Parallel()
	var ids, pairs []string
	for length := 1; length < 40; length++ {
		for i := range length {
			ids = append(ids, fmt.Sprintf("r%02d-%02d", length, i))
			pairs = append(pairs, fmt.Sprintf("r%02d-%02d>r%02d-%02d", length, i, length, (i+1)%length))
		}
	}
	g := graph.Graph{Nodes: named(ids...), Edges: continues(pairs...)}
	if count := strings.Count(draw(t, g, "txt"), "* "); count != len(ids) {
		t.Errorf("text shows %d records, want %d", count, len(ids))
	}
}

func TestGraph_Around(t *testing.T) {
	t.Parallel()
	g := graph.Graph{
		Nodes: named("e", "d", "c", "b", "a", "far"),
		Edges: continues("e>d", "d>c", "c>b", "b>a", "a>e"),
	}
	tests := map[string]struct {
		id    string
		depth int
		want  []string
		edges int
	}{
		"itself":         {"c", 0, []string{"c"}, 0},
		"below zero":     {"c", -3, []string{"c"}, 0},
		"one step":       {"c", 1, []string{"d", "c", "b"}, 2},
		"around a ring":  {"c", 2, []string{"e", "d", "c", "b", "a"}, 5},
		"no end":         {"c", 1 << 30, []string{"e", "d", "c", "b", "a"}, 5},
		"with no edge":   {"far", 9, []string{"far"}, 0},
		"not in a graph": {"nobody", 9, nil, 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := g.Around(test.id, test.depth)
			var ids []string
			for _, n := range got.Nodes {
				ids = append(ids, n.ID)
			}
			if diff := cmp.Diff(test.want, ids); diff != "" || len(got.Edges) != test.edges {
				t.Errorf("Around(%q, %d) has %d edges, want %d; nodes (-want +got):\n%s", test.id, test.depth,
					len(got.Edges), test.edges, diff)
			}
		})
	}
}

// texts compares what is sealed by what it says and who wrote it.
var texts = cmp.Transformer("said", func(t provenance.Text) string {
	text, _ := t.For(provenance.Requested)
	return text + " by " + t.Origin().By()
})

// Sorted leaves what it was given as it was.
func TestGraph_Sorted(t *testing.T) {
	t.Parallel()
	g := shop()
	sorted := g.Sorted()
	if diff := cmp.Diff(shop(), g, texts); diff != "" {
		t.Errorf("the graph was changed (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(sorted, sorted.Sorted(), texts); diff != "" {
		t.Errorf("sorted twice (-want +got):\n%s", diff)
	}
	at := slices.IndexFunc(sorted.Nodes, func(n graph.Node) bool { return n.Short() == "N0TE0001" })
	if diff := cmp.Diff([]graph.State{graph.Superseded}, sorted.Nodes[at].States); diff != "" {
		t.Errorf("states of what is superseded (-want +got):\n%s", diff)
	}
}

func TestGraph_writeError(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	full := errors.New("no space left")
	_ = r.CloseWithError(full)
	for form, write := range forms {
		if err := write(shop(), w); !errors.Is(err, full) {
			t.Errorf("%s = %v, want %v", form, err, full)
		}
	}
}

func BenchmarkGraph(b *testing.B) {
	g := comb(2500)
	for i := range 2500 {
		g.Edges = append(g.Edges,
			graph.Edge{
				From: fmt.Sprintf("line%06d", i), To: fmt.Sprintf("src/%d.go", i%300),
				Kind: graph.Cites,
			})
	}
	for form, write := range forms {
		b.Run(form, func(b *testing.B) {
			for b.Loop() {
				if err := write(g, io.Discard); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
