package deadend_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/git-ltm/git-ltm/internal/deadend"
	"github.com/git-ltm/git-ltm/internal/local"
)

// TestTraitFile holds the file against a list of the same traits: what it says no to is in none of them, for files of no, one and
// many blocks.
func TestTraitFile(t *testing.T) {
	t.Parallel()
	actions := []deadend.Action{
		{Command: "npm install left-pad"}, {Command: "go test ./... -run TestFoo -count=1"}, {Paths: []string{"web/pool.go"}, Added: "retry"},
		{Command: "rm -rf build && make all"}, {Prompt: "lower the limit of the pool"},
	}
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // It draws cases.
	for _, n := range []int{0, 1, 255, 256, 5000, 40000} {
		var traits []deadend.Trait
		for range n {
			traits = append(traits, deadend.Trait(random.Uint32()))
		}
		for _, met := range [][]deadend.Trait{nil, actions[0].Traits().All()[:1], actions[1].Traits().All()} {
			all := slices.Concat(traits, met)
			slices.Sort(all)
			all = slices.Compact(all)
			f := deadend.TraitFile{File: local.At(filepath.Join(t.TempDir(), "traits"))}
			if err := f.Replace("stamp", all); err != nil {
				t.Fatal(err)
			}
			if !f.Speaks("stamp") || f.Speaks("other") {
				t.Errorf("a file of %d traits speaks of another stamp than its own", len(all))
			}
			for _, a := range actions {
				want := slices.ContainsFunc(a.Traits().All(), func(trait deadend.Trait) bool { return slices.Contains(all, trait) })
				if got := f.MayMeet("stamp", a.Traits()); got != want {
					t.Errorf("a file of %d traits: MayMeet(%+v) = %v, want %v", len(all), a, got, want)
				}
			}
		}
	}
}

// FuzzTraitFile: damaged bytes never end the program, and say no only where the parts that were read have their sums.
func FuzzTraitFile(f *testing.F) {
	whole := deadend.TraitFile{File: local.At(filepath.Join(f.TempDir(), "traits"))}
	if err := whole.Replace("stamp", []deadend.Trait{1, 2, 3, 1 << 30}); err != nil {
		f.Fatal(err)
	}
	data, err := os.ReadFile(whole.File.Path())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(data[:len(data)-1])
	f.Add([]byte("git-ltm traits 1 stamp 65536 00000000\n"))
	traits := deadend.Action{Command: "ls -la"}.Traits()
	f.Fuzz(func(t *testing.T, text []byte) {
		t.Parallel()
		file := deadend.TraitFile{File: local.At(filepath.Join(t.TempDir(), "traits"))}
		if err := os.WriteFile(file.File.Path(), text, 0o600); err != nil {
			t.Fatal(err)
		}
		if file.MayMeet("stamp", traits) != file.MayMeet("stamp", traits) || !file.MayMeet("", traits) || !file.Speaks("stamp") && !file.MayMeet("stamp", traits) {
			t.Error("it says no of a stamp that it does not speak of")
		}
	})
}
