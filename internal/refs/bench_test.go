package refs_test

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// recordOf is a record of the size that is usual.
func recordOf(n int) []byte {
	return fmt.Appendf(nil, "{\n  \"n\": %d,\n  \"text\": %q\n}\n", n,
		bytes.Repeat([]byte("some words "), 500))
}

// BenchmarkCreate compares a save with what git itself takes to write an object and a ref durably. The two
// take turns, so that what else the machine does hits both; the medians are reported.
func BenchmarkCreate(b *testing.B) {
	r := gittest.Repo(b, gittest.Plain)
	store := open(b, r)
	var ours, theirs []float64
	n := 0
	for b.Loop() {
		began := time.Now()
		if _, err := store.Create(b.Context(), []refs.New{{Name: name(n), Data: recordOf(n)}}); err != nil {
			b.Fatal(err)
		}
		ours = append(ours, time.Since(began).Seconds()*1000)
		began = time.Now()
		oid := r.Feed(string(recordOf(n+1)), "-c", "core.fsync=loose-object", "hash-object", "-w", "--stdin")
		r.Git("-c", "core.fsync=reference", "update-ref", name(n+1).Ref(), oid, strings.Repeat("0", 40))
		theirs = append(theirs, time.Since(began).Seconds()*1000)
		n += 2
	}
	slices.Sort(ours)
	slices.Sort(theirs)
	b.ReportMetric(ours[len(ours)/2], "store-ms")
	b.ReportMetric(theirs[len(theirs)/2], "git-ms")
	b.ReportMetric(ours[len(ours)/2]/theirs[len(theirs)/2], "ratio")
}

// BenchmarkNewest compares listing and reading the newest twenty with what git itself takes for both.
func BenchmarkNewest(b *testing.B) {
	for _, count := range []int{10, 1000, 100_000} {
		r := gittest.Repo(b, gittest.Plain)
		plant(b, r, 0, count)
		r.Git("repack", "-q", "-a", "-d")
		b.Run(fmt.Sprintf("%d/store", count), func(b *testing.B) {
			for b.Loop() {
				newest(b, r)
			}
		})
		b.Run(fmt.Sprintf("%d/heal", count), func(b *testing.B) {
			store := open(b, r)
			for b.Loop() {
				if _, err := store.Heal(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("%d/git", count), func(b *testing.B) {
			for b.Loop() {
				oids := r.Git("for-each-ref", "--sort=-refname", "--count=20", "--format=%(objectname)",
					"refs/ltm/packets")
				r.Feed(oids+"\n", "cat-file", "--batch")
			}
		})
	}
}

// newest lists and reads as a command would: with a store of its own.
func newest(b *testing.B, r *gittest.Repository) {
	b.Helper()
	repo, err := openedRepo(b, r)
	if err != nil {
		b.Fatal(err)
	}
	store := refs.Open(repo)
	left := 20
	for ref, err := range store.List(b.Context(),
		refs.Query{Kind: refs.Packets, Newest: true, Remotes: true}) {
		if err != nil {
			b.Fatal(err)
		}
		if _, err := store.Read(b.Context(), ref); err != nil {
			b.Fatal(err)
		}
		if left--; left == 0 {
			break
		}
	}
	if err := store.Close(); err != nil {
		b.Fatal(err)
	}
}

// openedRepo finds the repository once; the cost of that is a process of git and is the same for every
// command.
func openedRepo(b *testing.B, r *gittest.Repository) (*git.Repo, error) {
	b.Helper()
	b.StopTimer()
	defer b.StartTimer()
	return git.Open(b.Context(), r.Dir, r.Env)
}

// BenchmarkHeal is what every command pays that writes, after a busy hour.
func BenchmarkHeal(b *testing.B) {
	for _, count := range []int{20, 200} {
		r := gittest.Repo(b, gittest.Plain)
		store := open(b, r)
		for n := range count {
			save(b, store, n)
		}
		b.Run(strconv.Itoa(count), func(b *testing.B) {
			for b.Loop() {
				if _, err := store.Heal(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
