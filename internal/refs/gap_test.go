package refs_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// What is kept of a comparison never makes it another one than that of all refs.
func TestStore_Gap_follows(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	object := r.Feed("{}", "hash-object", "-w", "--stdin")
	other := r.Feed("{ }", "hash-object", "-w", "--stdin")
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // The same run each time.
	var known map[string]string
	names := func(n int) []string {
		return []string{
			"packets/" + string(id(n)), "endorse/" + string(id(n)) + "/0123456789abcdef",
			"packets/x", "archive/x",
		}
	}
	var steps []string
	for step := range 60 {
		name := names(random.IntN(6))[random.IntN(4)]
		place := []string{"refs/ltm/", "refs/ltm-remotes/far/o/", "refs/ltm-remotes/far/"}[random.IntN(3)]
		switch random.IntN(8) {
		case 0:
			r.Git("pack-refs", "--all")
			name = "pack"
		case 1:
			_, _ = r.Try("update-ref", "-d", place+name)
			name = "drop " + place + name
		case 2:
			known = map[string]string{}
			var list strings.Builder
			for n := range random.IntN(5) {
				name := "refs/ltm/" + names(5 - n)[n%2]
				known[name] = object
				fmt.Fprintln(&list, object, name)
			}
			if err := open(t, r).Remote("far/o").KeepKnown(git.RefList{}, knownList(list.String())); err != nil {
				t.Fatal(err)
			}
			name = fmt.Sprint("know ", len(known))
		default:
			r.Git("update-ref", place+name, []string{object, other}[random.IntN(2)])
			name = "make " + place + name
		}
		steps = append(steps, name)
		got, err := open(t, r).Remote("far/o").Gap(t.Context())
		if (got.Names != "") != (got.Unsent > 0) {
			t.Errorf("step %d: the sum of %d names is %q", step, got.Unsent, got.Names)
		}
		got.Names = ""
		if want := plainGap(r, known); got != want || err != nil {
			t.Fatalf("step %d: Gap = %+v, %v, want %+v after:\n%s", step, got, err, want,
				strings.Join(steps, "\n"))
		}
	}
}

// plainGap asks git for everything.
func plainGap(r *gittest.Repository, known map[string]string) (gap refs.Gap) {
	held := func(place string) map[string]bool {
		found := map[string]bool{}
		for name := range strings.Lines(r.Git("for-each-ref", "--format=%(refname)", place)) {
			name = "refs/ltm/" + strings.TrimPrefix(strings.TrimSpace(name), place)
			if _, ok := refs.Parse(name); ok {
				found[name] = true
			}
		}
		return found
	}
	ours, theirs := held("refs/ltm/"), held("refs/ltm-remotes/far/o/")
	for name := range known {
		theirs[name] = true
	}
	for name := range ours {
		if !theirs[name] {
			gap.Unsent++
			if strings.Contains(name, "/endorse/") {
				gap.Changes++
			}
		}
	}
	for name := range theirs {
		if !ours[name] {
			gap.NotHere++
		}
	}
	return gap
}

// A list that an older version wrote is not in an order, and is read all the same.
func TestStore_Gap_olderList(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	ref := save(t, open(t, r), 1)
	save(t, open(t, r), 2)
	if err := os.WriteFile(open(t, r).Remote("o").File("holds-").Path(),
		[]byte(ref.Object+" "+ref.Full()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got, err := open(t, r).Remote("o").Gap(t.Context()); got.Unsent != 1 || got.Changes+got.NotHere != 0 || err != nil {
			t.Errorf("Gap = %+v, %v, want 1 unsent", got, err)
		}
	}
}
