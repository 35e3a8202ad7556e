package git_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/git"
)

// TestRefList compares lists with maps: of lines in any order, of which some are none and some have one name.
func TestRefList(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	oid := func(n int) string { return fmt.Sprintf("%040x", n) }
	draw := func() (git.RefList, map[string]string) {
		var text strings.Builder
		want := map[string]string{}
		for range random.IntN(12) {
			name, object := fmt.Sprintf("refs/%c", 'a'+random.IntN(8)), oid(random.IntN(2))
			switch random.IntN(6) {
			case 0:
				text.WriteString("^" + object + "\n" + object + "\n# comment\n")
			case 1:
				text.WriteString(object + " none/" + name + "\n")
			default:
				text.WriteString(object + []string{" ", "\t"}[random.IntN(2)] + name + "\n")
				want[name] = object
			}
		}
		return git.ReadRefList(text.String(), func(name, _ string) bool { return name[:5] == "refs/" }), want
	}
	for range 2000 {
		a, inA := draw()
		b, inB := draw()
		if diff := cmp.Diff(inA, maps.Collect(a.All())); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		differ := map[string]git.RefDifference{}
		for _, name := range slices.Concat(slices.Collect(maps.Keys(inA)), slices.Collect(maps.Keys(inB))) {
			if inA[name] != inB[name] {
				differ[name] = git.RefDifference{Name: name, Mine: inA[name], Theirs: inB[name]}
			}
		}
		got := map[string]git.RefDifference{}
		last := ""
		for d := range a.Differ(b) {
			if d.Name <= last {
				t.Fatalf("%q comes behind %q", d.Name, last)
			}
			got[d.Name], last = d, d.Name
		}
		if diff := cmp.Diff(differ, got); diff != "" || a.IsEqual(b) != (len(differ) == 0) {
			t.Fatalf("Differ (-want +got):\n%s", diff)
		}
		for n := range 9 {
			name := fmt.Sprintf("refs/%c", 'a'+n)
			if a.Find(name) != inA[name] {
				t.Fatalf("Find(%q) = %q, want %q", name, a.Find(name), inA[name])
			}
		}
		below := a.Only(func(name, _ string) bool { return name != "refs/c" })
		for name := range below.Below("refs/c") {
			t.Fatalf("%q was left out", name)
		}
	}
}
