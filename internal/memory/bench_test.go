package memory_test

import (
	"crypto/rand"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// BenchmarkList reads the twenty newest of a hundred packets, as a first listing does.
func BenchmarkList(b *testing.B) {
	repo := gittest.Repo(b, gittest.Plain)
	opts := memory.Options{Dir: repo.Dir, Env: repo.Env, Now: time.Now, Entropy: rand.Reader}
	m, err := memory.Open(b.Context(), opts)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := m.Close(); err != nil {
			b.Error(err)
		}
	})
	for range 100 {
		if _, err := m.Save(b.Context(),
			gate.SaveRequest{Data: []byte(`{"goal":"g","next_step":"n"}`)}); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		left := 20
		for _, err := range m.List(b.Context(), replay.Query{}) {
			if err != nil {
				b.Fatal(err)
			}
			if left--; left == 0 {
				break
			}
		}
	}
}
