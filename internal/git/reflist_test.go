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
		only := a.Only(func(name, _ string) bool { return name != "refs/c" })
		if want := withoutName(inA, "refs/c"); !maps.Equal(want, maps.Collect(only.All())) {
			t.Fatalf("Only: got %v, want %v", maps.Collect(only.All()), want)
		}
		for name := range only.Below("refs/c").All() {
			t.Fatalf("%q was left out", name)
		}
		if got := a.Below("refs/"); !got.IsEqual(a) {
			t.Fatalf("Below: got %d, want %d", got.Len(), a.Len())
		}
		without := maps.Clone(inA)
		maps.DeleteFunc(without, func(name, object string) bool { return inB[name] == object })
		if got := maps.Collect(a.Without(b).All()); !maps.Equal(without, got) {
			t.Fatalf("Without: got %v, want %v", got, without)
		}
		with := maps.Clone(inA)
		maps.Copy(with, inB)
		if got := maps.Collect(a.With(b).All()); !maps.Equal(with, got) {
			t.Fatalf("With: got %v, want %v", got, with)
		}
		if diff := cmp.Diff(inA, maps.Collect(a.All())); diff != "" {
			t.Fatalf("a list that others were made of has changed (-want +got):\n%s", diff)
		}
	}
}

// withoutName is a map without one name.
func withoutName(all map[string]string, name string) map[string]string {
	left := maps.Clone(all)
	delete(left, name)
	return left
}
