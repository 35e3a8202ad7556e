package remote_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/remote"
)

// TestSync_gone purges a record, as another command may, at the moment at which git has connected to push it.
// The others go.
func TestSync_gone(t *testing.T) {
	t.Parallel()
	var key [32]byte
	w := &world{dir: t.TempDir(), env: gittest.Env(t), entropy: rand.NewChaCha8(key), began: time.Now().UTC()}
	c := &clone{name: "clone", dir: filepath.Join(w.dir, "clone")}
	git := func(in string, args ...string) string {
		t.Helper()
		out, err := w.git(t.Context(), in, args...)
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(out)
	}
	git(w.dir, "init", "-q", "--bare", "one.git")
	git(w.dir, "init", "-q", c.dir)
	git(c.dir, "remote", "add", "one", "../one.git")
	err := w.with(t.Context(), c, func(m *memory.Memory) error {
		var saved []string
		for _, text := range []string{"first", "second", "third"} {
			got, err := m.SaveSmall(t.Context(),
				gate.SaveRequest{Data: []byte(`{"type":"note","kind":"fact","text":"` + text + `"}`)})
			if err != nil {
				return err
			}
			saved = append(saved, "refs/ltm/notes/"+string(got.ID))
		}
		gone := saved[1]
		oid := git(c.dir, "rev-parse", gone)
		object := filepath.Join(c.dir, ".git", "objects", oid[:2], oid[2:])
		script := filepath.Join(w.dir, "receive")
		text := "#!/bin/sh\nrm -f '" + object + "'\nexec git-receive-pack \"$@\"\n"
		if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
			return err
		}
		git(c.dir, "config", "remote.one.receivepack", "sh '"+script+"'")
		out, err := remote.Sync(t.Context(), m, remote.Request{Remote: "one"})
		if err != nil {
			return err
		}
		want := slices.Sorted(slices.Values([]string{saved[0], saved[2]}))
		if !slices.Equal(out.Pushed, want) {
			t.Errorf("pushed %q, want %q", out.Pushed, want)
		}
		if len(out.Withheld) != 1 || out.Withheld[0].Ref != gone ||
			!strings.Contains(out.Withheld[0].Why[0], "meanwhile") {
			t.Errorf("withheld %+v, want %s, which went meanwhile", out.Withheld, gone)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
